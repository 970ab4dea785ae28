/* stages.c - see stages.h. SPDX-License-Identifier: MIT */
#include "engine/pass/stages.h"

#include "engine/layout/newer.h"

tz_part tz_part_at(const tz_group *group, unsigned first, unsigned end, unsigned level, bool last) {
    tz_part part = {first, end};
    if (last) {
        part.first = end - 1;
        while (part.first > first && group->joined[part.first] > level)
            part.first--;
    } else {
        part.end = first + 1;
        while (part.end < end && group->joined[part.end] > level)
            part.end++;
    }
    return part;
}

void tz_stages_widen(const tz_rules *rules, const tz_group *group, tz_part part, unsigned level,
                     const int32_t *length, int64_t *low, int64_t *high) {
    for (unsigned at = part.first; at < part.end; at++) {
        const tz_kind *kind = &rules->kind[group->kind[at]];
        int64_t from[TZ_MAX_RANK], to[TZ_MAX_RANK];
        bool any = true;
        for (unsigned s = 0; s < kind->stages && any; s++) {
            tz_range_value(&kind->stage_range[s], rules->lengths, length, 0, NULL, &from[s],
                           &to[s]);
            any = from[s] <= to[s];
        }
        if (!any)
            continue;
        *low = from[level] < *low ? from[level] : *low;
        *high = to[level] > *high ? to[level] : *high;
    }
}

void tz_stages_widen_newer(const tz_chart *chart, const tz_group *group, tz_part part,
                           unsigned level, int64_t *low, int64_t *high) {
    const tz_rules *rules = chart->plan->rules;
    const tz_newer *newer = chart->passes.newer;
    for (unsigned at = part.first; at < part.end; at++) {
        const unsigned k = group->kind[at];
        unsigned steps = rules->kind[k].insides;
        int64_t from = INT64_MAX, to = INT64_MIN;
        tz_inside_steps(chart->plan, newer, rules->kind[k].inside, &steps);
        if (steps == 0)
            continue;
        tz_stages_widen(rules, group, (tz_part){at, at + 1}, level, chart->bound.longest, &from,
                        &to);
        if (level == 0 && newer->stage[k].known) {
            /* Stages that are computed together begin at multiples (bundle.c). */
            const int64_t first = newer->stage[k].value & -(int64_t)TZ_MAX_BUNDLE;
            from = first > from ? first : from;
        }
        *low = from < *low ? from : *low;
        *high = to > *high ? to : *high;
    }
}
