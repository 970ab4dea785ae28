/* numbers.c - see numbers.h. SPDX-License-Identifier: MIT */
#include "sentences/features/tables/numbers.h"

#include <stdlib.h>

#include "base/grow.h"
#include "sentences/features/tables/hash.h"

void tz_numbers_free(tz_numbers *numbers) {
    free(numbers->value);
    free(numbers->slot);
    *numbers = (tz_numbers){0};
}

/* Where the value stands, or would. */
static uint32_t *find(const tz_numbers *n, uint64_t value) {
    size_t at = (size_t)tz_hash(value, 0) & (n->slots - 1);
    while (n->slot[at] != 0 && n->value[n->slot[at] - 1] != value)
        at = (at + 1) & (n->slots - 1);
    return &n->slot[at];
}

uint32_t tz_numbers_find(const tz_numbers *n, uint64_t value) {
    uint32_t number = n->slots > 0 ? *find(n, value) : 0;
    return number > 0 ? number - 1 : TZ_NO_NUMBER;
}

/* At most half of the slots are taken. */
static bool reserve(tz_numbers *n) {
    if (2 * (n->count + 1) <= n->slots)
        return true;
    tz_numbers wider = {.value = n->value, .slots = n->slots > 0 ? 2 * n->slots : 64};
    wider.slot = calloc(wider.slots, sizeof *wider.slot);
    if (!wider.slot)
        return false;
    for (size_t i = 0; i < n->count; i++)
        *find(&wider, n->value[i]) = (uint32_t)i + 1;
    free(n->slot);
    n->slot = wider.slot;
    n->slots = wider.slots;
    return true;
}

tz_status tz_numbers_add(tz_numbers *n, uint64_t value, uint32_t *ret_number) {
    *ret_number = tz_numbers_find(n, value);
    if (*ret_number != TZ_NO_NUMBER)
        return TZ_OK;
    if (n->count >= TZ_NO_NUMBER - 1)
        return TZ_TOO_LARGE;
    bool grown = TZ_GROW(n->value, &n->capacity, n->count + 1);
    if (!grown || !reserve(n))
        return TZ_NO_MEMORY;
    *find(n, value) = (uint32_t)n->count + 1;
    *ret_number = (uint32_t)n->count;
    n->value[n->count++] = value;
    return TZ_OK;
}
