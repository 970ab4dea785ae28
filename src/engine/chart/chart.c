/* chart.c - binding problems, and reading values. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "engine/ask/trace.h"
#include "engine/chart/bind.h"
#include "engine/layout/address.h"
#include "engine/pass/pass.h"

tz_status tz_chart_new(const tz_plan *plan, tz_chart **ret_chart) {
    *ret_chart = NULL;
    tz_chart *chart = calloc(1, sizeof *chart);
    if (chart == NULL)
        return TZ_NO_MEMORY;
    chart->plan = plan;
    chart->algebra = plan->has_narrow ? &plan->narrow : &plan->wide;
    chart->layout.box = calloc(plan->rules->kinds + 1u, sizeof *chart->layout.box);
    chart->layout.weight_box = calloc(plan->rules->weights + 1u, sizeof *chart->layout.weight_box);
    chart->layout.shape = calloc(plan->rules->weights + 1u, sizeof *chart->layout.shape);
    chart->bound.score_layout =
        calloc(plan->rules->weights + 1u, sizeof *chart->bound.score_layout);
    chart->layout.address = calloc(plan->addresses + 1, sizeof *chart->layout.address);
    chart->scaling.first_form =
        calloc(plan->rules->weights + 1u, TZ_FORMS * sizeof *chart->scaling.first_form);
    if (chart->layout.box == NULL || chart->layout.weight_box == NULL ||
        chart->layout.address == NULL || chart->scaling.first_form == NULL ||
        chart->layout.shape == NULL || chart->bound.score_layout == NULL ||
        tz_buffer_reserve(&chart->pair, 4, plan->wide.size) != TZ_OK ||
        tz_trace_chart_new(chart) != TZ_OK) {
        tz_chart_free(chart);
        return TZ_NO_MEMORY;
    }
    *ret_chart = chart;
    return TZ_OK;
}

void tz_chart_free(tz_chart *chart) {
    if (chart == NULL)
        return;
    tz_schedules_free(chart);
    tz_score_map_free_all(chart);
    tz_trace_chart_free(chart);
    tz_structures_free(chart->structures);
    tz_kbest_discard(chart->spare);
    for (unsigned s = 0; s < TZ_SPACES; s++)
        tz_buffer_free(&chart->space[s]);
    tz_buffer *buffer[] = {&chart->passes.scratch,
                           &chart->marginals.gathered,
                           &chart->pair,
                           &chart->passes.ranges,
                           &chart->trace.nodes,
                           &chart->trace.uses,
                           &chart->trace.pending,
                           &chart->bound.lengths_memory,
                           &chart->bound.scores_memory,
                           &chart->scaling.memory,
                           &chart->trace.sorted,
                           &chart->trace.sorting,
                           &chart->bound.facts_memory,
                           &chart->bound.lane_facts_memory,
                           &chart->risk,
                           &chart->trace.products,
                           &chart->bound.inputs_memory,
                           &chart->marginals.cell,
                           &chart->marginals.table,
                           &chart->marginals.map,
                           &chart->marginals.to,
                           &chart->marginals.asked,
                           &chart->marginals.goal,
                           &chart->bound.padded_memory,
                           &chart->bound.padding};
    for (size_t b = 0; b < sizeof buffer / sizeof *buffer; b++)
        tz_buffer_free(buffer[b]);
    free(chart->scaling.first_form);
    free(chart->layout.box);
    free(chart->layout.weight_box);
    free(chart->layout.shape);
    free(chart->bound.score_layout);
    free(chart->layout.address);
    free(chart);
}

/* The lanes' inputs and directions; those that are not given have no data. */
static tz_status take_inputs(tz_chart *chart, const tz_problem *problems, size_t count) {
    size_t weights = chart->plan->rules->weights, all;
    size_t each = chart->plan->wide.semiring->inputs * weights;
    if (__builtin_mul_overflow(count, each + weights, &all))
        return TZ_TOO_LARGE;
    tz_status status =
        tz_buffer_reserve(&chart->bound.inputs_memory, all, sizeof *chart->bound.inputs);
    if (status != TZ_OK)
        return status;
    chart->bound.inputs = chart->bound.inputs_memory.data;
    chart->bound.direction = chart->bound.inputs + count * each;
    for (size_t lane = 0; lane < count; lane++) {
        for (size_t w = 0; w < weights; w++)
            chart->bound.direction[lane * weights + w] =
                problems[lane].direction != NULL ? problems[lane].direction[w] : (tz_scores){0};
        for (size_t i = 0; i < each; i++)
            chart->bound.inputs[lane * each + i] =
                problems[lane].inputs != NULL ? problems[lane].inputs[i] : (tz_scores){0};
    }
    return TZ_OK;
}

