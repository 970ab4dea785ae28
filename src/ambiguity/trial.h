/* trial.h - a problem that nobody posed: any lengths, and whatever scores tell something of the
 * rules. SPDX-License-Identifier: MIT */
#ifndef TZ_AMBIGUITY_TRIAL_H
#define TZ_AMBIGUITY_TRIAL_H

#include "rules/table.h"

/* The same rules where views are weights like others, so that a problem gives what is looked up at
 * each place and no numbers: what derivations there are does not depend on these. Borrows all. */
tz_rules tz_rules_by_place(const tz_rules *rules);

/* The work of counting the derivations of these lengths, in points of loops. TZ_TOO_LARGE: no
 * telling. */
tz_status tz_trial_work(const tz_rules *rules, const int32_t *lengths, double *ret_work);

typedef struct tz_trial {
    const tz_rules *rules; /* by place */
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_problem problem;
    tz_scores *scores; /* [weights]; a sparse weight has all its cells as entries, in order */
    size_t *cells;     /* [weights] of the array, or entries */
} tz_trial;

/* All scores are 0. TZ_TOO_LARGE, TZ_NO_MEMORY; to be freed in any case. */
tz_status tz_trial_make(const tz_rules *rules, const int32_t *lengths, tz_trial *ret);
void tz_trial_free(tz_trial *trial);
void tz_trial_fill(tz_trial *trial, double score);
/* Random scores: under some, few uses are likely in a derivation, under others many. */
void tz_trial_random(tz_trial *trial, uint64_t seed);
/* Scores of the cells that these uses are of. */
void tz_trial_put(tz_trial *trial, const tz_use *use, size_t uses, double score);

#endif
