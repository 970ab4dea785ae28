/* structure.c - the score and probability of a given structure.
 *
 * Whether the rules derive it, and how often, is counted: with all cells impossible but its own,
 * each of them marked, a derivation of as many uses as the structure has is one of it, as long as
 * none can use a cell more often than it does. The problem's facts hold there as well, and what
 * they require makes so many uses more. Side conditions look at all cells, so of rules with
 * any that would say nothing. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/chart/bind.h"
#include "engine/chart/facts.h"
#include "engine/layout/address.h"
#include "engine/layout/cells.h"
#include "engine/layout/scores.h"
#include "engine/problem/check.h"
#include "engine/problem/spread.h"
#include "engine/problem/structure.h"
#include "semirings/own.h"

/* What else is known: facts, of which the first forbid. */
typedef struct known_facts {
    size_t count, forbidding;
} known_facts;

static tz_status make(tz_chart *chart) {
    tz_structure_memory *s = &chart->structures;
    tz_status status = TZ_OK;
    if (s->semiring == NULL)
        status = tz_semiring_new(tz_semiring_marked_counts(), TZ_F64, &s->semiring, NULL);
    if (status == TZ_OK && s->plan == NULL)
        status = tz_plan_new(chart->plan->rules, s->semiring, TZ_FORCE, &s->plan, NULL);
    if (status == TZ_OK && s->chart == NULL)
        status = tz_chart_new(s->plan, &s->chart);
    if (status == TZ_OK)
        s->chart->watching = chart->watching;
    return status;
}

/* The bound score of a use, and its cell; TZ_NONE where it is impossible. */
static tz_status look_up(const tz_chart *chart, size_t lane, const tz_use *use, tz_cells *ret_cell,
                         double *ret_score) {
    const tz_rules *rules = chart->plan->rules;
    unsigned weights;
    const tz_weight *weight = tz_declared_weights(rules, &weights) + use->weight;
    if (use->weight >= weights)
        return TZ_BAD_ARGUMENT;
    const tz_lane_scores *bound = tz_lane_given(chart, lane, use->weight);
    int64_t index[TZ_MAX_RANK] = {0};
    *ret_cell = (tz_cells){.weight = use->weight};
    for (unsigned q = 0; q < weight->rank; q++)
        index[q] = ret_cell->index[q] = use->index[q];
    if (!tz_domain_holds(&weight->domain, rules->lengths, tz_lane_length(chart, lane), weight->rank,
                         index))
        return TZ_BAD_ARGUMENT;
    *ret_score = -INFINITY;
    if (!weight->sparse && bound->scores.data != NULL)
        *ret_score = tz_lane_score(bound, weight->rank, index);
    size_t size = weight->rank * sizeof *bound->scores.index;
    for (size_t e = 0; weight->sparse && e < bound->scores.entries; e++)
        if (size == 0 || memcmp(bound->scores.index + e * weight->rank, use->index, size) == 0)
            *ret_score = tz_entry_score(bound, e);
    return *ret_score == -INFINITY || !tz_weight_used(rules, use->weight) ? TZ_NONE : TZ_OK;
}

/* The facts of a lane as a caller has them, those that forbid first, and room for `uses` more:
 * cells of the rules' weights are uses. */
static tz_status copy_facts(tz_structure_memory *s, const tz_chart *chart, size_t lane, size_t uses,
                            known_facts *ret) {
    const tz_rules *rules = chart->plan->rules;
    const tz_lane_facts *facts = chart->bound.facts != NULL ? &chart->bound.facts[lane] : NULL;
    size_t cells = 0, room;
    *ret = (known_facts){.count = facts != NULL ? facts->count : 0};
    for (size_t f = 0; f < ret->count; f++)
        cells += facts->given[f].count;
    if (__builtin_add_overflow(ret->count, uses, &room))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&s->facts, room, sizeof(tz_fact));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&s->cells, cells, sizeof(tz_cells));
    if (status != TZ_OK)
        return status;
    tz_fact *fact = s->facts.data;
    tz_cells *to = s->cells.data;
    for (unsigned required = 0; required < 2; required++) {
        for (size_t f = 0; f < ret->count; f++) {
            if (facts->given[f].required != required)
                continue;
            *fact = facts->given[f];
            fact++->cells = to;
            for (size_t c = 0; c < facts->given[f].count; c++, to++) {
                *to = facts->given[f].cells[c];
                to->weight += to->weight < TZ_ITEM ? rules->declareds : 0;
            }
        }
        ret->forbidding = required ? ret->forbidding : (size_t)(fact - (tz_fact *)s->facts.data);
    }
    return TZ_OK;
}

