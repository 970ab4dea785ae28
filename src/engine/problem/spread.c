/* spread.c - a caller's problem made one of the weights that rules multiply by: views are filled
 * with what they look up. SPDX-License-Identifier: MIT */
#include "engine/problem/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "engine/chart/weights.h"
#include "engine/layout/indices.h"
#include "engine/layout/places.h"
#include "engine/layout/views.h"
#include "engine/problem/check.h"
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

/* ---- Numbers --------------------------------------------------------------------------------- */

static tz_status bad_number(const spreading *s, const tz_rules_input *input, const int64_t *index,
                            int32_t number, int64_t bound) {
    const tz_weight named = {.name = input->name, .rank = input->rank};
    char cell[320];
    tz_cell_text(s->rules, &named, s->problem->lengths, index, cell, sizeof cell);
    if (bound <= 0)
        return tz_fail(s->opt_error, TZ_BAD_ARGUMENT,
                       "%s is %d, but input %s has no numbers: they stay below %lld", cell,
                       (int)number, input->name, (long long)bound);
    return tz_fail(s->opt_error, TZ_BAD_ARGUMENT, "%s is %d: it must be from 0 to %lld", cell,
                   (int)number, (long long)bound - 1);
}

static tz_status check_numbers(const spreading *s, unsigned which) {
    const tz_rules *rules = s->rules;
    const tz_rules_input *input = &rules->input[which];
    const int32_t *lengths = s->problem->lengths;
    tz_shape shape;
    int64_t bound;
    bool any = true;
    tz_status status = tz_rules_input_shape(rules, which, lengths, &shape, &bound);
    if (status != TZ_OK)
        return tz_fail(s->opt_error, status, "input %s: %s", input->name, tz_status_name(status));
    const tz_input_numbers *numbers =
        s->problem->numbers != NULL ? &s->problem->numbers[which] : NULL;
    if ((numbers == NULL || numbers->data == NULL) && !tz_input_used(rules, which))
        return TZ_OK;
    for (unsigned q = 0; q < input->rank; q++) {
        any &= shape.extent[q] > 0;
        if (numbers != NULL && numbers->extent[q] < shape.extent[q])
            return tz_fail(s->opt_error, TZ_BAD_ARGUMENT,
                           "%s has %d positions in dimension %u, but needs %d: index %s runs to %d",
                           input->name, (int)numbers->extent[q], q + 1, (int)shape.extent[q],
                           input->index_name[q], (int)(shape.origin[q] + shape.extent[q] - 1));
    }
    if (any && (numbers == NULL || numbers->data == NULL))
        return tz_fail(s->opt_error, TZ_BAD_ARGUMENT, "input %s has no data", input->name);
    tz_walk walk;
    for (tz_walk_start(&walk, &input->cells, rules->lengths, lengths, NULL); tz_walk_next(&walk);) {
        int64_t index[TZ_MAX_RANK];
        ptrdiff_t at = 0;
        for (unsigned q = 0; q < input->rank; q++) {
            index[q] = tz_walk_variable(&walk, q);
            at += (ptrdiff_t)(index[q] - shape.origin[q]) * numbers->stride[q];
        }
        const int32_t number = numbers->data[at];
        if ((number < 0 || number >= bound) &&
            tz_domain_holds(&input->domain, rules->lengths, lengths, input->rank, index))
            return bad_number(s, input, index, number, bound);
    }
    return TZ_OK;
}

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

