/* test_answers.c - what tz_answer and kept charts refuse, and what becomes of them where memory is
 * out. What they answer: test_batch_law.c. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "engine/batch/groups.h"
#include "tests/support/evaluate.h"
#include "tests/support/oom.h"

enum { PROBLEMS = 9, KINDS = 3 };

/* Problems of a rule set, and arrays for what tz_answer writes about them. */
typedef struct job {
    const tz_rules *rules;
    tz_plan *plan;
    random_problem own[PROBLEMS];
    tz_problem problem[PROBLEMS];
    double value[PROBLEMS];
    double *data[KINDS][PROBLEMS][MAX_WEIGHTS]; /* marginals, through, best */
    tz_output output[KINDS][PROBLEMS * MAX_WEIGHTS];
} job;

static tz_answers answers_of(job *j, bool marginals, bool best) {
    return (tz_answers){
        .value = j->value,
        .marginals = marginals ? j->output[0] : NULL,
        .through = j->output[1],
        .best = best ? j->output[2] : NULL,
    };
}

static void make_job(const tz_rules *rules, const tz_semiring *semiring, random_state *random,
                     job *j) {
    static const score_source source[] = {plain_scores, masked_scores, integer_scores};
    j->rules = rules;
    j->plan = make_plan(rules, semiring, TZ_FORCE);
    for (unsigned p = 0; p < PROBLEMS; p++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        set_lengths(rules, (int32_t)random_below(random, 9), 1 + (int32_t)p % 3, lengths);
        make_problem(rules, lengths, source[p % 3], random, &j->own[p]);
        j->problem[p] = j->own[p].problem;
        for (unsigned k = 0; k < KINDS; k++)
            for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
                j->data[k][p][w] = calloc(j->own[p].cells[w] + 1, sizeof(double));
                j->output[k][p * tz_rules_count(rules, TZ_WEIGHTS) + w] =
                    problem_output(&j->own[p], w, j->data[k][p][w]);
            }
    }
}

static void free_job(job *j) {
    for (unsigned p = 0; p < PROBLEMS; p++) {
        for (unsigned k = 0; k < KINDS; k++)
            for (unsigned w = 0; w < tz_rules_count(j->rules, TZ_WEIGHTS); w++)
                free(j->data[k][p][w]);
        random_problem_free(&j->own[p]);
    }
    tz_plan_free(j->plan);
}

TEST(refusals) {
    random_state random = random_start("refusals");
    static job j, other;
    tz_error error;
    make_job(find_rules("eisner"), tz_semiring_find("max", TZ_F64), &random, &j);
    make_job(find_rules("eisner"), tz_semiring_find("log", TZ_F64), &random, &other);
    tz_answers answers = answers_of(&j, false, false);
    tz_run_options options = {.outside = true};
    assert_ok(tz_charts_new(other.plan, &options.charts));
    assert_int_equal(tz_run(j.plan, j.problem, PROBLEMS, &options, tz_answer, &answers, &error),
                     TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "the charts are another plan's");
    /* What the semiring cannot answer ends the run. */
    answers = answers_of(&other, true, true);
    assert_int_equal(
        tz_run(other.plan, other.problem, PROBLEMS, &options, tz_answer, &answers, &error), TZ_LAW);
    tz_charts_free(options.charts);
    tz_charts_free(NULL);
    free_job(&j);
    free_job(&other);
}

static int run_twice(void *user) {
    job *j = user;
    tz_answers answers = answers_of(j, false, true);
    tz_run_options options = {.outside = true};
    tz_status status = tz_charts_new(j->plan, &options.charts);
    for (unsigned round = 1; round <= 2 && status == TZ_OK; round++) {
        options.threads = 1;
        status = tz_run(j->plan, j->problem, PROBLEMS, &options, tz_answer, &answers, NULL);
    }
    tz_charts_free(options.charts);
    return (int)status;
}

TEST(memory) {
    random_state random = random_start("memory");
    static job j;
    make_job(find_rules("compress"), tz_semiring_find("max", TZ_F64), &random, &j);
    assert_true(oom_sweep("kept charts", run_twice, &j, TZ_NO_MEMORY, false) > 0);
    free_job(&j);
}

BEFORE_TESTS {
    tz_thread_cost = 0;
}
