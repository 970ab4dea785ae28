/* scores.c - the caller's arrays of scores and of answers: their layouts, and what stands where.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/layout/scores.h"

/* Row-major strides; a shape too large for any array wraps around, and no array will fit it. */
static void fill_strides(const tz_shape *shape, ptrdiff_t *stride) {
    size_t next = 1;
    for (unsigned q = shape->rank; q-- > 0;) {
        stride[q] = (ptrdiff_t)next;
        next *= (size_t)shape->extent[q];
    }
}

tz_scores tz_scores_dense(const tz_shape *shape, const double *data) {
    tz_scores scores = {.data = data, .type = TZ_DOUBLE};
    memcpy(scores.extent, shape->extent, sizeof scores.extent);
    fill_strides(shape, scores.stride);
    return scores;
}

tz_scores tz_scores_sparse(const int32_t *index, const double *data, size_t entries) {
    return (tz_scores){
        .data = data, .type = TZ_DOUBLE, .stride = {1}, .index = index, .entries = entries};
}

tz_input_numbers tz_input_numbers_dense(const tz_shape *shape, const int32_t *data) {
    tz_input_numbers numbers = {.data = data};
    memcpy(numbers.extent, shape->extent, sizeof numbers.extent);
    fill_strides(shape, numbers.stride);
    return numbers;
}

tz_output tz_output_dense(const tz_shape *shape, double *data) {
    tz_output output = {.data = data, .stride = {1}};
    if (!shape->sparse)
        fill_strides(shape, output.stride);
    return output;
}

static double read_score(const tz_scores *scores, ptrdiff_t offset) {
    return scores->type == TZ_FLOAT ? (double)((const float *)scores->data)[offset]
                                    : ((const double *)scores->data)[offset];
}

double tz_lane_score(const tz_lane_scores *scores, unsigned rank, const int64_t *index) {
    ptrdiff_t offset = 0;
    for (unsigned q = 0; q < rank; q++)
        offset += (ptrdiff_t)(index[q] - scores->origin[q]) * scores->scores.stride[q];
    return read_score(&scores->scores, offset);
}

double tz_entry_score(const tz_lane_scores *scores, size_t entry) {
    return read_score(&scores->scores, (ptrdiff_t)entry * scores->scores.stride[0]);
}

/* For every cell of these extents, or for every entry. */
static void fill(const tz_lane_scores *bound, const tz_weight *weight, const tz_output *output,
                 double number) {
    if (weight->sparse) {
        for (size_t e = 0; e < bound->scores.entries; e++)
            output->data[(ptrdiff_t)e * output->stride[0]] = number;
        return;
    }
    unsigned rank = weight->rank, d;
    int32_t position[TZ_MAX_RANK] = {0};
    for (d = 0; d < rank; d++)
        if (bound->extent[d] == 0)
            return;
    do {
        ptrdiff_t at = 0;
        for (d = 0; d < rank; d++)
            at += position[d] * output->stride[d];
        output->data[at] = number;
        for (d = rank; d-- > 0 && ++position[d] == bound->extent[d];)
            position[d] = 0;
    } while (d < rank);
}

void tz_fill_output(const tz_chart *chart, size_t lane, unsigned weight, const tz_output *output,
                    double number) {
    fill(tz_lane_weight(chart, lane, weight), &chart->plan->rules->weight[weight], output, number);
}

void tz_fill_given(const tz_chart *chart, size_t lane, unsigned declared, const tz_output *output,
                   double number) {
    unsigned count;
    fill(tz_lane_given(chart, lane, declared),
         tz_declared_weights(chart->plan->rules, &count) + declared, output, number);
}

tz_shape tz_given_shape(const tz_chart *chart, size_t lane, unsigned declared) {
    const tz_lane_scores *given = tz_lane_given(chart, lane, declared);
    unsigned count;
    const tz_weight *weight = tz_declared_weights(chart->plan->rules, &count) + declared;
    tz_shape shape = {.rank = weight->rank, .sparse = weight->sparse};
    memcpy(shape.origin, given->origin, sizeof shape.origin);
    memcpy(shape.extent, given->extent, sizeof shape.extent);
    return shape;
}
