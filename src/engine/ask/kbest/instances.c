/* instances.c - see instances.h. SPDX-License-Identifier: MIT */
#include "engine/ask/kbest/instances.h"

#include <string.h>

#include "engine/ask/kbest/any_instances.h"
#include "engine/ask/kbest/strip_instances.h"
#include "engine/ask/strips.h"
#include "engine/ask/trace/circle.h"

/* Which strip of the list instance number `number` is of. */
static const tz_ranked_strip *strip_of(const tz_ranked *list, uint32_t number) {
    size_t low = 0, high = list->strips - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (list->strip[middle].first <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return &list->strip[low];
}

tz_status tz_ranked_expand(tz_kbest *k, tz_ranked *list) {
    list->candidates = 0;
    if (tz_is_closed(k->chart->plan->rules, list->kind)) {
        bool circle = false;
        tz_status status = tz_circle_look(k->chart, k->lane, list->kind, list->index, &circle);
        if (status != TZ_OK)
            return status;
        if (circle) {
            tz_diverging_item *item = &k->chart->closure.diverging;
            *item = (tz_diverging_item){.lane = k->lane, .item = list->kind};
            memcpy(item->index, list->index, sizeof item->index);
            k->chart->closure.diverged = true;
            return TZ_DIVERGES;
        }
    }
    if (k->chart->trace.strips != NULL) {
        const tz_strip_kind *kind =
            &k->chart->trace.strips->kind[k->chart->plan->rules->kinds + list->kind];
        if (kind->direct && kind->plain)
            return tz_strip_instances(k, list, kind);
    }
    return tz_any_instances(k, list);
}

bool tz_ranked_before(const tz_kbest *k, const tz_ranked *list, uint32_t a, uint32_t b) {
    if (!list->unordered)
        return a < b;
    tz_instance x, y;
    tz_any_instance_at(k, list, strip_of(list, a), a, &x);
    tz_any_instance_at(k, list, strip_of(list, b), b, &y);
    return tz_instance_before(k->chart, k->lane, &x, &y);
}

tz_status tz_ranked_edge(tz_kbest *k, const tz_ranked *list, uint32_t number,
                         const tz_hyperedge **ret_edge) {
    const tz_ranked_strip *strip = strip_of(list, number);
    return strip->strip != NULL ? tz_strip_edge(k, list, strip, number, ret_edge)
                                : tz_any_edge(k, list, strip, number, ret_edge);
}
