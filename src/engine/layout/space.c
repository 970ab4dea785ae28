/* space.c - see space.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/fail.h"
#include "engine/layout/space.h"

tz_status tz_space_reserve(tz_chart *chart, tz_space space) {
    return tz_buffer_reserve(&chart->space[space], chart->layout.cells[space] * chart->lanes,
                             chart->algebra->size);
}

tz_status tz_space_fail(const tz_chart *chart, tz_status status, tz_error *opt_error) {
    const tz_rules *rules = chart->plan->rules;
    const tz_box *box = chart->layout.box;
    const double each = (double)chart->lanes * (double)chart->algebra->size / 1e9;
    const double all = (double)chart->layout.cells[TZ_AT_INSIDE] * each;
    unsigned most = 0;
    if (status != TZ_NO_MEMORY || all < 0.01)
        return tz_fail(opt_error, status, "%s", tz_status_name(status));
    for (unsigned k = 1; k < rules->kinds; k++)
        most = box[k].size > box[most].size ? k : most;
    return tz_fail(
        opt_error, status, "%s: the chart's items take %.3g GB%s, of which %s %.64s takes %.3g GB",
        tz_status_name(status), all, chart->lanes > 1 ? " for several problems side by side" : "",
        most < rules->items ? "item" : "the product",
        most < rules->items ? rules->item[most].name : rules->kind[most].name,
        (double)box[most].size * each);
}

void tz_space_clear(tz_chart *chart, tz_space space) {
    tz_fill(chart->algebra, chart->space[space].data, chart->algebra->zero,
            chart->layout.cells[space] * chart->lanes);
}
