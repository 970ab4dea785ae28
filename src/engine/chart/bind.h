/* bind.h - takes problems into a chart. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_BIND_H
#define TZ_ENGINE_CHART_BIND_H

#include "engine/engine.h"

/* tz_bind for problems that have passed tz_problem_check. The chart is laid out for the lengths
 * opt_longest, where longer lengths have all cells of shorter ones (tz_plan.nested). */
tz_status tz_bind_checked(tz_chart *chart, const tz_problem *problems, size_t count,
                          const int32_t *opt_longest);
/* The same in a chart that has been made empty. check: looks at the scores of dense weights, which
 * has not been done yet; TZ_BAD_SCORE. */
tz_status tz_bind_lanes(tz_chart *chart, const tz_problem *problems, size_t count,
                        const int32_t *opt_longest, bool check);
/* Takes problems of other lengths, the same ones in all lanes, into a chart of as many lanes
 * without facts, whose layout has room for them; shape: of each weight for these lengths. Weights
 * are as they were, and so is the elements' scale. */
tz_status tz_bind_longer(tz_chart *chart, const tz_problem *problems, const tz_shape *shape);
/* The problem as it was bound; scores: room for one per weight. */
tz_problem tz_lane_problem(const tz_chart *chart, size_t lane, tz_scores *scores);
void tz_bound_free(tz_bound_problems *b);

#endif
