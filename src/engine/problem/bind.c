/* bind.c - problems checked, then bound. SPDX-License-Identifier: MIT */
#include "engine/chart/bind.h"
#include "base/fail.h"
#include "engine/problem/check.h"

tz_status tz_bind(tz_chart *chart, const tz_problem *problems, size_t count, tz_error *opt_error) {
    chart->state = TZ_EMPTY;
    chart->epoch++;
    if (count == 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "no problem to bind");
    /* Scores that are lifted here are checked as they are. */
    tz_status status = tz_check_shapes(chart->plan, problems, count, &chart->marginals.gathered);
    if (status == TZ_OK)
        status = tz_bind_lanes(chart, problems, count, NULL, true);
    if (status == TZ_OK)
        return TZ_OK;
    /* What it was, with all that is to be said of it. */
    for (size_t lane = 0; lane < count; lane++) {
        tz_error error;
        if (tz_check_problem(chart->plan, &problems[lane], true, &chart->marginals.gathered,
                             &error) == TZ_OK)
            continue;
        return count == 1
                   ? tz_fail(opt_error, error.status, "%s", error.message)
                   : tz_fail(opt_error, error.status, "problem %zu: %.900s", lane, error.message);
    }
    return tz_fail(opt_error, status, "%s", tz_status_name(status));
}
