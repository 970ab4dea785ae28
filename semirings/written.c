/* written.c - semirings that are programs: each operation serves the columns of a strip at once.
 *
 * The elements of up to STRIP columns of a block are dealt to an array for each of their numbers.
 * The order of sums is that of kernel.h, and no operation depends on its neighbours, so the bits
 * are those of plus and times. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "kernels/real.h"
#include "written_machine.h"
#define NAME written

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* The numbers of the columns' elements, an array for each part: in the room, or where they stand.
 * There is a whole vector from every column on. */
typedef struct elements {
    const number *at[PARTS];
    ALIGNED number room[PARTS][ROW];
} elements;

/* Columns first..first+n-1, counted along the lanes and then x; or along x of one lane. */
typedef struct strip {
    const tz_block *block;
    size_t parts, n, first, lane, lanes;
} strip;

/* Where column `i` stands, and those after it. */
typedef struct walk {
    ptrdiff_t at, to_next; /* to_next: from the last lane of an x to the first of the next */
    size_t lane, lanes;
} walk;

static walk walk_from(const strip *s, ptrdiff_t run, size_t i) {
    const size_t x = (s->first + i) / s->lanes, lane = (s->first + i) % s->lanes;
    return (walk){(ptrdiff_t)x * run + (ptrdiff_t)(s->lane + lane), run - (ptrdiff_t)s->lanes + 1,
                  lane, s->lanes};
}

static void step(walk *w) {
    const _Bool last = ++w->lane == w->lanes;
    w->at += last ? w->to_next : 1;
    w->lane = last ? 0 : w->lane;
}

/* Are the columns neighbours in memory? */
static _Bool in_row(const strip *s, ptrdiff_t run) {
    return run == (ptrdiff_t)s->lanes && s->lane == 0;
}

static void load_row(const strip *s, const number *base, size_t from, size_t end, elements *ret) {
    number(*to)[ROW] = (number(*)[ROW])(ret->room[0] + from);
    base += (s->first + from) * s->parts;
    if (s->parts == 1 && (end - from) % WIDE == 0) {
        ret->at[0] = base - from;
        return;
    }
    FOR_PARTS(s->parts, deal_columns, base, to, end - from)
}

static void load(const strip *s, const tz_operand *o, size_t split, size_t from, size_t end,
                 elements *ret) {
    const ptrdiff_t parts = (ptrdiff_t)s->parts;
    const number *base = (const number *)o->base + (ptrdiff_t)split * o->split * parts;
    for (ptrdiff_t p = 0; p < parts; p++)
        ret->at[p] = ret->room[p];
    if (in_row(s, o->run)) {
        load_row(s, base, from, end, ret);
    } else {
        walk w = walk_from(s, o->run, from);
        for (size_t i = from; i < end; i++, step(&w)) {
            const number *element = base + w.at * parts;
            for (ptrdiff_t p = 0; p < parts; p++)
                ret->room[p][i] = element[p];
        }
    }
}

static void fill(const strip *s, const number *element, elements *ret) {
    for (size_t p = 0; p < s->parts; p++) {
        ret->at[p] = ret->room[p];
        for (size_t i = 0; i < s->n; i += WIDE)
            numbers_store(ret->room[p] + i, numbers_of(element[p]));
    }
}

/* ret may be no argument; columns from..end-1. */
static void apply(machine *m, const strip *s, elements *const *argument, unsigned arguments,
                  size_t from, size_t end, elements *ret) {
    number *out[PARTS];
    const number **at = m->at;
    for (unsigned a = 0; a < arguments; a++)
        for (size_t p = 0; p < s->parts; p++)
            *at++ = argument[a]->at[p] + from;
    for (size_t p = 0; p < s->parts; p++) {
        ret->at[p] = ret->room[p];
        out[p] = ret->room[p] + from;
    }
    run(m, out, end - from);
}

enum { ROOMS = 4 };

typedef struct work {
    const tz_written *w;
    size_t strip; /* columns */
    machine plus, times, plus_times;
    elements room[ROOMS];
    number chain[PARTS][TZ_CHAINS];
} work;

