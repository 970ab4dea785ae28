/* item.c - see item.h: from an item down, the instances of each are scanned once more and the first
 * best one is taken; an explicit stack holds the items still to do.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/trace/cells.h"
#include "engine/ask/trace/item.h"
#include "engine/ask/trace/tracer.h"

/* Where an instance stands: the target's indices and the loops. */
typedef struct point {
    int64_t index[TZ_TRACE_INDICES], outer, last; /* indices of the plan's pairs; more are 0 */
} point;

/* A form's value where the loops are 0; a constant `width` lets the compiler unroll. */
static inline int64_t value_of(const tz_linear *form, const point *at, unsigned width) {
    int64_t value = form->base;
    for (unsigned q = 0; q < width; q++)
        value += form->index[q] * at->index[q];
    return value;
}

static inline const char *cell_at(const tz_trace_cell *cell, const point *at, unsigned width) {
    const char *element = cell->origin;
    for (unsigned q = 0; q < width; q++)
        element += cell->index[q] * (ptrdiff_t)at->index[q];
    return element;
}

/* Looks for the item's value along the last loop, from the point on. */
static inline size_t find(const tz_tracer *t, const tz_semiring *semiring,
                          const tz_trace_step *step, const point *at, size_t count,
                          unsigned width) {
    tz_operand operand[TZ_MAX_TERMS];
    for (unsigned o = 0; o < step->operands; o++) {
        const tz_trace_cell *c = &step->cell[1 + o];
        operand[o].base =
            cell_at(c, at, width) + c->last * at->last + c->outer * at->outer + t->behind;
        operand[o].split = c->split;
    }
    return semiring->kernels->find(semiring, cell_at(step->cell, at, width) + t->behind, operand,
                                   step->operands, count);
}

/* The bounds of a loop; the outer loop counts as 0 in its own. */
static void bounds(const tz_linear *form, unsigned lowers, unsigned uppers, const point *at,
                   unsigned width, int64_t *ret_low, int64_t *ret_high) {
    *ret_low = INT64_MIN;
    *ret_high = INT64_MAX;
    for (unsigned b = 0; b < lowers + uppers; b++, form++) {
        int64_t value = value_of(form, at, width) + form->outer * at->outer;
        if (b < lowers)
            *ret_low = value > *ret_low ? value : *ret_low;
        else
            *ret_high = value < *ret_high ? value : *ret_high;
    }
}

/* match for steps of two loops or of several bounds; form: of the last loop. */
static __attribute__((noinline)) bool match_any(const tz_tracer *t, const tz_semiring *semiring,
                                                const tz_trace_step *step, point *at,
                                                const tz_linear *form, unsigned pairs) {
    int64_t low, high, outer_low = 0, outer_high = 0;
    at->outer = 0;
    if (step->outer_lowers > 0)
        bounds(form + step->lowers + step->uppers + (step->premises + step->weights) * pairs,
               step->outer_lowers, step->outer_uppers, at, 2 * pairs, &outer_low, &outer_high);
    for (at->outer = outer_low; at->outer <= outer_high; at->outer++) {
        bounds(form, step->lowers, step->uppers, at, 2 * pairs, &low, &high);
        if (low > high)
            continue;
        size_t count = (size_t)(high - low) + 1;
        at->last = low;
        size_t found = find(t, semiring, step, at, count, 2 * pairs);
        at->last += (int64_t)found;
        if (found < count)
            return true;
    }
    return false;
}

/* Sets the loops to the step's first instance that has the item's value, and *ret_form to the forms
 * that follow; false if there is none. */
