/* padding.h - copies scores to arrays of the same layout. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_PADDING_H
#define TZ_ENGINE_CHART_PADDING_H

#include "engine/engine.h"

/* Finds the weights whose arrays have the same layout in all lanes: the same lengths, types and
 * strides. Pads the arrays of other weights that can be lifted by maps then.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_pad_weights(tz_chart *chart);

#endif
