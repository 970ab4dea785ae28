/* test_exact.c - marginals of scores of any size: right, or refused. SPDX-License-Identifier: MIT
 */
#include "tests/support/test.h"

#include <string.h>

#include "tests/support/evaluate.h"

enum { N = 30, SIDE = N + 1, TRIALS = 20 };

static double deviation;

static double far_scores(random_state *random) {
    double sum = -6; /* normal, nearly */
    for (int i = 0; i < 12; i++)
        sum += random_unit(random);
    return deviation * sum;
}

static void assert_told(const tz_error *error, const char *part) {
    assert_int_equal(error->status, TZ_BAD_SCORE);
    if (strstr(error->message, part) == NULL)
        fail_msg("'%s' does not tell '%s'", error->message, part);
}

/* Answers marginals by tz_run, and checks them where they are not refused: each word has one head.
 * Within 1e-5 in float, 1e-9 in double; measured 3.3e-6 and 7e-15. */
static bool right_or_refused(const char *semiring, tz_precision precision, unsigned flags,
                             const random_problem *p, size_t n, tz_error *error) {
    double value, *cell = calloc(p->cells[0], sizeof *cell);
    assert_non_null(cell);
    tz_output output = problem_output(p, 0, cell);
    tz_answers answers = {.value = &value, .marginals = &output};
    OWN(tz_semiring, made) = make_semiring(semiring, precision);
    OWN(tz_plan, plan) = make_plan(find_rules("eisner"), made, flags);
    const tz_run_options options = {.outside = true};
    tz_status status = tz_run(plan, &p->problem, 1, &options, tz_answer, &answers, error);
    if (status != TZ_OK)
        assert_int_equal(status, TZ_BAD_SCORE);
    for (size_t m = 1; m <= n && status == TZ_OK; m++) {
        double sum = 0;
        for (size_t h = 0; h <= n; h++) {
            double share = h == m ? 0 : cell[h * (n + 1) + m];
            assert_true(share >= 0 && share <= 1 + 1e-5);
            sum += share;
        }
        assert_true(fabs(sum - 1) <= (precision == TZ_F32 ? 1e-5 : 1e-9));
    }
    free(cell);
    return status == TZ_OK;
}

/* From small scores, of which all are answered, to large ones, of which all are refused. */
TEST(deviations) {
    random_state random = random_start("deviations");
    static const struct {
        const char *semiring;
        tz_precision precision;
        double small, large, most;
    } of[] = {
        {"log", TZ_F32, 1e3, 5e5, 1e28},           {"log", TZ_F64, 1e11, 2e14, 1e288},
        {"entropy", TZ_F32, 1e3, 5e5, 1e28},       {"entropy", TZ_F64, 1e11, 2e14, 1e288},
        {"required(log)", TZ_F32, 1e3, 5e5, 1e28},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const double deviations[] = {of[k].small, of[k].small * 10,  of[k].small * 100,
                                     of[k].large, of[k].large * 200, sqrt(of[k].most),
                                     of[k].most};
        for (size_t d = 0; d < sizeof deviations / sizeof *deviations; d++) {
            size_t answered = 0;
            deviation = deviations[d];
            for (int trial = 0; trial < TRIALS; trial++) {
                OWNED(random_problem, p) = {0};
                tz_error error;
                problem_of_size(find_rules("eisner"), N, far_scores, &random, &p);
                answered += right_or_refused(of[k].semiring, of[k].precision,
                                             trial % 4 == 3 ? TZ_PLAIN : 0, &p, N, &error);
            }
            print_message("# %s, %s, deviation %g: %zu of %d answered\n", of[k].semiring,
                          of[k].precision == TZ_F32 ? "float" : "double", deviation, answered,
                          TRIALS);
            assert_true(d > 0 || answered == TRIALS);
            assert_true(deviation < of[k].large || answered == 0);
        }
    }
}

/* Large numbers that cancel, in a derivation or in a rule, are found too. */
TEST(cancelling) {
    random_state random = random_start("cancelling");
    static const double at[][2] = {{1e290, 1e290}, {1e290, -1e290}, {-1e290, 1e290}};
    for (int k = 0; k < 3; k++) {
        OWNED(random_problem, p) = {0};
        tz_error error;
        deviation = 1;
        problem_of_size(find_rules("eisner"), 3, far_scores, &random, &p);
        for (int h = 0; h <= 3; h++)
            for (int m = 1; m <= 3; m++)
                p.data[0][h * 4 + m] = at[k][m == 1];
        assert_false(right_or_refused("log", TZ_F64, 0, &p, 3, &error));
        assert_told(&error, "problem 0: the scores of some derivations");
        assert_false(right_or_refused("log", TZ_F64, TZ_PLAIN, &p, 3, &error));
    }
}

/* What nothing need use may be as improbable as it likes. */
TEST(masks) {
    random_state random = random_start("masks");
    for (int k = 0; k < 2; k++) {
        OWNED(random_problem, p) = {0};
        tz_error error;
        deviation = 1;
        problem_of_size(find_rules("eisner"), N, far_scores, &random, &p);
        for (size_t h = 1; h <= N; h++)
            for (size_t m = 1; m <= N; m++)
                if (h != m && random_below(&random, 3) == 0)
                    p.data[0][h * SIDE + m] = k == 0 ? -1e9 : -1e30;
        assert_true(right_or_refused("log", TZ_F32, 0, &p, N, &error));
        assert_true(right_or_refused("log", TZ_F64, 0, &p, N, &error));
    }
}

/* The problem is named, and what a chart has refused leaves nothing behind. */
TEST(after) {
    random_state random = random_start("after");
    enum { MANY = 9, BAD = 5 };
    random_problem p[MANY];
    tz_problem problem[MANY];
    double want[MANY], value[MANY];
    tz_answers answers = {.value = want}, again = {.value = value};
    OWN(tz_charts, charts) = NULL;
    tz_error error;
    OWN(tz_plan, plan) = make_plan(find_rules("eisner"), tz_semiring_find("log", TZ_F32), 0);
    assert_ok(tz_charts_new(plan, &charts));
    deviation = 100; /* too far apart for narrow elements */
    for (int i = 0; i < MANY; i++) {
        problem_of_size(find_rules("eisner"), N, far_scores, &random, &p[i]);
        problem[i] = p[i].problem;
    }
    assert_ok(tz_run(plan, problem, MANY, NULL, tz_answer, &answers, NULL));
    const tz_run_options options = {.charts = charts, .outside = true};
    double *arc = p[BAD].data[0] + 1, before = *arc;
    for (unsigned turn = 0; turn < 3; turn++) {
        *arc = 1e8;
        assert_int_equal(tz_run(plan, problem, MANY, &options, tz_answer, &again, &error),
                         TZ_BAD_SCORE);
        assert_told(&error, "problem 5: ");
        assert_told(&error, "compute with doubles");
        *arc = before;
        assert_ok(tz_run(plan, problem, MANY, &options, tz_answer, &again, NULL));
        assert_memory_equal(value, want, sizeof value);
    }
    free_problems(p, MANY);
}
