/* scale.h - elements, narrow or wide, and their scales. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_SCALE_H
#define TZ_ENGINE_CHART_SCALE_H

#include "engine/engine.h"

/* Chooses elements and scales for what has just been bound, and lifts the weights; looks for scores
 * that are not allowed if asked. */
tz_status tz_choose_elements(tz_chart *chart, bool check);
/* Chooses the scales anew, and lifts the weights. */
tz_status tz_rescale(tz_chart *chart);
/* Wide elements from here on. Where that fails the chart is empty. */
tz_status tz_go_wide(tz_chart *chart);
/* Inside elements of a kind's cell are too small by 2^it; of the goal. 0 where they are wide. */
double tz_kind_scale(const tz_chart *chart, size_t lane, unsigned kind, const int64_t *index);
double tz_goal_scale(const tz_chart *chart, size_t lane);
/* What the value of inside elements of a kind's cell lacks, where elements are relative; of the
 * goal. */
double tz_kind_centre(const tz_chart *chart, size_t lane, unsigned kind, const int64_t *index);
double tz_goal_centre(const tz_chart *chart, size_t lane);
/* The chart's element times 2^exponent as a wide one. */
void tz_widen(const tz_chart *chart, const void *element, double exponent, void *ret);
void tz_scaling_free(tz_scaling *s);

#endif
