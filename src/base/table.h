/* table.h - a hash table of numbers from 0 on.
 *
 * The caller keeps the things that the numbers stand for, and says whether a number's thing is the
 * one looked for. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_TABLE_H
#define TZ_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

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

typedef bool tz_is_number(const void *what, int32_t number);

/* The number, of those put with this hash, for which same(what, number) is true; else
 * TZ_NO_NUMBER. */
int32_t tz_table_find(const tz_table *table, uint64_t hash, tz_is_number *same, const void *what);
/* Adds a number that is not in the table; false when memory is out. */
bool tz_table_put(tz_table *table, uint64_t hash, int32_t number);
void tz_table_free(tz_table *table);

/* The hash of bytes; and a hash that continues another by one word. */
uint64_t tz_hash_bytes(const char *bytes, size_t size);
uint64_t tz_hash_more(uint64_t hash, uint64_t word);

/* ---- Names: each once, numbered in the order in which they came ------------------------------ */

enum { TZ_MOST_NAMES = INT32_MAX / 4 };

/* Zeroed ones are empty. */
typedef struct tz_name_table {
    const char **name; /* the arena's */
    size_t count, room;
    tz_table table;
} tz_name_table;

/* The number of a name; TZ_NO_NUMBER: there is none. */
int32_t tz_name_table_find(const tz_name_table *names, const char *name, size_t size);
/* The same, adding a name that is new; TZ_NO_NUMBER when memory is out, or names are too many. */
int32_t tz_name_table_add(tz_name_table *names, tz_arena *arena, const char *name, size_t size);
void tz_name_table_free(tz_name_table *names);

#endif
