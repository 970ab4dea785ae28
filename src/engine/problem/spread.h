/* spread.h - turns a caller's problem into one of the weights that rules multiply by.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PROBLEM_SPREAD_H
#define TZ_ENGINE_PROBLEM_SPREAD_H

#include "engine/engine.h"

/* Turns problems of the declared weights into problems of the rules' weights: views get the scores
 * that they look up; likewise the semiring's inputs, directions and facts. Without views the
 * problems stay themselves. *ret_spread is the memory's, until its next use. Refuses what cannot be
 * looked up: a number out of range, an array too small; checks nothing else. On failure *ret_bad is
 * the number of the problem. Cost: the cells of views. */
tz_status tz_spread_problems(const tz_plan *plan, const tz_problem *problems, size_t count,
                             tz_given *memory, const tz_problem **ret_spread, size_t *ret_bad,
                             tz_error *opt_error);
/* The same for one problem, to be checked only: views whose declared weights are right as a whole
 * are not filled and have no data. */
tz_status tz_spread_to_check(const tz_plan *plan, const tz_problem *problem, tz_given *memory,
                             const tz_problem **ret_spread, tz_error *opt_error);
/* Copies what was given for one lane, for a chart with only that lane. */
tz_status tz_given_copy(const tz_chart *from, size_t lane, tz_given *to);
void tz_given_free(tz_given *memory);

#endif
