/* score_range.h - what scores a row has. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_SCORE_RANGE_H
#define TZ_ENGINE_CHART_SCORE_RANGE_H

#include "engine/plan/plan.h"

/* Whether scores (of the memory's type) are all what tz_bind takes, along a row. */
bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count);

/* The same, and raises *opt_most to the largest. */
bool tz_score_range(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, double *opt_most);

#endif
