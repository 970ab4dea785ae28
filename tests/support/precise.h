/* precise.h - a semiring of the tests: log in long double, for plans with TZ_PLAIN.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_PRECISE_H
#define TZ_TESTS_SUPPORT_PRECISE_H

#include "evaluate.h"

/* As a user writes one: plus, times, and how scores become elements and come back. */
extern const tz_semiring precise_log;

/* Inside and outside under it, as they are defined. */
static inline evaluation evaluate_precisely(const tz_rules *rules, const random_problem *problem) {
    return evaluate_with(rules, &precise_log, TZ_PLAIN, problem);
}

#endif
