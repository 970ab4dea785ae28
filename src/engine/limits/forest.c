/* forest.c - the instances that good derivations are made of.
 *
 * From the goal down, each item is expanded once, after everything that it is a premise of. It is
 * given room: how much a derivation of it may score below its best one without the whole falling
 * further below the best than is allowed. An instance takes from the room what it is below the
 * item's best, and hands its premises what is left. That keeps exactly the items and instances
 * whose max-marginals are within the distance, without an outside pass, and visits no others.
 * Instances are not kept: see scan.c. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/layout/address.h"
#include "engine/limits/limits.h"

void tz_forest_free(tz_forest *f) {
    TZ_FREE_BUFFERS(&f->node, &f->edge, &f->premise, &f->value, &f->prefix, &f->heap, &f->order,
                    &f->slot, &f->least);
}

/* ---- Order --------------------------------------------------------------------------------------
 */

/* Is a evaluated before b? */
static bool before(const tz_limit_chart *c, uint32_t a, uint32_t b) {
    const tz_rules *rules = c->limiter->rules;
    const tz_forest_node *x = (const tz_forest_node *)c->forest.node.data + a;
    const tz_forest_node *y = (const tz_forest_node *)c->forest.node.data + b;
    const tz_kind *kind = rules->kind;
    if (kind[x->kind].group != kind[y->kind].group)
        return kind[x->kind].group < kind[y->kind].group;
    const tz_group *group = &rules->group[kind[x->kind].group];
    unsigned at = 0, loops = kind[x->kind].stages; /* those that are around both */
    while (group->kind[at] != x->kind && group->kind[at] != y->kind)
        at++;
    const bool first = group->kind[at] == x->kind;
    for (const unsigned last = first ? y->kind : x->kind; group->kind[at] != last;)
        loops = group->joined[++at] < loops ? group->joined[at] : loops;
    for (unsigned s = 0; s < loops; s++)
        if (x->stage[s] != y->stage[s])
            return x->stage[s] < y->stage[s];
    return x->kind != y->kind ? first : a < b;
}

static void push(tz_limit_chart *c, uint32_t node) {
    uint32_t *heap = c->forest.heap.data;
    size_t at = c->forest.heaped++;
    for (; at > 0 && before(c, heap[(at - 1) / 2], node); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = node;
}

/* The node that is evaluated last. */
static uint32_t pop(tz_limit_chart *c) {
    uint32_t *heap = c->forest.heap.data, top = heap[0], last = heap[--c->forest.heaped];
    size_t at = 0, count = c->forest.heaped;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(c, heap[child], heap[child + 1]))
            child++;
        if (!before(c, last, heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

/* ---- The whole ----------------------------------------------------------------------------------
 */

/* Gives the node of an item at least so much room; index: of a new one. */
static tz_status add_node(tz_limit_chart *c, unsigned kind, const int32_t *index, ptrdiff_t cell,
                          double room) {
    tz_forest *f = &c->forest;
    const tz_rules *rules = c->limiter->rules;
    tz_status status = f->nodes < UINT32_MAX ? TZ_OK : TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_buffer_grow(&f->node, f->nodes + 1, sizeof(tz_forest_node));
    if (status == TZ_OK)
        status = tz_buffer_grow(&f->heap, f->heaped + 1, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_buffer_grow(&f->order, f->nodes + 1, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    const void *best = tz_cell(c->chart, TZ_AT_INSIDE, cell, 0);
    bool wide = c->chart->algebra->size == sizeof(double);
    tz_forest_node *node = (tz_forest_node *)f->node.data + f->nodes;
    *node = (tz_forest_node){.kind = kind,
                             .cell = cell,
                             .best = wide ? *(const double *)best : (double)*(const float *)best,
                             .room = room};
    memcpy(node->index, index, sizeof node->index);
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        at[q] = index[q];
    for (unsigned s = 0; s < rules->kind[kind].stages; s++)
        node->stage[s] = tz_form_value(&rules->kind[kind].stage[s], rules->lengths,
                                       tz_lane_length(c->chart, 0), rules->kind[kind].rank, at);
    ((uint32_t *)f->slot.data)[cell] = (uint32_t)++f->nodes;
    push(c, (uint32_t)f->nodes - 1);
    return TZ_OK;
}

enum { NODE = 256 }; /* products that take as long as a node */

/* Gives the premises of a node their room. */
static tz_status descend(tz_limit_chart *c, uint32_t which) {
    tz_forest *f = &c->forest;
    tz_forest_scan scan;
    tz_status status = TZ_OK;
    tz_forest_scan_start(&scan, c, (const tz_forest_node *)f->node.data + which);
    while (status == TZ_OK && tz_forest_scan_next(&scan, c))
        for (unsigned p = 0; p < scan.strips.at.strip->premises && status == TZ_OK; p++) {
            ptrdiff_t cell = scan.cell[p] + (ptrdiff_t)scan.at * scan.stride[p];
            uint32_t slot = ((const uint32_t *)f->slot.data)[cell];
            if (slot == 0) {
                int32_t index[TZ_MAX_RANK];
                tz_instance instance;
                tz_expanded(&scan.strips, scan.at, &instance);
                tz_instance_premise(c->chart, &instance, p, index);
                status = add_node(c, instance.strip->which[p], index, cell, scan.left);
            } else {
                tz_forest_node *premise = (tz_forest_node *)f->node.data + (slot - 1);
                premise->room = scan.left > premise->room ? scan.left : premise->room;
            }
        }
    double next = f->distance + scan.shortfall;
    f->next = next < f->next ? next : f->next;
    return status;
}

/* Forgets the nodes of last time. */
static tz_status clear(tz_limit_chart *c) {
    tz_forest *f = &c->forest;
    size_t cells = c->chart->layout.cells[TZ_AT_INSIDE];
    f->nodes = f->values = f->heaped = f->ordered = 0;
    f->next = INFINITY;
    f->work = 0;
    tz_status status = tz_buffer_reserve(&f->slot, cells + 1, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&f->least, cells + 1, sizeof(double));
    if (status == TZ_OK)
        memset(f->slot.data, 0, (cells + 1) * sizeof(uint32_t));
    return status == TZ_OK ? tz_expand_prepare(c->chart, 0) : status;
}

tz_status tz_forest_grow(tz_limit_chart *c, double distance, unsigned thin, double limit,
                         bool *ret_done) {
    tz_forest *f = &c->forest;
    int32_t index[TZ_MAX_RANK] = {0};
    int64_t at[TZ_MAX_RANK];
    size_t goal;
    unsigned rank;
    *ret_done = false;
    f->thin = thin;
    f->distance = distance;
    tz_status status =
        tz_rules_goal(c->limiter->rules, tz_lane_length(c->chart, 0), &goal, &rank, index);
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        at[q] = index[q];
    if (status == TZ_OK)
        status = clear(c);
    if (status == TZ_OK)
        status = add_node(c, (unsigned)goal, index, tz_cell_offset(c->chart, (unsigned)goal, at),
                          distance);
    while (status == TZ_OK && f->heaped > 0 && f->work <= limit) {
        uint32_t node = pop(c);
        ((uint32_t *)f->order.data)[f->ordered++] = node;
        status = descend(c, node);
        if (status == TZ_OK && tz_stops(c->chart, NODE))
            status = TZ_STOPPED;
    }
    *ret_done = status == TZ_OK && f->heaped == 0;
    return status;
}
