/* slices.h - shares the rows of an array among ranks. SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_SLICES_H
#define TZ_RANKS_SLICES_H

#include "ranks/ranks.h"

/* A rank has rows first..last - 1 of `rows`. */
static inline size_t tz_slice_first(size_t rows, size_t rank) {
    return rows * rank / tz_ranks();
}
static inline size_t tz_slice_last(size_t rows, size_t rank) {
    return rows * (rank + 1) / tz_ranks();
}
/* The rank that has a row. */
static inline size_t tz_slice_owner(size_t rows, size_t row) {
    return ((row + 1) * tz_ranks() - 1) / rows;
}

/* Gives every rank's own rows of an array to all, or to rank 0 only. TZ_NO_MEMORY; errors of
 * ranks.h. */
tz_status tz_slices_all(void *array, size_t rows, size_t row_size, tz_error *opt_error);
tz_status tz_slices_first(void *array, size_t rows, size_t row_size, tz_error *opt_error);

#endif
