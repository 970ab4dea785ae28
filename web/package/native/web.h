/* web.h - what the package asks of the library beside its public interface.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_WEB_H
#define TZ_WEB_H

#include <trapeze/trapeze.h>

/* tz_gives of a semiring. */
int tz_web_gives(const tz_semiring *semiring);
/* What can be asked under a semiring: TZ_WEB_PATH best derivations, TZ_WEB_DRAWS samples,
 * TZ_WEB_SHARES marginals. */
enum { TZ_WEB_PATH = 1 << 0, TZ_WEB_DRAWS = 1 << 1, TZ_WEB_SHARES = 1 << 2 };
unsigned tz_web_laws(const tz_semiring *semiring);
/* What the index-th number of an element is called (tz_semiring.number_name); NULL: nothing. Those
 * that the semiring's inputs are needed for are left out, as if they were past the last. */
const char *tz_web_number_name(const tz_semiring *semiring, size_t index);
/* tz_run with tz_answer. */
tz_status tz_web_run(const tz_plan *plan, const tz_problem *problems, size_t count,
                     const tz_run_options *options, tz_answers *answers, tz_error *error);

/* ---- Of the rules as they are written ---------------------------------------------------------
 */

/* How many derivations there are, and how many structures, by enumeration; TZ_TOO_LARGE: more than
 * `limit`. */
tz_status tz_web_structures(const tz_rules *rules, const int32_t *lengths, size_t limit,
                            double *ret_derivations, double *ret_structures);

/* When an item is computed: its group, the values of the group's stages, its place in a stage.
 * ret_at: room for TZ_MAX_RANK + 2. Returns how many; 0: it is outside its domain. */
unsigned tz_web_stage(const tz_rules *rules, const int32_t *lengths, size_t item,
                      const int32_t *index, int32_t *ret_at);

/* Do the items of this name, where the length is 2 or more, have the same values for a greater one?
 */
bool tz_web_stays(const tz_rules *rules, size_t item, size_t length);

enum { TZ_WEB_TERM = 1 + TZ_MAX_RANK /* words of a premise or weight: which, its indices */ };

/* The instances of rules that conclude an item, in the order of ties. Of each: the rule, how many
 * premises, how many weights, then the terms. Weights are those that the file declares, looked up
 * by the problem's numbers. Writes at most `room` words; *ret_words: how many the whole has.
 * TZ_TOO_LARGE: the search would take long. TZ_LAW: a rule has side conditions. TZ_NO_MEMORY. */
tz_status tz_web_instances(const tz_rules *rules, const tz_problem *problem, size_t item,
                           const int32_t *index, int32_t *ret, size_t room, size_t *ret_words);

#endif
