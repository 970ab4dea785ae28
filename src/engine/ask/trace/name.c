/* name.c - uses as the caller knows them: of a view's cell, the cell that it looks up.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "engine/ask/trace/name.h"
#include "engine/layout/views.h"

/* Uses of one cell have different scores where these are marginals (tz_bind_risk). */
static int compare(const void *a, const void *b) {
    const tz_use *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (x->index[q] != y->index[q])
            return x->index[q] < y->index[q] ? -1 : 1;
    return (x->score > y->score) - (x->score < y->score);
}

tz_status tz_name_uses(const tz_chart *chart, size_t lane, tz_use *use, size_t count) {
    const tz_rules *rules = chart->plan->rules;
    tz_view_map map = {.weight = NULL};
    if (rules->declareds == 0)
        return TZ_OK;
    for (size_t u = 0; u < count; u++) {
        const tz_weight *weight = &rules->weight[use[u].weight];
        int64_t index[TZ_MAX_RANK];
        for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
            index[q] = q < weight->rank ? use[u].index[q] : 0;
            use[u].index[q] = (int32_t)index[q];
        }
        use[u].weight = weight->declared;
        if (weight->view == NULL)
            continue;
        tz_status status = TZ_OK;
        if (map.weight != weight) /* those of a weight stand together */
            status = tz_view_map_make(rules, weight, tz_lane_length(chart, lane),
                                      tz_lane_numbers(chart, lane), NULL, NULL, 0, &map);
        if (status != TZ_OK)
            return status;
        for (unsigned q = weight->views; q < TZ_MAX_RANK; q++)
            use[u].index[q] = 0;
        tz_view_cell(&map, index, use[u].index);
    }
    if (count > 0)
        qsort(use, count, sizeof *use, compare);
    return TZ_OK;
}
