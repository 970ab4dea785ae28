/* score_range.h - checks the scores of a row. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_SCORE_RANGE_H
#define TZ_ENGINE_CHART_SCORE_RANGE_H

#include "engine/plan/plan.h"

/* Are all scores along a row (of the memory's type) allowed by tz_bind? */
bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count);

/* The same, and raises *opt_most to the largest. */
bool tz_score_range(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, double *opt_most);

#endif
