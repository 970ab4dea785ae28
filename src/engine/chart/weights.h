/* weights.h - checks and lifts scores, row by row. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_WEIGHTS_H
#define TZ_ENGINE_CHART_WEIGHTS_H

#include "engine/layout/rows.h"

/* Does the array have no gaps, and are all its scores allowed, also outside the domain? If not,
 * rows must be looked at. Scores in front of all cells are not read. */
bool tz_array_allowed(const tz_plan *plan, const tz_scores *scores, const tz_shape *shape);
/* Are a weight's arrays of lanes first..first+lanes-1, of the same lengths, of the same layout? */
bool tz_same_layout(const tz_chart *chart, size_t first, size_t lanes, unsigned weight);
/* Checks the scores of dense weights, those that have a place only if `scaled` and without a map
 * (TZ_BAD_SCORE, without a message); most: the largest one of each, [lanes][weights], or about
 * that; -INFINITY if there is none. */
tz_status tz_check_weights(tz_chart *chart, bool scaled, double *ret_most);
/* Lifts every dense weight that has a place, and checks it if asked and tz_check_weights has not;
 * and, for plans that are not plain, the entries of sparse ones. */
tz_status tz_lift_weights(tz_chart *chart, bool check);
/* Lifts the cells of a weight that a nest covers, for some lanes of the same lengths. */
void tz_lift_cells(tz_chart *chart, size_t first, size_t lanes, unsigned weight,
                   const tz_nest *nest);
/* Lifts a row of scores to elements `stride` elements apart; index: of the first; move: how the
 * indices change. Sets chart->scaling.misfit. */
void tz_lift_row(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                 const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, void *to, ptrdiff_t stride);

/* Lifts all entries of a lane's sparse weight to elements `stride` elements apart. Sets
 * chart->scaling.misfit. */
void tz_lift_list(tz_chart *chart, size_t lane, unsigned weight, void *to, ptrdiff_t stride);
/* Lifts one cell of a lane's weight, or entry `entry` where it is sparse, and if asked its tangent.
 * index: the cell's. */
void tz_lift_cell(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index, size_t entry,
                  void *ret, void *opt_tangent);
/* Where a row of a lane's scores begins, and its step. */
ptrdiff_t tz_row_offset(const tz_rows *rows, const tz_lane_scores *bound, ptrdiff_t *ret_step);

#endif
