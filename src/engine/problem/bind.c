/* bind.c - problems spread and checked, then bound. SPDX-License-Identifier: MIT */
#include "engine/problem/bind.h"
#include "base/fail.h"
#include "base/modes.h"
#include "engine/chart/bind.h"
#include "engine/layout/space.h"
#include "engine/problem/check.h"
#include "engine/problem/spread.h"

tz_status tz_check_given(const tz_plan *plan, const tz_problem *problem, tz_given *memory,
                         tz_error *opt_error) {
    const tz_problem *spread;
    tz_status status = tz_spread_to_check(plan, problem, memory, &spread, opt_error);
    return status == TZ_OK ? tz_check_problem(plan, spread, true, memory, opt_error) : status;
}

tz_status tz_problem_check(const tz_plan *plan, const tz_problem *problem, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_given memory = {0};
    if (plan == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "there is no plan");
    tz_status status = tz_check_given(plan, problem, &memory, opt_error);
    tz_given_free(&memory);
    return status;
}

/* Which of several problems it is about. */
static tz_status fail_problem(size_t count, size_t problem, const tz_error *error,
                              tz_error *opt_error) {
    return count == 1
               ? tz_fail(opt_error, error->status, "%s", error->message)
               : tz_fail(opt_error, error->status, "problem %zu: %.900s", problem, error->message);
}

tz_status tz_bind_spread(tz_chart *chart, const tz_problem *problems, size_t count,
                         tz_error *opt_error) {
    chart->state = TZ_EMPTY;
    chart->epoch++;
    /* Scores that are lifted here are checked as they are. */
    tz_status status = tz_check_shapes(chart->plan, problems, count, &chart->given);
    if (status == TZ_OK)
        status = tz_bind_lanes(chart, problems, count, NULL, true);
    if (status == TZ_OK) /* which only here can tell how much it is */
        status = tz_space_reserve(chart, TZ_AT_INSIDE);
    if (status == TZ_OK)
        return TZ_OK;
    chart->state = TZ_EMPTY;
    /* What it was, with all that is to be said of it. */
    for (size_t lane = 0; lane < count; lane++) {
        tz_error error;
        if (tz_check_problem(chart->plan, &problems[lane], true, &chart->given, &error) != TZ_OK)
            return fail_problem(count, lane, &error, opt_error);
    }
    return tz_space_fail(chart, status, opt_error);
}

tz_status tz_bind(tz_chart *chart, const tz_problem *problems, size_t count, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    const tz_problem *spread;
    tz_error error;
    size_t bad;
    chart->state = TZ_EMPTY;
    chart->epoch++;
    if (count == 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "no problem to bind");
    if (tz_spread_problems(chart->plan, problems, count, &chart->given, &spread, &bad, &error) !=
        TZ_OK)
        return fail_problem(count, bad, &error, opt_error);
    return tz_bind_spread(chart, spread, count, opt_error);
}

tz_status tz_bind_given(tz_chart *chart, const tz_problem *problems, size_t count,
                        const int32_t *opt_longest) {
    const tz_problem *spread;
    size_t bad;
    tz_status status =
        tz_spread_problems(chart->plan, problems, count, &chart->given, &spread, &bad, NULL);
    chart->state = TZ_EMPTY;
    return status == TZ_OK ? tz_bind_checked(chart, spread, count, opt_longest) : status;
}
