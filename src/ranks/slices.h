/* slices.h - arrays of which each rank works on its own rows. SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_SLICES_H
#define TZ_RANKS_SLICES_H

#include "ranks/ranks.h"

/* Rows first..last - 1 of so many are a rank's. */
static inline size_t tz_slice_first(size_t rows, size_t rank) {
    return rows * rank / tz_ranks();
}
static inline size_t tz_slice_last(size_t rows, size_t rank) {
    return rows * (rank + 1) / tz_ranks();
}
/* Whose is a row? */
static inline size_t tz_slice_owner(size_t rows, size_t row) {
    return ((row + 1) * tz_ranks() - 1) / rows;
}

/* Every rank's own rows of an array, to all, or to rank 0 alone. TZ_NO_MEMORY; errors of ranks.h.
 */
tz_status tz_slices_all(void *array, size_t rows, size_t row_size, tz_error *opt_error);
tz_status tz_slices_first(void *array, size_t rows, size_t row_size, tz_error *opt_error);

#endif
