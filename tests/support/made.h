/* made.h - what tests need, made; a test fails where that fails. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_MADE_H
#define TZ_TESTS_SUPPORT_MADE_H

#include "need.h"
#include "test.h"

/* The call returns TZ_OK. */
#define assert_ok(call) assert_status((call), TZ_OK, #call, __FILE__, __LINE__)
static inline void assert_status(tz_status status, tz_status expected, const char *call,
                                 const char *file, int line) {
    if (status != expected) {
        print_error("%s: %s, not %s\n", call, tz_status_name(status), tz_status_name(expected));
        _fail(file, line);
    }
}

/* Each is to be freed. */
static inline tz_semiring *make_semiring(const char *name, tz_precision precision) {
    tz_semiring *semiring;
    assert_ok(tz_semiring_new(name, precision, &semiring, NULL));
    return semiring;
}

static inline tz_plan *make_plan(const tz_rules *rules, const tz_semiring *semiring,
                                 unsigned flags) {
    tz_plan *plan;
    assert_ok(tz_plan_new(rules, semiring, flags, &plan, NULL));
    return plan;
}

static inline tz_chart *make_chart(const tz_plan *plan) {
    tz_chart *chart;
    assert_ok(tz_chart_new(plan, &chart));
    return chart;
}

static inline tz_kbest *make_kbest(tz_chart *chart, size_t lane, bool distinct) {
    tz_kbest *list;
    assert_ok(tz_kbest_new(chart, lane, distinct, &list, NULL));
    return list;
}

/* Binds problems, and computes inside values; outside ones as well. */
static inline void run_inside(tz_chart *chart, const tz_problem *problem, size_t count) {
    tz_error error;
    if (tz_bind(chart, problem, count, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_ok(tz_inside(chart));
}

static inline void run_outside(tz_chart *chart, const tz_problem *problem, size_t count) {
    run_inside(chart, problem, count);
    assert_ok(tz_outside(chart));
}

/* The same in a new chart, to be freed in any case, as far as it goes. */
static inline tz_status try_inside(const tz_plan *plan, const tz_problem *problem, size_t count,
                                   tz_chart **ret_chart) {
    tz_status status = tz_chart_new(plan, ret_chart);
    if (status == TZ_OK)
        status = tz_bind(*ret_chart, problem, count, NULL);
    return status == TZ_OK ? tz_inside(*ret_chart) : status;
}

static inline tz_status try_outside(const tz_plan *plan, const tz_problem *problem, size_t count,
                                    tz_chart **ret_chart) {
    tz_status status = try_inside(plan, problem, count, ret_chart);
    return status == TZ_OK ? tz_outside(*ret_chart) : status;
}

/* The best derivation of the goal, of which there is one. */
static inline const tz_derivation *best_of(tz_chart *chart, size_t lane) {
    const tz_derivation *best;
    assert_ok(tz_best(chart, lane, TZ_GOAL, NULL, &best));
    return best;
}

static inline tz_shape shape_of(const tz_rules *rules, size_t weight, const int32_t *lengths) {
    tz_shape shape;
    assert_ok(tz_rules_shape(rules, weight, lengths, &shape));
    return shape;
}

static inline double goal_of(tz_chart *chart, size_t lane) {
    double value;
    assert_ok(tz_goal(chart, lane, &value));
    return value;
}

#endif
