/* spread.c - a caller's problem made one of the weights that rules multiply by: views are filled
 * with what they look up. SPDX-License-Identifier: MIT */
#include "engine/problem/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "engine/chart/weights.h"
#include "engine/layout/indices.h"
#include "engine/layout/newer.h"
#include "engine/layout/places.h"
#include "engine/layout/views.h"
#include "engine/problem/check.h"
#include "engine/problem/spread_facts.h"
#include "rules/view.h"

/* A problem while it is spread. */
typedef struct spreading {
    const tz_plan *plan;
    const tz_rules *rules;
    const tz_problem *problem;
    tz_given *to;
    size_t lane, cells; /* cells of views that have been written */
    bool passes;        /* views are passed by: all that they look up is right */
    tz_error *opt_error;
} spreading;

/* ---- Scores ---------------------------------------------------------------------------------- */

/* A row of cells that stand `step` apart, out of an array. */
#define LOOK_UP(type, name)                                                                        \
    static void name(const tz_view_rows *rows, const type *from, type none, type *to,              \
                     ptrdiff_t step) {                                                             \
        if (rows->even) {                                                                          \
            from += rows->first;                                                                   \
            for (size_t x = 0; x < rows->count; x++)                                               \
                to[(ptrdiff_t)x * step] = from[(ptrdiff_t)x * rows->apart];                        \
            return;                                                                                \
        }                                                                                          \
        for (size_t x = 0; x < rows->count; x++)                                                   \
            to[(ptrdiff_t)x * step] = rows->place[x] == TZ_NO_PLACE ? none : from[rows->place[x]]; \
    }
LOOK_UP(float, look_up_floats)
LOOK_UP(double, look_up_doubles)

/* The array of a view: its shape, for the lengths that it has room for, its strides, and how many
 * cells it has. */
static tz_status view_array(const spreading *s, const tz_weight *view, tz_shape *ret_shape,
                            ptrdiff_t *ret_stride, size_t *ret_cells) {
    int32_t room[TZ_MAX_LENGTHS];
    for (unsigned l = 0; l < s->rules->lengths; l++)
        room[l] = s->to->room[l] > s->problem->lengths[l] ? s->to->room[l] : s->problem->lengths[l];
    tz_status status = tz_weight_shape(s->rules, view, room, ret_shape);
    return status == TZ_OK
               ? tz_array_strides(s->rules, view, room, ret_shape, ret_stride, ret_cells)
               : status;
}

/* The entries of a sparse weight as they are looked for. */
static tz_status sort_entries(spreading *s, const tz_weight *view, const tz_scores *entries) {
    if (s->to->newer != NULL && s->to->lanes == 1 && s->to->sorted_which == 1u + view->declared)
        return TZ_OK;
    s->to->sorted_which = 0;
    tz_status status = tz_sort_entries(entries, view->views, &s->to->sorted);
    if (status == TZ_OK)
        s->to->sorted_which = 1u + view->declared;
    return status;
}

/* What a view looks up in an array of its declared weight. entries: of a sparse one. */
static tz_status fill_view(spreading *s, const tz_weight *view, const tz_scores *from,
                           const tz_scores *entries, double none, tz_scores *ret) {
    const bool sparse = s->rules->declared[view->declared].sparse, single = from->type == TZ_FLOAT;
    const tz_newer_nests all = {&view->cells, 1},
                         *cells = s->to->newer != NULL
                                      ? s->to->newer->weight[view - s->rules->weight]
                                      : &all;
    tz_shape shape, own;
    tz_view_map map;
    size_t count;
    *ret = (tz_scores){.type = from->type};
    tz_status status = view_array(s, view, &shape, ret->stride, &count);
    if (status == TZ_OK)
        status = tz_weight_shape(s->rules, view, s->problem->lengths, &own);
    if (status == TZ_OK && sparse)
        status = sort_entries(s, view, entries);
    if (status == TZ_OK)
        status = tz_view_map_make(s->rules, view, s->problem->lengths, s->problem->numbers,
                                  from->stride, sparse ? s->to->sorted.data : NULL,
                                  sparse ? entries->entries : 0, &map);
    if (status != TZ_OK)
        return status;
    const tz_places to = tz_places_in(&shape, ret->stride);
    double *data = s->to->cell + s->cells;
    ptrdiff_t first = to.base;
    s->cells += count;
    memcpy(ret->extent, own.extent, sizeof ret->extent);
    for (unsigned q = 0; q < view->rank; q++)
        first += (own.extent[q] > 0 ? own.origin[q] : shape.origin[q]) * to.move[q];
    ret->data = single ? (const void *)((float *)data + first) : data + first;
    for (unsigned p = 0; p < cells->count; p++) {
        tz_view_rows rows;
        for (tz_view_start(&rows, &map, &cells->nest[p]); tz_view_next(&rows);) {
            ptrdiff_t at = to.base, step = 0;
            for (unsigned i = 0; i < view->rank; i++) {
                at += (ptrdiff_t)rows.index[i] * to.move[i];
                step += (ptrdiff_t)rows.rows.move[i] * to.move[i];
            }
            if (single)
                look_up_floats(&rows, from->data, (float)none, (float *)data + at, step);
            else
                look_up_doubles(&rows, from->data, none, data + at, step);
        }
    }
    return TZ_OK;
}

