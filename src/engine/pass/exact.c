/* exact.c - did elements stay in the range where they are exact?
 *
 * An exponent that is held as a real is rounded where it is large, and then shares of a whole are
 * wrong by powers of two. What counts are the terms that are not lost beside others: let the value
 * of the goal be at least -x, and all inside and outside values at most x (as scores). An item that
 * counts has inside * outside near the goal at least, so its inside value is at least -2 x and a
 * bit; likewise a factor of a term of k factors, at least -(k + 1) x. What is below that may be
 * rounded: it is nothing beside the rest. So numbers up to 8 x have to be exact, and no item that
 * is merely improbable is refused, such as one behind a score of -1e9. SPDX-License-Identifier: MIT
 */
#include "engine/pass/exact.h"
#include <math.h>

#include "engine/layout/address.h"
#include "engine/layout/scores.h"

static double largest(const tz_chart *chart, tz_space space, size_t lane) {
    const tz_semiring *s = chart->algebra->semiring;
    return s->largest(s, tz_cell(chart, space, 0, lane), (ptrdiff_t)chart->lanes,
                      chart->layout.cells[space]);
}

/* Is some element of a space too large, of whichever lane? */
static bool any_large(const tz_chart *chart, tz_space space) {
    const tz_semiring *s = chart->algebra->semiring;
    const size_t elements = chart->layout.cells[space] * chart->lanes;
    return elements > 0 &&
           s->largest(s, chart->space[space].data, 1, elements) > chart->plan->exact;
}

/* Does a score by itself? A pair of them might cancel in a rule. */
static bool large_score(const tz_chart *chart, size_t lane) {
    const tz_rules *rules = chart->plan->rules;
    const double exact = chart->plan->exact;
    if (chart->scaling.large && chart->layout.cells[TZ_AT_WEIGHT] > 0 &&
        largest(chart, TZ_AT_WEIGHT, lane) > exact)
        return true;
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
        for (size_t e = 0; rules->weight[w].sparse && e < bound->scores.entries; e++)
            if (tz_entry_score(bound, e) > exact)
                return true;
    }
    return false;
}

size_t tz_inexact_lane(const tz_chart *chart, tz_pass pass) {
    const tz_semiring *s = chart->algebra->semiring;
    const bool inside = pass == TZ_PASS_INSIDE;
    const tz_space space = inside ? TZ_AT_INSIDE : TZ_AT_OUTSIDE;
    if (s->largest == NULL || (!inside && pass != TZ_PASS_OUTSIDE))
        return chart->lanes;
    const bool any = any_large(chart, space);
    for (size_t lane = 0; lane < chart->lanes; lane++) {
        const ptrdiff_t goal = tz_goal_offset(chart, lane);
        if (any && largest(chart, space, lane) > chart->plan->exact)
            return lane;
        if (inside && large_score(chart, lane))
            return lane;
        if (inside && goal >= 0) {
            double of_goal = s->largest(s, tz_cell(chart, TZ_AT_INSIDE, goal, lane), 1, 1);
            if (of_goal < -chart->plan->exact && of_goal > -INFINITY)
                return lane;
        }
    }
    return chart->lanes;
}
