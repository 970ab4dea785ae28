/* space.h - the memory of a chart's elements. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_SPACE_H
#define TZ_ENGINE_LAYOUT_SPACE_H

#include "engine/engine.h"

/* Makes room for the elements of a space; their old values are lost where it grows. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_space_reserve(tz_chart *chart, tz_space space);
void tz_space_clear(tz_chart *chart, tz_space space);
/* Is the element zero? */
static inline bool tz_is_zero(const tz_chart *chart, const void *element) {
    return tz_same_element(chart->algebra, element, chart->algebra->zero);
}

#endif
