/* paths.c - an automaton as a graph for gallery/paths, and its arcs from derivations.
 *
 * The graph has one edge from a vertex to another. Of arcs with the same ends, all but the first go
 * by way of a vertex of their own, so each is an edge that tells which arc it is.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "automaton/automaton.h"
#include "base/modes.h"

/* ---- The graph ------------------------------------------------------------------------------- */

typedef struct wanted_pair {
    const tz_automaton *automaton;
    int32_t from, to;
} wanted_pair;

static bool same_pair(const void *what, int32_t number) {
    const wanted_pair *w = what;
    const int32_t *pair = w->automaton->pair + 2 * number;
    return pair[0] == w->from && pair[1] == w->to;
}

static uint64_t hash_of(int32_t from, int32_t to) {
    return tz_hash_more(tz_hash_more(0, (uint32_t)from), (uint32_t)to);
}

static int32_t find_pair(const tz_automaton *a, int32_t from, int32_t to) {
    const wanted_pair w = {a, from, to};
    return tz_table_find(&a->by_ends, hash_of(from, to), same_pair, &w);
}

static bool add_pair(tz_automaton *a, int32_t from, int32_t to, double score, int32_t arc) {
    a->pair[2 * a->pairs] = from;
    a->pair[2 * a->pairs + 1] = to;
    a->pair_score[a->pairs] = score;
    a->pair_arc[a->pairs] = arc;
    return tz_table_put(&a->by_ends, hash_of(from, to), (int32_t)a->pairs++);
}

static tz_status make_pairs(tz_automaton *a) {
    a->pair = malloc((2 * a->arcs + 1) * 2 * sizeof *a->pair);
    a->pair_arc = malloc((2 * a->arcs + 1) * sizeof *a->pair_arc);
    a->pair_score = malloc((2 * a->arcs + 1) * sizeof *a->pair_score);
    if (a->pair == NULL || a->pair_arc == NULL || a->pair_score == NULL)
        return TZ_NO_MEMORY;
    a->vertices = a->states.count;
    for (size_t i = 0; i < a->arcs; i++) {
        const tz_automaton_arc *arc = &a->arc[i];
        int32_t to = arc->to;
        if (find_pair(a, arc->from, to) != TZ_NO_NUMBER) {
            if (a->vertices >= TZ_MAX_LENGTH)
                return TZ_TOO_LARGE;
            to = (int32_t)a->vertices++;
            if (!add_pair(a, to, arc->to, 0, -1))
                return TZ_NO_MEMORY;
        }
        if (!add_pair(a, arc->from, to, arc->score, (int32_t)i))
            return TZ_NO_MEMORY;
    }
    a->begin = malloc((a->vertices + 1) * sizeof *a->begin);
    a->end = malloc((a->vertices + 1) * sizeof *a->end);
    if (a->begin == NULL || a->end == NULL)
        return TZ_NO_MEMORY;
    for (size_t v = 0; v < a->vertices; v++) {
        a->begin[v] = (int32_t)v == a->start ? 0 : -INFINITY;
        a->end[v] = v < a->states.count ? a->final[v] : -INFINITY;
    }
    return TZ_OK;
}

/* ---- Components ------------------------------------------------------------------------------ */

/* Tarjan 1972, without recursion. */
typedef struct walk {
    uint32_t *first; /* [vertices + 1] of a vertex's edges, in `to` */
    int32_t *to;
    uint32_t *seen, *low, *next; /* [vertices] when it was seen, from 1; the least it leads to */
    int32_t *stack, *path;
    uint32_t clock;
    size_t stacked;
} walk;

static void close_component(walk *w, int32_t root, tz_automaton_parts *p) {
    size_t size = 0;
    int32_t v;
    do {
        v = w->stack[--w->stacked];
        w->low[v] = UINT32_MAX; /* it is done */
        size++;
    } while (v != root);
    p->largest = size > p->largest ? size : p->largest;
}

