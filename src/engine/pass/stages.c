/* stages.c - see stages.h. SPDX-License-Identifier: MIT */
#include "engine/pass/stages.h"

void tz_stages_widen(const tz_chart *chart, const tz_kind *kind, const int32_t *length,
                     tz_stages *ret, bool *started) {
    unsigned lengths = chart->plan->rules->lengths;
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    for (unsigned s = 0; s < ret->count; s++) {
        tz_range_value(&kind->stage_range[s], lengths, length, 0, NULL, &low[s], &high[s]);
        if (low[s] > high[s])
            return;
    }
    for (unsigned s = 0; s < ret->count; s++) {
        ret->low[s] = *started && ret->low[s] < low[s] ? ret->low[s] : low[s];
        ret->high[s] = *started && ret->high[s] > high[s] ? ret->high[s] : high[s];
    }
    *started = true;
}

bool tz_stages_next(tz_stages *s, bool downwards) {
    for (unsigned c = s->count; c-- > 0;) {
        int64_t first = downwards ? s->high[c] : s->low[c];
        int64_t last = downwards ? s->low[c] : s->high[c];
        if (s->at[c] != last) {
            s->at[c] += downwards ? -1 : 1;
            return true;
        }
        s->at[c] = first;
    }
    return false;
}
