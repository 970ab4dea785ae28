/* name_table.c - see name_table.h. SPDX-License-Identifier: MIT */
#include "base/name_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

typedef struct wanted {
    const tz_name_table *names;
    const char *name;
    size_t size;
} wanted;

static bool same_name(const void *what, int32_t number) {
    const wanted *w = what;
    const char *name = w->names->name[number];
    return strncmp(name, w->name, w->size) == 0 && name[w->size] == '\0';
}

int32_t tz_name_table_find(const tz_name_table *names, const char *name, size_t size) {
    const wanted w = {names, name, size};
    return tz_table_find(&names->table, tz_hash_bytes(name, size), same_name, &w);
}

int32_t tz_name_table_add(tz_name_table *names, tz_arena *arena, const char *name, size_t size) {
    const int32_t known = tz_name_table_find(names, name, size);
    if (known != TZ_NO_NUMBER)
        return known;
    if (names->count >= TZ_MOST_NAMES ||
        !tz_grow((void **)&names->name, &names->room, names->count + 1, sizeof *names->name))
        return TZ_NO_NUMBER;
    char *copy = tz_arena_text(arena, name, size);
    if (copy == NULL ||
        !tz_table_put(&names->table, tz_hash_bytes(name, size), (int32_t)names->count))
        return TZ_NO_NUMBER;
    names->name[names->count] = copy;
    return (int32_t)names->count++;
}

void tz_name_table_free(tz_name_table *names) {
    free(names->name);
    tz_table_free(&names->table);
}
