/* test_run.c - tz_run and tz_charts: what they visit and refuse, and that TZ_PLAIN gives the same
 * bits from any number of threads and lanes. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "engine/batch/groups.h"
#include "tests/support/evaluate.h"
#include "tests/support/texts.h"
#include "tests/support/tropical.h"

typedef struct visits {
    unsigned seen[20];
    size_t stop_at;
} visits;

static tz_status count_visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    visits *v = user;
    double value;
    v->seen[problem]++;
    if (tz_goal(chart, lane, &value) != TZ_OK || value == -INFINITY)
        return TZ_BAD_ARGUMENT;
    return problem == v->stop_at ? TZ_IO : TZ_OK;
}

TEST(run) {
    random_state random = random_start("run");
    random_problem p[20];
    tz_problem problem[20];
    tz_error error;
    OWN(tz_plan, plan) = make_plan(find_rules("eisner"), tz_semiring_find("max", TZ_F64), 0);
    for (int i = 0; i < 20; i++) {
        int32_t n = (int32_t)random_below(&random, 30);
        make_problem(find_rules("eisner"), &n, plain_scores, &random, &p[i]);
        problem[i] = p[i].problem;
    }
    visits v = {.stop_at = 99};
    assert_ok(tz_run(plan, problem, 20, NULL, count_visit, &v, NULL));
    for (int i = 0; i < 20; i++)
        assert_int_equal(v.seen[i], 1);
    assert_ok(tz_run(plan, problem, 0, NULL, count_visit, &v, NULL));
    v.stop_at = 7;
    assert_int_equal(tz_run(plan, problem, 20, NULL, count_visit, &v, &error), TZ_IO);
    int32_t negative = -5;
    problem[13].lengths = &negative;
    assert_int_equal(tz_run(plan, problem, 20, NULL, count_visit, &v, &error), TZ_BAD_ARGUMENT);
    assert_contains(error.message, "problem 13: length n is -5");
    free_problems(p, 20);
}

/* What one problem of a batch answers: its value and the outside values of the first item. */
typedef struct plain_answers {
    double number[20][31];
} plain_answers;

static tz_status plain_visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    plain_answers *a = user;
    tz_status status = tz_goal(chart, lane, &a->number[problem][0]);
    for (int32_t j = 0; j < 30 && status == TZ_OK; j++)
        status = tz_item_value(chart, lane, 0, (int32_t[]){0, j}, true, &a->number[problem][1 + j]);
    return status;
}

/* The same bits from any number of threads and lanes, of instruction sets there is none; a
 * semiring may have no more than plus and times. */
TEST(plain) {
    random_state random = random_start("plain");
    random_problem p[20];
    tz_problem problem[20];
    const tz_semiring *semirings[] = {tz_semiring_find("log", TZ_F32), &tropical};
    for (int i = 0; i < 20; i++) {
        int32_t n = (int32_t)random_below(&random, 12);
        make_problem(find_rules("eisner"), &n, plain_scores, &random, &p[i]);
        problem[i] = p[i].problem;
    }
    for (unsigned s = 0; s < 2; s++) {
        OWN(tz_plan, plan) = NULL;
        static plain_answers first, got;
        double products[2];
        assert_ok(tz_plan_new(find_rules("eisner"), semirings[s], TZ_PLAIN | (s ? TZ_NO_AVX2 : 0),
                              &plan, NULL));
        OWN(tz_plan, fast) = make_plan(find_rules("eisner"), semirings[s], 0);
        assert_int_equal(tz_plan_isa(plan), TZ_ISA_BASELINE);
        assert_ok(tz_plan_products(plan, p[0].lengths, &products[0]));
        assert_ok(tz_plan_products(fast, p[0].lengths, &products[1]));
        assert_true(products[0] == products[1]);
        for (unsigned threads = 0; threads <= 3; threads++) {
            const tz_run_options options = {
                .outside = true, .threads = threads, .lanes = threads == 2 ? 7 : 0};
            assert_ok(tz_run(plan, problem, 20, &options, plain_visit, &got, NULL));
            first = threads == 0 ? got : first;
            assert_memory_equal(&got, &first, sizeof got);
        }
        assert_ok(
            tz_run(fast, problem, 20, &(tz_run_options){.outside = true}, plain_visit, &got, NULL));
        for (int i = 0; i < 20; i++)
            assert_true(fabs(got.number[i][0] - first.number[i][0]) <= 1e-5 * 60);
        problem[13].lengths = (int32_t[]){-5};
        assert_int_equal(tz_run(plan, problem, 20, NULL, plain_visit, &got, NULL), TZ_BAD_ARGUMENT);
        problem[13].lengths = p[13].lengths;
    }
    free_problems(p, 20);
}

BEFORE_TESTS {
    tz_thread_cost = 0;
}
