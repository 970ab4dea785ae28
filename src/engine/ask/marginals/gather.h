/* gather.h - sums for weights without a place in the chart. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_GATHER_H
#define TZ_ENGINE_ASK_MARGINALS_GATHER_H

#include "engine/engine.h"

/* One element for each cell of a weight's shape, row-major (sparse: for each entry): the sum over
 * its uses. */
typedef struct tz_cell_sums {
    const char *element, *tangent; /* the first ones; equal if no tangents are asked for */
    ptrdiff_t stride;              /* elements apart */
    size_t cells;
} tz_cell_sums;

/* Computes the sums, which are valid until the chart is asked for others. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_gather_weight(tz_chart *chart, size_t problem, unsigned weight, const tz_shape *shape,
                           bool tangents, tz_cell_sums *ret_sums);

#endif
