/* trace.h - `trace` for a semiring whose times never reverses an order: see kernel.h.
 *
 * After block.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_TRACE_H
#define TZ_KERNELS_TRACE_H

#ifdef TZ_DESCRIPTOR

#include "strips.h"

#undef bool /* a semiring may have that name */

/* Vectors of two or three uses take longer to make than they save. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC push_options
#pragma GCC optimize("no-tree-vectorize")
#endif

/* All is one function, for which counts that are given as constants unroll loops. */
#define INTO_TRACE static inline __attribute__((always_inline))

/* Looks along a strip, from turn `low` on, for a product that is the value; the first such turn, or
 * one beyond. None is greater than the value, their sum. form: of the operands. */
INTO_TRACE int64_t find_along(element value, const uint64_t *form, unsigned operands,
                              const uint64_t *at, unsigned width, ptrdiff_t behind, int64_t low,
                              int64_t high) {
    const char *operand[TZ_MAX_OPERANDS];
    ptrdiff_t change[TZ_MAX_OPERANDS];
    for (unsigned o = 0; o < operands; o++, form += 2 + width) {
        change[o] = (ptrdiff_t)form[0];
        operand[o] = (const char *)(uintptr_t)(tz_form_at(form, at, width) + (uint64_t)behind) +
                     low * change[o];
    }
    for (; low <= high; low++) {
        element all = operands > 0 ? *(const element *)(const void *)operand[0] : one;
        for (unsigned o = 1; o < operands; o++)
            all = product(all, *(const element *)(const void *)operand[o]);
        if (all >= value)
            break;
        for (unsigned o = 0; o < operands; o++)
            operand[o] += change[o];
    }
    return low;
}

static __attribute__((noinline)) int64_t find_along_many(element value, const uint64_t *form,
                                                         unsigned operands, const uint64_t *at,
                                                         unsigned width, ptrdiff_t behind,
                                                         int64_t low, int64_t high) {
    return find_along(value, form, operands, at, width, behind, low, high);
}

static __attribute__((noinline)) const uint64_t *
find_turns(const tz_strip *strip, const uint64_t *at, int64_t *ret_low, int64_t *ret_high) {
    return tz_strip_holds(strip, at) ? tz_strip_turns(strip, at, ret_low, ret_high) : NULL;
}

/* Sets *ret_turn to the strip's first instance of the value; 0 if there is none. Most strips
 * have a condition, an upper bound and three operands at most. */
INTO_TRACE _Bool find_in_strip(const element *cell, const tz_strip *strip, const uint64_t *at,
                               unsigned width, ptrdiff_t behind, int64_t *ret_turn) {
    const uint64_t *form = strip->form;
    int64_t low = 0, high = 0;
    if (__builtin_expect(strip->simple, 1)) {
        for (unsigned c = 0; c < strip->conditions; c++, form += 2 + width)
            if ((int64_t)tz_form_at(form, at, width) < 0)
                return 0;
        if (strip->uppers > 0) {
            high = (int64_t)tz_form_at(form, at, width);
            if (high < 0)
                return 0;
            form += 2 + width;
        }
    } else {
        form = find_turns(strip, at, &low, &high);
        if (form == NULL)
            return 0;
    }
    *ret_turn = low;
    if (low == high && strip->alone)
        return 1;
    const element value = *cell; /* an item's, where it may have several instances */
    const unsigned operands = strip->operands;
    *ret_turn = operands == 2 ? find_along(value, form, 2, at, width, behind, low, high)
                : operands == 3
                    ? find_along(value, form, 3, at, width, behind, low, high)
                    : find_along_many(value, form, operands, at, width, behind, low, high);
    return *ret_turn <= high;
}

/* The same where there may be loops around the last one. */
static __attribute__((noinline)) _Bool find_around(const element *cell, const tz_strip *strip,
                                                   uint64_t *at, ptrdiff_t behind,
                                                   int64_t *ret_turn) {
    for (tz_strip_loops loops = {.strip = strip}; tz_loops_next(&loops, at);)
        if (find_in_strip(cell, strip, at, strip->width, behind, ret_turn))
            return 1;
    return 0;
}

/* The pair that a form is, of a turn. */
INTO_TRACE uint64_t trace_pair(const uint64_t *form, const uint64_t *at, unsigned width,
                               int64_t turn) {
    return tz_form_at(form, at, width) + form[0] * (uint64_t)turn;
}

