/* solve.c - a closure solved part by part.
 *
 * A part is a strongly connected component: nodes that need one another, found with all that they
 * need already solved (Tarjan 1972). Most are single nodes. In a larger one, a node is eliminated
 * after the other, x_k = star(M_kk) (b_k + sum of M_kj x_j), where star is all that takes the place
 * of division: nothing is subtracted but from 1 (Grassmann, Taksar & Heyman 1985). Where plus picks
 * the better, the ways are made longer until none gets better (Bellman & Ford); a tree of how each
 * node was reached shows a cycle that gains as soon as it closes (Tarjan 1981).
 *
 * The order is that of the arcs, which does not depend on what else is computed. What depends on
 * arcs alone, parts and what matrices come to, is kept for equations of the same arcs: those of a
 * grammar are the same at every stage.
 * SPDX-License-Identifier: MIT */
#include "engine/closure/solve.h"

static const uint32_t none = UINT32_MAX;

/* Nodes order[first] .. order[first + nodes - 1]. */
typedef struct part {
    uint32_t first, nodes;
    bool cyclic, eliminated;
    uint32_t diverging; /* then: a node without a star; none: there is none */
    size_t matrix;      /* elements before its own */
} part;

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
    uint32_t *order;      /* [nodes] part by part, each after what it needs */
    uint32_t *path;       /* [nodes] that are being looked at */
    uint32_t *parent;     /* [nodes] from which it was reached; none: from outside the part */
    tz_known_parts *known;
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

static char *at(const solver *s, const part *p, size_t to, size_t from) {
    return (char *)s->e->matrix->data + (p->matrix + to * p->nodes + from) * s->size;
}

static void fill_matrix(const solver *s, const part *p, const uint32_t *node) {
    const size_t nodes = p->nodes;
    tz_fill(s->e->algebra, at(s, p, 0, 0), s->e->algebra->zero, nodes * nodes);
    for (size_t to = 0; to < nodes; to++)
        for (uint32_t a = s->first[node[to]]; a < s->first[node[to] + 1]; a++) {
            const uint32_t from = s->e->arc[s->arc[a]].from;
            if (s->part[from] != s->part[node[to]])
                continue;
            char *sum = at(s, p, to, s->place[from]);
            s->semiring->plus(s->semiring, sum, sum, product_of(s, s->arc[a]));
        }
}

/* Then a star is where its element was, and below the diagonal what rows are multiplied by. */
static tz_status eliminate(const solver *s, part *p, const uint32_t *node) {
    const size_t nodes = p->nodes;
    char *star = s->e->room + s->size;
    fill_matrix(s, p, node);
    p->diverging = none;
    for (size_t k = 0; k < nodes; k++) {
        if (!tz_star(s->e->algebra, star, at(s, p, k, k))) {
            p->diverging = node[k];
            break;
        }
        memcpy(at(s, p, k, k), star, s->size);
        for (size_t j = k + 1; j < nodes; j++)
            if (!is_zero(s, at(s, p, k, j)))
                scale(s, at(s, p, k, j), star);
        for (size_t i = k + 1; i < nodes; i++) {
            const char *factor = at(s, p, i, k);
            if (is_zero(s, factor))
                continue;
            for (size_t j = k + 1; j < nodes; j++)
                if (!is_zero(s, at(s, p, k, j)))
                    add(s, at(s, p, i, j), factor, at(s, p, k, j));
            if (tz_equations_stop(s->e, nodes - k))
                return TZ_STOPPED;
        }
    }
    p->eliminated = true;
    return TZ_OK;
}

static tz_status substitute(const solver *s, part *p, const uint32_t *node) {
    const size_t nodes = p->nodes;
    tz_status status = p->eliminated ? TZ_OK : eliminate(s, p, node);
    p->eliminated &= s->known->kept;
    if (status != TZ_OK || p->diverging != none)
        return status != TZ_OK ? status : diverges(s, p->diverging);
    for (size_t k = 0; k < nodes; k++) {
        scale(s, value_of(s, node[k]), at(s, p, k, k));
        for (size_t i = k + 1; i < nodes; i++)
            if (!is_zero(s, at(s, p, i, k)))
                add(s, value_of(s, node[i]), at(s, p, i, k), value_of(s, node[k]));
    }
    for (size_t k = nodes; k-- > 0;)
        for (size_t j = k + 1; j < nodes; j++)
            if (!is_zero(s, at(s, p, k, j)))
                add(s, value_of(s, node[k]), at(s, p, k, j), value_of(s, node[j]));
    return TZ_OK;
}

/* ---- Parts -------------------------------------------------------------------------------------
 */

