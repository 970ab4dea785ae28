/* test_bits.c - the same bits alone, beside others, in any grouping, on any number of threads, and
 * with the rules read from their file.
 *
 * Compared are values, best derivations with their proof trees, marginals and values through cells.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "engine/batch/groups.h"
#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/narrow.h"
#include "tests/support/record.h"

/* The weights of so many problems side by side take less than 64 MB, with gaps: else they are
 * gathered, and their marginals summed in another order. */
enum {
    PROBLEMS = 21,
    MOST_CELLS = (64 << 20) / 16 / PROBLEMS / 2,
    EQUAL = AMOUNT(14, 8),
    LONGEST = AMOUNT(19, 9)
};

static const char *const semirings[] = {"max", "log"};

/* One rule set's problems and what each answers alone. */
typedef struct batch {
    const tz_rules *rules;
    random_problem own[PROBLEMS];
    tz_problem problem[PROBLEMS];
    record alone[PROBLEMS];
    bool same[PROBLEMS]; /* each written by one visit: charts may be on other threads */
} batch;

static tz_status answers(const batch *b, size_t problem, tz_chart *chart, size_t lane,
                         record *ret) {
    const random_problem *p = &b->own[problem];
    return record_answers(ret, chart, lane, tz_rules_count(b->rules, TZ_WEIGHTS), p->shape,
                          p->cells);
}

static tz_status compare(void *user, size_t problem, tz_chart *chart, size_t lane) {
    batch *b = user;
    record r = {0};
    tz_status status = answers(b, problem, chart, lane, &r);
    b->same[problem] =
        r.size == b->alone[problem].size && memcmp(r.data, b->alone[problem].data, r.size) == 0;
    free(r.data);
    return status;
}

/* Lengths 0..LONGEST, some of them equal, one longer; all kinds of scores. */
static void make_batch(const tz_rules *rules, random_state *random, batch *b) {
    static const score_source source[] = {plain_scores, integer_scores, masked_scores,
                                          large_scores};
    b->rules = rules;
    for (unsigned i = 0; i < PROBLEMS; i++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        int32_t n = i < 4 ? EQUAL : (int32_t)random_below(random, LONGEST + 1);
        n = i == 20 ? 2 * LONGEST : n;
        do
            set_affordable_lengths(rules, n--, 1 + (int32_t)i % 3, lengths);
        while (dense_cells(rules, lengths) > MOST_CELLS);
        make_problem(rules, lengths, source[i % 4], random, &b->own[i]);
        b->problem[i] = b->own[i].problem;
    }
}

static void answer_alone(const tz_plan *plan, batch *b) {
    for (unsigned i = 0; i < PROBLEMS; i++) {
        b->alone[i] = (record){0};
        OWN(tz_chart, chart) = make_chart(plan);
        run_outside(chart, &b->problem[i], 1);
        assert_ok(answers(b, i, chart, 0, &b->alone[i]));
    }
}

static void check_same(const batch *b, const char *semiring, const char *how) {
    for (unsigned i = 0; i < PROBLEMS; i++)
        if (!b->same[i])
            fail_msg("%s x %s: problem %u of length %d differs %s", tz_rules_name(b->rules),
                     semiring, i, b->problem[i].lengths[0], how);
}

/* tz_run with 1, 3, 8, 16 and the engine's own choice of lanes, on 1 and 2 threads, in charts that
 * are kept or not = alone. */
TEST(lanes_and_threads) {
    random_state random = random_start("lanes and threads");
    static const unsigned lanes[] = {0, 1, 3, 8, 16};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        batch b;
        make_batch(tz_rules_builtin(i), &random, &b);
        for (unsigned s = AMOUNT(0, i % 2); s < 2; s += AMOUNT(1, 2)) {
            const tz_semiring *semiring = tz_semiring_find(semirings[s], TZ_F64);
            OWN(tz_plan, plan) = make_plan(b.rules, semiring, TZ_FORCE);
            OWN(tz_charts, kept) = NULL;
            assert_ok(tz_charts_new(plan, &kept));
            answer_alone(plan, &b);
            for (unsigned l = 0; l < 2 * sizeof lanes / sizeof *lanes; l += AMOUNT(1, 3)) {
                tz_run_options options = {true, lanes[l / 2], 1 + l % 2, l % 4 > 0 ? kept : NULL,
                                          NULL};
                char how[64];
                snprintf(how, sizeof how, "with %u lanes on %u threads", options.lanes,
                         options.threads);
                memset(b.same, 0, sizeof b.same);
                assert_ok(tz_run(plan, b.problem, PROBLEMS, &options, compare, &b, NULL));
                check_same(&b, semirings[s], how);
            }
            for (unsigned k = 0; k < PROBLEMS; k++)
                free(b.alone[k].data);
        }
        free_problems(b.own, PROBLEMS);
    }
}

