/* space.h - the elements of a chart. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_SPACE_H
#define TZ_ENGINE_LAYOUT_SPACE_H

#include "engine/engine.h"

/* Room for the elements of a space; their old values are lost where it grows. */
tz_status tz_space_reserve(tz_chart *chart, tz_space space);
void tz_space_clear(tz_chart *chart, tz_space space);
/* Is the element zero? */
static inline bool tz_is_zero(const tz_chart *chart, const void *element) {
    return tz_same_element(chart->algebra, element, chart->algebra->zero);
}

#endif
