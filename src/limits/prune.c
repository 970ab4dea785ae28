/* prune.c - the exact program on what the bound leaves.
 *
 * At the price p where bisection ends, a derivation of score s within the limits scores
 * s + p * amount >= s + p * target in the chart, and the best one bound + p * target. So whatever
 * scores more than s is at most bound - s below the chart's best derivation: the forest of that
 * distance holds it. Before any s is known, the distance is a guess that doubles.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "limits/limit.h"

/* What a gap usually is at least, as a part of the price. */
static const double USUAL = 0.1;

/* How far off the chart's scores of what matters here may be by rounding. */
static double rounding(const tz_limit_chart *c, const tz_limit_search *s) {
    const tz_kept *kept[] = {s->near, s->far};
    double unit = c->chart->algebra->size == sizeof(double) ? DBL_EPSILON : FLT_EPSILON;
    double most = 0;
    for (unsigned i = 0; i < 2; i++) {
        double size = kept[i]->size + fabs(s->price) * (double)kept[i]->amount;
        size *= (double)(kept[i]->derivation.uses + kept[i]->derivation.nodes);
        most = size > most ? size : most;
    }
    return 4 * unit * most;
}

/* Takes the best derivation of the forest within the limits, if it is better. */
static tz_status take_best(tz_limit_chart *c, tz_limit_search *s) {
    double score = s->best->derivation.node != NULL ? s->best->derivation.score : -INFINITY;
    int64_t amount = -1;
    for (int64_t a = s->low; a <= s->high; a++)
        if (tz_forest_goal(c, a) > score) {
            score = tz_forest_goal(c, a);
            amount = a;
        }
    return amount >= 0 ? tz_forest_trace(c, amount, s->best) : TZ_OK;
}

tz_status tz_limit_prune(tz_limit_chart *c, tz_limit_search *s, double limit) {
    bool known = s->best->derivation.node != NULL;
    double slack = s->priced ? rounding(c, s) : 0;
    double distance = !s->priced ? INFINITY
                      : known    ? s->bound - s->best->derivation.score
                                 : fabs(s->price) * USUAL;
    tz_status status = TZ_OK;
    while (status == TZ_OK && !s->certain) {
        bool done;
        status = tz_forest_grow(c, distance + slack, limit, &done);
        if (status != TZ_OK || !done)
            return status;
        limit -= c->forest.work;
        status = tz_forest_evaluate(c, s->high);
        if (status == TZ_OK)
            status = take_best(c, s);
        if (status != TZ_OK)
            return status;
        known = s->best->derivation.node != NULL;
        double need = known ? s->bound - s->best->derivation.score : INFINITY;
        s->certain = need <= distance || c->forest.next == INFINITY;
        if (s->certain)
            return known ? TZ_OK : TZ_NONE;
        distance = known ? need : fmax(2 * distance, c->forest.next);
    }
    return status;
}
