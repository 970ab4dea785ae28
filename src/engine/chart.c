/* chart.c - binding problems, and reading values. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

tz_status tz_chart_new(const tz_plan *plan, tz_chart **ret_chart) {
    *ret_chart = NULL;
    tz_chart *chart = calloc(1, sizeof *chart);
    if (chart == NULL)
        return TZ_NO_MEMORY;
    chart->plan = plan;
    chart->box = calloc(plan->rules->kinds + 1u, sizeof *chart->box);
    chart->address = calloc(plan->addresses + 1, sizeof *chart->address);
    if (chart->box == NULL || chart->address == NULL ||
        tz_buffer_reserve(&chart->pair, 4, plan->size) != TZ_OK) {
        tz_chart_free(chart);
        return TZ_NO_MEMORY;
    }
    *ret_chart = chart;
    return TZ_OK;
}

void tz_chart_free(tz_chart *chart) {
    if (chart == NULL)
        return;
    tz_buffer *buffer[] = {&chart->inside, &chart->outside,    &chart->scratch,    &chart->cells,
                           &chart->pair,   &chart->ranges,     &chart->nodes,      &chart->uses,
                           &chart->stack,  &chart->bind_lanes, &chart->bind_scores};
    for (size_t b = 0; b < sizeof buffer / sizeof *buffer; b++)
        tz_buffer_free(buffer[b]);
    free(chart->box);
    free(chart->address);
    free(chart);
}

tz_status tz_bind(tz_chart *chart, const tz_problem *problems, size_t count, tz_error *opt_error) {
    chart->state = TZ_EMPTY;
    for (size_t lane = 0; lane < count; lane++) {
        tz_error error;
        tz_status status = tz_check_problem(chart->plan, &problems[lane], &chart->cells, &error);
        if (status != TZ_OK && count == 1)
            return tz_fail(opt_error, status, "%s", error.message);
        if (status != TZ_OK)
            return tz_fail(opt_error, status, "problem %zu: %.900s", lane, error.message);
    }
    return tz_bind_checked(chart, problems, count, opt_error);
}

tz_status tz_bind_checked(tz_chart *chart, const tz_problem *problems, size_t count,
                          tz_error *opt_error) {
    const tz_rules *rules = chart->plan->rules;
    chart->state = TZ_EMPTY;
    if (count == 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "no problem to bind");
    size_t lengths, scores;
    tz_status status = TZ_TOO_LARGE;
    if (!__builtin_mul_overflow(count, (size_t)rules->lengths, &lengths) &&
        !__builtin_mul_overflow(count, (size_t)rules->weights, &scores))
        status = tz_buffer_reserve(&chart->bind_lanes, lengths, sizeof *chart->length);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->bind_scores, scores, sizeof *chart->scores);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->ranges, count, TZ_MAX_VARIABLES * 2 * sizeof(int64_t));
    if (status != TZ_OK)
        return tz_fail(opt_error, status, "%s", tz_status_name(status));
    chart->length = chart->bind_lanes.data;
    chart->scores = chart->bind_scores.data;
    chart->lanes = count;
    chart->uniform = true;
    for (size_t lane = 0; lane < count; lane++) {
        for (unsigned l = 0; l < rules->lengths; l++) {
            chart->length[lane * rules->lengths + l] = problems[lane].lengths[l];
            chart->uniform &= problems[lane].lengths[l] == problems[0].lengths[l];
        }
        for (unsigned w = 0; w < rules->weights; w++) {
            tz_shape shape;
            tz_lane_scores *to = &chart->scores[lane * rules->weights + w];
            status = tz_rules_shape(rules, w, problems[lane].lengths, &shape);
            if (status != TZ_OK)
                return tz_fail(opt_error, status, "%s", tz_status_name(status));
            to->scores = problems[lane].scores[w];
            memcpy(to->origin, shape.origin, sizeof to->origin);
            memcpy(to->extent, shape.extent, sizeof to->extent);
        }
    }
    status = tz_chart_layout(chart);
    if (status != TZ_OK)
        return tz_fail(opt_error, status, "%s", tz_status_name(status));
    chart->state = TZ_BOUND;
    return TZ_OK;
}

ptrdiff_t tz_goal_offset(const tz_chart *chart, size_t lane) {
    const tz_rules *rules = chart->plan->rules;
    const int32_t *length = tz_lane_length(chart, lane);
    const tz_kind *kind = &rules->kind[rules->goal.which];
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < kind->rank; q++)
        index[q] = tz_form_value(&rules->goal.index[q], rules->lengths, length, 0, NULL);
    if (!tz_domain_holds(&kind->domain, rules->lengths, length, kind->rank, index))
        return -1;
    return tz_cell_offset(chart, rules->goal.which, index);
}

tz_status tz_goal_element(const tz_chart *chart, size_t problem, void *ret_element) {
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    memcpy(ret_element,
           goal < 0 ? chart->plan->zero : (const void *)tz_inside_cell(chart, goal, problem),
           chart->plan->size);
    return TZ_OK;
}

tz_status tz_goal(const tz_chart *chart, size_t problem, double *ret_value) {
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    const tz_plan *plan = chart->plan;
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    *ret_value =
        plan->value(plan->semiring, goal < 0 ? plan->zero : tz_inside_cell(chart, goal, problem));
    return TZ_OK;
}

tz_status tz_item_value(const tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                        bool outside, double *ret_value) {
    const tz_plan *plan = chart->plan;
    if (chart->state < (outside ? TZ_OUTSIDE_DONE : TZ_INSIDE_DONE) || problem >= chart->lanes ||
        item >= plan->rules->items)
        return TZ_BAD_ARGUMENT;
    const tz_kind *kind = &plan->rules->kind[item];
    int64_t wide[TZ_MAX_RANK];
    for (unsigned q = 0; q < kind->rank; q++)
        wide[q] = index[q];
    ptrdiff_t offset = -1;
    if (tz_domain_holds(&kind->domain, plan->rules->lengths, tz_lane_length(chart, problem),
                        kind->rank, wide))
        offset = tz_cell_offset(chart, (unsigned)item, wide);
    const void *element = offset < 0 ? plan->zero
                          : outside  ? tz_outside_cell(chart, offset, problem)
                                     : tz_inside_cell(chart, offset, problem);
    *ret_value = plan->value(plan->semiring, element);
    return TZ_OK;
}
