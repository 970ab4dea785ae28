/* npz_result.h - writes the answers of charts about the problems of a .npz file as another .npz
 * file.
 *
 * All arrays are float64 unless it says otherwise; the first axis is the problem, the others are
 * those of the input's array. Of a sparse weight they have one number for each entry.
 *   value                 score, number, or truth as 1 and 0; or
 *   values                [problems, K]: the list of numbers of kbest(K), then -infinity;
 *                         [problems, D + 1]: for each amount of resource(NAME,D,..)
 *   count; entropy, cost, kl     what else the semiring's elements stand for (tz_read_value): kl is
 *                         +infinity where q excludes what is possible
 *   best.score            as value, where the best derivation was asked for
 *   best.WEIGHT           how often it uses each cell: uint8, or uint16 or uint32 where some number
 *                         of the array needs that
 *   min_risk.score, min_risk.WEIGHT       likewise; the score is a sum of marginals
 *   kbest.score, samples.score            [problems, K], -infinity where there are fewer
 *   kbest.WEIGHT, samples.WEIGHT          likewise, [problems, K, ...]; sparse: [entries, K]
 *   marginals.WEIGHT      the expected number of uses; 0 outside the domain
 *   max_marginals.WEIGHT  the best score of a derivation using the cell, else -infinity
 *   items.ITEM            the values of the items of a name, [problems, ...] padded to the largest
 *                         problem's (tz_rules_shape)
 *   item_marginals.ITEM, item_max_marginals.ITEM      as of weights
 * A problem without derivation has the score -infinity, no uses and marginals of 0; one that could
 * not be answered has NaN everywhere, and no uses.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_RESULT_H
#define TZ_IO_NPZ_NPZ_RESULT_H

#include <trapeze/trapeze.h>

#include "io/npz/npz_problem.h"
#include "io/questions.h"

typedef struct tz_npz_output tz_npz_output;

/* What is asked of every problem; all of it outlives the output. */
typedef struct tz_npz_asked {
    const tz_rules *rules;
    const tz_semiring *semiring;
    const tz_questions *questions; /* proof trees have no arrays */
    size_t amounts;                /* values, for amounts 0..amounts - 1; 0: one, of the goal */
    int32_t (*item_extent)[TZ_MAX_RANK]; /* of every item, by tz_npz_item_extents */
} tz_npz_asked;

/* Begins the output for all problems of the input, which must outlive it. TZ_IO, TZ_TOO_LARGE,
 * TZ_NO_MEMORY. */
tz_status tz_npz_output_new(const char *path, const tz_npz_input *input, const tz_npz_asked *asked,
                            tz_npz_output **ret_output, tz_error *error);
/* Output that has not been committed is lost and leaves no file. */
void tz_npz_output_free(tz_npz_output *output);
/* Bytes that the results of a problem take in memory, but for sparse weights; SIZE_MAX if they do
 * not fit. */
size_t tz_npz_output_row(const tz_npz_output *output);

/* Makes room for the `count` problems that the input has read. TZ_NO_MEMORY. */
tz_status tz_npz_output_begin(tz_npz_output *output, size_t count, tz_error *error);
/* Fills in the value of problem `row` of those, bound as `lane` of the chart; rows may be filled in
 * any order, by several threads. log_q: as for tz_read_value; *ret_none: there is no derivation. Or
 * its values at all amounts, by the goal of charged rules (lengths are theirs). Errors of
 * tz_goal. */
tz_status tz_npz_output_value(tz_npz_output *output, size_t row, double log_q,
                              const tz_chart *chart, size_t lane, bool *ret_none);
tz_status tz_npz_output_amounts(tz_npz_output *output, size_t row, const tz_rules *charged,
                                const int32_t *lengths, const tz_chart *chart, size_t lane);
/* Then fills in all that is asked of it. Errors of the questions. */
tz_status tz_npz_output_asked(tz_npz_output *output, size_t row, const tz_problem *problem,
                              const tz_asking *asking);
/* Fills in value and best derivation within limits instead; opt_limited: NULL if there is none. */
tz_status tz_npz_output_limited(tz_npz_output *output, size_t row, const tz_problem *problem,
                                const tz_limited *opt_limited);
/* Fills in that the problem has no answer. */
void tz_npz_output_failure(tz_npz_output *output, size_t row);
/* Writes the first `count` of them, each of which has its answer. TZ_IO. */
tz_status tz_npz_output_write(tz_npz_output *output, size_t count, tz_error *error);
/* Gives the file its name; it has the problems that have been written. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_npz_output_commit(tz_npz_output *output, tz_error *error);

#endif
