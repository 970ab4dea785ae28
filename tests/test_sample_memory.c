/* test_sample_memory.c - do samplers survive every failed allocation, and go on with the same
 * samples?
 *
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oom.h"
#include "sampling.h"

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
    tz_plan *plan = NULL;
    tz_chart *chart = NULL;
    tz_sampler *sampler = NULL;
    tz_status status =
        tz_plan_new(a->rules, tz_semiring_find("log", TZ_F64), TZ_FORCE, &plan, NULL);
    if (status == TZ_OK)
        status = tz_chart_new(plan, &chart);
    if (status == TZ_OK)
        status = tz_bind(chart, &a->problem->problem, 1, NULL);
    if (status == TZ_OK)
        status = tz_inside(chart);
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
    tz_sampler_free(sampler);
    tz_chart_free(chart);
    tz_plan_free(plan);
    return (int)status;
}

static void test_memory(void **state) {
    (void)state;
    random_state random = random_start("memory of samples");
    static const char *const names[] = {"eisner", "cky", "skip-note"};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned without = 0; without < 2; without++) {
            const tz_rules *rules = find_rules(names[i]);
            random_problem problem;
            problem_of_size(rules, 6, plain_scores, &random, &problem);
            attempt a = {.problem = &problem, .rules = rules, .without = without == 1};
            assert_int_equal(try_samples(&a), TZ_OK);
            a.compare = true;
            size_t made = oom_sweep(names[i], try_samples, &a, TZ_NO_MEMORY, false);
            a.retry = true;
            oom_sweep(names[i], try_samples, &a, TZ_NO_MEMORY, true);
            print_message("# %s: %zu allocations\n", names[i], made);
            free_problem(rules, &problem);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