/* The sum becomes what the machine gives of it and others, in columns from..end-1. */
static void update(machine *m, const strip *s, elements **sum, elements **other,
                   elements *const *more, unsigned arguments, size_t from, size_t end) {
    elements *argument[3] = {*sum, more[0], arguments > 2 ? more[1] : NULL};
    apply(m, s, argument, arguments, from, end, *other);
    if (from == 0 && end == s->n) {
        elements *swap = *sum;
        *sum = *other;
        *other = swap;
        return;
    }
    for (size_t p = 0; p < s->parts; p++)
        memcpy((*sum)->room[p] + from, (*other)->at[p] + from, (end - from) * sizeof(double));
}

/* Columns of the strip that split s takes part in. Others may not be added, though an operand is
 * zero there: times an infinite number it need not be. */
static void window(const strip *s, ptrdiff_t split, size_t *from, size_t *end) {
    const tz_block *block = s->block;
    const ptrdiff_t lanes = (ptrdiff_t)s->lanes, first = (ptrdiff_t)s->first;
    ptrdiff_t low = 0, high = (ptrdiff_t)s->n;
    for (unsigned e = 0; e < block->lows; e++) {
        ptrdiff_t at = (block->low[e].at + split * block->low[e].step) * lanes - first;
        low = at > low ? at : low;
    }
    for (unsigned e = 0; e < block->highs; e++) {
        ptrdiff_t at = (block->high[e].at + split * block->high[e].step) * lanes - first;
        high = at < high ? at : high;
    }
    *from = (size_t)low;
    *end = high > low ? (size_t)high : (size_t)low;
}

/* The product of a split's factors but the last, in columns from..end-1, and the last one: where
 * they stand. Returns how many there are. */
static unsigned factors_of(work *k, const strip *s, size_t split, size_t from, size_t end,
                           elements *room[3]) {
    const tz_block *block = s->block;
    if (block->inners == 0)
        fill(s, k->w->one, room[0]);
    else
        load(s, &block->inner[0], split, from, end, room[0]);
    for (unsigned o = 1; o + 1 < block->inners; o++) {
        load(s, &block->inner[o], split, from, end, room[1]);
        apply(&k->times, s, room, 2, from, end, room[2]);
        elements *swap = room[0];
        room[0] = room[2];
        room[2] = swap;
    }
    if (block->inners > 1)
        load(s, &block->inner[block->inners - 1], split, from, end, room[1]);
    return block->inners > 1 ? 2 : 1;
}

/* Adds the splits from `split` on to *sum; what takes no part is left alone. */
static void add_splits(work *k, const strip *s, size_t split, elements **sum, elements *room[3]) {
    for (; split < s->block->splits; split++) {
        size_t from, end;
        window(s, (ptrdiff_t)split, &from, &end);
        if (from == end)
            continue;
        const unsigned factors = factors_of(k, s, split, from, end, room);
        update(factors == 2 ? &k->plus_times : &k->plus, s, sum, &room[2], room, 1 + factors, from,
               end);
    }
}

static void multiply_outers(work *k, const strip *s, unsigned first, elements **sum,
                            elements *room[3]) {
    for (unsigned o = first; o < s->block->outers; o++) {
        load(s, &s->block->outer[o], 0, 0, s->n, room[0]);
        update(&k->times, s, sum, &room[2], room, 2, 0, s->n);
    }
}

/* What is added to the targets; where it stands. */
static elements *sum_of(work *k, const strip *s) {
    const tz_block *block = s->block;
    elements *sum = &k->room[0], *room[3] = {&k->room[1], &k->room[2], &k->room[3]};
    const _Bool bare = block->inners == 0 && block->splits == 1 && block->outers > 0 &&
                       block->lows + block->highs == 0;
    if (bare) {
        load(s, &block->outer[0], 0, 0, s->n, sum);
    } else {
        fill(s, k->w->zero, sum);
        add_splits(k, s, 0, &sum, room);
    }
    multiply_outers(k, s, bare, &sum, room);
    return sum;
}

static elements *room_after(work *k, const elements *of, size_t by) {
    return &k->room[((size_t)(of - k->room) + by) % ROOMS];
}

