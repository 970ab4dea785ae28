/* space.h - the memory of a chart's elements. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_SPACE_H
#define TZ_ENGINE_LAYOUT_SPACE_H

#include "engine/engine.h"

/* Makes room for the elements of a space; their old values are lost where it grows. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_space_reserve(tz_chart *chart, tz_space space);
/* Tells that they cannot be had: how much items need, and which of them most. Returns the status,
 * TZ_NO_MEMORY; any other is told by its name. */
tz_status tz_space_fail(const tz_chart *chart, tz_status status, tz_error *opt_error);
void tz_space_clear(tz_chart *chart, tz_space space);
/* Is the element zero? */
static inline bool tz_is_zero(const tz_chart *chart, const void *element) {
    return tz_same_element(chart->algebra, element, chart->algebra->zero);
}

#endif
