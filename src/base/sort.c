/* sort.c - see sort.h. By keys: digit by digit, the least one first (Seward 1954).
 * SPDX-License-Identifier: MIT */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

tz_keyed *tz_sort_keyed(tz_keyed *keyed, tz_keyed *other, size_t count) {
    uint64_t largest = 0;
    bool ascending = true;
    for (size_t i = 0; i < count; i++) {
        ascending &= keyed[i].key >= largest;
        largest = keyed[i].key > largest ? keyed[i].key : largest;
    }
    if (ascending)
        return keyed;
    for (unsigned shift = 0; shift < 64 && largest >> shift != 0; shift += DIGIT_BITS) {
        size_t end[DIGITS] = {0}, before = 0;
        for (size_t i = 0; i < count; i++)
            end[keyed[i].key >> shift & (DIGITS - 1)]++;
        for (unsigned d = 0; d < DIGITS; d++) {
            before += end[d];
            end[d] = before;
        }
        for (size_t i = count; i-- > 0;)
            other[--end[keyed[i].key >> shift & (DIGITS - 1)]] = keyed[i];
        tz_keyed *swap = keyed;
        keyed = other;
        other = swap;
    }
    return keyed;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void tz_sort_numbers(double *number, size_t count) {
    qsort(number, count, sizeof *number, ascending);
}

double tz_quantile(const double *sorted, size_t count, double share) {
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    double rest = place - (double)below;
    return below + 1 < count ? sorted[below] + rest * (sorted[below + 1] - sorted[below])
                             : sorted[below];
}