INTO_TRACE void trace_premise(tz_pending *to, const tz_strip *strip, unsigned premise,
                              const uint64_t *at, unsigned width, unsigned pairs, int64_t turn) {
    const uint64_t *form = strip->premise + premise * pairs * (2 + width);
    to->kind = strip->which[premise];
    for (unsigned p = 0; p < pairs; p++, form += 2 + width)
        to->pair[p] = trace_pair(form, at, width, turn);
}

INTO_TRACE void trace_copy(tz_pending *to, const tz_pending *from, unsigned pairs) {
    to->kind = from->kind;
    for (unsigned p = 0; p < pairs; p++)
        to->pair[p] = from->pair[p];
}

INTO_TRACE void trace_node(tz_trail *t, unsigned rule, unsigned premises, const tz_pending *item,
                           unsigned pairs) {
    if (item->kind >= t->items)
        return;
    tz_node *node = t->node++;
    node->item = item->kind;
    node->rule = rule;
    node->premises = premises;
    for (unsigned p = 0; p < pairs; p++)
        tz_pair_write(item->pair[p], p, node->index);
}

/* Adds the uses of an instance and puts its premises on the stack, but for the first one, which is
 * the next item in hand. */
INTO_TRACE void trace_parts(tz_trail *t, const tz_strip *strip, const uint64_t *at, unsigned width,
                            unsigned pairs, int64_t turn, tz_pending *item) {
    const uint64_t *form = strip->weight;
    const uint16_t *which = strip->which + strip->premises;
    for (unsigned w = 0; w < strip->weights; w++) {
        tz_use *use = t->use++;
        use->weight = which[w];
        for (unsigned p = 0; p < pairs; p++, form += 2 + width)
            tz_pair_write(trace_pair(form, at, width, turn), p, use->index);
    }
    for (unsigned p = strip->premises; p-- > 1;) /* the second one on top */
        trace_premise(t->pending++, strip, p, at, width, pairs, turn);
    if (strip->premises > 0)
        trace_premise(item, strip, 0, at, width, pairs, turn);
}

INTO_TRACE size_t trace_pairs(tz_trail *trail, size_t count, unsigned pairs) {
    tz_trail t = *trail; /* in registers */
    tz_pending item;
    size_t done = 0;
    _Bool in_hand = 1;
    trace_copy(&item, --t.pending, pairs);
    for (; done < count; done++) {
        const tz_strip_kind *kind = &t.kind[item.kind];
        uint64_t at[TZ_STRIP_NUMBERS];
        if (!kind->direct)
            break;
        for (unsigned p = 0; p < pairs; p++)
            tz_pair_split(item.pair[p], at + 2 * p);
        if (kind->leaf != NULL && (int64_t)tz_form_at(kind->leaf, at, 2 * pairs) >= 0) {
            trace_node(&t, kind->leaf_rule, 0, &item, pairs);
        } else {
            const element *cell =
                (const element *)(const void *)(uintptr_t)(tz_form_at(kind->cell, at, 2 * pairs) +
                                                           (uint64_t)t.behind);
            const tz_strip *strip = kind->strip, *end = strip + kind->strips;
            int64_t turn = 0;
            if (__builtin_expect(kind->plain, 1))
                while (strip < end && !find_in_strip(cell, strip, at, 2 * pairs, t.behind, &turn))
                    strip++;
            else
                while (strip < end && !find_around(cell, strip, at, t.behind, &turn))
                    strip++;
            if (strip == end)
                break;
            trace_node(&t, strip->rule, strip->node_premises, &item, pairs);
            if (__builtin_expect(kind->plain, 1))
                trace_parts(&t, strip, at, 2 * pairs, pairs, turn, &item);
            else
                trace_parts(&t, strip, at, strip->width, pairs, turn, &item);
            if (strip->premises > 0)
                continue;
        }
        in_hand = t.pending > t.bottom;
        if (!in_hand) {
            done++;
            break;
        }
        trace_copy(&item, --t.pending, pairs);
    }
    if (in_hand)
        trace_copy(t.pending++, &item, pairs);
    trail->pending = t.pending;
    trail->node = t.node;
    trail->use = t.use;
    return done;
}

static __attribute__((noinline)) size_t trace_wide(tz_trail *trail, size_t count) {
    return trail->pairs == 2 ? trace_pairs(trail, count, 2)
                             : trace_pairs(trail, count, TZ_STRIP_PAIRS);
}

static size_t trace(const tz_semiring *self, tz_trail *trail, size_t count) {
    (void)self;
    return trail->pairs == 1 ? trace_pairs(trail, count, 1) : trace_wide(trail, count);
}

#undef INTO_TRACE

#if defined __GNUC__ && !defined __clang__
#pragma GCC pop_options
#endif

#endif

#endif
