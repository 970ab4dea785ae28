/* test_bench.c - what `trapeze bench` and bench/rulesets.c measure with: is the arithmetic right,
 * and are the jobs what they are called? No time is asserted. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure/lengths.h"
#include "measure/parity.h"
#include "measure/pipeline.h"
#include "measure/probe.h"
#include "tests/support/shell.h"

TEST(statistics) {
    double one[] = {7}, odd[] = {5, 1, 9}, even[] = {4, 1, 3, 2}, skew[] = {1, 1, 1, 1, 1000};
    tz_middle m = tz_middle_of(one, 1);
    assert_true(m.median == 7 && m.spread == 0);
    m = tz_middle_of(odd, 3);
    assert_true(m.median == 5 && m.spread == 2); /* quartiles 3 and 7 */
    m = tz_middle_of(even, 4);
    assert_true(m.median == 2.5 && m.spread == 0.75); /* 1.75 and 3.25 */
    m = tz_middle_of(skew, 5);
    assert_true(m.median == 1 && m.spread == 0);

    /* two samples of three jobs */
    double seconds[] = {1, 3, 10, 2, 6, 30};
    tz_timings times = {.jobs = 3, .samples = 2, .seconds = seconds};
    assert_true(tz_difference(&times, 1, -1).median == 4.5);
    assert_true(tz_difference(&times, 1, 0).median == 3);
    assert_true(tz_ratio(&times, 1, -1, 0, -1).median == 3);
    assert_true(tz_ratio(&times, 2, 0, 1, 0).median == (9 / 2.0 + 28 / 4.0) / 2);
}

TEST(growth) {
    assert_true(fabs(tz_growth(10, 5, 20, 40) - 3) < 1e-15);
    assert_true(fabs(tz_growth(20, 40, 10, 5) - 3) < 1e-15);
    assert_true(tz_growth(10, 5, 100, 5) == 0);
    assert_true(isnan(tz_growth(0, 1, 10, 2)) && isnan(tz_growth(10, 1, 10, 2)) &&
                isnan(tz_growth(10, 0, 20, 1)) && isnan(tz_growth(10, 1, 20, NAN)));
}

typedef struct counted {
    size_t turns;
    tz_status status;
} counted;

/* A turn lasts until the clock, whatever its grain, has moved. */
static tz_status count_turn(void *user, size_t turn) {
    counted *c = user;
    double start = tz_seconds();
    assert_int_equal(turn, c->turns);
    c->turns++;
    while (tz_seconds() == start) {
    }
    return c->status;
}

TEST(jobs) {
    counted a = {0, TZ_OK}, b = {0, TZ_OK}, bad = {0, TZ_LAW};
    tz_timings times;
    assert_ok(tz_time((tz_job[]){{count_turn, &a, NULL}, {count_turn, &b, NULL}}, 2, 1e-9, &times));
    assert_int_equal(times.jobs, 2);
    assert_int_equal(times.samples, 3);
    assert_true(a.turns > 3 && b.turns > 3);
    for (size_t i = 0; i < 6; i++)
        assert_true(times.seconds[i] > 0);
    tz_timings_free(&times);
    /* what it timed itself */
    counted c = {0, TZ_OK};
    double clock = 0;
    assert_ok(tz_time((tz_job[]){{count_turn, &c, &clock}}, 1, 1e-9, &times));
    for (size_t i = 0; i < times.samples; i++)
        assert_true(times.seconds[i] == 0);
    tz_timings_free(&times);
    assert_int_equal(tz_time((tz_job[]){{count_turn, &bad, NULL}}, 1, 1, &times), TZ_LAW);
    assert_int_equal(bad.turns, 1);
}

TEST(probe) {
    tz_peak peak;
    assert_ok(tz_probe(TZ_ISA_BASELINE, TZ_F32, 1 << 14, &peak));
    assert_true(peak.loads > 0 && peak.products > 0);
    assert_true(tz_peak_products(&(tz_peak){80, 11}, TZ_F32) == 10);
    assert_true(tz_peak_products(&(tz_peak){80, 11}, TZ_F64) == 5);
    assert_true(tz_peak_products(&(tz_peak){80, 3}, TZ_F64) == 3);
}

/* The same seed, the same scores; no two problems alike; sparse weights full. */
TEST(workload) {
    const tz_rules *rules = tz_rules_find("cky");
    int32_t lengths[2 * 8] = {0};
    size_t own = tz_rules_count(rules, TZ_LENGTHS), bytes;
    OWN(tz_workload, c) = NULL, *b = NULL, *a = NULL;
    assert_in_range(own, 1, 8);
    for (size_t p = 0; p < 2; p++)
        tz_workload_lengths(rules, 5, 3, lengths + p * own);
    assert_ok(tz_workload_bytes(rules, TZ_FLOAT, lengths, &bytes));
    assert_ok(tz_workload_new(rules, TZ_FLOAT, lengths, 2, 1, &a));
    assert_ok(tz_workload_new(rules, TZ_FLOAT, lengths, 2, 1, &b));
    assert_ok(tz_workload_new(rules, TZ_FLOAT, lengths, 2, 2, &c));
    assert_int_equal(a->bytes, 2 * bytes);
    for (size_t w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        const tz_scores *x = &a->problem[0].scores[w], *y = &b->problem[0].scores[w];
        tz_shape shape = shape_of(rules, w, lengths);
        size_t cells = 1;
        for (unsigned q = 0; q < shape.rank; q++)
            cells *= (size_t)shape.extent[q];
        if (shape.sparse)
            assert_int_equal(x->entries, cells);
        size_t size = cells * sizeof(float);
        assert_memory_equal(x->data, y->data, size);
        assert_memory_not_equal(x->data, a->problem[1].scores[w].data, size);
        assert_memory_not_equal(x->data, c->problem[0].scores[w].data, size);
    }
}

