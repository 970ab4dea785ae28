/* quantile.c - see quantile.h. SPDX-License-Identifier: MIT */
#include "base/quantile.h"

#include <stdlib.h>

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
