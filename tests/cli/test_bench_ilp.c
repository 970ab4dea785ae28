/* test_bench_ilp.c - does the integer program find the best compression of a length? Every subset
 * of the words with every assignment of heads is tried. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#ifndef TZ_WITH_CBC

TEST(ilp) {
    print_message("the integer program is not tested: it was built without CBC\n");
    skip();
}

#else

#include "bench/ilp.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

enum { MOST_N = 5, MOST_CELLS = (MOST_N + 1) * (MOST_N + 2) };

/* The same terms are summed in another order; over 40 seeds, 7.2e-15 at most. */
#define TOLERANCE 1e-13

typedef struct sentence {
    int n;
    double arc[MOST_CELLS], bigram[MOST_CELLS];
} sentence;

static void make(random_state *random, int n, sentence *s) {
    s->n = n;
    for (int c = 0; c < MOST_CELLS; c++) {
        s->arc[c] = random_below(random, 8) == 0 ? -INFINITY : random_between(random, -5, 5);
        s->bigram[c] = random_below(random, 8) == 0 ? -INFINITY : random_between(random, -5, 5);
    }
}

/* What heads (-1: dropped) score; -INFINITY where they are no tree. */
static double score_of(const sentence *s, const int *head) {
    int n = s->n, last = 0;
    double score = 0;
    for (int m = 1; m <= n; m++) {
        int at = m;
        if (head[m] < 0)
            continue;
        for (int steps = 0; at > 0 && steps <= n; steps++)
            at = head[at];
        if (at != 0)
            return -INFINITY;
        score += s->arc[head[m] * (n + 1) + m] + s->bigram[last * (n + 2) + m];
        last = m;
    }
    return score + s->bigram[last * (n + 2) + n + 1];
}

static int kept_of(int n, const int *head) {
    int kept = 0;
    for (int m = 1; m <= n; m++)
        kept += head[m] >= 0;
    return kept;
}

/* best[k]: of the compressions that keep k words. */
static void enumerate(const sentence *s, double *best) {
    int n = s->n, head[MOST_N + 1], codes = 1;
    for (int m = 1; m <= n; m++)
        codes *= n + 2;
    for (int k = 0; k <= n; k++)
        best[k] = -INFINITY;
    for (int code = 0; code < codes; code++) {
        for (int m = 1, rest = code; m <= n; m++, rest /= n + 2)
            head[m] = rest % (n + 2) - 1;
        int k = kept_of(n, head);
        best[k] = fmax(best[k], score_of(s, head));
    }
}

TEST(optimum) {
    random_state random = random_start("optimum");
    int found = 0, none = 0;
    for (int n = 0; n <= MOST_N; n++) {
        for (int trial = 0; trial < (n == 0 ? 1 : 4); trial++) {
            sentence s;
            double best[MOST_N + 1];
            make(&random, n, &s);
            enumerate(&s, best);
            for (int kept = 0; kept <= n; kept++) {
                int head[MOST_N + 1];
                ilp_answer answer = {0, -1, false};
                tz_status status = ilp_solve(n, kept, s.arc, s.bigram, 60, head, &answer);
                if (best[kept] == -INFINITY) {
                    assert_int_equal(status, TZ_NONE);
                    none++;
                    continue;
                }
                assert_ok(status);
                assert_true(answer.optimal);
                assert_true(answer.seconds >= 0);
                assert_int_equal(kept_of(n, head), kept);
                assert_true(fabs(answer.score - score_of(&s, head)) <= TOLERANCE);
                assert_true(fabs(answer.score - best[kept]) <= TOLERANCE);
                found++;
            }
        }
    }
    print_message("# %d optima, %d lengths without a compression\n", found, none);
    assert_true(found > 0);
}

