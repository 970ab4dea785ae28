/* arcs.h - a closure at one stage, for one lane: its items as nodes, and the instances of its steps
 * `within` as arcs between them. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CLOSURE_ARCS_H
#define TZ_ENGINE_CLOSURE_ARCS_H

#include "engine/engine.h"

/* A product of value(from) is part of value(to). */
typedef struct tz_arc {
    uint32_t from, to;
} tz_arc;

typedef struct tz_arc_node {
    ptrdiff_t cell;
    uint32_t kind;
    int32_t index[TZ_MAX_RANK];
    bool forbidden; /* a fact says so: it is zero, and no arc leads to it */
} tz_arc_node;

/* Forgets all nodes and arcs. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_arcs_start(tz_chart *chart);
/* 1 + the number of the node at a cell, or 0: there is none yet. */
static inline uint32_t tz_arcs_known(const tz_chart *chart, ptrdiff_t cell) {
    return ((const uint32_t *)chart->closure.number.data)[cell];
}
static inline const tz_arc_node *tz_arcs_node(const tz_chart *chart, size_t node) {
    return (const tz_arc_node *)chart->closure.node.data + node;
}
/* A node for a lane's cell that has none. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_arcs_add_node(tz_chart *chart, size_t lane, const tz_arc_node *node);
/* An arc, unless the product is zero or it leads to what is forbidden. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_arcs_add(tz_chart *chart, uint32_t from, uint32_t to, const void *product);

/* x = M x + b: the arcs' products are M, and `value` holds b, then x, the least solution. */
typedef struct tz_equations {
    const tz_algebra *algebra;
    const tz_arc *arc;
    const char *product; /* [arcs] elements */
    char *value;         /* [nodes] elements */
    size_t nodes, arcs;
    tz_buffer *work, *matrix;
    tz_known_parts *known;
    char *room;         /* for three elements */
    uint32_t diverging; /* out: after TZ_DIVERGES, a node */
    tz_watching *watching;
} tz_equations;

typedef tz_status (*tz_solver)(tz_equations *);

/* Reports so many products; should the work stop? */
static inline bool tz_equations_stop(tz_equations *e, size_t products) {
    return tz_watch_stops(e->watching, (double)products);
}

/* Solves for the values that the nodes' cells have in a space. TZ_STOPPED; TZ_DIVERGES: the chart
 * holds the item. */
tz_status tz_arcs_solve(tz_chart *chart, tz_space space, size_t lane, tz_solver solver);
void tz_closure_free(tz_closure_memory *c);

#endif
