/* test_bench_yardsticks.c - do the programs that speed is told by compute what the library does?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/charged.h"
#include "bench/hand.h"
#include "bench/textbook.h"
#include "measure/probe.h"
#include "tests/support/own.h"
#include "tests/support/random.h"

enum { MOST_LANES = 16, MOST_N = 70 };

/* Scores of a square of n + 1, some of them impossible. */
static void make_arcs(random_state *random, int n, double *arc, float *arc_f32) {
    for (int c = 0; c < (n + 1) * (n + 1); c++) {
        double score = random_between(random, -5, 5);
        arc_f32[c] = random_below(random, 10) == 0 ? -INFINITY : (float)score;
        arc[c] = (double)arc_f32[c];
    }
}

typedef struct answers {
    double value, marginals[(MOST_N + 1) * (MOST_N + 1)];
} answers;

static void ask_library(const char *semiring, tz_precision precision, int n, const double *arc,
                        answers *ret) {
    const tz_rules *rules = tz_rules_find("eisner");
    const int32_t length = n;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    tz_shape shape;
    assert_int_equal(tz_plan_new(rules, tz_semiring_find(semiring, precision), 0, &plan, NULL), 0);
    assert_int_equal(tz_chart_new(plan, &chart), TZ_OK);
    assert_int_equal(tz_rules_shape(rules, 0, &length, &shape), TZ_OK);
    /* for n = 0 the shape has no cell, and the array is one wider */
    tz_scores scores = tz_scores_dense(&shape, arc);
    assert_int_equal(tz_bind(chart, &(tz_problem){.lengths = &length, .scores = &scores}, 1, NULL),
                     TZ_OK);
    assert_int_equal(tz_inside(chart), TZ_OK);
    assert_int_equal(tz_goal(chart, 0, &ret->value), TZ_OK);
    memset(ret->marginals, 0, sizeof ret->marginals);
    if (strcmp(semiring, "log") == 0 && ret->value > -INFINITY) {
        tz_output output = tz_output_dense(&shape, ret->marginals);
        assert_int_equal(tz_outside(chart), TZ_OK);
        assert_int_equal(tz_marginals(chart, 0, 0, &output), TZ_OK);
    }
}

TEST(textbook) {
    random_state random = random_start("textbook");
    for (int n = 0; n <= 30; n++) {
        static double arc[31 * 31], chart[4 * 31 * 31];
        static float arc_f32[31 * 31], chart_f32[4 * 31 * 31];
        static int back[4 * 31 * 31];
        static answers expected;
        int heads[32], stack[6 * 31];
        make_arcs(&random, n, arc, arc_f32);
        ask_library("max", TZ_F32, n, arc, &expected);
        assert_true((double)textbook_f32(n, arc_f32, chart_f32, back) == expected.value);
        ask_library("max", TZ_F64, n, arc, &expected);
        double best = textbook_f64(n, arc, chart, back), sum = 0;
        assert_true(best == expected.value);
        if (best == -INFINITY)
            continue;
        textbook_heads(n, back, heads, stack);
        for (int m = 1; m <= n; m++) {
            assert_in_range(heads[m], 0, n);
            sum += arc[heads[m] * (n + 1) + m];
        }
        assert_true(fabs(sum - best) <= 1e-12 * n);
    }
}

/* The loop for charged rules, for every number of kept words. */
TEST(charged) {
    enum { MOST = 12 };
    (void)state;
    assert_int_equal(charged_row(MOST + 1), 16);
    random_state random = random_start("charged");
    const tz_semiring *max[] = {tz_semiring_find("max", TZ_F64), tz_semiring_find("max", TZ_F32)};
    OWN(tz_rules, rules) = NULL;
    assert_int_equal(tz_rules_charge(tz_rules_find("compress"), "kept", &rules, NULL), TZ_OK);
    for (int32_t n = 0; n <= MOST; n++)
        for (int32_t kept = 0; kept <= n + 1; kept++) {
            enum { CELLS = 4 * (MOST + 1) * (MOST + 1) * 16 };
            static double arc[(MOST + 1) * (MOST + 1)], bigram[(MOST + 2) * (MOST + 2)],
                cell[CELLS];
            static float arc_f32[(MOST + 1) * (MOST + 1)], bigram_f32[(MOST + 2) * (MOST + 2)],
                cell_f32[CELLS];
            const int32_t lengths[] = {n, kept};
            tz_scores scores[2] = {
                {.data = arc, .extent = {n + 1, n + 1}, .stride = {n + 1, 1}},
                {.data = bigram, .extent = {n + 2, n + 2}, .stride = {n + 2, 1}}};
            make_arcs(&random, n, arc, arc_f32);
            make_arcs(&random, n + 1, bigram, bigram_f32);
            for (int f32 = 0; f32 < 2; f32++) {
                OWN(tz_plan, plan) = NULL;
                OWN(tz_chart, chart) = NULL;
                double value;
                assert_int_equal(tz_plan_new(rules, max[f32], 0, &plan, NULL), TZ_OK);
                assert_int_equal(tz_chart_new(plan, &chart), TZ_OK);
                assert_int_equal(
                    tz_bind(chart, &(tz_problem){.lengths = lengths, .scores = scores}, 1, NULL),
                    TZ_OK);
                assert_int_equal(tz_inside(chart), TZ_OK);
                assert_int_equal(tz_goal(chart, 0, &value), TZ_OK);
                double loop = f32 ? (double)charged_f32(n, kept, arc_f32, bigram_f32, cell_f32)
                                  : charged_f64(n, kept, arc, bigram, cell);
                /* the loop adds in another order */
                assert_true(loop == value || fabs(loop - value) <= (f32 ? 1e-4 : 1e-12));
            }
        }
}