/* 1 <- 3 and 2 <- 4 cross; every other tree is worse. */
TEST(crossing) {
    sentence s = {.n = 4};
    int head[MOST_N + 1];
    ilp_answer answer;
    s.arc[3 * 5 + 1] = s.arc[4 * 5 + 2] = s.arc[0 * 5 + 3] = s.arc[3 * 5 + 4] = 1;
    assert_ok(ilp_solve(4, 4, s.arc, s.bigram, 60, head, &answer));
    assert_true(answer.score == 4);
    assert_int_equal(head[1], 3);
    assert_int_equal(head[2], 4);
    assert_int_equal(head[3], 0);
    assert_int_equal(head[4], 3);
}

/* Arcs that pay best in a circle. */
TEST(circle) {
    sentence s = {.n = 3};
    int head[MOST_N + 1];
    ilp_answer answer;
    s.arc[1 * 4 + 2] = s.arc[2 * 4 + 3] = s.arc[3 * 4 + 1] = 10;
    assert_ok(ilp_solve(3, 3, s.arc, s.bigram, 60, head, &answer));
    assert_true(answer.score == 20);
}

TEST(repeats) {
    random_state random = random_start("repeats");
    sentence s;
    int first[MOST_N + 1], second[MOST_N + 1];
    ilp_answer a, b;
    make(&random, MOST_N, &s);
    for (int c = 0; c < MOST_CELLS; c++) /* ties */
        s.arc[c] = round(fmax(s.arc[c], -5) / 4), s.bigram[c] = 0;
    assert_ok(ilp_solve(MOST_N, 3, s.arc, s.bigram, 60, first, &a));
    assert_ok(ilp_solve(MOST_N, 3, s.arc, s.bigram, 60, second, &b));
    assert_true(a.score == b.score);
    for (int m = 1; m <= MOST_N; m++)
        assert_int_equal(first[m], second[m]);
}

TEST(refusals) {
    sentence s = {.n = 3};
    int head[MOST_N + 1] = {7, 7, 7, 7, 7, 7};
    ilp_answer answer = {7, 7, false};
    assert_int_equal(ilp_solve(-1, 0, s.arc, s.bigram, 1, head, &answer), TZ_BAD_ARGUMENT);
    assert_int_equal(ilp_solve(3, -1, s.arc, s.bigram, 1, head, &answer), TZ_BAD_ARGUMENT);
    assert_int_equal(ilp_solve(3, 4, s.arc, s.bigram, 1, head, &answer), TZ_BAD_ARGUMENT);
    assert_int_equal(ilp_solve(3, 2, s.arc, s.bigram, 0, head, &answer), TZ_BAD_ARGUMENT);
    assert_int_equal(ilp_solve(3, 2, s.arc, s.bigram, NAN, head, &answer), TZ_BAD_ARGUMENT);
    assert_int_equal(ilp_solve(3, 2, s.arc, s.bigram, INFINITY, head, &answer), TZ_BAD_ARGUMENT);
    assert_int_equal(ilp_solve(ILP_MOST_WORDS + 1, 2, NULL, NULL, 1, head, &answer), TZ_TOO_LARGE);
    s.arc[2 * 4 + 1] = NAN;
    assert_int_equal(ilp_solve(3, 2, s.arc, s.bigram, 1, head, &answer), TZ_BAD_SCORE);
    s.arc[2 * 4 + 1] = 0;
    s.bigram[3 * 5 + 4] = INFINITY;
    assert_int_equal(ilp_solve(3, 2, s.arc, s.bigram, 1, head, &answer), TZ_BAD_SCORE);
    for (int m = 0; m <= MOST_N; m++)
        assert_int_equal(head[m], 7);
    assert_true(answer.score == 7 && answer.seconds == 7);
}

static int attempt(void *user) {
    const sentence *s = user;
    int head[MOST_N + 1];
    ilp_answer answer;
    return (int)ilp_solve(s->n, 2, s->arc, s->bigram, 60, head, &answer);
}

/* Of the memory that CBC does not take for itself. */
TEST(memory) {
    sentence s = {.n = 3};
    assert_true(oom_sweep("ilp", attempt, &s, TZ_NO_MEMORY, false) > 0);
}

#endif
