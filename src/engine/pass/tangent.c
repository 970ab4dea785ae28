/* tangent.c - how inside, outside and weight values change where the scores move.
 *
 * Every value is a sum of products, so by the product rule its tangent is the same sum with one
 * term of each product, in turn, replaced by that term's tangent: forward-mode differentiation,
 * dual numbers whose second parts have a space of their own. From each step of a pass there follow
 * as many as it has terms, which go through the same loops, blocks and kernels. A weight's tangent
 * is its element times the number that the direction gives its score. SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "base/float_flags.h"
#include "engine/chart/bind.h"
#include "engine/layout/address.h"
#include "engine/layout/places.h"
#include "engine/layout/space.h"

enum { PIECE = 256 };

tz_pass tz_last_pass(const tz_chart *chart) {
    return chart->state == TZ_TANGENTS_DONE  ? TZ_PASS_TANGENTS + TZ_PASS_WEIGHTS
           : chart->state == TZ_WEIGHTS_DONE ? TZ_PASS_WEIGHTS
           : chart->state == TZ_OUTSIDE_DONE ? TZ_PASS_OUTSIDE
                                             : TZ_PASS_INSIDE;
}

/* ---- Weights -------------------------------------------------------------------------------- */

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
    for (unsigned w = 0; w < rules->weights; w++)
        for (size_t lane = 0; lane < chart->lanes && !chart->layout.weight_box[w].absent; lane++) {
            tz_rows rows;
            for (tz_rows_start(&rows, rules, w, tz_lane_length(chart, lane));
                 tz_rows_next(&rows);) {
                ptrdiff_t apart, cell = tz_row_cells(chart, w, &rows, &apart);
                tz_scale_by_direction(chart, lane, w, rows.index, rows.move, 0, rows.count,
                                      tz_cell(chart, TZ_AT_WEIGHT, cell, lane),
                                      tz_cell(chart, space, cell, lane),
                                      apart * (ptrdiff_t)chart->lanes);
            }
        }
    return TZ_OK;
}

/* ---- Asking --------------------------------------------------------------------------------- */

tz_status tz_make_tangents(tz_chart *chart) {
    tz_status status = TZ_OK;
    if (chart->state < TZ_OUTSIDE_DONE)
        return TZ_BAD_ARGUMENT;
    if (chart->plan->tangent[TZ_PASS_INSIDE] == NULL)
        return TZ_LAW;
    if (chart->state < TZ_WEIGHTS_DONE)
        status = tz_run_pass(chart, TZ_PASS_WEIGHTS);
    if (status == TZ_OK && chart->state < TZ_WEIGHTS_DONE)
        chart->state = TZ_WEIGHTS_DONE;
    for (tz_pass pass = TZ_PASS_TANGENTS;
         pass < TZ_PASSES && status == TZ_OK && chart->state < TZ_TANGENTS_DONE; pass++)
        status = tz_run_pass(chart, pass);
    if (status == TZ_OK)
        chart->state = TZ_TANGENTS_DONE;
    return status;
}

double tz_goal_change(const tz_chart *chart, size_t lane) {
    const tz_semiring *s = chart->algebra->semiring;
    ptrdiff_t goal = tz_goal_offset(chart, lane);
    return s->share(s, tz_cell(chart, TZ_AT_TANGENTS + TZ_AT_INSIDE, goal, lane),
                    tz_cell(chart, TZ_AT_INSIDE, goal, lane));
}

tz_status tz_goal_tangent(tz_chart *chart, size_t problem, double *ret_value) {
    if (problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    tz_status status = tz_make_tangents(chart);
    if (status == TZ_OK && tz_goal_missing(chart, problem))
        status = TZ_NONE;
    for (bool again = true; again && status == TZ_OK;) {
        unsigned flags = tz_flags_take();
        *ret_value = tz_goal_change(chart, problem) + 0; /* no -0.0 */
        again = tz_flags_return(flags) && chart->algebra == &chart->plan->narrow;
        if (again)
            status = tz_repeat_wide(chart, tz_last_pass(chart));
    }
    return status;
}