/* Every form and instruction set that this machine has, over n from 0 to beyond every block. */
static void check_hand(hand_algebra algebra, bool batch, tz_isa isa, int n, random_state *random) {
    hand *h = hand_new(algebra, batch, isa, n);
    assert_non_null(h);
    size_t lanes = hand_lanes(h), cells = ((size_t)n + 1) * ((size_t)n + 1);
    static double arc[MOST_LANES][(MOST_N + 1) * (MOST_N + 1)];
    static float arc_f32[MOST_LANES][(MOST_N + 1) * (MOST_N + 1)];
    static double marginal[MOST_LANES][(MOST_N + 1) * (MOST_N + 1)];
    static answers expected[MOST_LANES];
    const void *from[MOST_LANES];
    double *to[MOST_LANES], scale[MOST_LANES], value[MOST_LANES];
    assert_in_range(lanes, 1, MOST_LANES);
    for (size_t l = 0; l < lanes; l++) {
        make_arcs(random, n, arc[l], arc_f32[l]);
        from[l] = algebra == HAND_MAX ? (void *)arc_f32[l] : (void *)arc[l];
        to[l] = marginal[l];
        ask_library(algebra == HAND_MAX ? "max" : "log", algebra == HAND_MAX ? TZ_F32 : TZ_F64, n,
                    arc[l], &expected[l]);
        scale[l] = n > 0 && expected[l].value > -INFINITY ? expected[l].value / n : 0;
    }
    /* twice: nothing of the first may be left */
    for (int round = 0; round < 2; round++) {
        assert_true(hand_bind(h, from, scale));
        hand_inside(h, value);
        if (algebra != HAND_MAX) {
            hand_outside(h);
            hand_marginals(h, to);
        }
    }
    for (size_t l = 0; l < lanes; l++) {
        double e = expected[l].value;
        if (algebra == HAND_MAX || e == -INFINITY) {
            assert_true(value[l] == e);
            continue;
        }
        assert_true(fabs(value[l] - e) <= 1e-12 * fmax(1, fabs(e)));
        for (size_t c = 0; n > 0 && c < cells; c++)
            assert_true(fabs(marginal[l][c] - expected[l].marginals[c]) <= 1e-10);
    }
    hand_free(h);
}

TEST(hand) {
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 31, 32, 33, 47, 70};
    random_state random = random_start("hand");
    int checked = 0;
    for (tz_isa isa = TZ_ISA_BASELINE; isa < TZ_ISAS; isa++) {
        hand *there = hand_new(HAND_MAX, true, isa, 1);
        if (there == NULL) {
            printf("# %s: not on this machine\n", tz_isa_name(isa));
            continue;
        }
        hand_free(there);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int form = 0; form < 2 * HAND_ALGEBRAS; form++, checked++)
                check_hand(form / 2, form & 1, isa, sizes[i], &random);
    }
    assert_true(checked > 0);
}

/* The blocks that only long sentences reach. */
TEST(hand_long) {
    enum { N = 300 };
    random_state random = random_start("hand, long");
    size_t cells = (N + 1) * (N + 1);
    double *arc = calloc(cells, sizeof *arc);
    float *arc_f32 = calloc(cells, sizeof *arc_f32), *chart = calloc(4 * cells, sizeof *chart);
    int *back = calloc(4 * cells, sizeof *back);
    assert_true(arc && arc_f32 && chart && back);
    make_arcs(&random, N, arc, arc_f32);
    double expected = (double)textbook_f32(N, arc_f32, chart, back), value;
    for (tz_isa isa = TZ_ISA_BASELINE; isa < TZ_ISAS; isa++) {
        hand *h = hand_new(HAND_MAX, false, isa, N);
        if (h == NULL)
            continue;
        assert_true(hand_bind(h, (const void *[]){arc_f32}, NULL));
        hand_inside(h, &value);
        assert_true(value == expected);
        hand_free(h);
    }
    free(arc);
    free(arc_f32);
    free(chart);
    free(back);
}

TEST(hand_refuses) {
    static const double bad[] = {NAN, INFINITY, 1e31, -1e31};
    for (int batch = 0; batch < 2; batch++) {
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            float good[9] = {0}, wrong[9] = {0, 0, 0, 0, 0, (float)bad[b]};
            const void *from[MOST_LANES];
            hand *h = hand_new(HAND_MAX, batch, TZ_ISA_BASELINE, 2);
            assert_non_null(h);
            for (size_t l = 0; l < MOST_LANES; l++)
                from[l] = good;
            assert_true(hand_bind(h, from, NULL));
            from[hand_lanes(h) - 1] = wrong;
            assert_false(hand_bind(h, from, NULL));
            hand_free(h);
        }
    }
}
