/* numbers.h - different 64-bit values, numbered from 0 in the order in which they were added.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TABLES_NUMBERS_H
#define TZ_SENTENCES_FEATURES_TABLES_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

#define TZ_NO_NUMBER UINT32_MAX

/* Open addressing. Empty when zeroed. */
typedef struct tz_numbers {
    uint64_t *value; /* [count] */
    size_t count, capacity;
    uint32_t *slot; /* [slots], a power of two: number + 1; 0 is free */
    size_t slots;
} tz_numbers;

void tz_numbers_free(tz_numbers *numbers);
/* The number of a value; TZ_NO_NUMBER where it has none. */
uint32_t tz_numbers_find(const tz_numbers *numbers, uint64_t value);
/* The number of a value, which is added if it is new. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_numbers_add(tz_numbers *numbers, uint64_t value, uint32_t *ret_number);

#endif
