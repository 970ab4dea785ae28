/* test_api.c - the public header as a program uses and misuses it. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include <trapeze/kernel.h>

#include "semirings/maker.h"
#include "tests/support/amount.h"
#include "tests/support/problem.h"
#include "tests/support/rules_text.h"
#include "tests/support/tropical.h"

static const tz_rules *eisner(void) {
    const tz_rules *rules = tz_rules_find("eisner");
    assert_non_null(rules);
    return rules;
}

static tz_chart *new_chart(const tz_rules *rules, const tz_semiring *semiring, tz_plan **ret_plan) {
    *ret_plan = make_plan(rules, semiring, 0);
    return make_chart(*ret_plan);
}

static void assert_message(const tz_error *error, tz_status status, const char *part) {
    assert_int_equal(error->status, status);
    if (strstr(error->message, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error->message, part);
}

/* ---- Looking things up ----------------------------------------------------------------------- */

TEST(lists) {
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        assert_ptr_equal(tz_rules_find(tz_rules_name(rules)), rules);
        if (i > 0)
            assert_true(strcmp(tz_rules_name(tz_rules_builtin(i - 1)), tz_rules_name(rules)) < 0);
        assert_null(tz_rules_name_of(rules, TZ_LENGTHS, tz_rules_count(rules, TZ_LENGTHS)));
        assert_null(tz_rules_name_of(rules, TZ_WEIGHTS, tz_rules_count(rules, TZ_WEIGHTS)));
        assert_null(tz_rules_name_of(rules, TZ_ITEMS, 1000));
        assert_null(tz_rules_name_of(rules, TZ_RULES, 1000));
    }
    assert_null(tz_rules_find("no-such-rules"));
    assert_null(tz_semiring_find("no-such-semiring", TZ_F64));
    for (size_t i = 0; tz_semiring_at(i, TZ_F32) != NULL; i++)
        assert_ptr_equal(tz_semiring_find(tz_semiring_at(i, TZ_F32)->name, TZ_F32),
                         tz_semiring_at(i, TZ_F32));
    for (int status = TZ_OK; status <= TZ_IO; status++)
        assert_true(strlen(tz_status_name((tz_status)status)) > 0);
    tz_rules_free(NULL);
    tz_rules_free((tz_rules *)eisner());
    tz_plan_free(NULL);
    tz_chart_free(NULL);
    assert_ptr_equal(tz_rules_find("eisner"), eisner());
}

