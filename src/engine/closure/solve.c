/* solve.c - a closure solved part by part.
 *
 * A part is a strongly connected component: nodes that need one another, found with all that they
 * need already solved (Tarjan 1972). Most are single nodes. In a larger one, a node is eliminated
 * after the other, x_k = star(M_kk) (b_k + sum of M_kj x_j), where star is all that takes the place
 * of division: nothing is subtracted but from 1 (Grassmann, Taksar & Heyman 1985). Where plus picks
 * the better, the ways are made longer until none gets better (Bellman & Ford); a tree of how each
 * node was reached shows a cycle that gains as soon as it closes (Tarjan 1981).
 *
 * The order is that of the arcs, which does not depend on what else is computed.
 * SPDX-License-Identifier: MIT */
#include "engine/closure/solve.h"

static const uint32_t none = UINT32_MAX;

typedef struct solver {
    tz_equations *e;
    const tz_semiring *semiring;
    size_t size;
    uint32_t *first;      /* [nodes + 1] of a node's arcs to it, in `arc` */
    uint32_t *arc;        /* [arcs] */
    uint32_t *seen, *low; /* [nodes] when a node was first seen, from 1; the least it leads to */
    uint32_t *part;       /* [nodes] first node of its part; none: not known yet */
    uint32_t *place;      /* [nodes] its place in the part, or while it is looked at its next arc */
    uint32_t *stack;      /* [nodes] without a part yet */
    uint32_t *path;       /* [nodes] that are being looked at */
    uint32_t *parent;     /* [nodes] from which it was reached; none: from outside the part */
} solver;

static char *value_of(const solver *s, uint32_t node) {
    return s->e->value + node * s->size;
}

static const char *product_of(const solver *s, uint32_t arc) {
    return s->e->product + arc * s->size;
}

static bool is_zero(const solver *s, const void *a) {
    return tz_same_element(s->e->algebra, a, s->e->algebra->zero);
}

/* *sum += a * b. */
static void add(const solver *s, void *sum, const void *a, const void *b) {
    if (s->semiring->plus_times != NULL) {
        s->semiring->plus_times(s->semiring, sum, sum, a, b);
        return;
    }
    s->semiring->times(s->semiring, s->e->room, a, b);
    s->semiring->plus(s->semiring, sum, sum, s->e->room);
}

static void scale(const solver *s, void *a, const void *by) {
    s->semiring->times(s->semiring, a, by, a);
}

static tz_status diverges(const solver *s, uint32_t node) {
    s->e->diverging = node;
    return TZ_DIVERGES;
}

/* ---- Where plus picks the better ---------------------------------------------------------------
 */

/* Was `node` reached by way of `by`? */
static bool came_by(const solver *s, uint32_t node, uint32_t by) {
    for (; node != none; node = s->parent[node])
        if (node == by)
            return true;
    return false;
}

/* The largest score in the part. */
static double largest_score(const solver *s, const uint32_t *node, size_t nodes) {
    double most = 0;
    for (size_t i = 0; i < nodes; i++) {
        most = fmax(most, tz_largest_score(s->e->algebra, value_of(s, node[i]), 1));
        for (uint32_t a = s->first[node[i]]; a < s->first[node[i] + 1]; a++)
            most = fmax(most, tz_largest_score(s->e->algebra, product_of(s, s->arc[a]), 1));
    }
    return most;
}

static tz_status relax(const solver *s, const uint32_t *node, size_t nodes) {
    char *better = s->e->room + s->size;
    double largest = -1;
    bool changed = true;
    for (size_t i = 0; i < nodes; i++)
        s->parent[node[i]] = none;
    for (size_t round = 0; round <= nodes && changed; round++) {
        changed = false;
        for (size_t i = 0; i < nodes; i++) {
            if (tz_equations_stop(s->e, s->first[node[i] + 1] - s->first[node[i]]))
                return TZ_STOPPED;
            for (uint32_t a = s->first[node[i]]; a < s->first[node[i] + 1]; a++) {
                const uint32_t from = s->e->arc[s->arc[a]].from;
                char *value = value_of(s, node[i]);
                if (s->part[from] != s->part[node[i]] || is_zero(s, value_of(s, from)))
                    continue;
                memcpy(better, value, s->size);
                add(s, better, value_of(s, from), product_of(s, s->arc[a]));
                if (tz_same_element(s->e->algebra, better, value))
                    continue;
                if (came_by(s, from, node[i])) {
                    largest = largest < 0 ? largest_score(s, node, nodes) : largest;
                    if (tz_gains(s->e->algebra, value, better, largest, nodes))
                        return diverges(s, node[i]);
                    continue;
                }
                memcpy(value, better, s->size);
                s->parent[node[i]] = from;
                changed = true;
            }
        }
    }
    return TZ_OK;
}

/* ---- Where it does not -------------------------------------------------------------------------
 */

static char *at(const solver *s, size_t nodes, size_t to, size_t from) {
    return (char *)s->e->matrix->data + (to * nodes + from) * s->size;
}

static tz_status make_matrix(const solver *s, const uint32_t *node, size_t nodes) {
    size_t elements;
    if (__builtin_mul_overflow(nodes, nodes, &elements))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(s->e->matrix, elements, s->size);
    if (status != TZ_OK)
        return status;
    tz_fill(s->e->algebra, s->e->matrix->data, s->e->algebra->zero, elements);
    for (size_t to = 0; to < nodes; to++)
        for (uint32_t a = s->first[node[to]]; a < s->first[node[to] + 1]; a++) {
            const uint32_t from = s->e->arc[s->arc[a]].from;
            if (s->part[from] != s->part[node[to]])
                continue;
            char *sum = at(s, nodes, to, s->place[from]);
            s->semiring->plus(s->semiring, sum, sum, product_of(s, s->arc[a]));
        }
    return TZ_OK;
}

