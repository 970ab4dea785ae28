/* limited.h - a limiter in double and its chart. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_LIMITED_H
#define TZ_TESTS_SUPPORT_LIMITED_H

#include "evaluate.h"
#include "tests/support/test.h"

typedef struct limited {
    tz_limiter *limiter;
    tz_limit_chart *chart;
} limited;

static inline limited make_limited(const char *rules, const char *resource) {
    limited l;
    assert_ok(tz_limiter_new(find_rules(rules), resource, TZ_F64, 0, &l.limiter, NULL));
    assert_ok(tz_limit_chart_new(l.limiter, &l.chart));
    return l;
}

static inline void free_limited(limited *l) {
    tz_limit_chart_free(l->chart);
    tz_limiter_free(l->limiter);
}

#endif