/* Score 0 for the cells of one weight, -INFINITY for all others; sparse: entries for them alone.
 * Moves *cells on to the next weight's. */
static tz_status only_cells(tz_structure_memory *s, const tz_rules *rules, const int32_t *lengths,
                            unsigned w, const tz_cells **cells, const tz_cells *end, size_t *used,
                            tz_scores *ret_scores) {
    tz_shape shape;
    size_t count = 1, first = *used, bytes;
    const tz_cells *from = *cells;
    while (*cells < end && (*cells)->weight == w)
        ++*cells;
    tz_status status = tz_rules_shape(rules, w, lengths, &shape);
    if (status != TZ_OK)
        return status;
    if (shape.sparse)
        count = (size_t)(*cells - from) * (1u + shape.rank);
    for (unsigned q = 0; q < shape.rank && !shape.sparse; q++)
        if (__builtin_mul_overflow(count, (size_t)shape.extent[q], &count))
            return TZ_TOO_LARGE;
    if (__builtin_add_overflow(first, count, used) ||
        __builtin_mul_overflow(*used, sizeof(float), &bytes))
        return TZ_TOO_LARGE;
    status = tz_buffer_grow(&s->data, *used + 1, sizeof(float));
    if (status != TZ_OK)
        return status;
    float *data = (float *)s->data.data + first;
    *ret_scores = tz_scores_dense(&shape, NULL);
    ret_scores->type = TZ_FLOAT;
    if (shape.sparse) {
        /* Scores, then indices. */
        size_t entries = (size_t)(*cells - from);
        for (size_t e = 0; e < entries; e++) {
            data[e] = 0;
            memcpy(data + entries + e * shape.rank, from[e].index, shape.rank * sizeof(int32_t));
        }
        ret_scores->stride[0] = 1;
        ret_scores->entries = entries;
        return TZ_OK;
    }
    for (size_t c = 0; c < count; c++)
        data[c] = -INFINITY;
    for (const tz_cells *cell = from; cell < *cells; cell++) {
        ptrdiff_t at = 0;
        for (unsigned q = 0; q < shape.rank; q++)
            at += (ptrdiff_t)(cell->index[q] - shape.origin[q]) * ret_scores->stride[q];
        data[at] = 0;
    }
    return TZ_OK;
}

/* How many derivations that agree with what is known have exactly these uses, in order. TZ_NONE,
 * TZ_LAW. */
static tz_status count_derivations(tz_structure_memory *s, known_facts known,
                                   const int32_t *lengths, const tz_input_numbers *numbers,
                                   tz_cells *sorted, size_t uses, double *ret_count) {
    const tz_rules *rules = s->plan->rules;
    tz_status status = tz_buffer_reserve(&s->most, known.count + uses, 2 * sizeof(double));
    if (status == TZ_OK)
        status =
            tz_buffer_reserve(&s->scores, tz_rules_count(rules, TZ_WEIGHTS), sizeof(tz_scores));
    if (status != TZ_OK)
        return status;
    tz_fact *facts = s->facts.data, *fact = facts + known.count;
    tz_scores *scores = s->scores.data;
    double *most = s->most.data, *wanted = most + known.count + uses, all;
    size_t different = 0, used = 0;
    for (size_t u = 0; u < uses; u++) {
        if (u > 0 && tz_compare_cells(&sorted[u], &sorted[different - 1]) == 0) {
            wanted[different - 1]++;
            continue;
        }
        sorted[different] = sorted[u];
        wanted[different] = 1;
        fact[different] = (tz_fact){true, &sorted[different], 1};
        different++;
    }
    const tz_cells *next = sorted;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS) && status == TZ_OK; w++)
        status = only_cells(s, rules, lengths, w, &next, sorted + different, &used, &scores[w]);
    float *data = s->data.data;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS) && status == TZ_OK; w++) {
        tz_shape shape;
        status = tz_rules_shape(rules, w, lengths, &shape);
        scores[w].data = data;
        size_t cells = shape.sparse ? scores[w].entries : 1;
        if (shape.sparse)
            scores[w].index = (const int32_t *)(const void *)(data + cells);
        for (unsigned q = 0; q < shape.rank && !shape.sparse; q++)
            cells *= (size_t)shape.extent[q];
        data += shape.sparse ? cells * (1u + shape.rank) : cells;
    }
    /* One lane that counts by uses, one that counts all. */
    tz_problem given[2] = {
        {.lengths = lengths, .scores = scores, .facts = facts, .numbers = numbers}};
    given[1] = given[0];
    given[0].fact_count = known.count + different;
    given[1].fact_count = known.forbidding;
    const tz_problem *lane = given;
    size_t bad;
    if (status == TZ_OK)
        status = tz_spread_problems(s->plan, given, 2, &s->chart->given, &lane, &bad, NULL);
    if (status == TZ_OK)
        status = tz_bind_checked(s->chart, lane, 2, NULL);
    if (status == TZ_OK)
        status = tz_inside(s->chart);
    if (status == TZ_OK)
        status = tz_goal(s->chart, 1, &all);
    if (status != TZ_OK || all == 0)
        return status != TZ_OK ? status : TZ_NONE;
    status = tz_count_uses(s->plan->uses, &lane[0], true, most);
    bool never = false, beyond = false;
    for (size_t c = 0; c < different && status == TZ_OK; c++) {
        never |= most[known.count + c] < wanted[c];
        beyond |= most[known.count + c] > wanted[c];
    }
    if (status != TZ_OK || never || (beyond && all == 1))
        return status != TZ_OK ? status : TZ_NONE;
    if (beyond)
        return TZ_LAW;
    const void *goal = tz_cell(s->chart, TZ_AT_INSIDE, tz_goal_offset(s->chart, 0), 0);
    uses += known.count - known.forbidding;
    s->semiring->coefficient(s->semiring, s->chart->pair.data, goal, uses);
    *ret_count = s->semiring->value(s->semiring, s->chart->pair.data);
    return *ret_count > 0 ? TZ_OK : TZ_NONE;
}