TEST(shapes) {
    const tz_rules *compress = tz_rules_find("compress");
    int32_t n = 4, negative = -1, huge = TZ_MAX_LENGTH + 1;
    tz_shape shape = shape_of(compress, 0, &n);
    assert_int_equal(shape.rank, 2);
    assert_false(shape.sparse);
    assert_int_equal(shape.origin[0], 0);
    assert_int_equal(shape.origin[1], 0);
    assert_int_equal(shape.extent[0], 5);
    assert_int_equal(shape.extent[1], 5);
    shape = shape_of(compress, 1, &n);
    assert_int_equal(shape.extent[0], 5); /* 0 <= i < j <= n+1 */
    assert_int_equal(shape.extent[1], 6);
    /* n = 0, m = 1: [0,0] is the only cell, without `!=` there would be [-1,1]. */
    OWN(tz_rules, apart) = parse_rules("rules r\nlength n, m\nweight w[i,j] n-2 <= i <= n, "
                                       "0 <= j <= m, j != 1, i+j = n\nitem at\ngoal at\n"
                                       "axiom\n--- s * w[_,_]\nat\n");
    shape = shape_of(apart, 0, (int32_t[]){0, 1});
    assert_int_equal(shape.origin[0], -1);
    assert_int_equal(shape.extent[0], 2);
    assert_int_equal(shape.extent[1], 2);
    assert_int_equal(tz_rules_shape(compress, 2, &n, &shape), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_rules_shape(compress, 0, &negative, &shape), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_rules_shape(compress, 0, &huge, &shape), TZ_BAD_ARGUMENT);
    assert_true(tz_rules_declared(compress, 0, &n, (int32_t[]){0, 4}));
    assert_false(tz_rules_declared(compress, 0, &n, (int32_t[]){2, 2}));
    assert_false(tz_rules_declared(compress, 0, &n, (int32_t[]){0, 5}));
    assert_false(tz_rules_declared(compress, 7, &n, (int32_t[]){0, 1}));
    assert_false(tz_rules_declared(compress, TZ_INPUT, &n, (int32_t[]){1}));
    tz_rules *rules; /* input x[t] < V, 1 <= t <= n */
    assert_int_equal(tz_gallery_read("gallery/grammar", &rules, NULL), TZ_OK);
    const int32_t lengths[TZ_MAX_LENGTHS] = {4, 1, 1};
    assert_true(tz_rules_declared(rules, TZ_INPUT, lengths, (int32_t[]){4}));
    assert_false(tz_rules_declared(rules, TZ_INPUT, lengths, (int32_t[]){0}));
    assert_false(tz_rules_declared(rules, TZ_INPUT + 1, lengths, (int32_t[]){1}));
    tz_rules_free(rules);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

TEST(rules_read) {
    tz_rules *rules = (tz_rules *)eisner();
    tz_error error;
    assert_int_equal(tz_rules_read("no/such/file.rules", &rules, &error), TZ_IO);
    assert_null(rules);
    assert_message(&error, TZ_IO, "no/such/file.rules");
    assert_int_equal(tz_rules_read(TZ_SOURCE_ROOT, &rules, &error), TZ_IO);
    assert_int_equal(tz_rules_parse("none", "", 0, &rules, &error), TZ_BAD_RULES);
    assert_message(&error, TZ_BAD_RULES, "none:1:1:");
    assert_int_equal(tz_rules_parse("none", "", 0, &rules, NULL), TZ_BAD_RULES);
}

/* ---- Semirings of the user's own ------------------------------------------------------------- */

/* A name, plus and times are enough, and give what max gives. */
TEST(plug_in) {
    random_state random = random_start("plug-in");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        OWNED(random_problem, p) = {0};
        int32_t lengths[TZ_MAX_LENGTHS];
        set_lengths(rules, 7, 3, lengths);
        make_problem(rules, lengths, masked_scores, &random, &p);
        tz_plan *plan[2];
        tz_chart *chart[2];
        double value[2];
        const tz_derivation *best[2];
        tz_status status[2];
        for (int s = 0; s < 2; s++) {
            chart[s] =
                new_chart(rules, s == 0 ? &tropical : tz_semiring_find("max", TZ_F64), &plan[s]);
            run_inside(chart[s], &p.problem, 1);
            value[s] = goal_of(chart[s], 0);
            status[s] = tz_best(chart[s], 0, TZ_GOAL, NULL, &best[s]);
        }
        assert_memory_equal(&value[0], &value[1], sizeof value[0]);
        assert_int_equal(status[0], status[1]);
        if (status[0] == TZ_OK) {
            assert_int_equal(best[0]->nodes, best[1]->nodes);
            assert_memory_equal(best[0]->node, best[1]->node,
                                best[0]->nodes * sizeof *best[0]->node);
        }
        for (int s = 0; s < 2; s++) {
            tz_chart_free(chart[s]);
            tz_plan_free(plan[s]);
        }
    }
}

/* Every instruction set gives the same bits, inside and outside. */
TEST(instruction_sets) {
    random_state random = random_start("instruction sets");
    static const unsigned flags[] = {0, TZ_NO_AVX512, TZ_NO_AVX2};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        for (size_t s = 0; tz_semiring_at(s, TZ_F64) != NULL; s++) {
            const tz_rules *rules = tz_rules_builtin(i);
            OWNED(random_problem, p) = {0};
            int32_t lengths[TZ_MAX_LENGTHS];
            set_lengths(rules, AMOUNT(19, 9), 3, lengths);
            make_problem(rules, lengths, masked_scores, &random, &p);
            double *through[3];
            for (int f = 0; f < 3; f++) {
                const tz_semiring *semiring = tz_semiring_at(s, TZ_F64);
                OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE | flags[f]);
                unsigned least = TZ_ISA_BASELINE;
                while (least < TZ_ISA_AVX512 && semiring->kernels->contract[least] == NULL)
                    least++;
                assert_true(tz_plan_isa(plan) + f <= TZ_ISA_AVX512 || tz_plan_isa(plan) == least);
                OWN(tz_chart, chart) = make_chart(plan);
                run_outside(chart, &p.problem, 1);
                through[f] = need(calloc(p.cells[0] + 1, sizeof(double)));
                tz_output output = tz_output_dense(&p.shape[0], through[f]);
                (void)tz_through(chart, 0, 0, &output); /* TZ_NONE leaves zeros */
                through[f][p.cells[0]] = goal_of(chart, 0);
                assert_memory_equal(through[f], through[0], (p.cells[0] + 1) * sizeof(double));
            }
            for (int f = 0; f < 3; f++)
                free(through[f]);
        }
}