static void ask_library(const tz_plan *plan, int32_t n, const double *arc, double *ret_value,
                        double *ret_marginals) {
    tz_shape shape = shape_of(tz_rules_find("eisner"), 0, &n);
    tz_scores scores = tz_scores_dense(&shape, arc);
    tz_output output = tz_output_dense(&shape, ret_marginals);
    OWN(tz_chart, chart) = make_chart(plan);
    run_outside(chart, &(tz_problem){.lengths = &n, .scores = &scores}, 1);
    assert_ok(tz_goal(chart, 0, ret_value));
    assert_ok(tz_marginals(chart, 0, 0, &output));
}

/* The stages give what the calls that they stand for give; parity finds a difference. */
TEST(pipeline) {
    enum { N = 9, PROBLEMS = 10 };
    const tz_rules *rules = tz_rules_find("eisner");
    const tz_semiring *semiring = tz_semiring_find("log", TZ_F64);
    int32_t lengths[PROBLEMS];
    for (int p = 0; p < PROBLEMS; p++)
        lengths[p] = N;
    OWN(tz_workload, work) = NULL;
    tz_error error = {TZ_OK, ""};
    bool same = false;
    assert_ok(tz_workload_new(rules, TZ_DOUBLE, lengths, PROBLEMS, 1, &work));
    OWN(tz_plan, plan) = make_plan(rules, semiring, 0);
    for (size_t lanes = 0; lanes <= 4; lanes += 2) {
        OWN(tz_pipeline, p) = NULL;
        double value, marginals[(N + 1) * (N + 1)];
        assert_ok(tz_pipeline_new(plan, semiring, work, 7, lanes, 2, &p));
        unsigned stages = TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_OUTSIDE | TZ_STAGE_MARGINALS;
        for (size_t turn = 0; turn < 3; turn++) {
            assert_ok(tz_pipeline_turn(&(tz_staged){p, stages, false, 0}, turn));
            for (size_t i = 0; i < 7; i++) {
                const double *arc = work->problem[(turn * 7 + i) % PROBLEMS].scores[0].data;
                ask_library(plan, N, arc, &value, marginals);
                assert_true(p->value[i] == value);
                assert_memory_equal(p->marginals[i], marginals, sizeof marginals);
            }
        }
        tz_staged clocked = {p, stages, true, 0};
        assert_ok(tz_pipeline_turn(&clocked, 0));
        assert_int_equal(clocked.seconds > 0, lanes > 0);
    }
    assert_ok(tz_parity(plan, semiring, 0, work, 4, true, &same, &error));
    assert_true(same);
    /* "Another" semiring: the plan's answers are log's, the reference's max's. */
    assert_ok(tz_parity(plan, tz_semiring_find("max", TZ_F64), 0, work, 4, false, &same, &error));
    assert_false(same);
    assert_contains(error.message, "problem 0: ");
}

TEST(lengths) {
    int32_t *lengths, picked[4];
    size_t count;
    tz_error error;
    write_file("good.txt", "# a histogram\n\n7 2 # twice\n3\n  5\t1\r\n9 0\n");
    assert_ok(tz_read_lengths("good.txt", &lengths, &count, &error));
    assert_int_equal(count, 4);
    assert_memory_equal(lengths, ((int32_t[]){3, 5, 7, 7}), sizeof picked);
    int sum = 0;
    tz_pick_lengths(lengths, count, 4, 1, picked);
    for (int i = 0; i < 4; i++)
        sum += picked[i];
    assert_int_equal(sum, 22);
    tz_pick_lengths(lengths, count, 1, 1, picked);
    assert_int_equal(picked[0], 7);
    free(lengths);

    static const char *const wrong[] = {"3\nx\n", "3\n1 2 3\n", "3\n-1\n", "3\n1.5\n",
                                        "3\n9999999\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_file("bad.txt", wrong[i]);
        assert_int_equal(tz_read_lengths("bad.txt", &lengths, &count, &error), TZ_IO);
        assert_null(lengths);
        assert_contains(error.message, "bad.txt:2: ");
    }
    write_file("bad.txt", "1 99999999\n");
    assert_int_equal(tz_read_lengths("bad.txt", &lengths, &count, &error), TZ_TOO_LARGE);
    write_file("bad.txt", "# nothing\n");
    assert_int_equal(tz_read_lengths("bad.txt", &lengths, &count, &error), TZ_IO);
    assert_int_equal(tz_read_lengths("missing.txt", &lengths, &count, &error), TZ_IO);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
