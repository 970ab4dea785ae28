/* sort.h - sorts numbers, and finds quantiles. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_SORT_H
#define TZ_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* The number of a thing, and the key by which it is sorted. */
typedef struct tz_keyed {
    uint64_t key;
    size_t number;
} tz_keyed;

/* Sorts `keyed` by key, those of equal keys in the order in which they stand. other: room for
 * `count` more. Returns which of the two holds the result. O(count) for each eleven bits of the
 * largest key. */
tz_keyed *tz_sort_keyed(tz_keyed *keyed, tz_keyed *other, size_t count);

/* Sorts ascending; no number is NaN. */
void tz_sort_numbers(double *number, size_t count);
/* The quantile `share` of `count` > 0 sorted numbers, linear between neighbours: 0.5 is the
 * median. */
double tz_quantile(const double *sorted, size_t count, double share);

#endif