TEST(semirings_refused) {
    tz_plan *plan;
    tz_error error;
    tz_semiring bad = tropical;
    bad.times = NULL;
    assert_int_equal(tz_plan_new(eisner(), &bad, 0, &plan, &error), TZ_BAD_ARGUMENT);
    assert_null(plan);
    bad = tropical;
    bad.laws &= ~(unsigned)TZ_COMMUTATIVE;
    assert_int_equal(tz_plan_new(eisner(), &bad, 0, &plan, &error), TZ_LAW);
    assert_message(&error, TZ_LAW, "commutative");
    bad = tropical;
    bad.size = 12;
    bad.align = 8;
    assert_int_equal(tz_plan_new(eisner(), &bad, 0, &plan, &error), TZ_BAD_ARGUMENT);
    const tz_rules *note = tz_rules_find("skip-note");
    assert_true(tz_rules_ambiguous(note));
    assert_int_equal(tz_plan_new(note, tz_semiring_find("log", TZ_F64), 0, &plan, &error),
                     TZ_AMBIGUOUS);
    assert_message(&error, TZ_AMBIGUOUS, "skip-note");
    assert_message(&error, TZ_AMBIGUOUS, "log");
    assert_int_equal(tz_plan_new(note, tz_semiring_find("count", TZ_F64), 0, &plan, &error),
                     TZ_AMBIGUOUS);
    assert_ok(tz_plan_new(note, tz_semiring_find("log", TZ_F64), TZ_FORCE, &plan, &error));
    tz_plan_free(plan);
    assert_ok(tz_plan_new(note, tz_semiring_find("bool", TZ_F64), 0, &plan, &error));
    tz_plan_free(plan);
}

/* ---- Problems -------------------------------------------------------------------------------- */

TEST(bad_scores) {
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = new_chart(eisner(), tz_semiring_find("max", TZ_F64), &plan);
    static const double bad[] = {NAN, INFINITY, 1e291, -1e291, 0x1.485ce9e7a0660p+963};
    static const char *const what[] = {"arc[1,2] is NaN", "+infinity", "beyond", "beyond",
                                       "is 1.0000000000000002e+290: beyond +-1e+290"};
    for (int b = 0; b < 5; b++) {
        double arc[16] = {0};
        int32_t n = 3;
        tz_error error;
        tz_shape shape = shape_of(eisner(), 0, &n);
        tz_scores scores = tz_scores_dense(&shape, arc);
        tz_problem problem = {.lengths = &n, .scores = &scores};
        arc[1 * 4 + 2] = bad[b];
        assert_int_equal(tz_problem_check(plan, &problem, &error), TZ_BAD_SCORE);
        assert_message(&error, TZ_BAD_SCORE, what[b]);
        assert_int_equal(tz_bind(chart, &problem, 1, &error), TZ_BAD_SCORE);
        assert_int_equal(tz_inside(chart), TZ_BAD_ARGUMENT);
        /* Outside the domain anything may stand. */
        arc[1 * 4 + 2] = 0;
        arc[2 * 4 + 2] = arc[2 * 4] = bad[b];
        assert_ok(tz_bind(chart, &problem, 1, NULL));
        /* The second problem of two is named. */
        tz_problem two[2] = {problem, problem};
        double other[16] = {[1] = bad[b]};
        tz_scores others = tz_scores_dense(&shape, other);
        two[1].scores = &others;
        assert_int_equal(tz_bind(chart, two, 2, &error), TZ_BAD_SCORE);
        assert_message(&error, TZ_BAD_SCORE, "problem 1: arc[0,1]");
    }
}

