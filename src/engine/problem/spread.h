/* spread.h - a caller's problem made one of the weights that rules multiply by.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PROBLEM_SPREAD_H
#define TZ_ENGINE_PROBLEM_SPREAD_H

#include "engine/engine.h"

/* Problems of the declared weights as problems of the rules' weights: views get the scores that
 * they look up, and so with the semiring's inputs, directions and facts. Where the rules have no
 * views that is the problems themselves. *ret_spread is the memory's, until its next use. Refuses
 * what cannot be looked up: a number out of range, an array too small; else unchecked. On failure
 * *ret_bad is the problem. Cost: the cells of views. */
tz_status tz_spread_problems(const tz_plan *plan, const tz_problem *problems, size_t count,
                             tz_given *memory, const tz_problem **ret_spread, size_t *ret_bad,
                             tz_error *opt_error);
/* Of one problem, for tz_check_problem alone: views whose tables are right as a whole are not
 * filled. They have no data. */
tz_status tz_spread_to_check(const tz_plan *plan, const tz_problem *problem, tz_given *memory,
                             const tz_problem **ret_spread, tz_error *opt_error);
/* What was given for a lane of a chart, for a chart of that lane alone. */
tz_status tz_given_copy(const tz_chart *from, size_t lane, tz_given *to);
void tz_given_free(tz_given *memory);

#endif
