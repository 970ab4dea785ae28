/* circle.c - the best derivation of an item of a closure must end.
 *
 * Among the instances that give an item its value, some may need the item itself again: where going
 * round costs nothing. All items that the best instances need at the stage are looked at, breadth
 * first. If they need one another in no circle, any instance will do, and the usual order decides.
 * If they do, each has a distance: how many of them lie between it and one whose value comes from
 * elsewhere. The way goes to a smaller distance each time, and so it ends.
 *
 * Items without circles are kept for the next look, which then adds those that it needs besides: so
 * looks from all items of a derivation take no longer than one.
 * SPDX-License-Identifier: MIT */
#include "engine/ask/trace/circle.h"

#include <string.h>

#include "engine/closure/arcs.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"

static const uint32_t beyond = UINT32_MAX;

/* What is known of a node: its arcs are first .. end-1. */
typedef struct circle_node {
    uint32_t distance, first, end;
    uint32_t needs; /* nodes that need it and are not taken off */
    uint32_t ready; /* [taken off and next to be] a list of nodes */
} circle_node;

static ptrdiff_t cell_of(const tz_chart *chart, unsigned kind, const int32_t *index) {
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        at[q] = index[q];
    return tz_cell_offset(chart, kind, at);
}

/* The instances that give an item its value, one by one. */
typedef struct best_instances {
    tz_expansion e;
    size_t x; /* in the strip */
    const void *value;
} best_instances;

static void start(best_instances *b, tz_chart *chart, size_t lane, unsigned kind,
                  const int32_t *index) {
    b->value = tz_cell(chart, TZ_AT_INSIDE, cell_of(chart, kind, index), lane);
    b->x = 0;
    tz_expand_start(&b->e, chart, lane, kind, index);
    b->e.count = 0;
}

static bool next(best_instances *b, tz_instance *ret) {
    const tz_chart *chart = b->e.chart;
    const tz_semiring *s = chart->algebra->semiring;
    const size_t size = chart->algebra->size;
    void *sum = (char *)chart->pair.data + 2 * size; /* expanding takes the first two */
    for (;;) {
        while (b->x < b->e.count) {
            const char *element = (const char *)b->e.element + b->x++ * size;
            s->plus(s, sum, element, b->value);
            if (tz_is_zero(chart, element) || memcmp(sum, element, size) != 0)
                continue;
            tz_expanded(&b->e, b->x - 1, ret);
            return true;
        }
        if (!tz_expand_next(&b->e))
            return false;
        b->x = 0;
    }
}

/* *ret_node: of what the instance needs at its own stage; false where it needs nothing there. */
static bool find_source(const tz_chart *chart, const tz_instance *instance, tz_arc_node *ret_node) {
    const tz_bound_step *step = tz_instance_step(chart, instance);
    unsigned premise = 0;
    for (unsigned t = 0; t + 1 < step->step->within; t++)
        premise += step->term[t].what != TZ_WEIGHT;
    if (step->step->within == 0)
        return false;
    *ret_node = (tz_arc_node){.kind = instance->strip->which[premise]};
    tz_instance_premise(chart, instance, premise, ret_node->index);
    ret_node->cell = cell_of(chart, ret_node->kind, ret_node->index);
    return true;
}

/* Adds arcs to a node from those that its best instances need, and nodes for them that are new;
 * *ret_ends: some instance needs none. */
static tz_status add_sources(tz_chart *chart, size_t lane, uint32_t node, bool *ret_ends) {
    const tz_arc_node at = *tz_arcs_node(chart, node);
    best_instances b;
    tz_instance instance;
    tz_arc_node source;
    tz_status status = TZ_OK;
    *ret_ends = false;
    start(&b, chart, lane, at.kind, at.index);
    while (status == TZ_OK && next(&b, &instance)) {
        if (!find_source(chart, &instance, &source)) {
            *ret_ends = true;
            continue;
        }
        if (tz_arcs_known(chart, source.cell) == 0)
            status = tz_arcs_add_node(chart, lane, &source);
        if (status == TZ_OK)
            status = tz_arcs_add(chart, tz_arcs_known(chart, source.cell) - 1, node,
                                 chart->algebra->one);
    }
    return status;
}

