/* bind.h - spreads, checks and binds problems. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PROBLEM_BIND_H
#define TZ_ENGINE_PROBLEM_BIND_H

#include "engine/engine.h"

/* tz_problem_check with memory. */
tz_status tz_check_given(const tz_plan *plan, const tz_problem *problem, tz_given *memory,
                         tz_error *opt_error);
/* tz_bind for problems that have been checked; see tz_bind_checked. */
tz_status tz_bind_given(tz_chart *chart, const tz_problem *problems, size_t count,
                        const int32_t *opt_longest);
/* tz_bind for problems as tz_spread_problems makes them. */
tz_status tz_bind_spread(tz_chart *chart, const tz_problem *problems, size_t count,
                         tz_error *opt_error);

#endif
