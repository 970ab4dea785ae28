/* test_limit_ties.c - limits on problems that repeat a few scores over and over.
 *
 * Sentences whose words come again every few positions leave many derivations with equal scores,
 * and amounts in between that none of them has. Small ones are compared with enumeration, those of
 * a few dozen words with the curve, which the charged rules compute, and what is too large for both
 * with values known in closed form and with the bound. Whole numbers must agree exactly; others to
 * 1e-13 S, S = max(1, |score|). SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>

#include "engine/limits/limits.h"
#include "rules/tell/enumerate.h"
#include "tests/support/limited.h"

enum { MOST_PERIOD = 5, MOST = 8 };

/* Scores of words that come again every `period` positions: by which words they are, and how far
 * apart if that is little. */
static void make_periodic(int n, int period, score_source source, random_state *random,
                          random_problem *p) {
    const tz_rules *rules = find_rules("compress");
    double score[2][MOST_PERIOD][MOST_PERIOD][4];
    int32_t lengths[TZ_MAX_LENGTHS] = {n};
    make_problem(rules, lengths, equal_scores, random, p);
    for (double *s = &score[0][0][0][0]; s < &score[0][0][0][0] + sizeof score / sizeof *s; s++)
        *s = source(random);
    for (unsigned w = 0; w < 2; w++)
        for (int32_t i = 0; i < (int32_t)p->shape[w].extent[0]; i++)
            for (int32_t j = 0; j < (int32_t)p->shape[w].extent[1]; j++) {
                int apart = abs(i - j) < 3 ? abs(i - j) : 3;
                p->data[w][problem_cell(p, w, (int32_t[TZ_MAX_RANK]){i, j})] =
                    score[w][i % period][j % period][apart];
            }
}

/* By pruning, whatever is less work. */
static tz_limit_search prune(limited *l, const random_problem *p, int64_t m) {
    tz_limit_search s = {.low = m, .high = m};
    assert_ok(tz_limit_take(l->chart, &p->problem, NULL));
    tz_limit_ends(l->chart, l->chart->side, &s.low, &s.high);
    assert_ok(tz_limit_bisect(l->chart, &s));
    if (!s.certain)
        assert_ok(tz_limit_prune(l->chart, &s, INFINITY));
    assert_true(s.certain);
    assert_int_equal(tz_limit_convert(l->chart, l->chart->side, s.best->amount), m);
    return s;
}

static void check(limited *l, const random_problem *p, int64_t m, double value, bool integers,
                  double *worst) {
    double tolerance = integers ? 0 : 1e-13 * fmax(1, fabs(value));
    double score = prune(l, p, m).best->derivation.score;
    note_worst(worst, relative_error(score, value));
    if (!(fabs(score - value) <= tolerance))
        fail_msg("%d words of %d: %.17g, not %.17g", (int)m, p->lengths[0], score, value);
    tz_limited found;
    assert_ok(tz_limit(l->chart, &p->problem, m, m, TZ_LIMIT_AUTO, &found, NULL));
    assert_true(found.exact && found.amount == m && fabs(found.score - value) <= tolerance);
}

typedef struct truth {
    const random_problem *problem;
    double best[MOST]; /* by kept words */
} truth;

static int add_derivation(void *user, const tz_enum_use *uses, size_t count) {
    truth *t = user;
    double score = 0;
    size_t kept = 0;
    for (size_t u = 0; u < count; u++) {
        score += problem_score(t->problem, uses[u].weight, uses[u].index);
        kept += uses[u].weight == 0;
    }
    t->best[kept] = fmax(t->best[kept], score);
    return 0;
}

