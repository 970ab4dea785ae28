/* instances.c - the instances of a forest's nodes.
 *
 * A strip of instances (expand.h) has its premises at fixed distances in the chart, so that what is
 * not within the room costs a comparison, and what is, an addition for each premise; instances are
 * enumerated again rather than kept. SPDX-License-Identifier: MIT */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "engine/layout/scores.h"
#include "engine/limits/limits.h"

/* Instances that are looked at in the time of finding a strip, and of handling one. */
enum { STRIP_WORK = 32, EDGE_WORK = 4 };

/* What the instances of a part of a strip have in common. */
static void place(tz_forest_scan *s, tz_limit_chart *c) {
    const tz_strip *strip = s->strips.at.strip;
    const ptrdiff_t unit = (ptrdiff_t)c->chart->algebra->size; /* of the only lane */
    const char *items = c->chart->space[TZ_AT_INSIDE].data;
    s->placed = true;
    s->steady = tz_instance_steady(c->chart, &s->strips.at);
    for (unsigned o = 0; o < strip->operands; o++) {
        const unsigned p = strip->part[o];
        if (p >= strip->premises)
            continue;
        const char *at = tz_instance_operand(c->chart, 0, &s->strips.at, o, NULL);
        s->cell[p] = (at - items) / unit;
        s->stride[p] = (ptrdiff_t)tz_strip_operand(strip, o)[0] / unit;
    }
}

static inline double value_at(const tz_forest_scan *s, const tz_limit_chart *c, size_t at) {
    return c->chart->algebra->size == sizeof(double)
               ? ((const double *)s->strips.element)[at]
               : (double)((const float *)s->strips.element)[at];
}

bool tz_forest_scan_next(tz_forest_scan *s, tz_limit_chart *c) {
    for (s->at++;; s->at = 0) {
        for (; s->at < s->strips.count; s->at++) {
            double value = value_at(s, c, s->at);
            s->left = s->room - (s->best - value);
            if (s->left < 0 && -s->left < s->shortfall)
                s->shortfall = -s->left;
            if (s->left < s->least || value == -INFINITY || (s->left == s->least && s->ties == 0))
                continue;
            s->ties -= s->left == s->least;
            if (!s->placed)
                place(s, c);
            c->forest.work += EDGE_WORK;
            return true;
        }
        if (!tz_expand_next(&s->strips))
            return false;
        s->placed = s->weighed = false;
        c->forest.work += (double)s->strips.count + STRIP_WORK;
    }
}

static void start(tz_forest_scan *s, tz_limit_chart *c, const tz_forest_node *node) {
    tz_expand_start(&s->strips, c->chart, 0, node->kind, node->index);
    s->at = SIZE_MAX; /* one before the first */
}

/* The room that the best `thin` instances leave: the first ones, where others leave as much as the
 * last of them. */
static void select_best(tz_forest_scan *s, tz_limit_chart *c, const tz_forest_node *node,
                        unsigned thin) {
    double left[TZ_MOST_THIN];
    unsigned count = 0;
    for (start(s, c, node); tz_forest_scan_next(s, c);) {
        unsigned at = count < thin ? count++ : thin;
        for (; at > 0 && left[at - 1] < s->left; at--)
            if (at < thin)
                left[at] = left[at - 1];
        if (at < thin)
            left[at] = s->left;
    }
    if (count < thin)
        return;
    s->least = left[thin - 1];
    for (s->ties = 0; s->ties < thin && left[thin - 1 - s->ties] == s->least;)
        s->ties++;
}

void tz_forest_scan_start(tz_forest_scan *s, tz_limit_chart *c, const tz_forest_node *node) {
    s->best = node->best;
    s->room = node->room;
    s->least = 0;
    s->ties = UINT_MAX;
    s->shortfall = INFINITY;
    if (c->forest.thin > 0)
        select_best(s, c, node, c->forest.thin);
    start(s, c, node);
}

/* ---- Edges --------------------------------------------------------------------------------------
 */

/* What the weights of an edge's instance score and consume. */
static tz_status weigh(tz_limit_chart *c, tz_forest_edge *edge) {
    const tz_instance *instance = &edge->instance;
    edge->score = 0;
    edge->amount = 0;
    for (unsigned w = 0; w < instance->strip->weights; w++) {
        const tz_use use = tz_instance_use(c->chart, 0, instance, w);
        double score;
        if (w < instance->strip->sparse) {
            score = tz_entry_score(&c->source[use.weight], instance->entry[w]);
        } else {
            tz_status status = tz_limit_score(c, use.weight, use.index, &score);
            if (status != TZ_OK)
                return status;
        }
        edge->score += score;
        edge->amount += tz_limit_amount(c, use.weight, use.index);
    }
    return TZ_OK;
}

/* The premises of the scan's instance; false if they have no amounts that are within its room. */
static bool list_premises(tz_limit_chart *c, const tz_forest_scan *scan, uint32_t *premise) {
    tz_forest *f = &c->forest;
    const unsigned premises = scan->strips.at.strip->premises;
    double least = 0;
    for (unsigned p = 0; p < premises; p++)
        least +=
            ((const double *)f->least.data)[scan->cell[p] + (ptrdiff_t)scan->at * scan->stride[p]];
    if (!(least <= scan->left)) {
        f->next = fmin(f->next, f->distance + (least - scan->left));
        return false;
    }
    for (unsigned p = 0; p < premises; p++)
        premise[p] = ((const uint32_t *)
                          f->slot.data)[scan->cell[p] + (ptrdiff_t)scan->at * scan->stride[p]] -
                     1;
    return true;
}

tz_status tz_forest_expand(tz_limit_chart *c, const tz_forest_node *node) {
    tz_forest *f = &c->forest;
    tz_forest_edge edge;
    tz_forest_scan scan;
    f->edges = f->premises = 0;
    for (tz_forest_scan_start(&scan, c, node); tz_forest_scan_next(&scan, c);) {
        const unsigned premises = scan.strips.at.strip->premises;
        tz_status status = tz_buffer_grow(&f->edge, f->edges + 1, sizeof edge);
        if (status == TZ_OK)
            status = tz_buffer_grow(&f->premise, f->premises + premises, sizeof(uint32_t));
        if (status != TZ_OK)
            return status;
        if (!list_premises(c, &scan, (uint32_t *)f->premise.data + f->premises))
            continue;
        tz_expanded(&scan.strips, scan.at, &edge.instance);
        if (!scan.steady || !scan.weighed)
            status = weigh(c, &edge);
        scan.weighed = true;
        if (status != TZ_OK)
            return status;
        edge.room = scan.left;
        edge.premise = f->premises;
        edge.premises = premises;
        f->premises += premises;
        ((tz_forest_edge *)f->edge.data)[f->edges++] = edge;
    }
    return TZ_OK;
}
