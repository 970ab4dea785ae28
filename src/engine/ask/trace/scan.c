/* scan.c - an item's best instance the general way: each is evaluated, and the first best one
 * taken. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/trace/circle.h"
#include "engine/ask/trace/tracer.h"
#include "engine/layout/space.h"

/* Instance x of the expansion's strip: what its step has of columns and entries. */
static void take_instance(const tz_expansion *e, size_t x, tz_instance *ret) {
    const tz_bound_step *step = ret->step = e->at.step;
    const unsigned columns = (unsigned)step->nest->givens + step->nest->loops;
    for (unsigned c = 0; c < columns; c++)
        ret->column[c] = e->at.column[c];
    for (unsigned t = 0; t < step->step->sparse; t++)
        ret->entry[t] = e->at.entry[t];
    if (x > 0)
        ret->column[columns - 1] += (int64_t)x;
}

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
    if (best->step == NULL)
        return true;
    s->plus(s, sum, best_element, element);
    if (memcmp(sum, best_element, algebra->size) != 0)
        return true;
    s->plus(s, sum, element, best_element);
    if (memcmp(sum, element, algebra->size) != 0)
        return false;
    tz_instance instance;
    take_instance(e, x, &instance);
    return tz_instance_before(e->chart, e->lane, &instance, best);
}

/* Adds an instance of an item: a node unless it is a fold, premises, uses. */
static void add(tz_tracer *t, unsigned kind, const int32_t *index, const tz_instance *instance) {
    const tz_chart *chart = t->chart;
    const tz_rules *rules = chart->plan->rules;
    const tz_bound_step *step = instance->step;
    unsigned rule = step->step->rule;
    if (kind < t->trail.items) {
        *t->trail.node =
            (tz_node){.item = kind, .rule = rule, .premises = rules->rule[rule].premises};
        memcpy(t->trail.node++->index, index, sizeof t->trail.node->index);
    }
    unsigned premises = 0;
    for (unsigned i = 0; i < step->terms; i++)
        premises += step->term[i].what != TZ_WEIGHT;
    tz_pending *pending = t->trail.pending += premises; /* the first premise on top */
    for (unsigned i = 0; i < step->terms; i++) {
        const tz_bound_term *term = &step->term[i];
        int32_t at[TZ_MAX_RANK];
        tz_instance_index(chart, t->lane, instance, i, at);
        if (term->what != TZ_WEIGHT) {
            (--pending)->kind = term->which;
            tz_pairs_of(at, TZ_STRIP_PAIRS, pending->pair);
            continue;
        }
        *t->trail.use = (tz_use){.weight = term->which,
                                 .score = tz_instance_score(chart, t->lane, instance, i)};
        memcpy(t->trail.use++->index, at, sizeof at);
    }
}

bool tz_trace_scan(tz_tracer *t) {
    tz_chart *chart = t->chart;
    tz_pending item = *--t->trail.pending;
    int32_t index[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < chart->plan->rules->kind[item.kind].rank; q++)
        index[q] = q % 2 == 0 ? tz_pair_first(item.pair[q / 2]) : tz_pair_second(item.pair[q / 2]);
    if (!t->expands)
        t->status = tz_expand_room(chart);
    if (t->status != TZ_OK)
        return false;
    t->expands = true;
    tz_instance best;
    best.step = NULL;
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
                take_instance(&e, x, &best);
                memcpy(value, (const char *)e.element + x * size, size);
            }
    if (best.step != NULL)
        add(t, item.kind, index, &best);
    return best.step != NULL;
}
