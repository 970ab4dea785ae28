/* indices.c - see indices.h. SPDX-License-Identifier: MIT */
#include "engine/layout/indices.h"

#include <string.h>

bool tz_same_entries(const tz_scores *a, const tz_scores *b, unsigned rank) {
    return a->entries == b->entries &&
           (a->index == b->index || a->entries == 0 || rank == 0 ||
            memcmp(a->index, b->index, a->entries * rank * sizeof *a->index) == 0);
}

bool tz_indices_known(const tz_known_indices *known, const tz_rules *rules,
                      const tz_problem *problem) {
    const size_t *entries = known->entries.data;
    tz_scores kept = {.index = known->index.data};
    bool same = known->made;
    for (unsigned w = 0; w < rules->weights && same; w++) {
        if (!rules->weight[w].sparse)
            continue;
        kept.entries = entries[w];
        same = tz_same_entries(&kept, &problem->scores[w], rules->weight[w].rank);
        kept.index += entries[w] * rules->weight[w].rank;
    }
    return same;
}

bool tz_indices_known_lengths(const tz_known_indices *known, const tz_rules *rules,
                              const int32_t *length) {
    return known->made && memcmp(known->length, length, rules->lengths * sizeof *length) == 0;
}

tz_status tz_indices_keep(tz_known_indices *known, const tz_rules *rules,
                          const tz_problem *problem) {
    size_t all = 0;
    known->made = false;
    tz_status status = tz_buffer_reserve(&known->entries, rules->weights + 1u, sizeof(size_t));
    if (status != TZ_OK)
        return status;
    size_t *entries = known->entries.data;
    for (unsigned w = 0; w < rules->weights; w++) {
        size_t own;
        entries[w] = rules->weight[w].sparse ? problem->scores[w].entries : 0;
        if (__builtin_mul_overflow(entries[w], (size_t)rules->weight[w].rank, &own) ||
            __builtin_add_overflow(all, own, &all))
            return TZ_TOO_LARGE;
    }
    status = tz_buffer_reserve(&known->index, all + 1, sizeof(int32_t));
    if (status != TZ_OK)
        return status;
    int32_t *to = known->index.data;
    for (unsigned w = 0; w < rules->weights; w++) {
        const size_t own = entries[w] * rules->weight[w].rank;
        if (own > 0)
            memcpy(to, problem->scores[w].index, own * sizeof *to);
        to += own;
    }
    memcpy(known->length, problem->lengths, rules->lengths * sizeof *known->length);
    known->made = true;
    return TZ_OK;
}

void tz_indices_free(tz_known_indices *known) {
    tz_buffer_free(&known->entries);
    tz_buffer_free(&known->index);
}