/* The lanes' lengths and arrays. */
static tz_status take_problems(tz_chart *chart, const tz_problem *problems, size_t count,
                               const int32_t *opt_longest) {
    const tz_rules *rules = chart->plan->rules;
    size_t lengths, scores, scales;
    if (__builtin_mul_overflow(count, (size_t)rules->lengths, &lengths) ||
        __builtin_mul_overflow(count, (size_t)rules->weights, &scores) ||
        __builtin_mul_overflow(count, (size_t)rules->gauges + rules->weights, &scales))
        return TZ_TOO_LARGE;
    tz_status status =
        tz_buffer_reserve(&chart->bound.lengths_memory, lengths, sizeof *chart->bound.length);
    if (status == TZ_OK)
        status =
            tz_buffer_reserve(&chart->bound.scores_memory, scores, sizeof *chart->bound.scores);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->scaling.memory, scales, sizeof *chart->scaling.scale);
    if (status == TZ_OK)
        status = tz_bind_facts(chart, problems, count);
    if (status == TZ_OK)
        status =
            tz_buffer_reserve(&chart->passes.ranges, count, TZ_MAX_VARIABLES * 2 * sizeof(int64_t));
    if (status == TZ_OK)
        status = take_inputs(chart, problems, count);
    if (status != TZ_OK)
        return status;
    int32_t longest[TZ_MAX_LENGTHS] = {0};
    if (opt_longest != NULL && chart->plan->nested)
        memcpy(longest, opt_longest, rules->lengths * sizeof *longest);
    chart->bound.length = chart->bound.lengths_memory.data;
    chart->bound.scores = chart->bound.scores_memory.data;
    chart->scaling.scale = chart->scaling.memory.data;
    chart->scaling.most = chart->scaling.scale + count * rules->gauges;
    const uint8_t all = (uint8_t)((1u << rules->lengths) - 1);
    uint8_t shared = all;
    bool as_before = chart->layout.made && chart->lanes == count;
    for (size_t lane = 0; lane < count; lane++) {
        const int32_t *length = problems[lane].lengths;
        for (unsigned l = 0; l < rules->lengths; l++) {
            chart->bound.length[lane * rules->lengths + l] = length[l];
            if (length[l] != problems[0].lengths[l])
                shared &= (uint8_t) ~(1u << l);
            longest[l] = length[l] > longest[l] ? length[l] : longest[l];
        }
        for (unsigned w = 0; w < rules->weights; w++) {
            tz_shape shape;
            tz_lane_scores *to = &chart->bound.scores[lane * rules->weights + w];
            /* Lanes of the same lengths have the same shapes. */
            if (lane > 0 && shared == all) {
                *to = chart->bound.scores[w];
            } else {
                status = tz_rules_shape(rules, w, length, &shape);
                if (status != TZ_OK)
                    return status;
                memcpy(to->origin, shape.origin, sizeof to->origin);
                memcpy(to->extent, shape.extent, sizeof to->extent);
            }
            to->scores = problems[lane].scores[w];
        }
    }
    for (unsigned l = 0; l < rules->lengths; l++)
        if (longest[l] != problems[0].lengths[l])
            shared &= (uint8_t) ~(1u << l);
    chart->marginals.made &= shared == chart->bound.shared_lengths;
    chart->bound.same_lengths = shared == all;
    chart->bound.shared_lengths = shared;
    chart->layout.made =
        as_before && tz_nested(chart) && memcmp(longest, chart->bound.longest, sizeof longest) == 0;
    memcpy(chart->bound.longest, longest, sizeof longest);
    chart->lanes = count;
    return TZ_OK;
}

static tz_status bind(tz_chart *chart, const tz_problem *problems, size_t count,
                      const int32_t *opt_longest, bool check) {
    tz_status status = take_problems(chart, problems, count, opt_longest);
    if (status == TZ_OK && !chart->layout.made) {
        chart->weights_clear = chart->marginals.made = false;
        chart->scaling.farthest = -1;
        status = tz_chart_layout(chart);
    }
    chart->layout.made = status == TZ_OK && tz_nested(chart);
    if (status == TZ_OK)
        status = tz_choose_elements(chart, check);
    chart->state = status == TZ_OK ? TZ_BOUND : TZ_EMPTY;
    return status;
}

tz_status tz_bind_checked(tz_chart *chart, const tz_problem *problems, size_t count,
                          const int32_t *opt_longest) {
    chart->state = TZ_EMPTY;
    chart->epoch++;
    return bind(chart, problems, count, opt_longest, false);
}