static tz_status eliminate(const solver *s, const uint32_t *node, size_t nodes) {
    char *star = s->e->room + s->size;
    tz_status status = make_matrix(s, node, nodes);
    for (size_t k = 0; k < nodes && status == TZ_OK; k++) {
        if (!tz_star(s->e->algebra, star, at(s, nodes, k, k)))
            return diverges(s, node[k]);
        scale(s, value_of(s, node[k]), star);
        for (size_t j = k + 1; j < nodes; j++)
            if (!is_zero(s, at(s, nodes, k, j)))
                scale(s, at(s, nodes, k, j), star);
        for (size_t i = k + 1; i < nodes; i++) {
            const char *factor = at(s, nodes, i, k);
            if (is_zero(s, factor))
                continue;
            add(s, value_of(s, node[i]), factor, value_of(s, node[k]));
            for (size_t j = k + 1; j < nodes; j++)
                if (!is_zero(s, at(s, nodes, k, j)))
                    add(s, at(s, nodes, i, j), factor, at(s, nodes, k, j));
            if (tz_equations_stop(s->e, nodes - k))
                return TZ_STOPPED;
        }
    }
    for (size_t k = nodes; k-- > 0 && status == TZ_OK;)
        for (size_t j = k + 1; j < nodes; j++)
            if (!is_zero(s, at(s, nodes, k, j)))
                add(s, value_of(s, node[k]), at(s, nodes, k, j), value_of(s, node[j]));
    return status;
}

/* ---- Parts -------------------------------------------------------------------------------------
 */

/* Solves a part, given all that it needs. */
static tz_status solve_part(const solver *s, const uint32_t *node, size_t nodes) {
    bool any = false, cyclic = false;
    for (size_t i = 0; i < nodes; i++) {
        s->part[node[i]] = node[0];
        s->place[node[i]] = (uint32_t)i;
    }
    for (size_t i = 0; i < nodes; i++) {
        for (uint32_t a = s->first[node[i]]; a < s->first[node[i] + 1]; a++) {
            const uint32_t from = s->e->arc[s->arc[a]].from;
            if (s->part[from] == node[0])
                cyclic = true;
            else if (!is_zero(s, value_of(s, from)))
                add(s, value_of(s, node[i]), value_of(s, from), product_of(s, s->arc[a]));
        }
        any |= !is_zero(s, value_of(s, node[i]));
    }
    if (!any || !cyclic)
        return TZ_OK;
    return (s->semiring->laws & TZ_PATH ? relax : eliminate)(s, node, nodes);
}

/* Looks at a node and, before it, at all that it needs. */
static tz_status look_at(solver *s, uint32_t root, uint32_t *count) {
    size_t depth = 0, stacked = 0;
    tz_status status = TZ_OK;
    s->path[depth++] = s->stack[stacked++] = root;
    s->seen[root] = s->low[root] = ++*count;
    s->place[root] = s->first[root];
    while (depth > 0 && status == TZ_OK) {
        const uint32_t node = s->path[depth - 1];
        if (s->place[node] < s->first[node + 1]) {
            const uint32_t from = s->e->arc[s->arc[s->place[node]++]].from;
            if (s->seen[from] == 0) {
                s->path[depth++] = s->stack[stacked++] = from;
                s->seen[from] = s->low[from] = ++*count;
                s->place[from] = s->first[from];
            } else if (s->part[from] == none && s->seen[from] < s->low[node]) {
                s->low[node] = s->seen[from];
            }
            continue;
        }
        if (--depth > 0 && s->low[node] < s->low[s->path[depth - 1]])
            s->low[s->path[depth - 1]] = s->low[node];
        if (s->low[node] < s->seen[node])
            continue;
        size_t first = stacked;
        while (s->stack[--first] != node)
            ;
        status = solve_part(s, s->stack + first, stacked - first);
        stacked = first;
    }
    return status;
}

/* Sorts the arcs by the node that they lead to. */
static void sort_arcs(const solver *s) {
    const tz_equations *e = s->e;
    memset(s->first, 0, (e->nodes + 1) * sizeof *s->first);
    for (size_t a = 0; a < e->arcs; a++)
        s->first[e->arc[a].to + 1]++;
    for (size_t n = 0; n < e->nodes; n++)
        s->first[n + 1] += s->first[n];
    memcpy(s->place, s->first, e->nodes * sizeof *s->place);
    for (size_t a = 0; a < e->arcs; a++)
        s->arc[s->place[e->arc[a].to]++] = (uint32_t)a;
}

tz_status tz_solve(tz_equations *e) {
    enum { ARRAYS = 8 };
    const size_t nodes = e->nodes;
    const size_t numbers = ARRAYS * nodes + 1 + e->arcs; /* below 2^36 */
    tz_status status = tz_buffer_reserve(e->work, numbers, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    uint32_t *at = e->work->data;
    solver s = {.e = e, .semiring = e->algebra->semiring, .size = e->algebra->size};
    s.first = at, at += nodes + 1;
    s.arc = at, at += e->arcs;
    uint32_t **array[] = {&s.seen, &s.low, &s.part, &s.place, &s.stack, &s.path, &s.parent};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++, at += nodes)
        *array[i] = at;
    sort_arcs(&s);
    uint32_t count = 0;
    memset(s.seen, 0, nodes * sizeof *s.seen);
    memset(s.part, 0xff, nodes * sizeof *s.part);
    for (uint32_t n = 0; n < nodes && status == TZ_OK; n++)
        if (s.seen[n] == 0)
            status = look_at(&s, n, &count);
    return status;
}