static void enter(walk *w, int32_t v, size_t *depth) {
    w->seen[v] = w->low[v] = ++w->clock;
    w->next[v] = w->first[v];
    w->stack[w->stacked++] = v;
    w->path[(*depth)++] = v;
}

static void walk_from(walk *w, int32_t root, tz_automaton_parts *p) {
    size_t depth = 0;
    enter(w, root, &depth);
    while (depth > 0) {
        const int32_t v = w->path[depth - 1];
        if (w->next[v] < w->first[v + 1]) {
            const int32_t to = w->to[w->next[v]++];
            if (w->seen[to] == 0)
                enter(w, to, &depth);
            else if (w->low[to] != UINT32_MAX && w->seen[to] < w->low[v])
                w->low[v] = w->seen[to];
            continue;
        }
        const uint32_t low = w->low[v];
        if (low == w->seen[v])
            close_component(w, v, p);
        if (--depth > 0 && low < w->low[w->path[depth - 1]])
            w->low[w->path[depth - 1]] = low;
    }
}

static tz_status find_components(tz_automaton *a) {
    const size_t n = a->vertices;
    uint32_t *room = calloc(6 * n + 2 + a->pairs, sizeof *room);
    if (room == NULL)
        return TZ_NO_MEMORY;
    walk w = {.first = room,
              .seen = room + n + 2,
              .low = room + 2 * n + 2,
              .next = room + 3 * n + 2,
              .stack = (int32_t *)room + 4 * n + 2,
              .path = (int32_t *)room + 5 * n + 2,
              .to = (int32_t *)room + 6 * n + 2};
    for (size_t e = 0; e < a->pairs; e++)
        w.first[a->pair[2 * e] + 2]++;
    for (size_t v = 2; v < n + 2; v++)
        w.first[v] += w.first[v - 1];
    for (size_t e = 0; e < a->pairs; e++)
        w.to[w.first[a->pair[2 * e] + 1]++] = a->pair[2 * e + 1];
    for (size_t v = 0; v < n; v++)
        if (w.seen[v] == 0)
            walk_from(&w, (int32_t)v, &a->parts);
    free(room);
    return TZ_OK;
}

tz_status tz_automaton_finish(tz_automaton *a) {
    tz_automaton_parts *p = &a->parts;
    const tz_name_table *outputs = a->transducer ? &a->outputs : &a->inputs;
    if (a->states.count > TZ_MAX_LENGTH)
        return TZ_TOO_LARGE;
    tz_status status = make_pairs(a);
    if (status == TZ_OK)
        status = find_components(a);
    p->states = a->states.count;
    p->arcs = a->arcs;
    p->inputs = a->inputs.count;
    p->outputs = outputs->count;
    p->vertices = a->vertices;
    p->pairs = a->pairs;
    p->transducer = a->transducer;
    p->start = a->start;
    p->state = a->states.name;
    p->input = a->inputs.name;
    p->output = outputs->name;
    p->arc = a->arc;
    p->begin = a->begin;
    p->end = a->end;
    p->pair = a->pair;
    p->pair_score = a->pair_score;
    p->pair_arc = a->pair_arc;
    return status;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* The nodes behind the goal are vertices from the path's end to its beginning. */
tz_status tz_automaton_path(const tz_automaton *a, const tz_derivation *derivation,
                            uint32_t *ret_arc, size_t *ret_arcs) {
    TZ_DEFAULT_MODES;
    size_t made = 0;
    for (size_t i = derivation->nodes; i-- > 2;) {
        const int32_t from = derivation->node[i].index[0], to = derivation->node[i - 1].index[0];
        const int32_t pair = find_pair(a, from, to);
        if (pair == TZ_NO_NUMBER)
            return TZ_BAD_ARGUMENT;
        if (a->pair_arc[pair] >= 0)
            ret_arc[made++] = (uint32_t)a->pair_arc[pair];
    }
    *ret_arcs = made;
    return TZ_OK;
}