/* Problems of any lengths in one chart, in any order, twice in the same chart = alone. */
TEST(mixed_in_one_chart) {
    random_state random = random_start("mixed lengths in one chart");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        batch b;
        make_batch(tz_rules_builtin(i), &random, &b);
        for (unsigned s = AMOUNT(0, i % 2); s < 2; s += AMOUNT(1, 2)) {
            const tz_semiring *semiring = tz_semiring_find(semirings[s], TZ_F64);
            OWN(tz_plan, plan) = make_plan(b.rules, semiring, TZ_FORCE);
            answer_alone(plan, &b);
            OWN(tz_chart, chart) = make_chart(plan);
            for (unsigned round = 0; round < 2; round++) {
                memset(b.same, 0, sizeof b.same);
                run_outside(chart, b.problem, PROBLEMS);
                for (size_t k = 0; k < PROBLEMS; k++)
                    assert_ok(compare(&b, k, chart, k));
                check_same(&b, semirings[s], "beside others");
                /* The chart is dirty in other lanes and lengths for the second round. */
                run_outside(chart, b.problem + 7, 5);
                for (size_t k = 0; k < 5; k++)
                    assert_ok(compare(&b, 7 + k, chart, k));
                check_same(&b, semirings[s], "in a chart used before");
            }
            for (unsigned k = 0; k < PROBLEMS; k++)
                free(b.alone[k].data);
        }
        free_problems(b.own, PROBLEMS);
    }
}

/* A rule set read from its file answers with the bits of the one that is built in. */
TEST(read_at_run_time) {
    random_state random = random_start("rules read at run time");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        batch b;
        make_batch(tz_rules_builtin(i), &random, &b);
        char path[1024];
        OWN(tz_rules, read) = NULL;
        snprintf(path, sizeof path, "%s/rules/%s.rules", TZ_SOURCE_ROOT, tz_rules_name(b.rules));
        assert_ok(tz_rules_read(path, &read, NULL));
        assert_ptr_not_equal(read, b.rules);
        for (unsigned s = 0; s < 2; s++) {
            const tz_semiring *semiring = tz_semiring_find(semirings[s], TZ_F64);
            OWN(tz_plan, builtin) = make_plan(b.rules, semiring, TZ_FORCE);
            OWN(tz_plan, other) = make_plan(read, semiring, TZ_FORCE);
            answer_alone(builtin, &b);
            tz_run_options options = {.outside = true};
            memset(b.same, 0, sizeof b.same);
            assert_ok(tz_run(other, b.problem, PROBLEMS, &options, compare, &b, NULL));
            check_same(&b, semirings[s], "with its rules read from the file");
            for (unsigned k = 0; k < PROBLEMS; k++)
                free(b.alone[k].data);
        }
        free_problems(b.own, PROBLEMS);
    }
}

/* A weight of more than 64 MB as elements has its place in the chart of one problem, and is
 * gathered where several stand side by side. */
TEST(gathered) {
    enum { WORDS = 170, TWO = 2 };
    const tz_rules *rules = find_rules("sibling-single-root");
    random_state random = random_start("gathered weights");
    OWNED(random_problem, p) = {0};
    problem_of_size(rules, WORDS, plain_scores, &random, &p);
    const tz_problem problem[TWO] = {p.problem, p.problem};
    for (size_t s = 0; s < sizeof semirings / sizeof *semirings; s++) {
        double value[TWO];
        OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find(semirings[s], TZ_F64), 0);
        for (size_t lanes = 1; lanes <= TWO; lanes++) {
            OWN(tz_chart, chart) = make_chart(plan);
            run_inside(chart, problem, lanes);
            assert_int_equal(chart->layout.weight_box[0].absent, lanes == TWO);
            assert_ok(tz_goal(chart, lanes - 1, &value[lanes - 1]));
        }
        assert_memory_equal(&value[0], &value[1], sizeof *value);
    }
}

BEFORE_TESTS {
    tz_thread_cost = 0;
}
