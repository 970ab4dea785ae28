/* tally.h - counts how often each of many hashes occurs. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TABLES_TALLY_H
#define TZ_SENTENCES_FEATURES_TABLES_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

/* Keys with the same hash are one key. Empty when zeroed. */
typedef struct tz_tally {
    size_t keys, capacity; /* a power of two, or 0 */
    uint64_t *key;         /* 0: free */
    uint32_t *count;
} tz_tally;

void tz_tally_free(tz_tally *tally);
/* Counts a key; *ret_before is its count before. Key 0 counts as key 1. TZ_NO_MEMORY, TZ_TOO_LARGE
 * (2^32 times). Constant time on average. */
tz_status tz_tally_add(tz_tally *tally, uint64_t key, uint32_t *ret_before);
/* The count of a key. */
uint32_t tz_tally_get(const tz_tally *tally, uint64_t key);

#endif
