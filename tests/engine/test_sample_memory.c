/* test_sample_memory.c - do samplers survive every failed allocation, and go on with the same
 * samples?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/narrow.h"
#include "tests/support/oom.h"
#include "tests/support/sampling.h"

enum { DRAWN = 12, SEED = 20 };

typedef struct attempt {
    const random_problem *problem;
    const tz_rules *rules;
    bool without, retry, compare;
    uint64_t key[DRAWN];
} attempt;

/* Binds and draws. With `retry`, what fails once is asked for once more, and must be the same. */
static int try_samples(void *user) {
    attempt *a = user;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    OWN(tz_sampler, sampler) = NULL;
    tz_status status =
        tz_plan_new(a->rules, tz_semiring_find("log", TZ_F64), TZ_FORCE, &plan, NULL);
    if (status == TZ_OK)
        status = try_inside(plan, &a->problem->problem, 1, &chart);
    if (status == TZ_OK)
        status = tz_sampler_new(chart, 0, SEED, a->without, &sampler);
    for (unsigned s = 0; s < DRAWN && status == TZ_OK; s++) {
        const tz_derivation *d;
        status = tz_sampler_next(sampler, &d);
        if (status == TZ_NO_MEMORY && a->retry)
            status = tz_sampler_next(sampler, &d);
        if (status == TZ_OK && a->compare)
            assert_true(a->key[s] == derivation_key(d));
        if (status == TZ_OK)
            a->key[s] = derivation_key(d);
    }
    return (int)status;
}

TEST(memory) {
    random_state random = random_start("memory of samples");
    static const char *const names[] = {"eisner", "cky", "skip-note"};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned without = 0; without < 2; without++) {
            const tz_rules *rules = find_rules(names[i]);
            OWNED(random_problem, problem) = {0};
            problem_of_size(rules, 6, plain_scores, &random, &problem);
            attempt a = {.problem = &problem, .rules = rules, .without = without == 1};
            assert_ok(try_samples(&a));
            a.compare = true;
            size_t made = oom_sweep(names[i], try_samples, &a, TZ_NO_MEMORY, false);
            a.retry = true;
            oom_sweep(names[i], try_samples, &a, TZ_NO_MEMORY, true);
            print_message("# %s: %zu allocations\n", names[i], made);
        }
}

/* ---- Charts that go over to wide elements while they are sampled ----------------------------- */

typedef struct wide_attempt {
    const tz_rules *rules;
    const random_problem *problem;
    double value;
    bool went_wide;
} wide_attempt;

/* A chart left by a failure says that it has no values, or has the right ones. */
static void check_left(const wide_attempt *a, tz_chart *chart) {
    double value;
    tz_status status = tz_goal(chart, 0, &value);
    assert_true(status == TZ_BAD_ARGUMENT || (status == TZ_OK && value == a->value));
    status = tz_inside(chart);
    if (status == TZ_OK)
        assert_true(tz_goal(chart, 0, &value) == TZ_OK && value == a->value);
    else
        assert_true(status == TZ_BAD_ARGUMENT || status == TZ_NO_MEMORY);
}

static int try_wide(void *user) {
    wide_attempt *a = user;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    OWN(tz_sampler, sampler) = NULL;
    double value;
    tz_status status =
        tz_plan_new(a->rules, tz_semiring_find("log", TZ_F64), TZ_FORCE, &plan, NULL);
    if (status == TZ_OK)
        status = try_inside(plan, &a->problem->problem, 1, &chart);
    bool narrow = status == TZ_OK && !is_wide(chart);
    if (status == TZ_OK && tz_goal(chart, 0, &value) == TZ_OK)
        a->value = value;
    if (status == TZ_OK)
        status = tz_sampler_new(chart, 0, SEED, false, &sampler);
    for (unsigned s = 0; s < DRAWN && status == TZ_OK; s++) {
        const tz_derivation *d;
        status = tz_sampler_next(sampler, &d);
    }
    a->went_wide = status == TZ_OK && narrow && is_wide(chart);
    if (sampler != NULL && status == TZ_NO_MEMORY)
        check_left(a, chart);
    return (int)status;
}

TEST(wide) {
    random_state random = random_start("memory of charts that go wide");
    unsigned swept = 0;
    for (unsigned trial = 0; trial < 200 && swept < 2; trial++) {
        const tz_rules *rules = find_rules("compress");
        OWNED(random_problem, problem) = {0};
        problem_of_size(rules, 14, wide_scores, &random, &problem);
        wide_attempt a = {.rules = rules, .problem = &problem};
        tz_status status = (tz_status)try_wide(&a);
        if (status == TZ_OK && a.went_wide) {
            oom_sweep("a chart that goes wide", try_wide, &a, TZ_NO_MEMORY, true);
            swept++;
        }
    }
    assert_int_equal(swept, 2);
}
