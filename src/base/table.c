/* table.c - see table.h. SPDX-License-Identifier: MIT */
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

uint64_t tz_hash_more(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

uint64_t tz_hash_bytes(const char *bytes, size_t size) {
    uint64_t hash = size;
    for (size_t i = 0; i < size; i++)
        hash = tz_hash_more(hash, (unsigned char)bytes[i]);
    return hash;
}

/* The slot of the number, or the empty one where it would be. */
static size_t place(const tz_table *t, uint64_t hash, tz_is_number *same, const void *what) {
    size_t at = (size_t)(hash >> 7) & (t->slots - 1);
    while (t->slot[at].number != TZ_NO_NUMBER &&
           (t->slot[at].hash != hash || same == NULL || !same(what, t->slot[at].number)))
        at = (at + 1) & (t->slots - 1);
    return at;
}

int32_t tz_table_find(const tz_table *t, uint64_t hash, tz_is_number *same, const void *what) {
    return t->slots == 0 ? TZ_NO_NUMBER : t->slot[place(t, hash, same, what)].number;
}

static bool grow(tz_table *t) {
    tz_table larger = {.slots = t->slots > 0 ? 2 * t->slots : 64};
    if (larger.slots > SIZE_MAX / sizeof *larger.slot)
        return false;
    larger.slot = malloc(larger.slots * sizeof *larger.slot);
    if (larger.slot == NULL)
        return false;
    for (size_t s = 0; s < larger.slots; s++)
        larger.slot[s].number = TZ_NO_NUMBER;
    for (size_t s = 0; s < t->slots; s++)
        if (t->slot[s].number != TZ_NO_NUMBER)
            larger.slot[place(&larger, t->slot[s].hash, NULL, NULL)] = t->slot[s];
    larger.used = t->used;
    free(t->slot);
    *t = larger;
    return true;
}

bool tz_table_put(tz_table *t, uint64_t hash, int32_t number) {
    if (2 * t->used >= t->slots && !grow(t))
        return false;
    t->slot[place(t, hash, NULL, NULL)] = (tz_slot){hash, number};
    t->used++;
    return true;
}

void tz_table_free(tz_table *t) {
    free(t->slot);
    *t = (tz_table){0};
}

/* ---- Names ---------------------------------------------------------------------------------- */

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
