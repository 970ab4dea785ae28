/* check.h - checks problems before they are bound. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PROBLEM_CHECK_H
#define TZ_ENGINE_PROBLEM_CHECK_H

#include "engine/engine.h"

/* Checks a problem as tz_spread_problems makes it. memory: the index arrays of sparse weights that
 * are known to be right. dense: looks at the scores of dense weights, not only at their shapes.
 * O(E) for E entries. */
tz_status tz_check_problem(const tz_plan *plan, const tz_problem *problem, bool dense,
                           tz_given *memory, tz_error *opt_error);
/* The same for several problems, without a message, and without looking at the scores of dense
 * weights; neighbours of the same lengths share one shape. */
tz_status tz_check_shapes(const tz_plan *plan, const tz_problem *problems, size_t count,
                          tz_given *memory);
/* Checks the scores of a declared weight where rules have views: whether these can look it up, and
 * all that tz_check_problem will not see. */
tz_status tz_check_looked_up(const tz_plan *plan, const tz_problem *problem, unsigned declared,
                             tz_buffer *sorting, tz_error *opt_error);
/* Checks the numbers of an input: each is at least 0 and below its bound. */
tz_status tz_check_numbers(const tz_rules *rules, const tz_problem *problem, unsigned which,
                           tz_error *opt_error);
tz_status tz_check_lengths(const tz_rules *rules, const tz_problem *problem, tz_error *opt_error);
/* Checks that facts, as they were given, name cells of declared weights. */
tz_status tz_check_fact_cells(const tz_rules *rules, const tz_problem *problem,
                              tz_error *opt_error);
/* Checks a problem's facts, also that no derivation uses a required one twice; the rest of the
 * problem has been checked. */
tz_status tz_check_facts(const tz_plan *plan, const tz_problem *problem, tz_error *opt_error);
/* For each required fact: the most uses of its cells in a derivation that uses no forbidden cell;
 * if not `required`, nor these cells. -INFINITY: there is no derivation. uses: the plan that counts
 * uses. Writes the places of required facts in ret_most[fact_count]. */
tz_status tz_count_uses(const tz_plan *uses, const tz_problem *problem, bool required,
                        double *ret_most);

#endif