/* One array for each of the rules' weights from one for each declared weight; none: the number of a
 * cell that has no entry. */
static tz_status spread_arrays(spreading *s, const tz_scores *from, double none, tz_scores *ret) {
    const tz_rules *rules = s->rules;
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        const tz_weight *weight = &rules->weight[w];
        ret[w] = from[weight->declared];
        if (weight->view == NULL)
            continue;
        if (s->passes || (from[weight->declared].data == NULL && from != s->problem->scores))
            ret[w] = (tz_scores){0};
        else
            status = fill_view(s, weight, &from[weight->declared],
                               &s->problem->scores[weight->declared], none, &ret[w]);
    }
    return status;
}

/* How many cells the views of all arrays of a problem have. */
static tz_status count_cells(const spreading *s, size_t *cells) {
    const tz_rules *rules = s->rules;
    size_t arrays = 1 + (s->problem->direction != NULL);
    if (s->problem->inputs != NULL)
        arrays += s->plan->wide.semiring->inputs;
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_shape shape;
        ptrdiff_t stride[TZ_MAX_RANK];
        size_t own;
        if (rules->weight[w].view == NULL)
            continue;
        tz_status status = view_array(s, &rules->weight[w], &shape, stride, &own);
        if (status != TZ_OK)
            return status;
        if (__builtin_mul_overflow(own, arrays, &own) || __builtin_add_overflow(*cells, own, cells))
            return TZ_TOO_LARGE;
    }
    return TZ_OK;
}

/* Keeps what was given, and spreads it. */
static tz_status spread_scores(spreading *s) {
    const tz_rules *rules = s->rules;
    const size_t declared = rules->declareds, weights = rules->weights;
    const size_t inputs = s->plan->wide.semiring->inputs;
    const tz_problem *problem = s->problem;
    tz_problem *to = &s->to->problem[s->lane];
    tz_scores *array = s->to->spread + s->lane * (2 + inputs) * weights;
    *to = (tz_problem){.lengths = problem->lengths, .scores = array};
    for (unsigned d = 0; d < declared; d++) {
        tz_lane_scores *given = &s->to->scores[s->lane * declared + d];
        tz_shape shape;
        tz_status status = tz_weight_shape(rules, &rules->declared[d], problem->lengths, &shape);
        if (status != TZ_OK)
            return status;
        given->scores = problem->scores[d];
        memcpy(given->origin, shape.origin, sizeof given->origin);
        memcpy(given->extent, shape.extent, sizeof given->extent);
    }
    for (unsigned i = 0; i < rules->inputs; i++)
        s->to->numbers[s->lane * rules->inputs + i] =
            problem->numbers != NULL ? problem->numbers[i] : (tz_input_numbers){.data = NULL};
    tz_status status = spread_arrays(s, problem->scores, -INFINITY, array);
    array += weights;
    if (problem->inputs != NULL)
        to->inputs = array;
    for (size_t i = 0; i < inputs && to->inputs != NULL && status == TZ_OK; i++, array += weights)
        status = spread_arrays(s, problem->inputs + i * declared, 0, array);
    if (problem->direction != NULL && status == TZ_OK) {
        to->direction = array;
        status = spread_arrays(s, problem->direction, 0, array);
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static tz_status reserve(const tz_plan *plan, const tz_problem *problems, size_t count,
                         tz_given *to) {
    const tz_rules *rules = plan->rules;
    size_t declared, numbers, arrays, facts = 0;
    if (__builtin_mul_overflow(count, (size_t)rules->declareds, &declared) ||
        __builtin_mul_overflow(count, (size_t)rules->inputs, &numbers) ||
        __builtin_mul_overflow(count, (2 + plan->wide.semiring->inputs) * rules->weights, &arrays))
        return TZ_TOO_LARGE;
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(facts, problems[i].fact_count, &facts))
            return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&to->scores_memory, declared, sizeof *to->scores);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&to->numbers_memory, numbers, sizeof *to->numbers);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&to->problem_memory, count, sizeof *to->problem);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&to->spread_memory, arrays, sizeof *to->spread);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&to->facts_memory, facts + 1, sizeof *to->fact);
    if (status != TZ_OK)
        return status;
    to->scores = to->scores_memory.data;
    to->numbers = to->numbers_memory.data;
    to->problem = to->problem_memory.data;
    to->spread = to->spread_memory.data;
    to->fact = to->facts_memory.data;
    return TZ_OK;
}

/* Can everything be looked up? */
static tz_status check(const spreading *s) {
    const tz_rules *rules = s->rules;
    tz_status status = tz_check_lengths(rules, s->problem, s->opt_error);
    for (unsigned i = 0; i < rules->inputs && status == TZ_OK; i++)
        status = tz_check_numbers(rules, s->problem, i, s->opt_error);
    for (unsigned d = 0; d < rules->declareds && status == TZ_OK; d++)
        if (s->to->newer != NULL && rules->declared[d].sparse) /* they are those of last time */
            status = s->problem->scores[d].entries ==
                             s->to->scores[s->lane * rules->declareds + d].scores.entries
                         ? TZ_OK
                         : TZ_NONE;
        else
            status = tz_check_looked_up(s->plan, s->problem, d, &s->to->sorting, s->opt_error);
    return status;
}

