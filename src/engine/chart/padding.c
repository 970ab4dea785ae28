/* padding.c - scores of lanes of different lengths, or of different layouts, copied to arrays of
 * the same layout: those of the longest lengths' shape, -infinity where a lane's own ends. So one
 * map (score_map.c) serves all of them, as it does lanes of the same lengths.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/chart/padding.h"
#include "engine/chart/score_maps.h"
#include "engine/chart/weights.h"
#include "engine/layout/places.h"

/* Can the lanes' arrays of a weight be padded to the same layout? */
static bool can_pad(const tz_chart *chart, unsigned w) {
    bool can = tz_nested(chart) && tz_shape_cells(&chart->layout.shape[w]) <= TZ_SCORE_MAP_MOST;
    for (size_t lane = 1; lane < chart->lanes; lane++)
        can &=
            tz_lane_weight(chart, lane, w)->scores.type == tz_lane_weight(chart, 0, w)->scores.type;
    return can;
}

static tz_score_layout look_at(const tz_chart *chart, unsigned w) {
    if (chart->bound.same_lengths && tz_same_layout(chart, 0, chart->lanes, w))
        return TZ_SAME_LAYOUT;
    return can_pad(chart, w) ? TZ_SAME_PADDED : TZ_OWN_LAYOUTS;
}

/* How many scores each lane has once it is padded; 0 where it need not be. */
static size_t to_pad(const tz_chart *chart, unsigned w) {
    return chart->bound.score_layout[w] == TZ_SAME_PADDED && tz_score_map_possible(chart, w)
               ? tz_shape_cells(&chart->layout.shape[w])
               : 0;
}

static void fill_none(tz_type type, void *to, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        if (type == TZ_FLOAT)
            ((float *)to)[i] = -INFINITY;
        else
            ((double *)to)[i] = -INFINITY;
}

static void copy_row(const tz_scores *from, ptrdiff_t offset, ptrdiff_t step, size_t count,
                     void *to, size_t first) {
    if (from->type == TZ_FLOAT) {
        const float *row = (const float *)from->data + offset;
        for (size_t i = 0; i < count; i++)
            ((float *)to)[first + i] = row[(ptrdiff_t)i * step];
    } else {
        const double *row = (const double *)from->data + offset;
        for (size_t i = 0; i < count; i++)
            ((double *)to)[first + i] = row[(ptrdiff_t)i * step];
    }
}

/* Positions of dimension q of the shape, before..end-1, that the lane has as well. */
static void overlap(const tz_shape *shape, const tz_lane_scores *lane, unsigned q, size_t *before,
                    size_t *end) {
    int64_t low = (int64_t)lane->origin[q] - shape->origin[q], high = low + lane->extent[q];
    *before = low > 0 ? (size_t)low : 0;
    *end = high < shape->extent[q] ? (size_t)high : (size_t)shape->extent[q];
}

/* A lane's scores into an array of the shape, row-major. */
static void pad_lane(const tz_lane_scores *lane, const tz_shape *shape, void *to) {
    const unsigned outer = shape->rank > 0 ? shape->rank - 1u : 0;
    const size_t row = shape->rank > 0 ? (size_t)shape->extent[outer] : 1,
                 cells = tz_shape_cells(shape);
    size_t before = 0, end = 1, position[TZ_MAX_RANK] = {0}, low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    ptrdiff_t step = shape->rank > 0 ? lane->scores.stride[outer] : 1;
    if (shape->rank > 0)
        overlap(shape, lane, outer, &before, &end);
    for (unsigned q = 0; q < outer; q++)
        overlap(shape, lane, q, &low[q], &high[q]);
    for (size_t first = 0; first < cells; first += row) {
        ptrdiff_t offset = 0;
        bool any = end > before;
        for (unsigned q = 0; q < outer; q++) {
            any &= position[q] >= low[q] && position[q] < high[q];
            offset += ((ptrdiff_t)position[q] + shape->origin[q] - lane->origin[q]) *
                      lane->scores.stride[q];
        }
        if (shape->rank > 0)
            offset += ((ptrdiff_t)before + shape->origin[outer] - lane->origin[outer]) * step;
        fill_none(lane->scores.type, to, first, first + (any ? before : row));
        if (any) {
            copy_row(&lane->scores, offset, step, end - before, to, first + before);
            fill_none(lane->scores.type, to, first + end, first + row);
        }
        for (unsigned q = outer; q-- > 0 && ++position[q] == (size_t)shape->extent[q];)
            position[q] = 0;
    }
}

tz_status tz_pad_weights(tz_chart *chart) {
    const size_t weights = chart->plan->rules->weights, lanes = chart->lanes;
    size_t total = 0;
    chart->bound.padded_scores = chart->bound.scores;
    for (unsigned w = 0; w < weights; w++) {
        chart->bound.score_layout[w] = look_at(chart, w);
        if (__builtin_add_overflow(total, to_pad(chart, w), &total))
            return TZ_TOO_LARGE;
    }
    if (total == 0)
        return TZ_OK;
    tz_status status = __builtin_mul_overflow(total, lanes, &total) ? TZ_TOO_LARGE : TZ_OK;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->bound.padding, total, sizeof(double));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->bound.padded_memory, lanes * weights,
                                   sizeof *chart->bound.padded_scores);
    if (status != TZ_OK)
        return status;
    chart->bound.padded_scores = memcpy(chart->bound.padded_memory.data, chart->bound.scores,
                                        lanes * weights * sizeof *chart->bound.padded_scores);
    char *next = chart->bound.padding.data;
    for (unsigned w = 0; w < weights; w++) {
        const tz_shape *shape = &chart->layout.shape[w];
        const size_t cells = to_pad(chart, w);
        for (size_t lane = 0; lane < lanes && cells > 0; lane++) {
            const tz_lane_scores *from = tz_lane_weight(chart, lane, w);
            tz_lane_scores *to = &chart->bound.padded_scores[lane * weights + w];
            pad_lane(from, shape, next);
            to->scores = tz_scores_dense(shape, NULL);
            to->scores.data = next;
            to->scores.type = from->scores.type;
            memcpy(to->origin, shape->origin, sizeof to->origin);
            memcpy(to->extent, shape->extent, sizeof to->extent);
            next += cells * sizeof(double); /* floats too: what is next may be doubles */
        }
    }
    return TZ_OK;
}
