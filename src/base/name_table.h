/* name_table.h - names, each once, numbered in the order in which they came.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_NAME_TABLE_H
#define TZ_BASE_NAME_TABLE_H

#include "base/arena.h"
#include "base/table.h"

enum { TZ_MOST_NAMES = INT32_MAX / 4 };

/* Zeroed ones are empty. */
typedef struct tz_name_table {
    const char **name; /* the arena's */
    size_t count, room;
    tz_table table;
} tz_name_table;

/* The number of a name; TZ_NO_NUMBER: there is none. */
int32_t tz_name_table_find(const tz_name_table *names, const char *name, size_t size);
/* The same of a name that may be new; TZ_NO_NUMBER when memory is out, or there are too many. */
int32_t tz_name_table_add(tz_name_table *names, tz_arena *arena, const char *name, size_t size);
void tz_name_table_free(tz_name_table *names);

#endif