/* Is every score of the tables allowed, looked up or not? That is seen in less time than filling
 * views takes, unless tables are much larger. Else, and with all that is rare, it is not said. */
static bool tables_allowed(const spreading *s, size_t cells) {
    const tz_rules *rules = s->rules;
    const tz_problem *problem = s->problem;
    size_t left = 8 * cells;
    if (problem->fact_count > 0 || problem->inputs != NULL || problem->direction != NULL)
        return false;
    for (unsigned w = 0; w < rules->weights; w++) {
        const unsigned d = rules->weight[w].declared;
        tz_shape shape;
        if (rules->weight[w].view == NULL || rules->declared[d].sparse)
            continue;
        if (tz_weight_shape(rules, &rules->declared[d], problem->lengths, &shape) != TZ_OK ||
            tz_shape_cells(&shape) > left ||
            !tz_array_allowed(s->plan, &problem->scores[d], &shape))
            return false;
        left -= tz_shape_cells(&shape);
    }
    return true;
}

/* may_pass: only to be checked. */
static tz_status spread_all(const tz_plan *plan, const tz_problem *problems, size_t count,
                            bool may_pass, tz_given *memory, const tz_problem **ret_spread,
                            size_t *ret_bad, tz_error *opt_error) {
    *ret_spread = problems;
    *ret_bad = 0;
    if (plan->rules->declareds == 0)
        return TZ_OK;
    spreading s = {.plan = plan, .rules = plan->rules, .to = memory, .opt_error = opt_error};
    tz_error none = {TZ_OK, ""}, *error = opt_error != NULL ? opt_error : &none;
    error->message[0] = '\0';
    tz_status status = reserve(plan, problems, count, memory);
    size_t cells = 0, facts = 0, fact_cells = 0;
    for (; s.lane < count && status == TZ_OK; s.lane++) {
        s.problem = &problems[ *ret_bad = s.lane];
        status = check(&s);
        if (status == TZ_OK)
            status = count_cells(&s, &cells);
    }
    s.passes = may_pass && status == TZ_OK && tables_allowed(&s, cells);
    if (status == TZ_OK && !s.passes)
        status = tz_buffer_reserve(&memory->cells, cells + 1, sizeof(double));
    memory->cell = memory->cells.data;
    for (s.lane = 0; s.lane < count && status == TZ_OK; s.lane++) {
        s.problem = &problems[ *ret_bad = s.lane];
        status = spread_scores(&s);
        if (status == TZ_OK)
            status = tz_spread_facts(plan, s.problem, s.lane, memory, memory->fact + facts,
                                     &fact_cells, opt_error);
        facts += s.problem->fact_count;
    }
    if (status != TZ_OK)
        return error->message[0] != '\0' ? status
                                         : tz_fail(opt_error, status, "%s", tz_status_name(status));
    tz_point_facts(memory, count);
    memory->lanes = count;
    *ret_spread = memory->problem;
    return TZ_OK;
}

tz_status tz_spread_problems(const tz_plan *plan, const tz_problem *problems, size_t count,
                             tz_given *memory, const tz_problem **ret_spread, size_t *ret_bad,
                             tz_error *opt_error) {
    return spread_all(plan, problems, count, false, memory, ret_spread, ret_bad, opt_error);
}

tz_status tz_spread_to_check(const tz_plan *plan, const tz_problem *problem, tz_given *memory,
                             const tz_problem **ret_spread, tz_error *opt_error) {
    size_t bad;
    return spread_all(plan, problem, 1, true, memory, ret_spread, &bad, opt_error);
}

tz_status tz_given_copy(const tz_chart *from, size_t lane, tz_given *to) {
    const tz_rules *rules = from->plan->rules;
    if (rules->declareds == 0)
        return TZ_OK;
    const size_t declared = rules->declareds, inputs = rules->inputs;
    tz_status status = tz_buffer_reserve(&to->scores_memory, declared, sizeof *to->scores);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&to->numbers_memory, inputs, sizeof *to->numbers);
    if (status != TZ_OK)
        return status;
    to->scores = to->scores_memory.data;
    to->numbers = to->numbers_memory.data;
    memcpy(to->scores, tz_lane_given(from, lane, 0), declared * sizeof *to->scores);
    if (inputs > 0)
        memcpy(to->numbers, tz_lane_numbers(from, lane), inputs * sizeof *to->numbers);
    to->lanes = 1;
    return TZ_OK;
}

void tz_given_free(tz_given *memory) {
    TZ_FREE_BUFFERS(&memory->scores_memory, &memory->numbers_memory, &memory->problem_memory,
                    &memory->spread_memory, &memory->facts_memory, &memory->fact_cells,
                    &memory->cells, &memory->sorting, &memory->summing, &memory->own,
                    &memory->sorted);
    tz_indices_free(&memory->known);
}
