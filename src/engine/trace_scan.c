/* trace_scan.c - an item's best instance the general way: each is evaluated, and the first best one
 * taken. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/trace.h"

/* An instance of a step. */
typedef struct choice {
    const tz_bound_step *step;
    int64_t variable[TZ_MAX_VARIABLES];
    size_t entry[TZ_MAX_SPARSE];
} choice;

typedef struct scan {
    tz_chart *chart;
    size_t lane;
    choice best;
    bool found;
    char *candidate, *value, *scratch; /* elements */
} scan;

/* The product of the instance at the walk's point, in the order that the sweep multiplies. */
static void instance_value(scan *t, const tz_bound_step *bound, const tz_walk *walk,
                           const size_t *entry) {
    tz_chart *chart = t->chart;
    const tz_plan *plan = chart->plan;
    const tz_semiring *s = plan->wide.semiring;
    unsigned columns = (unsigned)bound->nest->givens + bound->nest->loops;
    bool started = false;
    const tz_bound_step *sweep = &plan->inside[bound->step - plan->rules->step];
    for (int inner = 1; inner >= 0; inner--)
        for (unsigned i = 0; i < bound->terms; i++) {
            const tz_bound_term *term = &bound->term[i];
            if (sweep->term[i].inner != (inner == 1))
                continue;
            const void *element = t->scratch;
            if (term->what != TZ_WEIGHT) {
                ptrdiff_t offset = tz_address_value(&chart->address[term->address], walk->lengths,
                                                    walk->length, columns, walk->column);
                element = tz_cell(chart, TZ_AT_INSIDE, offset, t->lane);
            } else {
                const tz_lane_scores *scores = tz_lane_weight(chart, t->lane, term->which);
                double score;
                if (i < bound->step->sparse) {
                    score = tz_entry_score(scores, entry[i]);
                } else {
                    int64_t index[TZ_MAX_RANK];
                    for (unsigned q = 0; q < term->rank; q++)
                        index[q] = tz_form_value(&term->index[q], walk->lengths, walk->length,
                                                 columns, walk->column);
                    score = tz_lane_score(scores, term->rank, index);
                }
                plan->wide.lift(s, t->scratch, 1, &score, 1);
            }
            if (started)
                s->times(s, t->candidate, t->candidate, element);
            else
                memcpy(t->candidate, element, plan->wide.size);
            started = true;
        }
    if (!started)
        memcpy(t->candidate, plan->wide.one, plan->wide.size);
}

/* Does the candidate beat the best so far: better, or equal and earlier in the tie order? */
static bool beats(const scan *t, const tz_bound_step *bound, const int64_t *variable) {
    const tz_plan *plan = t->chart->plan;
    const tz_semiring *s = plan->wide.semiring;
    size_t size = plan->wide.size;
    if (memcmp(t->candidate, plan->wide.zero, size) == 0)
        return false;
    if (!t->found)
        return true;
    s->plus(s, t->scratch, t->value, t->candidate);
    if (memcmp(t->scratch, t->value, size) != 0)
        return true;
    s->plus(s, t->scratch, t->candidate, t->value);
    if (memcmp(t->scratch, t->candidate, size) != 0)
        return false;
    if (bound->step->rule != t->best.step->step->rule)
        return bound->step->rule < t->best.step->step->rule;
    for (unsigned v = 0; v < bound->step->variables; v++)
        if (variable[v] != t->best.variable[v])
            return variable[v] < t->best.variable[v];
    return false;
}

static void scan_nest(scan *t, const tz_bound_step *bound, const int64_t *given,
                      const size_t *entry) {
    const tz_plan *plan = t->chart->plan;
    tz_walk walk;
    tz_walk_start(&walk, bound->nest, plan->rules->lengths, tz_lane_length(t->chart, t->lane),
                  given);
    while (tz_walk_next(&walk)) {
        instance_value(t, bound, &walk, entry);
        int64_t variable[TZ_MAX_VARIABLES];
        for (unsigned v = 0; v < bound->step->variables; v++)
            variable[v] = tz_walk_variable(&walk, v);
        if (!beats(t, bound, variable))
            continue;
        t->found = true;
        t->best.step = bound;
        memcpy(t->best.variable, variable, sizeof variable);
        memcpy(t->best.entry, entry, sizeof t->best.entry);
        memcpy(t->value, t->candidate, plan->wide.size);
    }
}

