/* forest.c - the instances that good derivations are made of.
 *
 * From the goal down, each item is expanded once, after everything that it is a premise of. It is
 * given room: how much a derivation of it may score below its best one without the whole falling
 * further below the best than is allowed. An instance takes from the room what it is below the
 * item's best, and hands its premises what is left. That keeps exactly the items and instances
 * whose max-marginals are within the distance, without an outside pass, and visits no others.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/expand.h"
#include "limits/limit.h"

enum { ROW_WORK = 32 /* instances that finding a row takes as long as */ };

void tz_forest_free(tz_forest *f) {
    tz_buffer *buffer[] = {&f->node,   &f->edge, &f->premise, &f->column, &f->value,
                           &f->prefix, &f->heap, &f->order,   &f->slot};
    for (size_t b = 0; b < sizeof buffer / sizeof *buffer; b++)
        tz_buffer_free(buffer[b]);
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
    for (unsigned s = 0; s < group->stages; s++)
        if (x->stage[s] != y->stage[s])
            return x->stage[s] < y->stage[s];
    for (unsigned k = 0; k < group->kinds && x->kind != y->kind; k++) {
        if (group->kind[k] == x->kind)
            return true;
        if (group->kind[k] == y->kind)
            return false;
    }
    return a < b;
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

/* ---- Nodes and edges ----------------------------------------------------------------------------
 */

/* The node of an item, with room for this much at least. */
static tz_status reach(tz_limit_chart *c, unsigned kind, const int32_t *index, double room,
                       uint32_t *ret_node) {
    tz_forest *f = &c->forest;
    const tz_rules *rules = c->limiter->rules;
    int64_t at[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < rules->kind[kind].rank; q++)
        at[q] = index[q];
    uint32_t *slot = (uint32_t *)f->slot.data + tz_cell_offset(c->chart, kind, at);
    if (*slot == 0) {
        tz_status status = f->nodes < UINT32_MAX ? TZ_OK : TZ_TOO_LARGE;
        if (status == TZ_OK)
            status = tz_buffer_grow(&f->node, f->nodes + 1, sizeof(tz_forest_node));
        if (status == TZ_OK)
            status = tz_buffer_grow(&f->heap, f->heaped + 1, sizeof(uint32_t));
        if (status == TZ_OK)
            status = tz_buffer_grow(&f->order, f->nodes + 1, sizeof(uint32_t));
        if (status != TZ_OK)
            return status;
        tz_forest_node *node = (tz_forest_node *)f->node.data + f->nodes;
        *node = (tz_forest_node){.kind = kind, .room = room};
        memcpy(node->index, index, sizeof node->index);
        const tz_group *group = &rules->group[rules->kind[kind].group];
        for (unsigned s = 0; s < group->stages; s++)
            node->stage[s] = tz_form_value(&rules->kind[kind].stage[s], rules->lengths,
                                           tz_lane_length(c->chart, 0), rules->kind[kind].rank, at);
        *slot = (uint32_t)++f->nodes;
        push(c, *slot - 1);
    }
    tz_forest_node *node = (tz_forest_node *)f->node.data + (*slot - 1);
    node->room = room > node->room ? room : node->room;
    *ret_node = *slot - 1;
    return TZ_OK;
}

/* Adds an instance whose premises get so much room. */
static tz_status add_edge(tz_limit_chart *c, const tz_instance *instance, double room) {
    tz_forest *f = &c->forest;
    const tz_bound_step *step = instance->step;
    size_t columns = (size_t)step->nest->givens + step->nest->loops;
    size_t entries = step->step->sparse;
    tz_status status = tz_buffer_grow(&f->edge, f->edges + 1, sizeof(tz_forest_edge));
    if (status == TZ_OK)
        status = tz_buffer_grow(&f->premise, f->premises + step->terms, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_buffer_grow(&f->column, f->columns + columns + entries, sizeof(int64_t));
    if (status != TZ_OK)
        return status;
    tz_forest_edge edge = {.step = step, .premise = f->premises, .column = f->columns};
    int64_t *column = (int64_t *)f->column.data + f->columns;
    memcpy(column, instance->column, columns * sizeof *column);
    for (size_t i = 0; i < entries; i++)
        column[columns + i] = (int64_t)instance->entry[i];
    f->columns += columns + entries;
    for (unsigned t = 0; t < step->terms; t++) {
        int32_t index[TZ_MAX_RANK];
        tz_instance_index(c->chart, 0, instance, t, index);
        if (step->term[t].what != TZ_WEIGHT) {
            status = reach(c, step->term[t].which, index, room,
                           (uint32_t *)f->premise.data + f->premises + edge.premises++);
        } else {
            double score;
            unsigned weight = step->term[t].which;
            if (t < entries)
                score = tz_entry_score(&c->source[weight], instance->entry[t]);
            else
                status = tz_limit_score(c, weight, index, &score);
            if (status == TZ_OK) {
                edge.score += score;
                edge.amount += tz_limit_amount(c, weight, index);
            }
        }
        if (status != TZ_OK)
            return status;
    }
    f->premises += edge.premises;
    ((tz_forest_edge *)f->edge.data)[f->edges++] = edge;
    return TZ_OK;
}

static inline double element(const tz_limit_chart *c, const void *at) {
    return c->chart->algebra->size == sizeof(double) ? *(const double *)at
                                                     : (double)*(const float *)at;
}

static tz_status expand(tz_limit_chart *c, uint32_t which, double distance) {
    tz_forest *f = &c->forest;
    tz_forest_node *node = (tz_forest_node *)f->node.data + which;
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        at[q] = node->index[q];
    double best =
        element(c, tz_cell(c->chart, TZ_AT_INSIDE, tz_cell_offset(c->chart, node->kind, at), 0));
    double room = node->room;
    size_t first = f->edges, size = c->chart->algebra->size;
    tz_expansion e;
    for (tz_expand_start(&e, c->chart, 0, node->kind, node->index); tz_expand_next(&e);) {
        unsigned last = (unsigned)e.at.step->nest->givens + e.at.step->nest->loops - 1;
        f->work += (double)e.count + ROW_WORK;
        for (size_t x = 0; x < e.count; x++) {
            double value = element(c, (const char *)e.element + x * size);
            double left = room - (best - value);
            if (value == -INFINITY)
                continue;
            if (left < 0) {
                f->next = distance - left < f->next ? distance - left : f->next;
                continue;
            }
            tz_instance instance = e.at;
            if (e.count > 1)
                instance.column[last] += (int64_t)x;
            tz_status status = add_edge(c, &instance, left);
            if (status != TZ_OK)
                return status;
        }
    }
    node = (tz_forest_node *)f->node.data + which; /* it may have moved */
    node->edge = first;
    node->edges = f->edges - first;
    return TZ_OK;
}

/* ---- The whole ----------------------------------------------------------------------------------
 */

/* Forgets the nodes of last time. */
static tz_status clear(tz_limit_chart *c) {
    tz_forest *f = &c->forest;
    size_t cells = c->chart->cells[TZ_AT_INSIDE];
    f->nodes = f->edges = f->premises = f->columns = f->values = f->heaped = f->ordered = 0;
    f->next = INFINITY;
    f->work = 0;
    tz_status status = tz_buffer_reserve(&f->slot, cells + 1, sizeof(uint32_t));
    if (status == TZ_OK)
        memset(f->slot.data, 0, (cells + 1) * sizeof(uint32_t));
    return status == TZ_OK ? tz_expand_room(c->chart) : status;
}

tz_status tz_forest_grow(tz_limit_chart *c, double distance, double limit, bool *ret_done) {
    tz_forest *f = &c->forest;
    int32_t index[TZ_MAX_RANK] = {0};
    size_t goal;
    unsigned rank;
    uint32_t node;
    *ret_done = false;
    tz_status status =
        tz_rules_goal(c->limiter->rules, tz_lane_length(c->chart, 0), &goal, &rank, index);
    if (status == TZ_OK)
        status = clear(c);
    if (status == TZ_OK)
        status = reach(c, (unsigned)goal, index, distance, &node);
    while (status == TZ_OK && f->heaped > 0 && f->work <= limit) {
        node = pop(c);
        ((uint32_t *)f->order.data)[f->ordered++] = node;
        status = expand(c, node, distance);
    }
    *ret_done = status == TZ_OK && f->heaped == 0;
    return status;
}
