/* sums.h - adds up vectors of an input's blocks in the order of the blocks, so that sums have the
 * same bits for any number of ranks.
 *
 * Blocks are dealt out in rounds: in round k, rank r has block k * tz_ranks() + r. A vector is rows
 * of some numbers each; each rank adds up a slice of the rows. SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_SUMS_H
#define TZ_RANKS_SUMS_H

#include "base/buffer.h"
#include "ranks/ranks.h"

typedef struct tz_sums {
    size_t rows, width;
    size_t first, last; /* rows of this rank's slice */
    double *sum;        /* [(last - first) * width] */
    tz_buffer out;
    size_t *size;  /* [ranks]: bytes to each */
    size_t *place; /* [ranks] */
    tz_gathered in;
} tz_sums;

/* Rows of a block's vector; the others are 0. */
typedef struct tz_sums_part {
    const uint32_t *row; /* each once in all parts, in any order; NULL: row i is i */
    const double *value; /* [rows * width] */
    size_t rows;
} tz_sums_part;

/* TZ_NO_MEMORY. */
tz_status tz_sums_new(size_t rows, size_t width, tz_sums **ret_sums);
void tz_sums_free(tz_sums *sums);
/* Sets the sums to 0. */
void tz_sums_clear(tz_sums *sums);
/* Adds a round: every rank adds its block; a rank with none left adds no part. It sends the rows
 * given, or whole slices where that is less. TZ_NO_MEMORY; errors of ranks.h. */
tz_status tz_sums_add(tz_sums *sums, const tz_sums_part *part, size_t parts, tz_error *opt_error);
/* Gives the sums of all rows to all: ret[rows * width]. Errors likewise. */
tz_status tz_sums_all(tz_sums *sums, double *ret, tz_error *opt_error);

#endif
