/* lift_beside.h - the scores of lanes whose arrays have the same layout, lifted together.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_LIFT_BESIDE_H
#define TZ_ENGINE_CHART_LIFT_BESIDE_H

#include "engine/engine.h"

enum { TZ_MOST_BESIDE = 256 /* lanes */ };

/* Scores along a row, to ret[0], ret[apart] ... */
void tz_copy_scores(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                    double *ret, size_t apart);

/* The elements of a row of weight w's cells, of lanes first..first+lanes-1, without facts, scales
 * or inputs: cells `stride` elements apart, lanes side by side. */
void tz_lift_beside(tz_chart *chart, size_t first, size_t lanes, unsigned w, size_t count,
                    ptrdiff_t offset, ptrdiff_t step, char *to, ptrdiff_t stride);

#endif
