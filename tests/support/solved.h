/* solved.h - a rule set's problem whose scores are a function of weights' names and indices,
 * solved. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_SOLVED_H
#define TZ_TESTS_SUPPORT_SOLVED_H

#include <trapeze/trapeze.h>

/* What a weight called `name` scores at these index values; of a sparse one -INFINITY: no entry. */
typedef double score_model(const char *name, const int32_t *index);

enum { SOLVED_WEIGHTS = 8 };

/* Bound and computed, inside and outside. Fails the test where that fails. */
typedef struct solved {
    const tz_rules *rules;
    const int32_t *lengths; /* borrowed */
    tz_shape shape[SOLVED_WEIGHTS];
    tz_scores scores[SOLVED_WEIGHTS];
    double *data[SOLVED_WEIGHTS];
    int32_t *index[SOLVED_WEIGHTS];
    size_t cells[SOLVED_WEIGHTS]; /* of a sparse weight: entries */
    tz_plan *plan;
    tz_chart *chart;
} solved;

solved solve(const char *rules, const char *semiring, const int32_t *lengths, score_model *score);
solved solve_rules(const tz_rules *rules, const char *semiring, const int32_t *lengths,
                   score_model *score);
void solved_free(solved *s);
double solved_goal(const solved *s);
/* The number of the weight of this name. */
size_t solved_weight(const solved *s, const char *name);
/* Of all cells, or entries; to be freed. */
double *solved_marginals(const solved *s, size_t weight);

#endif
