/* npz_integers.h - reads an array of integers in a .npz file a batch of problems at a time: a
 * length, or an input of the rules.
 *
 * Opened and read by npz_problem.c. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_INTEGERS_H
#define TZ_IO_NPZ_NPZ_INTEGERS_H

#include "io/npz/npz_weight.h"

typedef struct tz_npz_integers {
    const char *name;
    tz_npz_array *array;
    bool shared;  /* one row for all problems */
    size_t cells; /* of a problem */
    int32_t extent[TZ_MAX_RANK];
    void *raw;
    int64_t *wide;
    int32_t *data; /* [problems read, or 1][cells] what does not fit is the nearest that does */
    size_t raw_capacity, wide_capacity, data_capacity;
} tz_npz_integers;

/* Opens the array of this name: integers [problems, rank axes], or without the problems one for
 * all of them. form, what: for messages: how to give it, and that it is integers. Errors of
 * tz_npz_input_new. To be freed, also after a failure. */
tz_status tz_npz_integers_open(tz_npz_integers *integers, tz_npz_problems *problems,
                               const char *name, unsigned rank, const char *form, const char *what,
                               tz_error *error);
void tz_npz_integers_free(tz_npz_integers *integers);
/* Reads problems next..next + count - 1, the first ones not yet read. */
tz_status tz_npz_integers_read(tz_npz_integers *integers, const tz_npz_problems *problems,
                               uint64_t next, size_t count, tz_error *error);
/* The integers of problem `row` of these. */
static inline const int32_t *tz_npz_integers_row(const tz_npz_integers *integers, size_t row) {
    return integers->data + (integers->shared ? 0 : row * integers->cells);
}

#endif
