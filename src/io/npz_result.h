/* npz_result.h - what charts say of the problems of a .npz file, as another .npz file.
 *
 * All arrays are float64 unless it says otherwise; the first axis is the problem, the others are
 * those of the input's array. Of a sparse weight they have one number for each entry.
 *   value                 score, number, or truth as 1 and 0
 *   best.score            as value, where the best derivation was asked for
 *   best.WEIGHT           uint8: how often it uses each cell (255: that or more)
 *   marginals.WEIGHT      the expected number of uses; 0 outside the domain
 *   max_marginals.WEIGHT  the best score of a derivation using the cell, else -infinity
 * A problem without derivation has the score -infinity, no uses and marginals of 0; one that could
 * not be answered has NaN everywhere, and no uses.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_RESULT_H
#define TZ_IO_NPZ_RESULT_H

#include <trapeze/trapeze.h>

#include "io/npz_problem.h"
#include "io/wanted.h"

typedef struct tz_npz_output tz_npz_output;

/* Bytes that the results of a problem take in memory, but for sparse weights. */
size_t tz_npz_output_row(const tz_npz_input *input, const tz_rules *rules, const tz_wanted *wanted);

/* For all problems of the input, which must outlive the output. wanted->derivation has no arrays
 * and is ignored. TZ_IO, TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_npz_output_new(const char *path, const tz_npz_input *input, const tz_rules *rules,
                            const tz_semiring *semiring, const tz_wanted *wanted,
                            tz_npz_output **ret_output, tz_error *error);
/* What has not been committed is lost, and leaves no file. */
void tz_npz_output_free(tz_npz_output *output);

/* Makes room for the `count` problems that the input has read. TZ_NO_MEMORY. */
tz_status tz_npz_output_begin(tz_npz_output *output, size_t count, tz_error *error);
/* The answer for problem `row` of those, bound as `lane` of the chart; rows may be filled in any
 * order, by several threads. Errors of tz_goal, tz_best, tz_marginals and tz_through. */
tz_status tz_npz_output_result(tz_npz_output *output, size_t row, const tz_problem *problem,
                               tz_chart *chart, size_t lane);
/* There is none. */
void tz_npz_output_failure(tz_npz_output *output, size_t row);
/* Writes the first `count` of them, each of which has its answer. TZ_IO. */
tz_status tz_npz_output_write(tz_npz_output *output, size_t count, tz_error *error);
/* The file gets its name; it has the problems that have been written. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_npz_output_commit(tz_npz_output *output, tz_error *error);

#endif
