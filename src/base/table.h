/* table.h - which number something has: a hash table of numbers from 0 on.
 *
 * What the numbers stand for is the caller's, who says whether a number is what is looked for.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_TABLE_H
#define TZ_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TZ_NO_NUMBER = -1 };

typedef struct tz_slot {
    uint64_t hash;
    int32_t number;
} tz_slot;

/* A zeroed one is empty. */
typedef struct tz_table {
    tz_slot *slot;
    size_t slots, used;
} tz_table;

typedef bool tz_same(const void *what, int32_t number);

/* The number for which same(what, number), of those that were put with this hash; else
 * TZ_NO_NUMBER. */
int32_t tz_table_find(const tz_table *table, uint64_t hash, tz_same *same, const void *what);
/* Takes in a number that is not there; false when memory is out. */
bool tz_table_put(tz_table *table, uint64_t hash, int32_t number);
void tz_table_free(tz_table *table);

/* Of bytes; and one that goes on from another. */
uint64_t tz_hash_bytes(const char *bytes, size_t size);
uint64_t tz_hash_more(uint64_t hash, uint64_t word);

#endif