/* What a view looks up in an array of its declared weight. entries: of a sparse one. */
static tz_status fill_view(spreading *s, const tz_weight *view, const tz_scores *from,
                           const tz_scores *entries, double none, tz_scores *ret) {
    const bool sparse = s->rules->declared[view->declared].sparse, single = from->type == TZ_FLOAT;
    const tz_entry *sorted = NULL;
    size_t count = 0;
    tz_shape shape;
    tz_view_map map;
    tz_status status = tz_weight_shape(s->rules, view, s->problem->lengths, &shape);
    if (sparse) {
        status = tz_sort_entries(entries, view->views, &s->to->sorting);
        sorted = s->to->sorting.data;
        count = entries->entries;
    }
    if (status == TZ_OK)
        status = tz_view_map_make(s->rules, view, s->problem->lengths, s->problem->numbers,
                                  from->stride, sorted, count, &map);
    if (status != TZ_OK)
        return status;
    double *data = s->to->cell + s->cells;
    size_t own;
    *ret = tz_scores_dense(&shape, data);
    ret->type = from->type;
    status = tz_array_strides(s->rules, view, s->problem->lengths, &shape, ret->stride, &own);
    if (status != TZ_OK)
        return status;
    s->cells += own;
    const tz_places to = tz_places_in(&shape, ret->stride);
    tz_view_rows rows;
    for (tz_view_start(&rows, &map); tz_view_next(&rows);) {
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
        size_t own = 0;
        if (rules->weight[w].view == NULL)
            continue;
        ptrdiff_t stride[TZ_MAX_RANK];
        tz_status status = tz_weight_shape(rules, &rules->weight[w], s->problem->lengths, &shape);
        if (status == TZ_OK)
            status = tz_array_strides(rules, &rules->weight[w], s->problem->lengths, &shape, stride,
                                      &own);
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

/* ---- Facts ----------------------------------------------------------------------------------- */

static tz_status add_cell(tz_given *to, size_t *count, const tz_cells *cell) {
    tz_status status = tz_buffer_grow(&to->fact_cells, *count + 1, sizeof *cell);
    if (status == TZ_OK)
        ((tz_cells *)to->fact_cells.data)[(*count)++] = *cell;
    return status;
}

/* The view's cells that look up one of these. */
static tz_status add_view_cells(const spreading *s, unsigned w, const tz_cells *cells,
                                size_t *count) {
    const tz_weight *view = &s->rules->weight[w];
    const tz_domain *domain = &view->domain;
    tz_view_map map;
    tz_walk walk;
    tz_status status = tz_view_map_make(s->rules, view, s->problem->lengths, s->problem->numbers,
                                        NULL, NULL, 0, &map);
    tz_walk_start(&walk, &view->cells, s->rules->lengths, s->problem->lengths, NULL);
    while (status == TZ_OK && tz_walk_next(&walk)) {
        tz_cells own = {.weight = w};
        int64_t index[TZ_MAX_RANK];
        int32_t declared[TZ_MAX_RANK];
        bool same = true;
        for (unsigned i = 0; i < view->rank; i++) {
            index[i] = tz_walk_variable(&walk, i);
            own.index[i] = (int32_t)index[i];
        }
        if (!tz_domain_holds(domain, s->rules->lengths, s->problem->lengths, view->rank, index))
            continue;
        tz_view_cell(&map, index, declared);
        for (unsigned q = 0; q < view->views; q++)
            same &= cells->index[q] == TZ_ANY || cells->index[q] == declared[q];
        if (same)
            status = add_cell(s->to, count, &own);
    }
    return status;
}

/* The cells of all uses of these. */
static tz_status add_cells(const spreading *s, const tz_cells *cells, size_t *count) {
    const tz_rules *rules = s->rules;
    tz_status status = TZ_OK;
    if (cells->weight >= TZ_ITEM)
        return add_cell(s->to, count, cells);
    if (cells->weight >= rules->declareds) { /* tz_facts_new says so: a use */
        tz_cells own = *cells;
        own.weight -= rules->declareds;
        return add_cell(s->to, count, &own);
    }
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        tz_cells own = *cells;
        own.weight = w;
        if (rules->weight[w].declared != cells->weight)
            continue;
        status = rules->weight[w].view == NULL ? add_cell(s->to, count, &own)
                                               : add_view_cells(s, w, cells, count);
    }
    return status;
}

static tz_status spread_facts(const spreading *s, tz_fact *fact, size_t *count) {
    const tz_problem *problem = s->problem;
    tz_status status = tz_check_fact_cells(s->rules, problem, s->opt_error);
    s->to->problem[s->lane].fact_count = problem->fact_count;
    for (size_t f = 0; f < problem->fact_count && status == TZ_OK; f++) {
        size_t first = *count;
        for (size_t c = 0; c < problem->facts[f].count && status == TZ_OK; c++)
            status = add_cells(s, &problem->facts[f].cells[c], count);
        fact[f] = (tz_fact){.required = problem->facts[f].required, .count = *count - first};
        if (status == TZ_OK && fact[f].count > 1)
            qsort((tz_cells *)s->to->fact_cells.data + first, fact[f].count, sizeof(tz_cells),
                  tz_compare_cells);
    }
    return status;
}

/* Now that all cells of facts stand where they will. */
static void place_facts(tz_given *to, size_t count) {
    const tz_cells *cell = to->fact_cells.data;
    tz_fact *fact = to->fact;
    for (size_t lane = 0; lane < count; lane++) {
        to->problem[lane].facts = fact;
        for (size_t f = 0; f < to->problem[lane].fact_count; f++, fact++) {
            fact->cells = cell;
            cell += fact->count;
        }
    }
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
        status = check_numbers(s, i);
    for (unsigned d = 0; d < rules->declareds && status == TZ_OK; d++)
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
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        s.problem = &problems[ *ret_bad = i];
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
            status = spread_facts(&s, memory->fact + facts, &fact_cells);
        facts += s.problem->fact_count;
    }
    if (status != TZ_OK)
        return error->message[0] != '\0' ? status
                                         : tz_fail(opt_error, status, "%s", tz_status_name(status));
    place_facts(memory, count);
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
                    &memory->cells, &memory->sorting, &memory->summing, &memory->own);
    tz_indices_free(&memory->known);
}
