/* direction.c - the tangents of weights: each element times the number that the direction gives its
 * score. SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/chart/direction.h"
#include "engine/chart/inputs.h"
#include "engine/layout/places.h"
#include "engine/layout/space.h"

enum { PIECE = 256 };

void tz_scale_by_direction(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                           const int64_t *move, ptrdiff_t offset, size_t count, const void *from,
                           void *to, ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const tz_scores *direction =
        &chart->bound.direction[lane * chart->plan->rules->weights + weight];
    tz_given_row row = tz_find_given(chart, lane, weight, direction, offset, index, move);
    for (size_t done = 0, n; done < count; done += n) {
        double piece[PIECE];
        ptrdiff_t at = (ptrdiff_t)done * stride * (ptrdiff_t)algebra->size;
        n = count - done < PIECE ? count - done : PIECE;
        tz_read_given(piece, &row, done, n);
        for (size_t i = 0; i < n; i++) /* what is no number stands in a hole of the domain */
            piece[i] = isfinite(piece[i]) ? piece[i] : 0;
        algebra->semiring->multiples(algebra->semiring, (char *)to + at, stride,
                                     (const char *)from + at, stride, piece, n);
    }
}

tz_status tz_scale_weights_by_direction(tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    const tz_space space = TZ_AT_TANGENTS + TZ_AT_WEIGHT;
    tz_status status = tz_space_reserve(chart, space);
    if (status != TZ_OK)
        return status;
    tz_space_clear(chart, space);
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_places places = tz_places_of_cells(chart, w);
        for (size_t lane = 0; lane < chart->lanes && !chart->layout.weight_box[w].absent; lane++) {
            tz_rows rows;
            for (tz_rows_start(&rows, rules, w, tz_lane_length(chart, lane));
                 tz_rows_next(&rows);) {
                ptrdiff_t apart, cell = tz_row_place(&places, &rows, &apart);
                tz_scale_by_direction(chart, lane, w, rows.index, rows.move, 0, rows.count,
                                      tz_cell(chart, TZ_AT_WEIGHT, cell, lane),
                                      tz_cell(chart, space, cell, lane),
                                      apart * (ptrdiff_t)chart->lanes);
            }
        }
    }
    return TZ_OK;
}
