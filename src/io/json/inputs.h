/* inputs.h - what a semiring takes besides scores (tz_semiring.input), in files of problems.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_INPUTS_H
#define TZ_IO_JSON_INPUTS_H

#include <trapeze/trapeze.h>

/* The semiring's input of this name, or the number of inputs. */
size_t tz_find_input(const tz_semiring *semiring, const char *name);
/* Is this input given for any weight? */
bool tz_input_given(const tz_problem *problem, size_t weights, size_t input);

/* How results call a number that an element stands for (tz_semiring.number_name): by its name, but
 * "kl", the divergence, for the score in "q". */
const char *tz_number_key(const char *name);
/* KL(p || q) in nats, of the log partition function of q, the entropy of p, and the score in q that
 * p expects: never negative, +infinity where q excludes what p allows. */
double tz_divergence(double log_q, double entropy, double expected);

#endif
