/* inputs.h - the semiring's inputs, which its lift takes besides the scores.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_INPUTS_H
#define TZ_ENGINE_CHART_INPUTS_H

#include "engine/engine.h"

/* A row of numbers given beside the scores (tz_problem.inputs, direction): number x stands at
 * data[offset + x * step]. */
typedef struct tz_given_row {
    const tz_scores *scores;
    ptrdiff_t offset, step;
} tz_given_row;
/* The row that has these indices; offset: of its first score, where the weight is sparse. */
tz_given_row tz_find_given(const tz_chart *chart, size_t lane, unsigned weight,
                           const tz_scores *given, ptrdiff_t offset, const int64_t *index,
                           const int64_t *move);
/* Reads its numbers from..from+count-1; 0 where nothing is given. */
void tz_read_given(double *ret, const tz_given_row *row, size_t from, size_t count);
/* Copies scores along a row. */
void tz_copy_scores(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                    double *ret);
#endif
