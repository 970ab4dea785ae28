/* test_align_rules.c - do the alignment rule sets compute the model that they are written for? A
 * small problem whose answers are known, and one model given to all of them.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/solved.h"

/* ---- A problem with known answers ------------------------------------------------------------ */

static double small_model(const char *name, const int32_t *index) {
    static const double jump[] = {-4, -3, -2, -1, -2, -3};
    if (strcmp(name, "null") == 0)
        return -4;
    if (strcmp(name, "jump") == 0)
        return jump[index[0] + 2];
    if (index[0] + index[1] == 2)
        return index[2] == index[3] ? -1 : -3;
    return index[0] + index[1] == 3 ? -3 : -1;
}

static const int32_t small[] = {2, 2, 2, 2};

static void check_marginal(const solved *s, const char *name, const int32_t *index, double want) {
    size_t w = solved_weight(s, name), at = 0;
    const tz_shape *shape = &s->shape[w];
    FREED(double, cell) = solved_marginals(s, w);
    for (unsigned q = 0; q < shape->rank; q++)
        at = at * (size_t)shape->extent[q] + (size_t)(index[q] - shape->origin[q]);
    if (!(fabs(cell[at] - want) < 5e-7))
        fail_msg("%s: %.9f, not %.6f", name, cell[at], want);
}

TEST(known_sums) {
    static const struct {
        const char *weight;
        int32_t index[TZ_MAX_RANK];
        double marginal;
    } known[] = {
        {"rewrite", {2, 2, 1, 1}, 0.784583},
        {"rewrite", {1, 1, 1, 1}, 0.118699},
        {"rewrite", {2, 1, 1, 1}, 0.039062},
        {"rewrite", {1, 2, 1, 1}, 0.007591},
        {"rewrite", {1, 1, 1, 2}, 0.002793},
        {"null", {1}, 0.008210},
        {"null", {2}, 0.008210},
        {"jump", {-1}, 0.000492},
        {"jump", {0}, 0.014463},
        {"jump", {1}, 2.011373},
        {"jump", {2}, 0.094282},
        {"jump", {3}, 0.000263},
    };
    solved s = solve("align", "log", small, small_model);
    assert_true(fabs(solved_goal(&s) - -2.7573965268513625) < 1e-14);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        check_marginal(&s, known[k].weight, known[k].index, known[k].marginal);
    solved_free(&s);
    s = solve("align", "count", small, small_model);
    assert_true(solved_goal(&s) == 19);
    solved_free(&s);
}

TEST(known_best) {
    OWNED(solved, s) = solve("align", "max", small, small_model);
    const tz_derivation *best, *second;
    best = best_of(s.chart, 0);
    assert_true(solved_goal(&s) == -3 && best->score == -3);
    assert_int_equal(best->uses, 3);
    const int32_t phrase[] = {2, 2, 1, 1};
    assert_int_equal(best->use[0].weight, solved_weight(&s, "rewrite"));
    assert_memory_equal(best->use[0].index, phrase, sizeof phrase);
    for (size_t u = 1; u < 3; u++) {
        assert_int_equal(best->use[u].weight, solved_weight(&s, "jump"));
        assert_int_equal(best->use[u].index[0], 1);
    }
    OWN(tz_kbest, list) = make_kbest(s.chart, 0, false);
    assert_ok(tz_kbest_next(list, &second));
    assert_ok(tz_kbest_next(list, &second));
    assert_true(second->score == -5);
}

/* ---- One model in several rule sets ---------------------------------------------------------- */

enum { M = 6, N = 45, P = 2, Q = 3, D = 4 };

