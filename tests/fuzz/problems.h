/* problems.h - what targets that read problems share: rule sets, semirings, and charts of both.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_FUZZ_PROBLEMS_H
#define TZ_TESTS_FUZZ_PROBLEMS_H

#include <trapeze/trapeze.h>

/* A rule set and a semiring that a byte chooses, with a plan and a chart, made once. */
typedef struct fuzz_chart {
    const tz_rules *rules;
    tz_semiring *semiring;
    tz_plan *plan;
    tz_chart *chart;
} fuzz_chart;
const fuzz_chart *fuzz_chart_of(uint8_t byte);

/* Checks the problem; answers it, unless it would take long. */
void fuzz_answer(const fuzz_chart *of, const tz_problem *problem);

#endif
