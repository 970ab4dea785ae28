/* score_range.h - how the kernel of score_range.c is declared. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_SCORE_RANGE_H
#define TZ_KERNELS_SCORE_RANGE_H

#include <stddef.h>

/* Is each of so many neighbouring scores, of the type that the kernel is for, -infinity or within
 * +-limit? Raises *opt_most to the largest. */
typedef _Bool tz_scan(const void *score, size_t count, double limit, double *opt_most);

#endif
