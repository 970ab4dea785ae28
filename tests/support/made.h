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
    assert_ok(tz_kbest_new(chart, lane, distinct, &list));
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

static inline double goal_of(tz_chart *chart, size_t lane) {
    double value;
    assert_ok(tz_goal(chart, lane, &value));
    return value;
}

#endif
