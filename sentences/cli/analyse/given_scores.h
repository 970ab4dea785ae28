/* given_scores.h - reads scores of arcs and bigrams from a .npz file, for the sentences of `trapeze
 * compress` in their order: problems of the rule set compress-single-root (io/npz/npz_problem.h),
 * where n is the number of words of the sentence.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_ANALYSE_GIVEN_SCORES_H
#define TZ_SENTENCES_CLI_ANALYSE_GIVEN_SCORES_H

#include "sentences/learn/analyse.h"

typedef struct tz_given_scores tz_given_scores;

/* path: borrowed. TZ_IO, TZ_BAD_ARGUMENT, TZ_NO_MEMORY, with a message. */
tz_status tz_given_scores_open(const char *path, tz_given_scores **ret_given, tz_error *error);
void tz_given_scores_free(tz_given_scores *given);

/* Gives the sentence the scores of the next problem; NULL skips the problem. TZ_IO: the sentence
 * has another number of words, there are no more problems, or a score is not a number;
 * TZ_NO_MEMORY. */
tz_status tz_given_scores_next(tz_given_scores *given, tz_analysed *opt_item, tz_error *error);
/* TZ_IO: there are problems left. */
tz_status tz_given_scores_end(const tz_given_scores *given, tz_error *error);

#endif