/* A plan that was not made is no reason to end the program. */
TEST(null_plan) {
    tz_error error;
    tz_plan *plan = (tz_plan *)&error;
    tz_chart *chart = (tz_chart *)&error;
    tz_charts *charts = (tz_charts *)&error;
    double products;
    const int32_t n = 2;
    const tz_problem problem = {.lengths = &n};
    assert_int_equal(tz_plan_new(NULL, tz_semiring_find("max", TZ_F64), 0, &plan, &error),
                     TZ_BAD_ARGUMENT);
    assert_message(&error, TZ_BAD_ARGUMENT, "there is no rule set");
    assert_null(plan);
    assert_int_equal(tz_plan_new(eisner(), NULL, 0, &plan, &error), TZ_BAD_ARGUMENT);
    assert_message(&error, TZ_BAD_ARGUMENT, "there is no semiring");
    assert_int_equal(tz_chart_new(NULL, &chart), TZ_BAD_ARGUMENT);
    assert_null(chart);
    assert_int_equal(tz_charts_new(NULL, &charts), TZ_BAD_ARGUMENT);
    assert_null(charts);
    assert_int_equal(tz_plan_products(NULL, &n, &products), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_problem_check(NULL, &problem, &error), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_run(NULL, &problem, 1, NULL, tz_answer, NULL, &error), TZ_BAD_ARGUMENT);
    assert_message(&error, TZ_BAD_ARGUMENT, "there is no plan");
}

/* What there is no room for is refused before its scores are read: 4e12 of them would take an
 * hour. */
TEST(no_room) {
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it ends a program that asks for so much */
#endif
    tz_error error;
    const int32_t n = 1 << 20;
    const double zero = 0;
    const tz_scores scores = {.data = &zero, .extent = {n + 1, n + 1}};
    const tz_problem problem = {.lengths = &n, .scores = &scores};
    OWN(tz_plan, plan) = make_plan(eisner(), tz_semiring_find("max", TZ_F64), 0);
    tz_status status = tz_run(plan, &problem, 1, NULL, tz_answer, &(tz_answers){0}, &error);
    assert_true(status == TZ_NO_MEMORY || status == TZ_TOO_LARGE);
    assert_message(&error, status, "items of 8 bytes are more than there is room for");
}

TEST(bad_problems) {
    OWN(tz_plan, plan) = NULL;
    tz_error error;
    tz_chart *chart = new_chart(eisner(), tz_semiring_find("max", TZ_F64), &plan);
    double arc[16] = {0};
    int32_t n = 3, negative = -1;
    tz_scores scores = {.data = arc, .extent = {4, 3}, .stride = {4, 1}};
    tz_problem problem = {.lengths = &n, .scores = &scores};
    assert_int_equal(tz_bind(chart, &problem, 1, &error), TZ_BAD_ARGUMENT);
    assert_message(&error, TZ_BAD_ARGUMENT, "arc has 3 positions in dimension 2, but needs 4");
    scores = (tz_scores){.extent = {4, 4}, .stride = {4, 1}};
    assert_int_equal(tz_bind(chart, &problem, 1, &error), TZ_BAD_ARGUMENT);
    problem.lengths = &negative;
    assert_int_equal(tz_bind(chart, &problem, 1, &error), TZ_BAD_ARGUMENT);
    assert_message(&error, TZ_BAD_ARGUMENT, "length n is -1");
    assert_int_equal(tz_bind(chart, &problem, 0, &error), TZ_BAD_ARGUMENT);

    const tz_rules *cky = tz_rules_find("cky");
    OWN(tz_plan, cky_plan) = NULL;
    OWN(tz_chart, cky_chart) = new_chart(cky, tz_semiring_find("max", TZ_F64), &cky_plan);
    int32_t lengths[] = {1, 2}, index[] = {0, 1, 1, 0, 1, 2};
    double span[8] = {0}, binary[2] = {0};
    tz_shape shape = shape_of(cky, 1, lengths);
    tz_scores both[] = {tz_scores_sparse(index, binary, 2), tz_scores_dense(&shape, span)};
    tz_problem sparse = {.lengths = lengths, .scores = both};
    assert_int_equal(tz_bind(cky_chart, &sparse, 1, &error), TZ_BAD_ARGUMENT);
    assert_message(&error, TZ_BAD_ARGUMENT, "entry 1: binary[0,1,2] lies outside");
    index[5] = 1;
    assert_int_equal(tz_bind(cky_chart, &sparse, 1, &error), TZ_BAD_ARGUMENT);
    assert_message(&error, TZ_BAD_ARGUMENT, "entry 1 repeats binary[0,1,1] of entry 0");
    index[5] = 0;
    assert_ok(tz_bind(cky_chart, &sparse, 1, &error));
    tz_chart_free(chart);
}

