/* test_own.c - does a program's own semiring give the same bits by plus and times and over vectors
 * (tests/support/shortest.c), and is that at least 15 times as fast?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/support/problem.h"

extern const tz_semiring shortest_over_vectors;

typedef struct element {
    double cost, ways;
} element;

static const element zero = {INFINITY, 0}, one = {0, 1};

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const element *x = a, *y = b;
    (void)self;
    *(element *)ret = x->cost < y->cost   ? *x
                      : y->cost < x->cost ? *y
                                          : (element){x->cost, x->ways + y->ways};
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const element *x = a, *y = b;
    (void)self;
    *(element *)ret = (element){x->cost + y->cost, x->ways * y->ways};
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    element *to = ret;
    (void)self;
    for (size_t i = 0; i < n; i++, to += stride)
        *to = score[i] == -INFINITY ? zero : (element){score[i] + 0, 1};
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return ((const element *)a)->cost;
}

static const tz_semiring shortest = {
    .name = "shortest",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_NUMBER,
    .size = sizeof(element),
    .align = _Alignof(element),
    .zero = &zero,
    .one = &one,
    .plus = plus,
    .times = times,
    .lift = lift,
    .value = value,
};

enum { LANES = 8, WORDS = 20 };

/* The goals of the problems; *ret_seconds: the least time of a few turns. */
static void solve(const tz_rules *rules, const tz_semiring *s, const tz_problem *problem,
                  element *ret, double *ret_seconds) {
    *ret_seconds = INFINITY;
    tz_plan *plan = make_plan(rules, s, TZ_FORCE);
    tz_chart *chart = make_chart(plan);
    for (int turn = 0; turn < 30; turn++) {
        struct timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        run_inside(chart, problem, LANES);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        const double seconds =
            (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        *ret_seconds = seconds < *ret_seconds ? seconds : *ret_seconds;
    }
    for (size_t l = 0; l < LANES; l++)
        assert_ok(tz_goal_element(chart, l, &ret[l]));
    tz_chart_free(chart);
    tz_plan_free(plan);
}

TEST(bits_and_speed) {
    static const char *const names[] = {"eisner", "compress", "cky", "edit", "chain"};
    random_state random = random_start("own");
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        const tz_rules *rules = tz_rules_find(names[r]);
        random_problem random_one[LANES];
        tz_problem problem[LANES];
        element slow[LANES], fast[LANES];
        double by_one, over_vectors;
        for (size_t l = 0; l < LANES; l++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            set_lengths(rules, WORDS, 2, lengths);
            make_problem(rules, lengths, masked_integers, &random, &random_one[l]);
            problem[l] = random_one[l].problem;
        }
        solve(rules, &shortest, problem, slow, &by_one);
        solve(rules, &shortest_over_vectors, problem, fast, &over_vectors);
        if (memcmp(slow, fast, sizeof slow) != 0)
            fail_msg("%s: %a in %a ways, not %a in %a", names[r], fast[0].cost, fast[0].ways,
                     slow[0].cost, slow[0].ways);
        print_message("# %s: %.1f times as fast\n", names[r], by_one / over_vectors);
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
        if (r == 0)
            assert_true(by_one >= 15 * over_vectors);
#endif
        free_problems(random_one, LANES);
    }
}