/* What the targets hold so far. */
static void load_targets(const work *k, const strip *s, elements *ret) {
    const tz_operand target = {.base = s->block->target, .run = s->block->run};
    if (s->block->first_write)
        fill(s, k->w->zero, ret);
    else
        load(s, &target, 0, 0, s->n, ret);
}

/* Adds a strip's sums to its targets. */
static void add_strip(work *k, const strip *s) {
    elements *sum = sum_of(k, s), *old = room_after(k, sum, 1), *ret = room_after(k, sum, 2);
    load_targets(k, s, old);
    elements *const both[] = {old, sum};
    apply(&k->plus, s, both, 2, 0, s->n, ret);
    number *to = s->block->target;
    const size_t parts = s->parts;
    if (in_row(s, s->block->run)) {
        to += s->first * parts;
        FOR_PARTS(s->parts, join_columns, to, ret->at, s->n)
        return;
    }
    walk w = walk_from(s, s->block->run, 0);
    for (size_t i = 0; i < s->n; i++, step(&w))
        for (size_t p = 0; p < parts; p++)
            to[w.at * (ptrdiff_t)parts + (ptrdiff_t)p] = ret->at[p][i];
}

/* Does every column of every operand stand beside the one before, for all splits? */
static _Bool is_row(const tz_block *block) {
    return block->lows + block->highs == 0 && block->splits > 0 && seamless(block);
}

/* Likewise, of a row: what zero would be added to is taken as it is, and one product alone is added
 * to what the targets hold at once. That changes no more than the sign of a zero. */
static void add_row(work *k, const strip *s) {
    const tz_block *block = s->block;
    elements *sum = &k->room[0], *room[3] = {&k->room[1], &k->room[2], &k->room[3]};
    const _Bool bare = block->inners == 0 && block->splits == 1 && block->outers > 0;
    const _Bool added = block->outers == 0 && (block->first_write || block->splits == 1);
    size_t split = 0;
    if (bare) {
        load(s, &block->outer[0], 0, 0, s->n, sum);
    } else if (added) {
        load_targets(k, s, sum);
    } else if (factors_of(k, s, split++, 0, s->n, room) == 2) {
        apply(&k->times, s, room, 2, 0, s->n, sum);
    } else {
        elements *swap = sum;
        sum = room[0];
        room[0] = swap;
    }
    if (!bare)
        add_splits(k, s, split, &sum, room);
    multiply_outers(k, s, bare, &sum, room);
    if (!added) {
        load_targets(k, s, room[0]);
        elements *const both[] = {room[0], sum};
        apply(&k->plus, s, both, 2, 0, s->n, room[2]);
        sum = room[2];
    }
    number *to = (number *)block->target + s->first * s->parts;
    FOR_PARTS(s->parts, join_columns, to, sum->at, s->n)
}

/* Adds the sums of TZ_CHAINS columns of one lane to the chains; these, after the last ones, to the
 * target. */
static void add_chains(work *k, const strip *columns, _Bool last) {
    strip whole = *columns, *s = &whole;
    elements *sum = sum_of(k, s), *other = room_after(k, sum, 1), *later = room_after(k, sum, 2);
    elements *first = room_after(k, sum, 3);
    s->n = TZ_CHAINS;
    fill(s, k->w->zero, first);
    for (size_t p = 0; p < s->parts; p++)
        memcpy(first->room[p], sum->at[p], columns->n * sizeof(number));
    if (s->first > 0) {
        for (size_t p = 0; p < s->parts; p++)
            later->at[p] = k->chain[p];
        elements *const more[] = {later, first};
        apply(&k->plus, s, more, 2, 0, s->n, other);
        elements *swap = first;
        first = other;
        other = swap;
    }
    for (size_t p = 0; p < s->parts && !last; p++)
        memcpy(k->chain[p], first->at[p], sizeof k->chain[p]);
    if (!last)
        return;
    for (size_t d = TZ_CHAINS / 2; d > 0; d /= 2) {
        for (size_t p = 0; p < s->parts; p++)
            later->at[p] = first->at[p] + d;
        elements *const both[] = {first, later};
        apply(&k->plus, s, both, 2, 0, d, other);
        elements *swap = first;
        first = other;
        other = swap;
    }
    number *to = (number *)s->block->target + s->lane * s->parts;
    for (size_t p = 0; p < s->parts; p++) {
        later->at[p] = later->room[p];
        later->room[p][0] = to[p];
    }
    elements *const both[] = {later, first};
    apply(&k->plus, s, both, 2, 0, 1, other);
    for (size_t p = 0; p < s->parts; p++)
        to[p] = other->at[p][0];
}

