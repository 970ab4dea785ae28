/* trace.c - the best derivation, found again from the values: no back-pointers.
 *
 * From the goal down, each item's instances are scanned once more and the first best one is taken;
 * an explicit stack holds the items still to do. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

typedef struct pending {
    uint16_t kind;
    int32_t index[TZ_MAX_RANK];
} pending;

/* An instance of a step, and its value in the second half of chart->pair. */
typedef struct choice {
    const tz_bound_step *step;
    int64_t variable[TZ_MAX_VARIABLES];
    size_t entry[TZ_MAX_SPARSE];
} choice;

typedef struct tracer {
    tz_chart *chart;
    size_t lane;
    size_t nodes, uses, pending;
    choice best;
    bool found;
    char *candidate, *value, *scratch; /* elements */
} tracer;

/* The product of the instance at the walk's point, in the order that the sweep multiplies. */
static void instance_value(tracer *t, const tz_bound_step *bound, const tz_walk *walk,
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
static bool beats(const tracer *t, const tz_bound_step *bound, const int64_t *variable) {
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

static void scan_nest(tracer *t, const tz_bound_step *bound, const int64_t *given,
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
static void scan_step(tracer *t, const tz_bound_step *bound, const pending *item, unsigned rank) {
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
            *to++ = item->index[q];
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

static tz_status push(tracer *t, const tz_bound_term *term, const tz_term *plain,
                      const int64_t *variable, unsigned variables) {
    tz_chart *chart = t->chart;
    tz_status status = tz_buffer_grow(&chart->stack, t->pending + 1, sizeof(pending));
    if (status != TZ_OK)
        return status;
    pending *item = (pending *)chart->stack.data + t->pending++;
    *item = (pending){.kind = term->which};
    for (unsigned q = 0; q < term->rank; q++)
        item->index[q] =
            (int32_t)tz_form_value(&plain->index[q], chart->plan->rules->lengths,
                                   tz_lane_length(chart, t->lane), variables, variable);
    return TZ_OK;
}

static tz_status add_use(tracer *t, unsigned i) {
    tz_chart *chart = t->chart;
    const tz_bound_step *bound = t->best.step;
    const tz_term *plain = &bound->step->term[i];
    tz_status status = tz_buffer_grow(&chart->uses, t->uses + 1, sizeof(tz_use));
    if (status != TZ_OK)
        return status;
    tz_use *use = (tz_use *)chart->uses.data + t->uses++;
    *use = (tz_use){.weight = plain->which};
    int64_t index[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < bound->term[i].rank; q++) {
        index[q] =
            tz_form_value(&plain->index[q], chart->plan->rules->lengths,
                          tz_lane_length(chart, t->lane), bound->step->variables, t->best.variable);
        use->index[q] = (int32_t)index[q];
    }
    const tz_lane_scores *scores = tz_lane_weight(chart, t->lane, plain->which);
    use->score = i < bound->step->sparse ? tz_entry_score(scores, t->best.entry[i])
                                         : tz_lane_score(scores, bound->term[i].rank, index);
    return TZ_OK;
}

static tz_status add_node(tracer *t, const pending *item) {
    tz_chart *chart = t->chart;
    const tz_rules *rules = chart->plan->rules;
    tz_status status = tz_buffer_grow(&chart->nodes, t->nodes + 1, sizeof(tz_node));
    if (status != TZ_OK)
        return status;
    unsigned rule = t->best.step->step->rule;
    tz_node *node = (tz_node *)chart->nodes.data + t->nodes++;
    *node = (tz_node){.item = item->kind, .rule = rule, .premises = rules->rule[rule].premises};
    memcpy(node->index, item->index, sizeof node->index);
    return TZ_OK;
}

static int compare_uses(const void *a, const void *b) {
    const tz_use *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (x->index[q] != y->index[q])
            return x->index[q] < y->index[q] ? -1 : 1;
    return 0;
}

/* Takes one item off the stack: its best instance, a node unless it is a fold, its premises. */
static tz_status expand(tracer *t) {
    tz_chart *chart = t->chart;
    const tz_plan *plan = chart->plan;
    pending item = ((pending *)chart->stack.data)[--t->pending];
    const tz_kind *kind = &plan->rules->kind[item.kind];
    t->found = false;
    for (unsigned s = 0; s < kind->insides; s++)
        scan_step(t, &plan->trace[kind->inside + s], &item, kind->rank);
    if (!t->found)
        return TZ_NONE;
    tz_status status = item.kind < plan->rules->items ? add_node(t, &item) : TZ_OK;
    const tz_bound_step *bound = t->best.step;
    for (unsigned i = bound->terms; i-- > 0 && status == TZ_OK;)
        status = bound->term[i].what == TZ_WEIGHT ? add_use(t, i)
                                                  : push(t, &bound->term[i], &bound->step->term[i],
                                                         t->best.variable, bound->step->variables);
    return status;
}

/* Room for what a derivation usually takes, a few nodes and uses for each word, so that the next
 * one for these lengths allocates nothing; longer ones grow it. */
static tz_status reserve(tz_chart *chart, size_t problem) {
    size_t room = 4;
    for (unsigned l = 0; l < chart->plan->rules->lengths; l++)
        room += (size_t)tz_lane_length(chart, problem)[l];
    room *= 16;
    tz_status status = tz_buffer_grow(&chart->stack, room, sizeof(pending));
    if (status == TZ_OK)
        status = tz_buffer_grow(&chart->nodes, room, sizeof(tz_node));
    if (status == TZ_OK)
        status = tz_buffer_grow(&chart->uses, room, sizeof(tz_use));
    return status;
}

tz_status tz_best(tz_chart *chart, size_t problem, const tz_derivation **ret_derivation) {
    const tz_plan *plan = chart->plan;
    const tz_rules *rules = plan->rules;
    *ret_derivation = NULL;
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    if (!(plan->wide.semiring->laws & TZ_PATH))
        return TZ_LAW;
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    if (goal < 0 || tz_is_zero(chart, tz_cell(chart, TZ_AT_INSIDE, goal, problem)))
        return TZ_NONE;
    char *pair = chart->pair.data;
    tracer t = {.chart = chart,
                .lane = problem,
                .candidate = pair,
                .value = pair + plan->wide.size,
                .scratch = pair + 2 * plan->wide.size};
    tz_status status = reserve(chart, problem);
    if (status != TZ_OK)
        return status;
    pending *first = chart->stack.data;
    *first = (pending){.kind = rules->goal.which};
    for (unsigned q = 0; q < rules->kind[first->kind].rank; q++)
        first->index[q] = (int32_t)tz_form_value(&rules->goal.index[q], rules->lengths,
                                                 tz_lane_length(chart, problem), 0, NULL);
    t.pending = 1;
    while (t.pending > 0 && status == TZ_OK)
        status = expand(&t);
    if (status != TZ_OK)
        return status;
    if (t.uses > 0)
        qsort(chart->uses.data, t.uses, sizeof(tz_use), compare_uses);
    chart->best = (tz_derivation){
        .score = plan->wide.value(plan->wide.semiring, tz_cell(chart, TZ_AT_INSIDE, goal, problem)),
        .uses = t.uses,
        .nodes = t.nodes,
        .use = chart->uses.data,
        .node = chart->nodes.data};
    *ret_derivation = &chart->best;
    return TZ_OK;
}