TEST(calls_out_of_order) {
    tz_plan *plan;
    tz_chart *chart = new_chart(eisner(), tz_semiring_find("log", TZ_F64), &plan);
    double arc[16] = {0}, value, cells[16];
    int32_t n = 3;
    const tz_derivation *best;
    tz_shape shape = shape_of(eisner(), 0, &n);
    tz_scores scores = tz_scores_dense(&shape, arc);
    tz_problem problem = {.lengths = &n, .scores = &scores};
    tz_output output = tz_output_dense(&shape, cells);
    assert_int_equal(tz_inside(chart), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_outside(chart), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_goal(chart, 0, &value), TZ_BAD_ARGUMENT);
    assert_ok(tz_bind(chart, &problem, 1, NULL));
    assert_int_equal(tz_outside(chart), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_goal(chart, 0, &value), TZ_BAD_ARGUMENT);
    assert_ok(tz_inside(chart));
    value = goal_of(chart, 0);
    assert_int_equal(tz_goal(chart, 1, &value), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_marginals(chart, 0, 0, &output), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_marginals_all(chart, &output), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_best(chart, 0, TZ_GOAL, NULL, &best), TZ_LAW);
    assert_null(best);
    assert_int_equal(tz_item_value(chart, 0, 0, (int32_t[]){0, 3}, true, &value), TZ_BAD_ARGUMENT);
    assert_ok(tz_outside(chart));
    assert_ok(tz_marginals(chart, 0, 0, &output));
    assert_ok(tz_marginals_all(chart, &output));
    assert_int_equal(tz_marginals(chart, 0, 1, &output), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_marginals(chart, 1, 0, &output), TZ_BAD_ARGUMENT);
    /* The goal's outside value is one; outside its domain an item is zero. */
    assert_ok(tz_item_value(chart, 0, 0, (int32_t[]){0, 3}, true, &value));
    assert_true(value == 0);
    assert_ok(tz_item_value(chart, 0, 0, (int32_t[]){2, 1}, false, &value));
    assert_true(value == -INFINITY);
    assert_ok(tz_item_value(chart, 0, 0, (int32_t[]){0, 90}, false, &value));
    assert_true(value == -INFINITY);
    /* Inside may be run again, and the chart bound again. */
    assert_ok(tz_inside(chart));
    assert_ok(tz_bind(chart, &problem, 1, NULL));
    assert_int_equal(tz_goal(chart, 0, &value), TZ_BAD_ARGUMENT);
    tz_chart_free(chart);
    tz_plan_free(plan);

    OWN(tz_plan, other) = NULL;
    OWN(tz_chart, max) = new_chart(eisner(), tz_semiring_find("max", TZ_F64), &other);
    run_outside(max, &problem, 1);
    assert_int_equal(tz_marginals(max, 0, 0, &output), TZ_LAW);
    assert_int_equal(tz_marginals_all(max, &output), TZ_LAW);
    assert_ok(tz_through(max, 0, 0, &output));
    assert_int_equal(tz_marginals(max, 0, TZ_ITEM + 0, &output), TZ_LAW);
    OWN(tz_kbest, list) = make_kbest(max, 0, false);
    assert_int_equal(tz_kbest_within(list, -1), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_kbest_within(list, NAN), TZ_BAD_ARGUMENT);
    assert_ok(tz_kbest_within(list, 0));
}

