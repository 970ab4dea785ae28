/* structures.h - lists of structures with scores, to compare k best lists and enumerations by.
 *
 * A structure is a multiset of uses: here, its uses in order, as words.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_STRUCTURES_H
#define TZ_TESTS_SUPPORT_STRUCTURES_H

#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "rules/tell/enumerate.h"
#include "tests/support/test.h"

enum { USE_WORDS = 1 + TZ_MAX_RANK };

typedef struct structure {
    size_t uses;
    int32_t (*use)[USE_WORDS]; /* weight and indices, in order */
    double score;
} structure;

typedef struct structures {
    size_t count, room;
    structure *at;
} structures;

static inline int compare_uses(const void *a, const void *b) {
    const int32_t *x = a, *y = b;
    for (unsigned w = 0; w < USE_WORDS; w++)
        if (x[w] != y[w])
            return x[w] < y[w] ? -1 : 1;
    return 0;
}

/* By size, then uses. */
static inline int compare_structures(const void *a, const void *b) {
    const structure *x = a, *y = b;
    if (x->uses != y->uses)
        return x->uses < y->uses ? -1 : 1;
    for (size_t u = 0; u < x->uses; u++) {
        int order = compare_uses(x->use[u], y->use[u]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Greatest score first, then by structure. */
static inline int compare_scores(const void *a, const void *b) {
    const structure *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return compare_structures(a, b);
}

static inline structure *structures_add(structures *s, size_t uses, double score) {
    if (s->count == s->room) {
        s->room = s->room > 0 ? 2 * s->room : 64;
        s->at = need(realloc(s->at, s->room * sizeof *s->at));
    }
    structure *to = &s->at[s->count++];
    *to = (structure){uses, malloc((uses + 1) * sizeof *to->use), score};
    assert_non_null(to->use);
    return to;
}

static inline void structures_add_derivation(structures *s, const tz_derivation *d) {
    structure *to = structures_add(s, d->uses, d->score);
    for (size_t u = 0; u < d->uses; u++) {
        to->use[u][0] = (int32_t)d->use[u].weight;
        memcpy(&to->use[u][1], d->use[u].index, sizeof d->use[u].index);
        assert_true(u == 0 || compare_uses(to->use[u - 1], to->use[u]) <= 0);
    }
}

/* Adds what tz_enumerate finds; scores are NAN. */
static inline int structures_collect(void *user, const tz_enum_use *uses, size_t count) {
    structure *to = structures_add(user, count, NAN);
    for (size_t u = 0; u < count; u++) {
        to->use[u][0] = uses[u].weight;
        memcpy(&to->use[u][1], uses[u].index, sizeof uses[u].index);
    }
    qsort(to->use, count, sizeof *to->use, compare_uses);
    return 0;
}

/* The sum of the scores of a structure's uses; *ret_size: max(1, sum of |score|). */
static inline double structure_score(const structure *s, const random_problem *p,
                                     double *ret_size) {
    long double sum = 0, size = 0;
    for (size_t u = 0; u < s->uses; u++) {
        double score = problem_score(p, (unsigned)s->use[u][0], &s->use[u][1]);
        sum += score;
        size += fabs(score);
    }
    *ret_size = size > 1 ? (double)size : 1;
    return (double)sum;
}

static inline void structures_free(structures *s) {
    for (size_t i = 0; i < s->count; i++)
        free(s->at[i].use);
    free(s->at);
    *s = (structures){0};
}

#endif
