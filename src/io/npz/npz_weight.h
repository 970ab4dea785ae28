/* npz_weight.h - reads the arrays of one weight in a .npz file a batch of problems at a time: its
 * scores, the indices of a sparse one, and the semiring's inputs for each cell.
 *
 * Opened and read by npz_problem.c, which knows all weights. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_WEIGHT_H
#define TZ_IO_NPZ_NPZ_WEIGHT_H

#include <trapeze/trapeze.h>

#include "base/grow.h"
#include "io/npz/npz.h"
#include "rules/table.h"

/* How many problems the arrays have: as many as the first, with which the others are compared. */
typedef struct tz_npz_problems {
    tz_npz *npz;
    uint64_t count;
    bool counted;    /* an array says so; */
    bool proved;     /* and there are numbers of each */
    const char *who; /* its name */
} tz_npz_problems;

/* Takes the number of problems of an array. TZ_BAD_ARGUMENT: another array had another number. */
tz_status tz_npz_count(tz_npz_problems *problems, const char *name, const tz_npy *npy,
                       tz_error *error);
/* tz_npz_array_open, where there must be one. */
tz_status tz_npz_require(tz_npz *npz, const char *name, const char *form, tz_npz_array **ret_array,
                         tz_error *error);
/* TZ_NO_MEMORY, with a message. */
tz_status tz_npz_fail_memory(const tz_npz *npz, const char *array, size_t problems,
                             tz_error *error);

/* One number for each cell, or entry: scores, or an input. */
typedef struct tz_npz_numbers {
    char *name;          /* "arc.cost"; of the scores NULL: the weight's */
    tz_npz_array *array; /* NULL: not given */
    tz_type type;
    size_t size; /* of a number */
    int32_t extent[TZ_MAX_RANK];
    size_t cells; /* dense: of a problem */
    char *data;
    size_t capacity;
} tz_npz_numbers;

typedef struct tz_npz_weight {
    const tz_weight *about;
    size_t inputs;
    tz_npz_numbers numbers[1 + TZ_MAX_INPUTS]; /* the scores, then the inputs */

    /* Sparse: `held` entries are in memory, the first `used` of them of the problems read. */
    char *index_name; /* "binary.index" */
    tz_npz_array *index;
    uint64_t entries, left; /* in the file; not yet read */
    size_t held, used;
    int64_t *problem; /* [held] */
    int32_t *at;      /* [held * rank] */
    size_t *first;    /* [count + 1] */
    size_t problem_capacity, at_capacity, first_capacity;
    void *raw; /* a chunk of the index array, and it as integers */
    int64_t *number;
} tz_npz_weight;

/* Opens the arrays of a weight, which one that no rule uses need not have. semiring: of the inputs;
 * an input is left out where there is no array of its name. Errors of tz_npz_input_new. To be
 * freed, also after a failure. */
tz_status tz_npz_weight_open(tz_npz_weight *weight, tz_npz_problems *problems,
                             const tz_weight *about, bool used, const tz_semiring *semiring,
                             tz_error *error);
void tz_npz_weight_free(tz_npz_weight *weight);

/* Reads problems next..next + count - 1, the first ones not yet read. */
tz_status tz_npz_weight_read(tz_npz_weight *weight, const tz_npz_problems *problems, uint64_t next,
                             size_t count, tz_error *error);
/* Their scores (input 0), or an input's numbers (from 1 on): those of the first problem to *scores,
 * of the next to scores[stride], ... */
void tz_npz_weight_scores(const tz_npz_weight *weight, size_t which, size_t count, size_t stride,
                          tz_scores *scores);

#endif
