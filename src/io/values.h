/* values.h - the numbers that elements of a semiring stand for, and its inputs (tz_semiring.input),
 * in files of problems and results. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_VALUES_H
#define TZ_IO_VALUES_H

#include <trapeze/trapeze.h>

/* The semiring's input of this name, or the number of inputs. */
size_t tz_find_input(const tz_semiring *semiring, const char *name);
/* Is this input given for any weight? */
bool tz_input_given(const tz_problem *problem, size_t weights, size_t input);

/* Is the semiring's element a list of alike numbers? */
bool tz_is_list(const tz_semiring *semiring);
/* How results call a number that an element stands for (tz_semiring.number_name): by its name, but
 * "kl" for the score in "q". */
const char *tz_number_key(const char *name);
/* Writes the numbers of a lane's value to number[tz_semiring_numbers]; the first is -infinity where
 * there are none. In the place of the number of input q, the scores of another distribution with
 * the log partition function log_q, stands KL(p || q) in nats: never negative, +infinity where q
 * excludes what p allows, 0 where there is no derivation. Errors of tz_goal. */
tz_status tz_read_value(const tz_semiring *semiring, double log_q, const tz_chart *chart,
                        size_t lane, double *number, size_t *ret_count, bool *ret_none);

#endif
