/* table.c - see table.h. SPDX-License-Identifier: MIT */
#include "base/table.h"

#include <stdlib.h>

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
static size_t place(const tz_table *t, uint64_t hash, tz_same *same, const void *what) {
    size_t at = (size_t)(hash >> 7) & (t->slots - 1);
    while (t->slot[at].number != TZ_NO_NUMBER &&
           (t->slot[at].hash != hash || same == NULL || !same(what, t->slot[at].number)))
        at = (at + 1) & (t->slots - 1);
    return at;
}

int32_t tz_table_find(const tz_table *t, uint64_t hash, tz_same *same, const void *what) {
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