DECLARE_CONTRACTS(NAME);

void CONTRACT(NAME, TZ_ISA)(const tz_semiring *self, const tz_block *block, size_t count) {
    size_t most = TZ_CHAINS;
    work k;
    k.w = (const tz_written *)self;
    for (size_t b = 0; b < count; b++) {
        const size_t columns = block[b].run == 0 ? TZ_CHAINS : block[b].width * block[b].lanes;
        most = columns > most ? columns : most;
    }
    begin(&k.plus, &k.w->plus, most);
    begin(&k.times, &k.w->times, most);
    begin(&k.plus_times, &k.w->plus_times, most);
    k.strip = k.plus.strip < k.times.strip ? k.plus.strip : k.times.strip;
    k.strip = k.plus_times.strip < k.strip ? k.plus_times.strip : k.strip;
    for (; count > 0; count--, block++) {
        const _Bool chains = block->run == 0, row = !chains && is_row(block);
        const size_t columns = block->width * (chains ? 1 : block->lanes);
        const size_t step = chains ? TZ_CHAINS : k.strip;
        strip s = {block, k.w->parts, 0, 0, 0, chains ? 1 : block->lanes};
        for (; s.lane < (chains ? block->lanes : 1); s.lane++)
            for (s.first = 0; s.first < columns; s.first += step) {
                s.n = columns - s.first < step ? columns - s.first : step;
                if (chains)
                    add_chains(&k, &s, s.first + step >= columns);
                else
                    (row ? add_row : add_strip)(&k, &s);
            }
    }
}

/* ---- Lifting ----------------------------------------------------------------------------------
 */

/* The elements of n scores; -0.0 becomes 0.0. */
static void lift_strips(const tz_semiring *self, double *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n) {
    const tz_written *w = (const tz_written *)self;
    machine m;
    ALIGNED number given[1 + TZ_MAX_INPUTS][STRIP] = {{0}}, lifted[PARTS][STRIP];
    number *to[PARTS];
    for (size_t p = 0; p < PARTS; p++)
        to[p] = lifted[p];
    begin(&m, &w->lift, n);
    for (size_t k = 0; k <= self->inputs; k++)
        m.at[k] = given[k];
    for (size_t done = 0, count; done < n; done += count) {
        count = n - done < m.strip ? n - done : m.strip;
        memcpy(given[0], score + done, count * sizeof *score);
        for (size_t k = 0; k < self->inputs && input != NULL; k++)
            memcpy(given[1 + k], input[k] + done, count * sizeof *score);
        run(&m, to, count);
        for (size_t p = 0; p < w->parts; p++)
            for (size_t i = 0; i < count; i += WIDE) {
                const numbers all = numbers_load(lifted[p] + i), none = numbers_of(w->zero[p]);
                const picks out = is_equal(numbers_load(given[0] + i), numbers_of(-INFINITY));
                numbers_store(lifted[p] + i, numbers_chosen(out, none, all + 0));
            }
        if (stride == 1) {
            FOR_PARTS(w->parts, join_columns, ret + done * w->parts, (const number *const *)to,
                      count)
            continue;
        }
        for (size_t i = 0; i < count; i++)
            for (size_t p = 0; p < w->parts; p++)
                ret[(ptrdiff_t)(done + i) * stride * (ptrdiff_t)w->parts + (ptrdiff_t)p] =
                    lifted[p][i];
    }
}

DECLARE_ALL_LIFTS(NAME);

_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    lift_strips(self, ret, 1, from->score, NULL, n); /* not with inputs */
    return 1;
}

#ifdef TZ_DESCRIPTOR
void tz_written_lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                     const double *const *input, size_t n) {
    lift_strips(self, ret, stride, score, input, n);
}
#endif
