/* check.h - what a problem must be to be bound. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PROBLEM_CHECK_H
#define TZ_ENGINE_PROBLEM_CHECK_H

#include "engine/engine.h"

/* Of problems as tz_spread_problems makes them, with what is known in memory of the index arrays of
 * sparse weights. dense: look at the scores of dense weights too, not only at their shapes. O(E)
 * for E entries. */
tz_status tz_check_problem(const tz_plan *plan, const tz_problem *problem, bool dense,
                           tz_given *memory, tz_error *opt_error);
/* The same of several, without a message, and without looking at the scores of dense weights: one
 * shape serves neighbours of the same lengths. */
tz_status tz_check_shapes(const tz_plan *plan, const tz_problem *problems, size_t count,
                          tz_given *memory);
/* What is given for a declared weight, where rules have views of such: whether these can look it
 * up, and what tz_check_problem will not see. */
tz_status tz_check_looked_up(const tz_plan *plan, const tz_problem *problem, unsigned declared,
                             tz_buffer *sorting, tz_error *opt_error);
/* The numbers of an input, each below its bound. */
tz_status tz_check_numbers(const tz_rules *rules, const tz_problem *problem, unsigned which,
                           tz_error *opt_error);
tz_status tz_check_lengths(const tz_rules *rules, const tz_problem *problem, tz_error *opt_error);
/* Whether facts as they were given name cells of declared weights. */
tz_status tz_check_fact_cells(const tz_rules *rules, const tz_problem *problem,
                              tz_error *opt_error);
/* Whether there is anything wrong with a problem's facts, required ones that derivations can use
 * twice included; the rest of the problem has been checked. */
tz_status tz_check_facts(const tz_plan *plan, const tz_problem *problem, tz_error *opt_error);
/* For each required fact: how many uses of its cells a derivation without the forbidden ones makes
 * at most; or, not `required`, without its cells either. -INFINITY: there is none. uses: the plan
 * for that. Writes the required facts' places of ret_most[fact_count]. */
tz_status tz_count_uses(const tz_plan *uses, const tz_problem *problem, bool required,
                        double *ret_most);

#endif