tz_status tz_bind(tz_chart *chart, const tz_problem *problems, size_t count, tz_error *opt_error) {
    chart->state = TZ_EMPTY;
    chart->epoch++;
    if (count == 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "no problem to bind");
    /* Scores that are lifted here are checked as they are. */
    tz_status status = tz_check_shapes(chart->plan, problems, count, &chart->marginals.gathered);
    if (status == TZ_OK)
        status = bind(chart, problems, count, NULL, true);
    if (status == TZ_OK)
        return TZ_OK;
    /* What it was, with all that is to be said of it. */
    for (size_t lane = 0; lane < count; lane++) {
        tz_error error;
        if (tz_check_problem(chart->plan, &problems[lane], true, &chart->marginals.gathered,
                             &error) == TZ_OK)
            continue;
        return count == 1
                   ? tz_fail(opt_error, error.status, "%s", error.message)
                   : tz_fail(opt_error, error.status, "problem %zu: %.900s", lane, error.message);
    }
    return tz_fail(opt_error, status, "%s", tz_status_name(status));
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The goal's element, wide: as it stands in the chart, or in the chart's room for elements. */
static const void *goal_element(const tz_chart *chart, size_t problem) {
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    if (goal < 0)
        return chart->plan->wide.zero;
    const void *element = tz_cell(chart, TZ_AT_INSIDE, goal, problem);
    if (chart->algebra == &chart->plan->wide && chart->bound.facts == NULL)
        return element;
    tz_widen(chart, element, tz_goal_scale(chart, problem), chart->pair.data);
    tz_unmark(chart, problem, &chart->plan->wide, chart->pair.data);
    return chart->pair.data;
}

tz_status tz_goal_element(const tz_chart *chart, size_t problem, void *ret_element) {
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    memcpy(ret_element, goal_element(chart, problem), chart->plan->wide.size);
    return TZ_OK;
}

tz_status tz_goal(const tz_chart *chart, size_t problem, double *ret_value) {
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    const tz_algebra *wide = &chart->plan->wide;
    *ret_value = wide->value(wide->semiring, goal_element(chart, problem));
    return TZ_OK;
}

/* The element of an item, wide, in the chart's room for elements; NULL: the call is wrong. */
static const void *item_element(const tz_chart *chart, size_t problem, size_t item,
                                const int32_t *index, bool outside) {
    const tz_plan *plan = chart->plan;
    if (chart->state < (outside ? TZ_OUTSIDE_DONE : TZ_INSIDE_DONE) || problem >= chart->lanes ||
        item >= plan->rules->items)
        return NULL;
    const tz_kind *kind = &plan->rules->kind[item];
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < kind->rank; q++)
        at[q] = index[q];
    ptrdiff_t offset = -1;
    if (tz_domain_holds(&kind->domain, plan->rules->lengths, tz_lane_length(chart, problem),
                        kind->rank, at))
        offset = tz_cell_offset(chart, (unsigned)item, at);
    if (offset < 0)
        return plan->wide.zero;
    double scale = tz_kind_scale(chart, problem, (unsigned)item, at);
    tz_widen(chart, tz_cell(chart, outside ? TZ_AT_OUTSIDE : TZ_AT_INSIDE, offset, problem),
             outside ? tz_goal_scale(chart, problem) - scale : scale, chart->pair.data);
    if (!outside)
        tz_unmark(chart, problem, &plan->wide, chart->pair.data);
    return chart->pair.data;
}

/* All numbers of a wide element. */
static tz_status values_of(const tz_chart *chart, const void *element, double *ret_values,
                           size_t *ret_count) {
    const tz_algebra *wide = &chart->plan->wide;
    const tz_semiring *s = wide->semiring;
    *ret_count = 1;
    if (s->values != NULL)
        *ret_count = s->values(s, element, ret_values);
    else
        *ret_values = wide->value(s, element);
    return TZ_OK;
}

tz_status tz_goal_values(const tz_chart *chart, size_t problem, double *ret_values,
                         size_t *ret_count) {
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    return values_of(chart, goal_element(chart, problem), ret_values, ret_count);
}

tz_status tz_item_value(const tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                        bool outside, double *ret_value) {
    const tz_algebra *wide = &chart->plan->wide;
    const void *element = item_element(chart, problem, item, index, outside);
    if (element == NULL)
        return TZ_BAD_ARGUMENT;
    *ret_value = wide->value(wide->semiring, element);
    return TZ_OK;
}

tz_status tz_item_values(const tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                         double *ret_values, size_t *ret_count) {
    const void *element = item_element(chart, problem, item, index, false);
    return element == NULL ? TZ_BAD_ARGUMENT : values_of(chart, element, ret_values, ret_count);
}

tz_status tz_inside(tz_chart *chart) {
    if (chart->state < TZ_BOUND)
        return TZ_BAD_ARGUMENT;
    chart->epoch++;
    tz_status status = tz_run_pass(chart, TZ_PASS_INSIDE);
    if (status == TZ_OK)
        chart->state = TZ_INSIDE_DONE;
    else
        tz_pass_failed(chart);
    return status;
}

tz_status tz_outside(tz_chart *chart) {
    if (chart->state < TZ_INSIDE_DONE)
        return TZ_BAD_ARGUMENT;
    tz_status status = tz_run_pass(chart, TZ_PASS_OUTSIDE);
    if (status == TZ_OK)
        chart->state = TZ_OUTSIDE_DONE;
    else
        tz_pass_failed(chart);
    return status;
}