static tz_status add_part(const solver *s, uint32_t first, uint32_t nodes) {
    tz_known_parts *known = s->known;
    const uint32_t *node = s->order + first;
    tz_status status = tz_buffer_grow(&known->part, known->parts + 1, sizeof(part));
    if (status != TZ_OK)
        return status;
    part *p = (part *)known->part.data + known->parts++;
    *p = (part){.first = first, .nodes = nodes, .matrix = known->elements};
    for (size_t i = 0; i < nodes; i++) {
        s->part[node[i]] = node[0];
        s->place[node[i]] = (uint32_t)i;
    }
    for (size_t i = 0; i < nodes; i++)
        for (uint32_t a = s->first[node[i]]; a < s->first[node[i] + 1]; a++)
            p->cyclic |= s->part[s->e->arc[s->arc[a]].from] == node[0];
    if (!p->cyclic || (s->semiring->laws & TZ_PATH) != 0)
        return TZ_OK;
    const size_t elements = (size_t)nodes * nodes; /* nodes < 2^32 */
    known->largest = elements > known->largest ? elements : known->largest;
    return __builtin_add_overflow(known->elements, elements, &known->elements) ? TZ_TOO_LARGE
                                                                               : TZ_OK;
}

/* Solves a part, given all that it needs. */
static tz_status solve_part(const solver *s, part *p) {
    const uint32_t *node = s->order + p->first;
    bool any = false;
    for (size_t i = 0; i < p->nodes; i++) {
        for (uint32_t a = s->first[node[i]]; a < s->first[node[i] + 1]; a++) {
            const uint32_t from = s->e->arc[s->arc[a]].from;
            if (s->part[from] != node[0] && !is_zero(s, value_of(s, from)))
                add(s, value_of(s, node[i]), value_of(s, from), product_of(s, s->arc[a]));
        }
        any |= !is_zero(s, value_of(s, node[i]));
    }
    if (!any || !p->cyclic)
        return TZ_OK;
    return s->semiring->laws & TZ_PATH ? relax(s, node, p->nodes) : substitute(s, p, node);
}

/* Looks at a node and, before it, at all that it needs. */
static tz_status look_at(solver *s, uint32_t root, uint32_t *count, uint32_t *ordered) {
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
        const uint32_t nodes = (uint32_t)(stacked - first);
        memcpy(s->order + *ordered, s->stack + first, nodes * sizeof *s->order);
        status = add_part(s, *ordered, nodes);
        *ordered += nodes;
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

/* Parts, in order. */
static tz_status find_parts(solver *s) {
    enum { MOST_KEPT = 1 << 16 /* elements, arcs */ };
    tz_known_parts *known = s->known;
    tz_equations *e = s->e;
    uint32_t count = 0, ordered = 0;
    tz_status status = TZ_OK;
    known->parts = known->elements = known->largest = 0;
    sort_arcs(s);
    memset(s->seen, 0, e->nodes * sizeof *s->seen);
    memset(s->part, 0xff, e->nodes * sizeof *s->part);
    for (uint32_t n = 0; n < e->nodes && status == TZ_OK; n++)
        if (s->seen[n] == 0)
            status = look_at(s, n, &count, &ordered);
    known->kept = known->elements <= MOST_KEPT && e->arcs <= MOST_KEPT;
    for (size_t p = 0; p < known->parts && !known->kept; p++)
        ((part *)known->part.data)[p].matrix = 0;
    return status != TZ_OK
               ? status
               : tz_buffer_reserve(e->matrix, known->kept ? known->elements : known->largest,
                                   s->size);
}

/* Finds the parts, if they are not known from equations with the same arcs. */
static tz_status know_parts(solver *s) {
    const tz_equations *e = s->e;
    tz_known_parts *known = s->known;
    const size_t arcs = e->arcs * sizeof *e->arc, products = e->arcs * s->size;
    if (known->made && known->nodes == e->nodes && known->arcs == e->arcs &&
        memcmp(known->arc.data, e->arc, arcs) == 0 &&
        memcmp(known->product.data, e->product, products) == 0)
        return TZ_OK;
    known->made = false;
    tz_status status = find_parts(s);
    if (status == TZ_OK && known->kept)
        status = tz_buffer_reserve(&known->arc, 1, arcs);
    if (status == TZ_OK && known->kept)
        status = tz_buffer_reserve(&known->product, 1, products);
    if (status != TZ_OK || !known->kept)
        return status;
    memcpy(known->arc.data, e->arc, arcs);
    memcpy(known->product.data, e->product, products);
    known->nodes = e->nodes;
    known->arcs = e->arcs;
    known->made = true;
    return TZ_OK;
}

tz_status tz_solve(tz_equations *e) {
    enum { ARRAYS = 9 };
    const size_t nodes = e->nodes;
    const size_t numbers = ARRAYS * nodes + 1 + e->arcs; /* below 2^36 */
    tz_status status = tz_buffer_reserve(e->work, numbers, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    uint32_t *at = e->work->data;
    solver s = {
        .e = e, .semiring = e->algebra->semiring, .size = e->algebra->size, .known = e->known};
    s.first = at, at += nodes + 1;
    s.arc = at, at += e->arcs;
    uint32_t **array[] = {&s.seen,  &s.low,  &s.part,  &s.place,
                          &s.stack, &s.path, &s.order, &s.parent};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++, at += nodes)
        *array[i] = at;
    status = know_parts(&s);
    part *p = s.known->part.data;
    for (size_t i = 0; i < s.known->parts && status == TZ_OK; i++)
        status = solve_part(&s, &p[i]);
    return status;
}
