/* prune.c - the exact program on what the bound leaves.
 *
 * At the price p where bisection ends, a derivation of score s within the limits scores
 * s + p * amount >= s + p * target in the chart, and the best one bound + p * target. So whatever
 * scores more than s is at most bound - s below the chart's best derivation: the forest of that
 * distance holds it. Before any s is known, the distance is a guess that grows: what a forest takes
 * grows with a high power of it, and an s that is far from the best one says little.
 *
 * Where scores are tied, nearly all instances can be at distance 0, and derivations that reach the
 * bound be so many that a few instances of each node make up some of them: a thin forest proves
 * nothing by what it does not hold, but what it does hold may be all that the bound allows.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "engine/limits/limits.h"

/* What a gap usually is at least, as a part of the price. */
static const double USUAL = 0.1;

/* A forest is large if it takes so much work for each cell of the chart: then there are thin ones
 * first, of so many instances of a node; and what distances grow by, if it is and if it is not. */
static const double LARGE = 64;
static const unsigned THIN[] = {4, 16, TZ_MOST_THIN};
static const double SLOW = 1.4, FAST = 2;

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

/* How far the derivation that is known is below the bound. */
static double gap(const tz_limit_search *s) {
    bool known = s->best->derivation.node != NULL;
    return known ? s->bound - s->best->derivation.score : INFINITY;
}

/* Takes the best derivation of a forest, see tz_forest_grow. */
static tz_status search_forest(tz_limit_chart *c, tz_limit_search *s, double distance,
                               unsigned thin, double limit, bool *ret_done) {
    tz_status status = tz_forest_grow(c, distance, thin, limit, ret_done);
    if (status == TZ_OK && *ret_done)
        status = tz_forest_evaluate(c, s->high, limit, ret_done);
    return status == TZ_OK && *ret_done ? take_best(c, s) : status;
}

/* Looks for what reaches the bound in thin forests, until one holds a derivation. */
static tz_status search_thin(tz_limit_chart *c, tz_limit_search *s, double distance, double slack,
                             double *limit, bool *ret_done) {
    tz_status status = TZ_OK;
    *ret_done = true;
    for (size_t t = 0; t < sizeof THIN / sizeof *THIN && gap(s) == INFINITY; t++)
        if (status == TZ_OK && *ret_done) {
            status = search_forest(c, s, distance + slack, THIN[t], *limit, ret_done);
            *limit -= c->forest.work;
        }
    s->certain = gap(s) <= slack;
    return status;
}

tz_status tz_limit_prune(tz_limit_chart *c, tz_limit_search *s, double limit) {
    double slack = s->priced ? rounding(c, s) : 0;
    double distance = s->priced ? fabs(s->price) * USUAL : INFINITY;
    double enough = s->priced ? LARGE * (double)c->chart->layout.cells[TZ_AT_INSIDE] : INFINITY;
    bool large = false, done = true;
    tz_status status = TZ_OK;
    s->certain = gap(s) <= slack;
    while (status == TZ_OK && done && !s->certain) {
        if (s->priced)
            distance = fmin(distance, gap(s));
        double most = large ? limit : fmin(limit, enough);
        status = search_forest(c, s, distance + slack, 0, most, &done);
        limit -= c->forest.work;
        if (status == TZ_OK && !done && !large) {
            large = true;
            status = search_thin(c, s, distance, slack, &limit, &done);
            continue;
        }
        if (status != TZ_OK || !done)
            break;
        s->certain = gap(s) <= distance + slack || c->forest.next == INFINITY;
        if (s->certain && gap(s) == INFINITY)
            status = TZ_NONE;
        distance = fmax((large ? SLOW : FAST) * distance, c->forest.next);
    }
    return status;
}
