/* gather.h - weights without a place. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_GATHER_H
#define TZ_ENGINE_ASK_MARGINALS_GATHER_H

#include "engine/engine.h"

/* Fills chart->marginals.gathered with one element per cell of a weight's shape (sparse: per
 * entry), the sum over its uses; tangents: with as many of these after them. */
tz_status tz_gather_weight(tz_chart *chart, size_t problem, unsigned weight, const tz_shape *shape,
                           bool tangents, size_t *ret_cells);

#endif
