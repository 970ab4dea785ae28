/* direction.h - the tangents of weights. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_DIRECTION_H
#define TZ_ENGINE_CHART_DIRECTION_H

#include "engine/engine.h"

/* Makes the tangents of a row of a weight's elements: each element times the number of the lane's
 * direction. index, move: of the cells; offset: of the first in the scores, where the weight is
 * sparse. */
void tz_scale_by_direction(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                           const int64_t *move, ptrdiff_t offset, size_t count, const void *from,
                           void *to, ptrdiff_t stride);
/* Makes the tangents of every weight that has a place. */
tz_status tz_scale_weights_by_direction(tz_chart *chart);

#endif
