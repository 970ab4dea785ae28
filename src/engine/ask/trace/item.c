/* item.c - see item.h: from an item down, the instances of each are scanned once more and the first
 * best one is taken; an explicit stack holds the items still to do.
 * SPDX-License-Identifier: MIT */
#include "engine/ask/trace/item.h"
#include "engine/ask/trace/tracer.h"

/* Takes `count` items off the stack, or all; false if one has no instance. */
static bool expand(tz_tracer *t, size_t count) {
    const tz_semiring *semiring = t->chart->algebra->semiring;
    while (count > 0 && t->trail.pending > t->trail.bottom) {
        size_t done =
            t->trail.kind != NULL ? semiring->kernels->trace(semiring, &t->trail, count) : 0;
        if (done == 0 && !tz_trace_scan(t))
            return false;
        count -= done > 0 ? done : 1;
    }
    return true;
}

/* Grows the lists by `more` elements at least. */
static tz_status make_room(tz_trail *t, const tz_traced *to, size_t more) {
    size_t pending = (size_t)(t->pending - (tz_pending *)to->pending->data);
    size_t nodes = to->node != NULL ? (size_t)(t->node - (tz_node *)to->node->data) : 0;
    size_t uses = (size_t)(t->use - (tz_use *)to->use->data);
    tz_status status = tz_buffer_grow(to->pending, pending + more, sizeof *t->pending);
    if (status == TZ_OK && to->node != NULL)
        status = tz_buffer_grow_zeroed(to->node, nodes + more, sizeof *t->node);
    if (status == TZ_OK)
        status = tz_buffer_grow_zeroed(to->use, uses + more, sizeof *t->use);
    t->bottom = to->pending->data;
    t->pending = t->bottom + pending;
    t->node = to->node != NULL ? (tz_node *)to->node->data + nodes : NULL;
    t->use = (tz_use *)to->use->data + uses;
    return status;
}

tz_status tz_trace_item(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        tz_traced *to) {
    const tz_plan *plan = chart->plan;
    const int32_t *length = tz_lane_length(chart, problem);
    enum { MOST_ITEMS = 1 << 10 };
    size_t items = 4; /* a few for each word, and not too many before there is room for more */
    for (unsigned l = 0; l < plan->rules->lengths; l++)
        items += (size_t)length[l];
    items = items < MOST_ITEMS ? 4 * items : 4 * MOST_ITEMS;
    const struct tz_strip_chart *strips = chart->trace.strips[TZ_TRACED];
    tz_tracer t = {.chart = chart,
                   .lane = problem,
                   .trail = {.kind = strips != NULL ? strips->kind : NULL,
                             .pairs = strips != NULL ? strips->plan->pairs : TZ_STRIP_PAIRS,
                             .items = to->node != NULL ? plan->rules->items : 0,
                             .behind = (ptrdiff_t)(problem * chart->algebra->size),
                             .pending = to->pending->data,
                             .node = to->node != NULL ? to->node->data : NULL,
                             .use = to->use->data}};
    tz_status status = make_room(&t.trail, to, items * plan->most_terms);
    if (status != TZ_OK)
        return status;
    t.trail.pending->kind = kind;
    tz_pairs_of(index, TZ_STRIP_PAIRS, t.trail.pending++->pair);
    while (t.trail.pending > t.trail.bottom) {
        if (!expand(&t, items))
            return t.status != TZ_OK ? t.status : TZ_NONE;
        status = make_room(&t.trail, to, items * plan->most_terms);
        if (status != TZ_OK)
            return status;
    }
    to->nodes = to->node != NULL ? (size_t)(t.trail.node - (tz_node *)to->node->data) : 0;
    to->uses = (size_t)(t.trail.use - (tz_use *)to->use->data);
    return TZ_OK;
}
