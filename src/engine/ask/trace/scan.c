/* scan.c - an item's best instance the general way: each is evaluated, and the first best one
 * taken. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/trace/circle.h"
#include "engine/ask/trace/tracer.h"
#include "engine/layout/space.h"

/* Does element x of the strip beat the best one so far: better, or equal and earlier in the tie
 * order? */
static bool beats(const tz_expansion *e, size_t x, const void *best_element,
                  const tz_instance *best) {
    const tz_algebra *algebra = e->chart->algebra;
    const tz_semiring *s = algebra->semiring;
    const char *element = (const char *)e->element + x * algebra->size;
    void *sum = (char *)e->chart->pair.data + 2 * algebra->size;
    if (tz_is_zero(e->chart, element))
        return false;
    if (best->strip == NULL)
        return true;
    s->plus(s, sum, best_element, element);
    if (memcmp(sum, best_element, algebra->size) != 0)
        return true;
    s->plus(s, sum, element, best_element);
    if (memcmp(sum, element, algebra->size) != 0)
        return false;
    tz_instance instance;
    tz_expanded(e, x, &instance);
    return tz_instance_before(e->chart, e->lane, &instance, best);
}

/* Adds an instance of an item: a node unless it is a fold, premises, uses. */
static void add(tz_tracer *t, unsigned kind, const int32_t *index, const tz_instance *instance) {
    const tz_strip *strip = instance->strip;
    if (kind < t->trail.items) {
        *t->trail.node =
            (tz_node){.item = kind, .rule = strip->rule, .premises = strip->node_premises};
        memcpy(t->trail.node++->index, index, sizeof t->trail.node->index);
    }
    for (unsigned p = strip->premises; p-- > 0;) { /* the first one on top */
        int32_t at[TZ_MAX_RANK];
        tz_instance_premise(t->chart, instance, p, at);
        t->trail.pending->kind = strip->which[p];
        tz_pairs_of(at, TZ_STRIP_PAIRS, t->trail.pending++->pair);
    }
    for (unsigned w = 0; w < strip->weights; w++)
        *t->trail.use++ = tz_instance_use(t->chart, t->lane, instance, w);
}

bool tz_trace_scan(tz_tracer *t) {
    tz_chart *chart = t->chart;
    tz_pending item = *--t->trail.pending;
    int32_t index[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < chart->plan->rules->kind[item.kind].rank; q++)
        index[q] = q % 2 == 0 ? tz_pair_first(item.pair[q / 2]) : tz_pair_second(item.pair[q / 2]);
    if (!t->expands)
        t->status = tz_expand_prepare(chart, t->lane);
    if (t->status != TZ_OK)
        return false;
    t->expands = true;
    tz_instance best;
    best.strip = NULL;
    bool circle = false;
    if (tz_is_closed(chart->plan->rules, item.kind)) {
        t->status = tz_circle_look(chart, t->lane, item.kind, index, &circle);
        if (t->status != TZ_OK)
            return false;
    }
    if (circle)
        best = tz_circle_leave(chart, t->lane, item.kind, index);
    size_t size = chart->algebra->size;
    char *value = (char *)chart->pair.data + 3 * size; /* expanding takes the first two */
    tz_expansion e;
    for (tz_expand_start(&e, chart, t->lane, item.kind, index); !circle && tz_expand_next(&e);)
        for (size_t x = 0; x < e.count; x++)
            if (beats(&e, x, value, &best)) {
                tz_expanded(&e, x, &best);
                memcpy(value, (const char *)e.element + x * size, size);
            }
    if (best.strip != NULL)
        add(t, item.kind, index, &best);
    return best.strip != NULL;
}