/* Do the arcs make a circle? Nodes that no node needs are taken off, until none is left. Those
 * before `begin` are in none, and need no later ones. */
static bool has_circle(const tz_chart *chart, size_t begin) {
    circle_node *node = chart->closure.work.data;
    const tz_arc *arc = chart->closure.arc.data;
    const size_t nodes = chart->closure.nodes;
    size_t ready = begin, taken = begin;
    for (size_t n = begin; n < nodes; n++)
        node[n].needs = 0;
    for (size_t a = begin < nodes ? node[begin].first : chart->closure.arcs;
         a < chart->closure.arcs; a++)
        node[arc[a].from].needs++;
    for (size_t n = begin; n < nodes; n++)
        if (node[n].needs == 0)
            node[ready++].ready = (uint32_t)n;
    for (; taken < ready; taken++) {
        const uint32_t n = node[taken].ready;
        for (uint32_t a = node[n].first; a < node[n].end; a++)
            if (arc[a].from >= begin && --node[arc[a].from].needs == 0)
                node[ready++].ready = arc[a].from;
    }
    return taken < nodes;
}

/* Sets all distances, given those that are 0. */
static void set_distances(const tz_chart *chart) {
    circle_node *node = chart->closure.work.data;
    const tz_arc *arc = chart->closure.arc.data;
    for (bool more = true; more;) {
        more = false;
        for (size_t a = 0; a < chart->closure.arcs; a++) {
            const uint32_t far = node[arc[a].from].distance;
            if (far != beyond && far + 1 < node[arc[a].to].distance) {
                node[arc[a].to].distance = far + 1;
                more = true;
            }
        }
    }
}

tz_status tz_circle_look(tz_chart *chart, size_t lane, unsigned kind, const int32_t *index,
                         bool *ret_circle) {
    tz_closure_memory *m = &chart->closure;
    tz_arc_node root = {.kind = kind, .cell = cell_of(chart, kind, index)};
    memcpy(root.index, index, sizeof root.index);
    const bool go_on = m->free_epoch == chart->epoch && m->free_lane == lane;
    tz_status status = go_on ? TZ_OK : tz_arcs_start(chart);
    const size_t begin = m->nodes;
    m->free_epoch = 0;
    if (status == TZ_OK && tz_arcs_known(chart, root.cell) == 0)
        status = tz_arcs_add_node(chart, lane, &root);
    for (uint32_t n = (uint32_t)begin; n < m->nodes && status == TZ_OK; n++) {
        bool ends;
        const uint32_t first = (uint32_t)m->arcs;
        status = tz_buffer_grow(&m->work, n + 1, sizeof(circle_node));
        if (status == TZ_OK)
            status = add_sources(chart, lane, n, &ends);
        if (status == TZ_OK)
            ((circle_node *)m->work.data)[n] = (circle_node){
                .distance = ends ? 0 : beyond, .first = first, .end = (uint32_t)m->arcs};
    }
    if (status != TZ_OK)
        return status;
    *ret_circle = has_circle(chart, begin);
    if (*ret_circle) {
        set_distances(chart);
    } else {
        m->free_epoch = chart->epoch;
        m->free_lane = lane;
    }
    return TZ_OK;
}

tz_instance tz_circle_leave(tz_chart *chart, size_t lane, unsigned kind, const int32_t *index) {
    const circle_node *node = chart->closure.work.data;
    tz_instance best = {.strip = NULL}, instance;
    tz_arc_node source;
    uint32_t least = beyond;
    best_instances b;
    start(&b, chart, lane, kind, index);
    while (next(&b, &instance)) {
        uint32_t far = 0;
        if (find_source(chart, &instance, &source)) {
            far = node[tz_arcs_known(chart, source.cell) - 1].distance;
            far += far != beyond;
        }
        if (far < least ||
            (far == least && far != beyond && tz_instance_before(chart, lane, &instance, &best))) {
            least = far;
            best = instance;
        }
    }
    return best;
}