static inline bool match(const tz_tracer *t, const tz_semiring *semiring, const tz_trace_step *step,
                         point *at, unsigned pairs, const tz_linear **ret_form) {
    const tz_linear *form = step->form;
    for (const tz_linear *end = form + step->conditions; form < end; form++)
        if (value_of(form, at, 2 * pairs) < 0)
            return false;
    if (__builtin_expect(!step->simple, 0)) {
        point copy = *at;
        bool found = match_any(t, semiring, step, &copy, form, pairs);
        *ret_form = form + step->lowers + step->uppers;
        at->outer = copy.outer;
        at->last = copy.last;
        return found;
    }
    int64_t low = value_of(&form[0], at, 2 * pairs), high = value_of(&form[1], at, 2 * pairs);
    *ret_form = form + 2;
    at->outer = 0;
    at->last = low;
    if (low >= high && (low > high || step->alone))
        return low == high;
    size_t count = (size_t)(high - low) + 1;
    size_t found = find(t, semiring, step, at, count, 2 * pairs);
    at->last += (int64_t)found;
    return found < count;
}

/* Adds the use of a weight; its score follows at the end, when many are looked up at once. */
static inline void add_use(tz_tracer *t, unsigned weight, const int64_t *pair, unsigned pairs) {
    tz_use *use = t->use++;
    use->weight = weight;
    for (unsigned q = 0; q < 2 * pairs && q < TZ_MAX_RANK; q++)
        use->index[q] = q % 2 == 0 ? tz_pair_first(pair[q / 2]) : tz_pair_second(pair[q / 2]);
}

static inline void add_node(tz_tracer *t, unsigned item, const tz_trace_step *step, const point *at,
                            unsigned width) {
    tz_node *node = t->node++;
    node->item = item;
    node->rule = step->rule;
    node->premises = step->node_premises;
    for (unsigned q = 0; q < width && q < TZ_MAX_RANK; q++)
        node->index[q] = (int32_t)at->index[q];
}

/* Adds an instance of an item: a node unless it is a fold, premises, uses. */
static inline void add(tz_tracer *t, const tz_chart *chart, unsigned kind,
                       const tz_trace_step *step, const point *at, const tz_linear *form,
                       unsigned pairs) {
    if (kind < chart->plan->rules->items)
        add_node(t, kind, step, at, 2 * pairs);
    t->pending += step->premises;
    tz_pending *pending = t->pending; /* the first premise on top */
    const uint16_t *which = step->which;
    for (const uint16_t *end = which + step->premises; which < end; which++) {
        (--pending)->kind = *which;
        for (unsigned p = 0; p < pairs; p++, form++)
            pending->pair[p] =
                value_of(form, at, 2 * pairs) + form->last * at->last + form->outer * at->outer;
    }
    for (const uint16_t *end = which + step->weights; which < end; which++) {
        int64_t pair[TZ_TRACE_PAIRS];
        for (unsigned p = 0; p < pairs; p++, form++)
            pair[p] =
                value_of(form, at, 2 * pairs) + form->last * at->last + form->outer * at->outer;
        add_use(t, *which, pair, pairs);
    }
}

/* ---- Other steps ------------------------------------------------------------------------------
 */

/* Takes an item off the stack and adds it; false, and nothing done, where that needs the general
 * way, or where times does not keep what `find` asks of it. */
static inline bool expand(tz_tracer *t, const tz_chart *chart, const tz_trace_kind *kinds,
                          const tz_semiring *semiring, unsigned pairs) {
    const tz_pending *item = t->pending - 1;
    unsigned kind = item->kind;
    point at = {.outer = 0};
    for (unsigned p = 0; p < pairs; p++) {
        at.index[2 * p] = tz_pair_first(item->pair[p]);
        at.index[2 * p + 1] = tz_pair_second(item->pair[p]);
    }
    const tz_trace_steps *steps = &kinds[kind].through;
    for (const tz_trace_step *step = steps->step; step < steps->end; step++) {
        const tz_linear *form;
        if (!match(t, semiring, step, &at, pairs, &form))
            continue;
        t->pending--;
        add(t, chart, kind, step, &at, form, pairs);
        return true;
    }
    return false;
}

