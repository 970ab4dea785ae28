/* scale.h - chooses narrow or wide elements, and their scales. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_SCALE_H
#define TZ_ENGINE_CHART_SCALE_H

#include "engine/engine.h"

/* Chooses elements and scales for the problems just bound, and lifts the weights. check: looks for
 * scores that are not allowed. */
tz_status tz_choose_elements(tz_chart *chart, bool check);
/* Chooses the scales anew, and lifts the weights. */
tz_status tz_rescale(tz_chart *chart);
/* Goes on with wide elements. If that fails the chart is empty. */
tz_status tz_go_wide(tz_chart *chart);
/* The exponent e by which inside elements of a kind's cell, or of the goal, are too small: times
 * 2^e they are right. 0 for wide elements. */
double tz_kind_scale(const tz_chart *chart, size_t lane, unsigned kind, const int64_t *index);
double tz_goal_scale(const tz_chart *chart, size_t lane);
/* What must be added to the value of inside elements of a kind's cell, or of the goal, where
 * elements are relative. */
double tz_kind_centre(const tz_chart *chart, size_t lane, unsigned kind, const int64_t *index);
double tz_goal_centre(const tz_chart *chart, size_t lane);
/* Values of the first gauges' forms at the first cell of a row of a weight, and how they change
 * from cell to cell. */
typedef struct tz_row_forms {
    int64_t first[TZ_MAX_GAUGES], step[TZ_MAX_GAUGES];
} tz_row_forms;

static inline void tz_find_row_forms(const tz_rules *rules, unsigned weight, unsigned gauges,
                                     const int32_t *length, const int64_t *index,
                                     const int64_t *move, tz_row_forms *ret) {
    const unsigned rank = rules->weight[weight].rank;
    for (unsigned g = 0; g < gauges; g++) {
        const tz_form *form = &rules->gauge[g].weight[weight];
        ret->first[g] = tz_form_value(form, rules->lengths, length, rank, index);
        ret->step[g] = 0;
        for (unsigned q = 0; q < rank; q++)
            ret->step[g] += form->column[q] * move[q];
    }
}

/* The chart's element times 2^exponent, as a wide element. */
void tz_widen(const tz_chart *chart, const void *element, double exponent, void *ret);
void tz_scaling_free(tz_scaling *s);

#endif
