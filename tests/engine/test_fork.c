/* test_fork.c - a process forked after its parent used several threads uses several too, and so
 * does its own child. With sanitizers it is skipped: gcc 12's leaves its allocator locked in a
 * child where a thread of the parent had it. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/batch/groups.h"
#include "tests/support/problem.h"

enum { PROBLEMS = 12, MOST_SECONDS = 120 };

typedef struct batch {
    tz_plan *plan;
    tz_problem problem[PROBLEMS];
    double value[PROBLEMS];
} batch;

/* Are the values on three threads those kept? */
static bool agrees(const batch *b) {
    double value[PROBLEMS];
    tz_answers answers = {.value = value};
    for (unsigned turn = 0; turn < 3; turn++)
        if (tz_run(b->plan, b->problem, PROBLEMS, &(tz_run_options){.threads = 3}, tz_answer,
                   &answers, NULL) != TZ_OK ||
            memcmp(value, b->value, sizeof value) != 0)
            return false;
    return true;
}

/* Do so many generations of children agree? A child that hangs is ended. */
static bool children_agree(const batch *b, unsigned generations) {
    int status;
    if (generations == 0)
        return true;
    pid_t child = fork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        _exit(agrees(b) && children_agree(b, generations - 1) ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

TEST(children) {
#ifdef __SANITIZE_ADDRESS__
    skip();
#endif
    random_state random = random_start("children");
    random_problem own[PROBLEMS];
    const tz_rules *rules = tz_rules_find("eisner");
    batch b;
    OWN(tz_semiring, semiring) = make_semiring("log", TZ_F64);
    b.plan = make_plan(rules, semiring, 0);
    for (unsigned i = 0; i < PROBLEMS; i++) {
        int32_t n = 1 + (int32_t)random_below(&random, 20);
        make_problem(rules, &n, plain_scores, &random, &own[i]);
        b.problem[i] = own[i].problem;
    }
    tz_answers answers = {.value = b.value};
    assert_ok(tz_run(b.plan, b.problem, PROBLEMS, NULL, tz_answer, &answers, NULL));
    assert_true(agrees(&b));
    assert_true(children_agree(&b, 2));
    assert_true(agrees(&b));
    free_problems(own, PROBLEMS);
    tz_plan_free(b.plan);
}

BEFORE_TESTS {
    tz_thread_cost = 0;
}
