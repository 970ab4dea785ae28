/* narrow.h - log plans, and when their charts go over to wide elements.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_NARROW_H
#define TZ_TESTS_SUPPORT_NARROW_H

#include "engine/engine.h"
#include "tests/support/test.h"

static inline bool is_wide(const tz_chart *chart) {
    return chart->algebra == &chart->plan->wide;
}

static inline tz_plan *new_plan(const tz_rules *rules, tz_precision precision, unsigned flags) {
    return make_plan(rules, tz_semiring_find("log", precision), TZ_FORCE | flags);
}

/* When the chart went over to wide elements. */
typedef enum moment { AT_BIND, AT_INSIDE, AT_OUTSIDE, AT_MARGINALS, NEVER, MOMENTS } moment;
static const char *const moment_name[] = {"at bind", "inside", "outside", "for marginals", "never"};

/* Inside and outside. */
static inline moment compute(tz_chart *chart, const tz_problem *problem, size_t count) {
    moment when = NEVER;
    assert_ok(tz_bind(chart, problem, count, NULL));
    when = is_wide(chart) ? AT_BIND : when;
    assert_ok(tz_inside(chart));
    when = is_wide(chart) && when == NEVER ? AT_INSIDE : when;
    assert_ok(tz_outside(chart));
    return is_wide(chart) && when == NEVER ? AT_OUTSIDE : when;
}

#endif
