/* lift_beside.h - the scores of lanes whose arrays have the same layout, lifted together.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_LIFT_BESIDE_H
#define TZ_ENGINE_CHART_LIFT_BESIDE_H

#include "engine/engine.h"

enum { TZ_MOST_BESIDE = 256 /* lanes */ };

/* Scores along a row, to ret[0], ret[apart] ... */
void tz_copy_scores(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                    double *ret, size_t apart);

/* A row of cells of a weight, of lanes first..first+lanes-1: of each lane's scores, and of what it
 * gives beside them (tz_given_row); elements of neighbouring cells are `stride` apart, lanes side
 * by side. */
typedef struct tz_beside {
    size_t first, lanes;
    unsigned weight;
    ptrdiff_t offset, step, stride;
    const int64_t *index, *move;      /* of the first cell, and how they change */
    const double *shift, *shift_step; /* [lanes], of narrow elements: see tz_lifting */
} tz_beside;

/* Are lanes lifted so? Their arrays have the same layout. */
bool tz_lifts_beside(const tz_chart *chart, size_t lanes);
/* The elements of a row's first cells. Sets chart->scaling.misfit. */
void tz_lift_beside(tz_chart *chart, const tz_beside *row, size_t count, char *to);

#endif
