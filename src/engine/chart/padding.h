/* padding.h - scores copied to arrays of the same layout. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_PADDING_H
#define TZ_ENGINE_CHART_PADDING_H

#include "engine/engine.h"

/* Finds out which weights have arrays of the same layout in all lanes: of the same lengths, types
 * and strides; pads those of other weights that can be lifted by maps so.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_pad_weights(tz_chart *chart);

#endif
