/* npz_problem.h - reads the arrays of a .npz file as problems of a rule set, a batch at a time.
 *
 * The first axis of every array is the problem. A length is an array [problems] of any integer
 * type, or a single number () for all problems. A dense weight is an array [problems, i, j, ...] of
 * float32 or float64, as large as the largest problem needs (tz_rules_shape); what a problem does
 * not need is never looked at. An input of the rules is integers [problems, i, ...] that begin with
 * the smallest index, or [i, ...] for all problems. A sparse weight is `binary.index`, integers
 * [entries, 1 + rank] with the problem in front, in ascending order of problems, and its scores
 * `binary` [entries]. Impossible is -infinity. Inputs of the semiring (tz_semiring.input) stand in
 * arrays `arc.cost` of the weight's shape; `binary.cost` [entries] has that of each of its entries.
 * Other arrays are ignored.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_PROBLEM_H
#define TZ_IO_NPZ_NPZ_PROBLEM_H

#include <trapeze/trapeze.h>

#include "io/npz/npz.h"

typedef struct tz_npz_input tz_npz_input;

/* Opens all arrays of the rule set, and the semiring's inputs that there are; opt_semiring NULL:
 * only the lengths. Archive and rules must outlive the input. TZ_BAD_ARGUMENT: an array is missing,
 * or has an impossible type or shape, or arrays differ in their number of problems; and errors of
 * tz_npz_array_open. */
tz_status tz_npz_input_new(tz_npz *npz, const tz_rules *rules, const tz_semiring *opt_semiring,
                           tz_npz_input **ret_input, tz_error *error);
void tz_npz_input_free(tz_npz_input *input);

uint64_t tz_npz_input_problems(const tz_npz_input *input);
/* Is this input of the semiring given for any weight? */
bool tz_npz_input_given(const tz_npz_input *input, size_t which);
/* Bytes that the dense weights of one problem take in memory. */
size_t tz_npz_input_row(const tz_npz_input *input);
/* Are there scores of this weight? One that no rule uses need not have any. */
bool tz_npz_input_scored(const tz_npz_input *input, size_t weight);
/* The extents of a dense weight's array, without the first axis. */
const int32_t *tz_npz_input_extent(const tz_npz_input *input, size_t weight);
/* The number of entries of a sparse weight in the whole file. */
uint64_t tz_npz_input_entries(const tz_npz_input *input, size_t weight);

/* Reads the next `count` problems; there must be as many left. They point into memory that the next
 * call reuses. TZ_IO, TZ_BAD_ARGUMENT (entries out of order), TZ_NO_MEMORY. */
tz_status tz_npz_input_read(tz_npz_input *input, size_t count, tz_error *error);
/* Problem `row` (0..count-1) of those read. TZ_BAD_ARGUMENT: a length cannot be, or an array is too
 * small for the lengths; the message does not say which problem. */
tz_status tz_npz_input_problem(const tz_npz_input *input, size_t row, tz_problem *ret_problem,
                               tz_error *error);
/* The first entry of a sparse weight of problem `row`, counted from the first of those read;
 * row = count: how many they have together. */
size_t tz_npz_input_first(const tz_npz_input *input, size_t weight, size_t row);

/* npz_extents.c: of each item, the smallest shape that holds its array in every problem
 * (tz_rules_shape). Reads the lengths, on their own. TZ_TOO_LARGE: an array of more than
 * TZ_NPZ_ROW bytes a problem; errors of tz_npz_array_open and tz_npz_array_read. */
tz_status tz_npz_item_extents(tz_npz *npz, const tz_rules *rules, uint64_t problems, size_t items,
                              const size_t *item, int32_t (*ret_extent)[TZ_MAX_RANK],
                              tz_error *error);

#endif
