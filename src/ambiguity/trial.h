/* trial.h - problems made up to test rules: any lengths, and scores that reveal something about the
 * rules. SPDX-License-Identifier: MIT */
#ifndef TZ_AMBIGUITY_TRIAL_H
#define TZ_AMBIGUITY_TRIAL_H

#include "rules/table.h"

/* The same rules with views as ordinary weights, so that a problem gives the scores at each place
 * and no numbers, on which the derivations do not depend. Borrows everything. */
tz_rules tz_rules_by_place(const tz_rules *rules);

/* The work of counting the derivations of these lengths, in points of loops. TZ_TOO_LARGE:
 * unknown. */
tz_status tz_trial_work(const tz_rules *rules, const int32_t *lengths, double *ret_work);

typedef struct tz_trial {
    const tz_rules *rules; /* by place */
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_problem problem;
    tz_scores *scores; /* [weights]; a sparse weight has all its cells as entries, in order */
    size_t *cells;     /* [weights] of the array, or entries */
} tz_trial;

/* Makes a trial with all scores 0. TZ_TOO_LARGE, TZ_NO_MEMORY; *ret is to be freed in any case. */
tz_status tz_trial_make(const tz_rules *rules, const int32_t *lengths, tz_trial *ret);
void tz_trial_free(tz_trial *trial);
void tz_trial_fill(tz_trial *trial, double score);
/* Sets random scores: some seeds make derivations with few uses likely, others with many. */
void tz_trial_random(tz_trial *trial, uint64_t seed);
/* Sets the scores of the cells of these uses. */
void tz_trial_put(tz_trial *trial, const tz_use *use, size_t uses, double score);

#endif
