/* workload.h - problems to measure with: any rule set, random scores and inputs, no two alike.
 *
 * Scores are uniform in [-5, 5); a sparse weight has all its cells as entries.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_MEASURE_WORKLOAD_H
#define TZ_MEASURE_WORKLOAD_H

#include <stdint.h>

#include <trapeze/trapeze.h>

typedef struct tz_workload {
    const tz_rules *rules;
    size_t problems;
    tz_problem *problem;
    int32_t *lengths;          /* [problem * lengths of the rule set] */
    tz_scores *scores;         /* [problem * weights] */
    tz_input_numbers *numbers; /* [problem * inputs of the rule set] */
    size_t bytes;              /* of all scores */
} tz_workload;

/* Bytes that the scores of one problem of these lengths take. TZ_BAD_ARGUMENT, TZ_TOO_LARGE. */
tz_status tz_workload_bytes(const tz_rules *rules, tz_type type, const int32_t *lengths,
                            size_t *ret_bytes);
/* lengths: [problem * lengths of the rule set]. Also TZ_NO_MEMORY. The same seed gives the same
 * scores. */
tz_status tz_workload_new(const tz_rules *rules, tz_type type, const int32_t *lengths,
                          size_t problems, uint64_t seed, tz_workload **ret_workload);
/* The same, but a sparse weight has only so many of its cells as entries (all, where it has fewer):
 * random ones, the same in all problems of the same lengths. */
tz_status tz_workload_sparse(const tz_rules *rules, tz_type type, const int32_t *lengths,
                             size_t problems, size_t entries, uint64_t seed,
                             tz_workload **ret_workload);
/* Makes all scores lower by so much. */
void tz_workload_lower(tz_workload *workload, double by);
void tz_workload_free(tz_workload *workload);

/* The lengths to which `count` lines of a rule set refer: n for lower-case names, labels for label
 * sets (upper-case initial). */
void tz_workload_lengths(const tz_rules *rules, int32_t n, int32_t labels, int32_t *ret_lengths);

#endif
