/* bind.c - problems taken into the lanes of a chart: laid out, scaled and lifted.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/chart/bind.h"
#include "engine/chart/entries.h"
#include "engine/chart/facts.h"
#include "engine/chart/padding.h"
#include "engine/chart/scale.h"
#include "engine/layout/address.h"
#include "rules/view.h"

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

/* Is the layout's room what is asked for these longest lengths? */
static bool has_room(const tz_chart *chart, const int32_t *longest) {
    bool has = true;
    for (unsigned l = 0; l < chart->plan->rules->lengths; l++) {
        const int32_t asked = chart->layout.asked[l];
        has &= chart->layout.room[l] == (asked > longest[l] ? asked : longest[l]);
    }
    return has;
}

/* The lanes' lengths and arrays. */
static tz_status take_problems(tz_chart *chart, const tz_problem *problems, size_t count,
                               const int32_t *opt_longest) {
    const tz_rules *rules = chart->plan->rules;
    size_t lengths, scores, scales;
    if (__builtin_mul_overflow(count, (size_t)rules->lengths, &lengths) ||
        __builtin_mul_overflow(count, (size_t)rules->weights, &scores) ||
        __builtin_mul_overflow(count, 2 * (size_t)rules->gauges + rules->weights, &scales))
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
    chart->scaling.centre = chart->scaling.scale + count * rules->gauges;
    chart->scaling.most = chart->scaling.centre + count * rules->gauges;
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
                status = tz_weight_shape(rules, &rules->weight[w], length, &shape);
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
    chart->layout.made = as_before && tz_nested(chart) && !chart->growth.live &&
                         memcmp(longest, chart->bound.longest, sizeof longest) == 0 &&
                         has_room(chart, longest);
    chart->growth.live = false;
    memcpy(chart->bound.longest, longest, sizeof longest);
    chart->lanes = count;
    return TZ_OK;
}

tz_status tz_bind_longer(tz_chart *chart, const tz_problem *problems, const tz_shape *shape) {
    const tz_rules *rules = chart->plan->rules;
    tz_status status = take_inputs(chart, problems, chart->lanes);
    memcpy(chart->bound.longest, problems[0].lengths, rules->lengths * sizeof(int32_t));
    tz_chart_lengthen(chart, shape);
    for (size_t lane = 0; lane < chart->lanes; lane++) {
        memcpy(chart->bound.length + lane * rules->lengths, problems[lane].lengths,
               rules->lengths * sizeof(int32_t));
        for (unsigned w = 0; w < rules->weights; w++) {
            tz_lane_scores *to = &chart->bound.scores[lane * rules->weights + w];
            memcpy(to->origin, shape[w].origin, sizeof to->origin);
            memcpy(to->extent, shape[w].extent, sizeof to->extent);
            to->scores = problems[lane].scores[w];
        }
    }
    if (status == TZ_OK)
        status = tz_pad_weights(chart);
    tz_entries_lengthened(chart);
    chart->marginals.made = chart->weights_clear = false;
    chart->scaling.farthest = -1;
    chart->scaling.misfit = false;
    return status;
}

tz_status tz_bind_lanes(tz_chart *chart, const tz_problem *problems, size_t count,
                        const int32_t *opt_longest, bool check) {
    tz_status status = take_problems(chart, problems, count, opt_longest);
    if (status == TZ_OK)
        status = tz_entries_bound(chart, problems);
    if (status == TZ_OK && !chart->layout.made) {
        chart->weights_clear = chart->marginals.made = false;
        chart->scaling.farthest = -1;
        status = tz_chart_layout(chart);
    }
    chart->layout.made = status == TZ_OK && tz_nested(chart);
    if (status == TZ_OK)
        status = tz_place_facts(chart);
    if (status == TZ_OK)
        status = tz_choose_elements(chart, check);
    chart->state = status == TZ_OK ? TZ_BOUND : TZ_EMPTY;
    return status;
}

tz_status tz_bind_checked(tz_chart *chart, const tz_problem *problems, size_t count,
                          const int32_t *opt_longest) {
    chart->state = TZ_EMPTY;
    chart->epoch++;
    return tz_bind_lanes(chart, problems, count, opt_longest, false);
}

tz_problem tz_lane_problem(const tz_chart *chart, size_t lane, tz_scores *scores) {
    tz_problem problem = {.lengths = tz_lane_length(chart, lane), .scores = scores};
    for (unsigned w = 0; w < chart->plan->rules->weights; w++)
        scores[w] = tz_lane_weight(chart, lane, w)->scores;
    if (chart->bound.facts != NULL) {
        problem.facts = chart->bound.facts[lane].given;
        problem.fact_count = chart->bound.facts[lane].count;
    }
    return problem;
}

void tz_bound_free(tz_bound_problems *b) {
    TZ_FREE_BUFFERS(&b->lengths_memory, &b->scores_memory, &b->inputs_memory, &b->padded_memory,
                    &b->facts_memory, &b->lane_facts_memory, &b->items_memory, &b->padding);
    free(b->score_layout);
}