/* Scans all instances of a step for the item; sparse weights bring their entries. */
static void scan_step(scan *t, const tz_bound_step *bound, const int32_t *index, unsigned rank) {
    unsigned sparse = bound->step->sparse;
    size_t entry[TZ_MAX_SPARSE] = {0}, entries[TZ_MAX_SPARSE] = {0};
    const tz_lane_scores *scores[TZ_MAX_SPARSE] = {NULL};
    for (unsigned i = 0; i < sparse; i++) {
        scores[i] = tz_lane_weight(t->chart, t->lane, bound->term[i].which);
        entries[i] = scores[i]->scores.entries;
        if (entries[i] == 0)
            return;
    }
    for (;;) {
        int64_t given[TZ_MAX_COLUMNS], *to = given;
        for (unsigned q = 0; q < rank; q++)
            *to++ = index[q];
        for (unsigned i = 0; i < sparse; i++)
            for (unsigned q = 0; q < bound->term[i].rank; q++)
                *to++ = scores[i]->scores.index[entry[i] * bound->term[i].rank + q];
        scan_nest(t, bound, given, entry);
        unsigned i = sparse;
        while (i > 0 && ++entry[i - 1] == entries[i - 1])
            entry[--i] = 0;
        if (i == 0)
            return;
    }
}

/* Adds the instance: a node unless the item is a fold, uses, premises. */
static void add_choice(tz_tracer *t, unsigned kind, const int32_t *item, const choice *choice) {
    const tz_chart *chart = t->chart;
    const tz_rules *rules = chart->plan->rules;
    const tz_bound_step *bound = choice->step;
    const tz_step *step = bound->step;
    if (kind < rules->items) {
        *t->node = (tz_node){
            .item = kind, .rule = step->rule, .premises = rules->rule[step->rule].premises};
        memcpy(t->node++->index, item, sizeof t->node->index);
    }
    for (unsigned i = bound->terms; i-- > 0;) {
        const tz_term *plain = &step->term[i];
        unsigned rank = bound->term[i].rank;
        int64_t index[TZ_MAX_RANK] = {0};
        int32_t short_index[TZ_MAX_RANK] = {0};
        for (unsigned q = 0; q < rank; q++) {
            index[q] =
                tz_form_value(&plain->index[q], rules->lengths, tz_lane_length(chart, t->lane),
                              step->variables, choice->variable);
            short_index[q] = (int32_t)index[q];
        }
        if (plain->what != TZ_WEIGHT) {
            *t->pending++ =
                (tz_pending){.pair = {tz_pair(index[0], index[1]), tz_pair(index[2], index[3])},
                             .kind = plain->which};
            continue;
        }
        *t->use = (tz_use){.weight = plain->which};
        if (i < step->sparse)
            t->use->score =
                tz_entry_score(tz_lane_weight(chart, t->lane, plain->which), choice->entry[i]);
        memcpy(t->use++->index, short_index, sizeof short_index);
    }
}

bool tz_trace_scan(tz_tracer *t) {
    const tz_plan *plan = t->chart->plan;
    tz_pending item = *--t->pending;
    const tz_kind *kind = &plan->rules->kind[item.kind];
    int32_t index[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < kind->rank; q++)
        index[q] = q % 2 == 0 ? tz_pair_first(item.pair[q / 2]) : tz_pair_second(item.pair[q / 2]);
    char *pair = t->chart->pair.data;
    scan s = {.chart = t->chart,
              .lane = t->lane,
              .candidate = pair,
              .value = pair + plan->wide.size,
              .scratch = pair + 2 * plan->wide.size};
    for (unsigned i = 0; i < kind->insides; i++)
        scan_step(&s, &plan->trace[kind->inside + i], index, kind->rank);
    if (s.found)
        add_choice(t, item.kind, index, &s.best);
    return s.found;
}
