/* value.c - values of goals and items, and how the goal's changes. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/modes.h"
#include "engine/ask/value.h"
#include "engine/chart/facts.h"
#include "engine/chart/scale.h"
#include "engine/layout/address.h"
#include "engine/pass/run.h"
#include "kernels/flags.h"

tz_status tz_diverging(const tz_chart *chart, size_t *ret_problem, size_t *ret_item,
                       int32_t *ret_index) {
    if (!chart->closure.diverged)
        return TZ_NONE;
    *ret_problem = chart->closure.diverging.lane;
    *ret_item = chart->closure.diverging.item;
    memcpy(ret_index, chart->closure.diverging.index, sizeof chart->closure.diverging.index);
    return TZ_OK;
}

/* ---- Values --------------------------------------------------------------------------------- */

/* The goal's element, wide: as it stands in the chart, or in the chart's room for elements. */
static const void *goal_element(const tz_chart *chart, size_t problem) {
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    if (goal < 0)
        return chart->plan->wide.zero;
    const void *element = tz_cell(chart, TZ_AT_INSIDE, goal, problem);
    if (chart->algebra == &chart->plan->wide && chart->bound.facts == NULL)
        return element;
    tz_widen(chart, element, tz_goal_scale(chart, problem), chart->pair.data);
    tz_unmark(chart, problem, &chart->plan->wide, 0, chart->pair.data);
    return chart->pair.data;
}

tz_status tz_goal_element(const tz_chart *chart, size_t problem, void *ret_element) {
    TZ_DEFAULT_MODES;
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    const tz_algebra *wide = &chart->plan->wide;
    const double centre = tz_goal_centre(chart, problem);
    memcpy(ret_element, goal_element(chart, problem), wide->size);
    if (centre != 0) {
        wide->lift(wide->semiring, chart->pair.data, 1, &centre, 1);
        wide->semiring->times(wide->semiring, ret_element, ret_element, chart->pair.data);
    }
    return TZ_OK;
}

tz_status tz_goal(const tz_chart *chart, size_t problem, double *ret_value) {
    TZ_DEFAULT_MODES;
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    const tz_algebra *wide = &chart->plan->wide;
    *ret_value =
        wide->value(wide->semiring, goal_element(chart, problem)) + tz_goal_centre(chart, problem);
    return TZ_OK;
}

/* The element of an item, wide, in the chart or in its room for elements, and what its value lacks;
 * NULL: the call is wrong. */
static const void *item_element(const tz_chart *chart, size_t problem, size_t item,
                                const int32_t *index, bool outside, double *ret_centre) {
    const tz_plan *plan = chart->plan;
    *ret_centre = 0;
    if (chart->state < (outside ? TZ_OUTSIDE_DONE : TZ_INSIDE_DONE) || problem >= chart->lanes ||
        (item >= plan->rules->items && item != TZ_GOAL))
        return NULL;
    if (item == TZ_GOAL && !outside) {
        *ret_centre = tz_goal_centre(chart, problem);
        return goal_element(chart, problem);
    }
    const tz_rules *rules = plan->rules;
    const int32_t *length = tz_lane_length(chart, problem);
    const bool goal = item == TZ_GOAL;
    item = goal ? rules->goal.which : item;
    const tz_kind *kind = &rules->kind[item];
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < kind->rank; q++)
        at[q] =
            goal ? tz_form_value(&rules->goal.index[q], rules->lengths, length, 0, NULL) : index[q];
    ptrdiff_t offset = -1;
    if (tz_domain_holds(&kind->domain, rules->lengths, length, kind->rank, at))
        offset = tz_cell_offset(chart, (unsigned)item, at);
    if (offset < 0)
        return plan->wide.zero;
    double scale = tz_kind_scale(chart, problem, (unsigned)item, at);
    double centre = tz_kind_centre(chart, problem, (unsigned)item, at);
    *ret_centre = outside ? tz_goal_centre(chart, problem) - centre : centre;
    tz_widen(chart, tz_cell(chart, outside ? TZ_AT_OUTSIDE : TZ_AT_INSIDE, offset, problem),
             outside ? tz_goal_scale(chart, problem) - scale : scale, chart->pair.data);
    if (!outside)
        tz_unmark(chart, problem, &plan->wide, 0, chart->pair.data);
    return chart->pair.data;
}

/* All numbers of a wide element, whose value lacks so much. */
static tz_status values_of(const tz_chart *chart, const void *element, double centre,
                           double *ret_values, size_t *ret_count) {
    const tz_algebra *wide = &chart->plan->wide;
    const tz_semiring *s = wide->semiring;
    *ret_count = 1;
    if (s->values != NULL)
        *ret_count = s->values(s, element, ret_values);
    else
        *ret_values = wide->value(s, element);
    if (*ret_count > 0)
        *ret_values += centre;
    return TZ_OK;
}

tz_status tz_item_value(const tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                        bool outside, double *ret_value) {
    TZ_DEFAULT_MODES;
    const tz_algebra *wide = &chart->plan->wide;
    double centre;
    const void *element = item_element(chart, problem, item, index, outside, &centre);
    if (element == NULL)
        return TZ_BAD_ARGUMENT;
    *ret_value = wide->value(wide->semiring, element) + centre;
    return TZ_OK;
}

tz_status tz_item_values(const tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                         double *ret_values, size_t *ret_count) {
    TZ_DEFAULT_MODES;
    double centre;
    const void *element = item_element(chart, problem, item, index, false, &centre);
    return element == NULL ? TZ_BAD_ARGUMENT
                           : values_of(chart, element, centre, ret_values, ret_count);
}

/* ---- Changes -------------------------------------------------------------------------------- */

double tz_goal_change(const tz_chart *chart, size_t lane) {
    const tz_semiring *s = chart->algebra->semiring;
    ptrdiff_t goal = tz_goal_offset(chart, lane);
    return s->share(s, tz_cell(chart, TZ_AT_TANGENTS + TZ_AT_INSIDE, goal, lane),
                    tz_cell(chart, TZ_AT_INSIDE, goal, lane));
}

tz_status tz_goal_tangent(tz_chart *chart, size_t problem, double *ret_value) {
    TZ_DEFAULT_MODES;
    if (problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    tz_status status = tz_make_tangents(chart);
    if (status == TZ_OK && tz_goal_missing(chart, problem))
        status = TZ_NONE;
    for (bool again = true; again && status == TZ_OK;) {
        unsigned flags = tz_flags_take();
        *ret_value = tz_goal_change(chart, problem) + 0; /* no -0.0 */
        again = tz_flags_return(flags) && chart->algebra == &chart->plan->narrow;
        if (again)
            status = tz_repeat_wide(chart, tz_last_pass(chart));
    }
    return status;
}