TEST(small) {
    random_state random = random_start("ties, enumerated");
    limited l = make_limited("compress", "kept");
    double worst = 0;
    for (int n = 1; n <= 6; n++)
        for (int period = 1; period <= 3; period++)
            for (int integers = 0; integers < 2; integers++) {
                OWNED(random_problem, p) = {0};
                make_periodic(n, period, integers ? integer_scores : plain_scores, &random, &p);
                truth t = {.problem = &p};
                for (int m = 0; m < MOST; m++)
                    t.best[m] = -INFINITY;
                assert_ok(
                    tz_enumerate(find_rules("compress"), p.lengths, 1 << 20, add_derivation, &t));
                for (int m = 0; m <= n; m++)
                    check(&l, &p, m, t.best[m], integers, &worst);
            }
    free_limited(&l);
    print_message("# largest error %.2g\n", worst);
}

TEST(curve) {
    random_state random = random_start("ties, charged");
    enum { N = 26 };
    limited l = make_limited("compress", "kept");
    double worst = 0;
    for (int period = 1; period <= MOST_PERIOD; period++)
        for (int integers = 0; integers < 2; integers++) {
            OWNED(random_problem, p) = {0};
            const double *value;
            double curve[N + 1];
            size_t count;
            make_periodic(N, period, integers ? integer_scores : plain_scores, &random, &p);
            assert_ok(tz_limit_curve(l.chart, &p.problem, &value, &count, NULL));
            assert_int_equal(count, N + 1);
            memcpy(curve, value, sizeof curve);
            for (int m = 0; m <= N; m++)
                check(&l, &p, m, curve[m], integers, &worst);
        }
    free_limited(&l);
    print_message("# largest error %.2g\n", worst);
}

/* All scores are equal: every compression to m words is best, with m arcs and m + 1 bigrams; all
 * instances are at distance 0. */
TEST(equal) {
    random_state random = random_start("all scores equal");
    static const double scores[] = {1, -1, 0.1};
    enum { N = 150 };
    limited l = make_limited("compress", "kept");
    for (unsigned i = 0; i < 3; i++) {
        OWNED(random_problem, p) = {0};
        int32_t lengths[TZ_MAX_LENGTHS] = {N};
        make_problem(find_rules("compress"), lengths, equal_scores, &random, &p);
        for (unsigned w = 0; w < 2; w++)
            for (size_t c = 0; c < p.cells[w]; c++)
                p.data[w][c] = scores[i];
        for (int m = 1; m < N; m += 37) {
            tz_limited found;
            assert_ok(tz_limit(l.chart, &p.problem, m, m, TZ_LIMIT_AUTO, &found, NULL));
            assert_true(found.exact && found.amount == m);
            assert_true(relative_error(found.score, scores[i] * (2 * m + 1)) <=
                        (i == 2 ? 1e-13 : 0));
        }
    }
    free_limited(&l);
}

static double small_integers(random_state *random) {
    return (double)random_below(random, 3) - 1;
}

/* No whole number is between the score and the bound, so that there is nothing better. */
TEST(bound) {
    random_state random = random_start("few whole numbers");
    enum { N = 120 };
    limited l = make_limited("compress", "kept");
    unsigned closed = 0, rounds = 6;
    for (unsigned round = 0; round < rounds; round++) {
        OWNED(random_problem, p) = {0};
        int32_t lengths[TZ_MAX_LENGTHS] = {N};
        make_problem(find_rules("compress"), lengths, small_integers, &random, &p);
        int m = 30 + 6 * (int)round;
        tz_limited found;
        assert_ok(tz_limit(l.chart, &p.problem, m, m, TZ_LIMIT_DUAL, &found, NULL));
        double bound = found.bound;
        assert_ok(tz_limit(l.chart, &p.problem, m, m, TZ_LIMIT_AUTO, &found, NULL));
        assert_true(found.exact && found.amount == m && found.score <= bound + 1e-9);
        assert_true(found.score == floor(found.score));
        closed += found.score == floor(bound + 1e-9);
    }
    print_message("# %u of %u reach the bound, rounded down\n", closed, rounds);
    assert_true(closed > 0);
    free_limited(&l);
}