/* In [-5, 0), by a hash of the numbers. */
static double drawn(const int32_t *number, unsigned count) {
    uint64_t hash = count;
    for (unsigned i = 0; i < count; i++)
        hash = (hash ^ (uint64_t)(uint32_t)number[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return -5 * ((double)(hash >> 11) * 0x1p-53) - 1e-3;
}

static double phrase_score(int32_t p, int32_t q, int32_t t, int32_t j) {
    double number = drawn((const int32_t[]){p, q, t, j}, 4);
    return p + q > 2 && number < -2 ? -INFINITY : number;
}

/* The k of 2^(k-1) < distance <= 2^k. */
static int32_t power(int32_t distance) {
    int32_t k = 0;
    while (1 << k < distance)
        k++;
    return k;
}

static double far_score(int32_t d) {
    return abs(d) <= 8 ? drawn(&d, 1) : drawn((const int32_t[]){d > 0, power(abs(d))}, 2);
}

static double near_score(int32_t d) {
    return abs(d) <= D ? drawn(&d, 1)
           : d > 0     ? -2 - 0.125 * (d - D - 1)
                       : -3 - 0.0625 * (-d - D - 1);
}

static double any_jump(int32_t d) {
    (void)d;
    return 0;
}

/* The scores of all weights but jumps' distances. */
static double common(const char *name, const int32_t *index) {
    if (strcmp(name, "null") == 0)
        return -6 + 0.25 * index[0];
    if (strcmp(name, "word") == 0)
        return phrase_score(1, 1, index[0], index[1]);
    return phrase_score(index[0], index[1], index[2], index[3]);
}

static double powers(const char *name, const int32_t *index) {
    return strcmp(name, "jump") == 0    ? far_score(index[0])
           : strcmp(name, "ahead") == 0 ? far_score(1 << index[0])
           : strcmp(name, "back") == 0  ? far_score(-(1 << index[0]))
                                        : common(name, index);
}

static double powers_by_place(const char *name, const int32_t *index) {
    return strcmp(name, "jump") == 0 ? far_score(index[1] - index[0]) : common(name, index);
}

static double tails(const char *name, const int32_t *index) {
    return strcmp(name, "jump") == 0    ? near_score(index[0])
           : strcmp(name, "ahead") == 0 ? near_score(D + 1)
           : strcmp(name, "back") == 0  ? near_score(-D - 1)
           : strcmp(name, "on") == 0    ? -0.125
           : strcmp(name, "off") == 0   ? -0.0625
                                        : common(name, index);
}

static double words(const char *name, const int32_t *index) {
    return strcmp(name, "jump") == 0      ? far_score(index[0])
           : strcmp(name, "rewrite") == 0 ? phrase_score(1, 1, index[0], index[1])
                                          : common(name, index);
}

static double free_words(const char *name, const int32_t *index) {
    return strcmp(name, "jump") == 0 ? any_jump(index[0]) : words(name, index);
}

static void check_alike(const char *first, score_model *first_model, const char *second,
                        score_model *second_model, int32_t phrases) {
    const int32_t lengths[] = {M, N, phrases > 1 ? P : 1, phrases > 1 ? Q : 1, D};
    static const char *const semirings[] = {"log", "max"};
    for (size_t i = 0; i < 2; i++) {
        solved a = solve(first, semirings[i], lengths, first_model);
        solved b = solve(second, semirings[i], lengths, second_model);
        if (!(fabs(solved_goal(&a) - solved_goal(&b)) < 1e-11))
            fail_msg("%s %.17g, %s %.17g under %s", first, solved_goal(&a), second, solved_goal(&b),
                     semirings[i]);
        if (i == 0) {
            double *x = solved_marginals(&a, solved_weight(&a, "null"));
            double *y = solved_marginals(&b, solved_weight(&b, "null"));
            for (size_t t = 0; t <= M; t++)
                assert_true(fabs(x[t] - y[t]) < 1e-11);
            free(x);
            free(y);
        }
        solved_free(&a);
        solved_free(&b);
    }
}

TEST(variants) {
    check_alike("align", powers, "align-map", powers_by_place, Q);
    check_alike("align", powers, "align-sparse", powers, Q);
    check_alike("align", powers, "align-far", powers, Q);
    check_alike("align", tails, "align-near", tails, Q);
}

/* `words` looks at the first two indices of `rewrite`: t and j where it has no others. */
static double one_word(const char *name, const int32_t *index) {
    return words(name, strcmp(name, "rewrite") == 0 ? index + 2 : index);
}

static double one_free_word(const char *name, const int32_t *index) {
    return free_words(name, strcmp(name, "rewrite") == 0 ? index + 2 : index);
}

TEST(words) {
    check_alike("align", one_word, "align-hmm", words, 1);
    check_alike("align", one_free_word, "align-words", free_words, 1);
}
