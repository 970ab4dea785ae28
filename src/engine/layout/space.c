/* space.c - see space.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/layout/space.h"

tz_status tz_space_reserve(tz_chart *chart, tz_space space) {
    return tz_buffer_reserve(&chart->space[space], chart->layout.cells[space] * chart->lanes,
                             chart->algebra->size);
}

void tz_space_clear(tz_chart *chart, tz_space space) {
    tz_fill(chart->algebra, chart->space[space].data, chart->algebra->zero,
            chart->layout.cells[space] * chart->lanes);
}
