/* sampling.h - what tests of samples share: keys of derivations, enumerated probabilities, a
 * statistic. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_SAMPLING_H
#define TZ_TESTS_SUPPORT_SAMPLING_H

#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "rules/tell/enumerate.h"
#include "tests/support/test.h"

/* ---- Keys ------------------------------------------------------------------------------------ */

static inline uint64_t mix(uint64_t key, uint64_t word) {
    random_state state = {key ^ word};
    return random_bits(&state);
}

/* Of a structure; the uses in order. */
static inline uint64_t use_key(uint64_t key, uint32_t weight, const int32_t *index) {
    key = mix(key, weight);
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        key = mix(key, (uint32_t)index[q]);
    return key;
}

static inline uint64_t structure_key(const tz_derivation *d) {
    uint64_t key = d->uses;
    for (size_t u = 0; u < d->uses; u++)
        key = use_key(key, d->use[u].weight, d->use[u].index);
    return key;
}

/* Of a derivation: its proof tree too. */
static inline uint64_t derivation_key(const tz_derivation *d) {
    uint64_t key = structure_key(d);
    for (size_t n = 0; n < d->nodes; n++) {
        key = mix(mix(key, d->node[n].rule), d->node[n].item);
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            key = mix(key, (uint32_t)d->node[n].index[q]);
    }
    return key;
}

/* ---- Probabilities --------------------------------------------------------------------------- */

/* That leave every derivation likely enough to be seen. */
static inline double mild_scores(random_state *random) {
    return random_between(random, -1, 1);
}

typedef struct structure {
    uint64_t key;
    double score, probability; /* of one of its derivations */
    unsigned derivations;
} structure;

/* The structures of a problem that are possible, by key. */
typedef struct population {
    const tz_rules *rules;
    const random_problem *problem;
    structure *at;
    size_t count, room, derivations;
} population;

static inline int compare_uses(const void *a, const void *b) {
    const tz_enum_use *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (x->index[q] != y->index[q])
            return x->index[q] < y->index[q] ? -1 : 1;
    return 0;
}

static inline int compare_structures(const void *a, const void *b) {
    const structure *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static inline int add_structure(void *user, const tz_enum_use *uses, size_t count) {
    population *p = user;
    tz_enum_use sorted[64];
    assert_true(count <= sizeof sorted / sizeof *sorted);
    memset(sorted, 0, sizeof sorted);
    for (size_t u = 0; u < count; u++) {
        sorted[u].weight = uses[u].weight;
        memcpy(sorted[u].index, uses[u].index,
               weight_of(p->rules, uses[u].weight)->rank * sizeof *uses[u].index);
    }
    qsort(sorted, count, sizeof *sorted, compare_uses);
    structure s = {.key = count, .derivations = 1};
    for (size_t u = 0; u < count; u++) {
        s.key = use_key(s.key, sorted[u].weight, sorted[u].index);
        s.score += problem_score(p->problem, sorted[u].weight, sorted[u].index);
    }
    if (s.score == -INFINITY)
        return 0;
    if (p->count == p->room) {
        p->room = 2 * p->room + 64;
        p->at = need(realloc(p->at, p->room * sizeof *p->at));
    }
    p->at[p->count++] = s;
    return 0;
}

/* Their probabilities under scores times `temper` (1: what is to be drawn from). */
static inline void set_probabilities(population *p, double temper) {
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < p->count; i++)
        most = fmax(most, temper * p->at[i].score);
    for (size_t i = 0; i < p->count; i++) {
        p->at[i].probability = exp(temper * p->at[i].score - most);
        sum += p->at[i].derivations * p->at[i].probability;
    }
    for (size_t i = 0; i < p->count; i++)
        p->at[i].probability /= sum;
}

/* False if there are more than `limit` derivations. */
static inline bool enumerate_problem(const tz_rules *rules, const random_problem *problem,
                                     size_t limit, population *ret) {
    *ret = (population){.rules = rules, .problem = problem};
    if (tz_enumerate(rules, problem->lengths, limit, add_structure, ret) != TZ_OK) {
        free(ret->at);
        return false;
    }
    ret->derivations = ret->count;
    if (ret->count > 0)
        qsort(ret->at, ret->count, sizeof *ret->at, compare_structures);
    size_t count = 0;
    for (size_t i = 0; i < ret->count; i++)
        if (count > 0 && ret->at[count - 1].key == ret->at[i].key)
            ret->at[count - 1].derivations++;
        else
            ret->at[count++] = ret->at[i];
    ret->count = count;
    set_probabilities(ret, 1);
    return true;
}

/* Which structure it is. */
static inline size_t find_structure(const population *p, const tz_derivation *d) {
    structure wanted = {.key = structure_key(d)};
    const structure *found =
        p->count > 0 ? bsearch(&wanted, p->at, p->count, sizeof wanted, compare_structures) : NULL;
    if (found == NULL)
        fail_msg("%s: a sample that is impossible", tz_rules_name(p->rules));
    return (size_t)(found - p->at);
}

/* ---- Chi-square ------------------------------------------------------------------------------ */

/* How many standard deviations Pearson's statistic lies above what is expected of `cells` counts
 * that come from these probabilities: normal but for its far tails (Wilson & Hilferty 1931). Cells
 * of which fewer than 5 are expected are counted together. */
static inline double chi_square(const unsigned *count, const double *probability, size_t cells,
                                double samples) {
    double statistic = 0, rest = 0, rest_expected = 0, freedom = -1;
    for (size_t i = 0; i < cells; i++) {
        double expected = samples * probability[i];
        if (expected < 5) {
            rest += count[i];
            rest_expected += expected;
            continue;
        }
        statistic += (count[i] - expected) * (count[i] - expected) / expected;
        freedom++;
    }
    if (rest_expected >= 1) {
        statistic += (rest - rest_expected) * (rest - rest_expected) / rest_expected;
        freedom++;
    } else if (rest > 10) {
        return INFINITY;
    }
    if (freedom < 1)
        return statistic < 1e-6 ? 0 : INFINITY;
    double spread = 2 / (9 * freedom);
    return (cbrt(statistic / freedom) - (1 - spread)) / sqrt(spread);
}

/* What a fixed seed passes and a wrong sampler does not: a right one goes beyond it once in 30,000
 * trials. */
static const double most_deviations = 4;

/* ---- Samplers -------------------------------------------------------------------------------- */

static inline tz_sampler *new_sampler(tz_chart *chart, size_t lane, uint64_t seed,
                                      bool without_replacement) {
    tz_sampler *sampler;
    assert_ok(tz_sampler_new(chart, lane, seed, without_replacement, &sampler));
    return sampler;
}

static inline const tz_derivation *next_sample(tz_sampler *sampler) {
    const tz_derivation *d;
    assert_ok(tz_sampler_next(sampler, &d));
    return d;
}

#endif
