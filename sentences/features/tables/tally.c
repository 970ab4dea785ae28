/* tally.c - see tally.h: linear probing. SPDX-License-Identifier: MIT */
#include "sentences/features/tables/tally.h"

#include <stdlib.h>

void tz_tally_free(tz_tally *tally) {
    free(tally->key);
    free(tally->count);
    *tally = (tz_tally){0};
}

static size_t find(const tz_tally *tally, uint64_t key) {
    size_t place = (size_t)(key >> 20) & (tally->capacity - 1);
    while (tally->key[place] != 0 && tally->key[place] != key)
        place = (place + 1) & (tally->capacity - 1);
    return place;
}

static tz_status grow(tz_tally *tally) {
    tz_tally larger = {.keys = tally->keys,
                       .capacity = tally->capacity > 0 ? 2 * tally->capacity : 1024};
    larger.key = calloc(larger.capacity, sizeof *larger.key);
    larger.count = calloc(larger.capacity, sizeof *larger.count);
    if (!larger.key || !larger.count) {
        tz_tally_free(&larger);
        return TZ_NO_MEMORY;
    }
    for (size_t p = 0; p < tally->capacity; p++) {
        if (tally->key[p] != 0) {
            size_t place = find(&larger, tally->key[p]);
            larger.key[place] = tally->key[p];
            larger.count[place] = tally->count[p];
        }
    }
    tz_tally_free(tally);
    *tally = larger;
    return TZ_OK;
}

tz_status tz_tally_add(tz_tally *tally, uint64_t key, uint32_t *ret_before) {
    if (2 * (tally->keys + 1) > tally->capacity) {
        tz_status status = grow(tally);
        if (status != TZ_OK)
            return status;
    }
    key = key != 0 ? key : 1;
    size_t place = find(tally, key);
    if (tally->count[place] == UINT32_MAX)
        return TZ_TOO_LARGE;
    tally->keys += tally->key[place] == 0;
    tally->key[place] = key;
    *ret_before = tally->count[place]++;
    return TZ_OK;
}

uint32_t tz_tally_get(const tz_tally *tally, uint64_t key) {
    return tally->capacity > 0 ? tally->count[find(tally, key != 0 ? key : 1)] : 0;
}
