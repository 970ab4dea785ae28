/* quantile.h - quantiles of numbers. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_QUANTILE_H
#define TZ_BASE_QUANTILE_H

#include <stddef.h>

/* Ascending; none is NaN. */
void tz_sort_numbers(double *number, size_t count);
/* Where the share of `count` > 0 sorted numbers lies, between neighbours linearly: 0.5 is the
 * median. */
double tz_quantile(const double *sorted, size_t count, double share);

#endif
