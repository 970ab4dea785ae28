/* test_answers.c - do tz_run, tz_answer and kept charts fill arrays with what the functions give
 * that are asked one by one? SPDX-License-Identifier: MIT */
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

/* Something that no answer is, in every cell. */
static void spoil(job *j) {
    for (unsigned p = 0; p < PROBLEMS; p++)
        for (unsigned k = 0; k < KINDS; k++)
            for (unsigned w = 0; w < tz_rules_count(j->rules, TZ_WEIGHTS); w++)
                for (size_t c = 0; c < j->own[p].cells[w]; c++)
                    j->data[k][p][w][c] = -77;
}

static void check_cells(const job *j, unsigned kind, unsigned p, unsigned w, const double *right) {
    for (size_t c = 0; c < j->own[p].cells[w]; c++)
        if (j->data[kind][p][w][c] != right[c])
            fail_msg("%s, problem %u: cell %zu of weight %u (%u) is %g, not %g",
                     tz_rules_name(j->rules), p, c, w, kind, j->data[kind][p][w][c], right[c]);
}

/* One problem by itself, in a chart of its own. */
static void check_problem(const job *j, unsigned p, bool marginals, bool best, double none) {
    OWN(tz_chart, chart) = make_chart(j->plan);
    run_outside(chart, &j->problem[p], 1);
    double value = goal_of(chart, 0);
    assert_true(value == j->value[p]);
    const tz_derivation *found = NULL;
    tz_status there = best ? tz_best(chart, 0, TZ_GOAL, NULL, &found) : TZ_OK;
    for (unsigned w = 0; w < tz_rules_count(j->rules, TZ_WEIGHTS); w++) {
        const random_problem *own = &j->own[p];
        FREED(double, right) = calloc(own->cells[w] + 1, sizeof *right);
        tz_output output = problem_output(own, w, right);
        if (marginals) {
            assert_in_range(tz_marginals(chart, 0, w, &output), TZ_OK, TZ_NONE);
            check_cells(j, 0, p, w, right);
        }
        for (size_t c = 0; c < own->cells[w]; c++)
            right[c] = none;
        assert_in_range(tz_through(chart, 0, w, &output), TZ_OK, TZ_NONE);
        check_cells(j, 1, p, w, right);
        for (size_t c = 0; c < own->cells[w]; c++)
            right[c] = 0;
        for (size_t u = 0; best && there == TZ_OK && u < found->uses; u++)
            if (found->use[u].weight == w)
                right[problem_cell(own, w, found->use[u].index)]++;
        if (best)
            check_cells(j, 2, p, w, right);
    }
}

/* Every rule set under max, log and count; the same charts for several runs, on 1 and 3 threads. */
TEST(arrays) {
    random_state random = random_start("answers");
    static const char *const semirings[] = {"max", "log", "count"};
    static job j;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        for (unsigned s = 0; s < 3; s++) {
            bool marginals = s == 1, best = s == 0;
            make_job(tz_rules_builtin(i), tz_semiring_find(semirings[s], TZ_F64), &random, &j);
            tz_answers answers = answers_of(&j, marginals, best);
            tz_run_options options = {.outside = true};
            assert_ok(tz_charts_new(j.plan, &options.charts));
            for (options.threads = 1; options.threads <= 3; options.threads++) {
                spoil(&j);
                assert_ok(tz_run(j.plan, j.problem, PROBLEMS, &options, tz_answer, &answers, NULL));
                for (unsigned p = 0; p < PROBLEMS; p++)
                    check_problem(&j, p, marginals, best, s == 2 ? 0 : -INFINITY);
            }
            tz_charts_free(options.charts);
            free_job(&j);
        }
    }
}

/* All numbers of an element, and how many they are. */
TEST(values) {
    random_state random = random_start("values");
    static job j;
    OWN(tz_semiring, kbest) = make_semiring("kbest(4)", TZ_F64);
    make_job(find_rules("compress"), kbest, &random, &j);
    double values[PROBLEMS * 4];
    size_t number[PROBLEMS];
    tz_answers answers = {.values = values, .number = number};
    assert_ok(tz_run(j.plan, j.problem, PROBLEMS, NULL, tz_answer, &answers, NULL));
    for (unsigned p = 0; p < PROBLEMS; p++) {
        double right[4];
        size_t count;
        OWN(tz_chart, chart) = make_chart(j.plan);
        run_inside(chart, &j.problem[p], 1);
        assert_ok(tz_item_values(chart, 0, TZ_GOAL, NULL, right, &count));
        assert_int_equal(number[p], count);
        assert_memory_equal(values + 4 * p, right, count * sizeof *right);
    }
    free_job(&j);
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