/* Why no structure has a probability under a plan; NULL: it has. */
static const char *lacks(const tz_plan *plan) {
    if (plan->wide.semiring->share == NULL || plan->wide.semiring->gives != TZ_GIVES_SCORE)
        return "it takes a semiring of probabilities, such as log";
    if (tz_has_sides(plan->rules))
        return "the rules have side conditions, which look at more than the structure's cells";
    return tz_has_closures(plan->rules)
               ? "the rules have a closure, where a derivation may go round and use a cell any "
                 "number of times"
               : NULL;
}

tz_status tz_structure(tz_chart *chart, size_t problem, const tz_use *use, size_t uses,
                       double *ret_score, double *ret_log_probability, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes || (uses > 0 && use == NULL))
        return TZ_BAD_ARGUMENT;
    const char *lack = lacks(chart->plan);
    if (lack != NULL)
        return tz_fail(opt_error, TZ_LAW, "probability of a structure: %s", lack);
    tz_status status = make(chart);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->structures.sorted, uses, sizeof(tz_cells));
    if (status != TZ_OK)
        return status;
    const tz_rules *rules = chart->plan->rules;
    const tz_input_numbers *numbers = rules->inputs > 0 ? tz_lane_numbers(chart, problem) : NULL;
    tz_cells *cell = chart->structures.sorted.data;
    double sum = 0, score, count, log_z;
    bool possible = !tz_goal_missing(chart, problem);
    for (size_t u = 0; u < uses; u++, sum += score) {
        status = look_up(chart, problem, &use[u], &cell[u], &score);
        if (status == TZ_BAD_ARGUMENT)
            return status;
        possible &= status == TZ_OK;
    }
    if (!possible)
        return TZ_NONE;
    qsort(cell, uses, sizeof *cell, tz_compare_cells);
    known_facts known;
    status = copy_facts(&chart->structures, chart, problem, uses, &known);
    if (status == TZ_OK)
        status = count_derivations(&chart->structures, known, tz_lane_length(chart, problem),
                                   numbers, cell, uses, &count);
    if (status == TZ_LAW)
        tz_fail(opt_error, status,
                "probability of a structure: a derivation of its cells alone can use one of them "
                "more often than the structure does, so that uses do not tell which derivations "
                "have it");
    if (status == TZ_OK)
        status = tz_goal(chart, problem, &log_z);
    if (status != TZ_OK)
        return status;
    *ret_score = sum;
    *ret_log_probability = sum + log(count) - log_z;
    return TZ_OK;
}

void tz_structures_free(tz_structure_memory *s) {
    tz_chart_free(s->chart);
    tz_plan_free(s->plan);
    tz_semiring_free(s->semiring);
    TZ_FREE_BUFFERS(&s->scores, &s->sorted, &s->facts, &s->most, &s->cells, &s->data);
}