/* Takes `count` items off the stack, or all; false if one has no instance. */
static inline bool expand_some(tz_tracer *tracer, size_t count, unsigned pairs) {
    const tz_chart *chart = tracer->chart;
    const tz_trace_kind *kinds = chart->trace.cells != NULL ? chart->trace.cells->kind : NULL;
    const tz_semiring *semiring = chart->algebra->semiring;
    const tz_pending *bottom = tracer->bottom->data;
    tz_tracer t = *tracer; /* in registers */
    bool found = true;
    while (count > 0 && t.pending > bottom && found) {
        if (kinds != NULL) {
            *tracer = t;
            size_t done = tz_trace_small(tracer, kinds, count);
            t = *tracer;
            count -= done;
            if (done > 0)
                continue;
        }
        count--;
        if (kinds != NULL && expand(&t, chart, kinds, semiring, pairs))
            continue;
        *tracer = t;
        found = tz_trace_scan(tracer);
        t = *tracer;
    }
    *tracer = t;
    return found;
}

/* Grows the lists by `more` elements at least, uses by twice as many, for a step may go through a
 * fold; and returns how many items have room. */
static tz_status make_room(tz_tracer *t, const tz_traced *to, size_t more, size_t *ret_items) {
    const tz_plan *plan = t->chart->plan;
    size_t most = 1; /* terms of a step */
    for (unsigned s = 0; s < plan->rules->steps; s++)
        if (plan->trace[s].terms > most)
            most = plan->trace[s].terms;
    size_t pending = (size_t)(t->pending - (tz_pending *)to->pending->data);
    size_t nodes = (size_t)(t->node - (tz_node *)to->node->data);
    size_t uses = (size_t)(t->use - (tz_use *)to->use->data);
    tz_status status = tz_expand_room(t->chart);
    if (status == TZ_OK)
        status = tz_buffer_grow(to->pending, pending + more, sizeof *t->pending);
    if (status == TZ_OK)
        status = tz_buffer_grow_zeroed(to->node, nodes + more, sizeof *t->node);
    if (status == TZ_OK)
        status = tz_buffer_grow_zeroed(to->use, uses + 2 * more, sizeof *t->use);
    t->pending = (tz_pending *)to->pending->data + pending;
    t->node = (tz_node *)to->node->data + nodes;
    t->use = (tz_use *)to->use->data + uses;
    *ret_items = more / most;
    return status;
}

tz_status tz_trace_item(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        tz_traced *to) {
    const tz_plan *plan = chart->plan;
    const int32_t *length = tz_lane_length(chart, problem);
    size_t usual = 4, items; /* a few nodes and uses for each word */
    for (unsigned l = 0; l < plan->rules->lengths; l++)
        usual += (size_t)length[l];
    usual *= 16;
    tz_tracer t = {.chart = chart,
                   .lane = problem,
                   .behind = problem * chart->algebra->size,
                   .pending = to->pending->data,
                   .bottom = to->pending,
                   .node = to->node->data,
                   .use = to->use->data};
    tz_status status = make_room(&t, to, usual, &items);
    if (status != TZ_OK)
        return status;
    *t.pending++ = tz_pending_item(kind, index);
    unsigned pairs = plan->tracing != NULL ? plan->tracing->pairs : TZ_TRACE_PAIRS;
    while (t.pending > (tz_pending *)to->pending->data) {
        if (items == 0)
            status = make_room(&t, to, usual, &items);
        if (status != TZ_OK)
            return status;
        /* Constants let the compiler unroll the loops over indices. */
        if (!(pairs == 1   ? expand_some(&t, items, 1)
              : pairs == 2 ? expand_some(&t, items, 2)
                           : expand_some(&t, items, TZ_TRACE_PAIRS)))
            return t.status != TZ_OK ? t.status : TZ_NONE;
        items = 0;
    }
    to->nodes = (size_t)(t.node - (tz_node *)to->node->data);
    to->uses = (size_t)(t.use - (tz_use *)to->use->data);
    return TZ_OK;
}