/* Arrays of items are those of tz_item_value, in any strides. */
TEST(items) {
    enum { N = 5, SIDE = N + 1 };
    random_state random = random_start("items");
    double arc[SIDE * SIDE], number[3][2 * SIDE * SIDE], inside, outside, goal;
    int32_t n = N;
    tz_shape shape;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = new_chart(eisner(), tz_semiring_find("log", TZ_F64), &plan);
    for (int c = 0; c < SIDE * SIDE; c++)
        arc[c] = random_between(&random, -5, 5);
    tz_scores scores = {.data = arc, .extent = {SIDE, SIDE}, .stride = {SIDE, 1}};
    tz_problem problem = {.lengths = &n, .scores = &scores};
    tz_output output[3];
    for (int k = 0; k < 3; k++)
        output[k] = (tz_output){number[k], {2, 2 * SIDE}};
    assert_int_equal(tz_rules_shape(eisner(), TZ_ITEM + 99, &n, &shape), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_rules_shape(eisner(), TZ_ITEM + 0, (int32_t[]){-1}, &shape),
                     TZ_BAD_ARGUMENT);
    assert_int_equal(tz_items(chart, 0, 0, output), TZ_BAD_ARGUMENT);
    run_inside(chart, &problem, 1);
    assert_int_equal(tz_marginals(chart, 0, TZ_ITEM + 0, output), TZ_BAD_ARGUMENT);
    assert_ok(tz_outside(chart));
    assert_int_equal(tz_items(chart, 1, 0, output), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_items(chart, 0, 4, output), TZ_BAD_ARGUMENT); /* folds have no name */
    goal = goal_of(chart, 0);
    for (size_t item = 0; tz_rules_name_of(eisner(), TZ_ITEMS, item) != NULL; item++) {
        assert_ok(tz_items(chart, 0, item, &output[0]));
        assert_ok(tz_through(chart, 0, TZ_ITEM + item, &output[1]));
        assert_ok(tz_marginals(chart, 0, TZ_ITEM + item, &output[2]));
        shape = shape_of(eisner(), TZ_ITEM + item, &n);
        assert_true(shape.rank == 2 && shape.extent[1] == SIDE && shape.origin[0] == 0);
        for (int32_t i = 0; i < shape.extent[0]; i++)
            for (int32_t j = 0; j < SIDE; j++) {
                const int32_t index[] = {i, j};
                size_t at = 2 * (size_t)(i + j * SIDE);
                assert_ok(tz_item_value(chart, 0, item, index, false, &inside));
                assert_ok(tz_item_value(chart, 0, item, index, true, &outside));
                assert_true(number[0][at] == inside);
                if (inside + outside == -INFINITY) {
                    assert_true(number[1][at] == -INFINITY && number[2][at] == 0);
                } else {
                    assert_true(fabs(number[1][at] - inside - outside) < 1e-12);
                    assert_true(fabs(number[2][at] - exp(inside + outside - goal)) < 1e-12);
                }
            }
    }
}

/* Float or double, transposed, backwards, with gaps: the same scores, the same bits. */
TEST(strides) {
    enum { N = 9, SIDE = N + 1 };
    random_state random = random_start("strides");
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = new_chart(eisner(), tz_semiring_find("log", TZ_F64), &plan);
    static double plain[SIDE][SIDE], transposed[SIDE][SIDE], spread[3 * SIDE][2 * SIDE];
    static float narrow[SIDE][SIDE];
    for (int h = 0; h < SIDE; h++)
        for (int m = 0; m < SIDE; m++) {
            narrow[h][m] = (float)random_between(&random, -5, 5);
            plain[h][m] = transposed[m][h] = (double)narrow[h][m];
            spread[3 * (SIDE - 1 - h)][2 * m + 1] = (double)narrow[h][m];
        }
    tz_scores scores[] = {
        {.data = plain, .extent = {SIDE, SIDE}, .stride = {SIDE, 1}},
        {.data = transposed, .extent = {SIDE, SIDE}, .stride = {1, SIDE}},
        {.data = &spread[3 * N][1], .extent = {SIDE, SIDE}, .stride = {-6 * SIDE, 2}},
        {.data = narrow, .type = TZ_FLOAT, .extent = {SIDE + 5, SIDE}, .stride = {SIDE, 1}},
    };
    int32_t n = N;
    double first = 0, value, marginal[2][SIDE * SIDE];
    for (int s = 0; s < 4; s++) {
        tz_problem problem = {.lengths = &n, .scores = &scores[s]};
        tz_output output = {marginal[s > 0], {SIDE, 1}};
        run_outside(chart, &problem, 1);
        value = goal_of(chart, 0);
        assert_ok(tz_marginals(chart, 0, 0, &output));
        first = s == 0 ? value : first;
        assert_memory_equal(&first, &value, sizeof value);
        assert_memory_equal(marginal[0], marginal[s > 0], sizeof marginal[0]);
    }
}
