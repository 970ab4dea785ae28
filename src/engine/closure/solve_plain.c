/* solve_plain.c - a closure as it is defined: M summed over all ways through more and more nodes.
 *
 * After round k, M[to][from] sums all ways that pass through nodes 0..k only: those before, and
 * those to k, any number of times around k, and from it (Kleene; Floyd & Warshall). Where plus
 * picks the better, no way that goes round is better than one that does not, so as many rounds of
 * x = M x + b as there are nodes have seen all. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "engine/closure/solve.h"

static char *at(const tz_equations *e, char *matrix, size_t to, size_t from) {
    return matrix + (to * e->nodes + from) * e->algebra->size;
}

/* *sum += a * b. */
static void add(const tz_equations *e, void *sum, const void *a, const void *b) {
    const tz_semiring *s = e->algebra->semiring;
    s->times(s, e->room, a, b);
    s->plus(s, sum, sum, e->room);
}

/* Marks what some b that is not zero reaches: the others are zero, and take no part. */
static void mark_reached(const tz_equations *e, bool *reached) {
    bool more = true;
    for (size_t n = 0; n < e->nodes; n++)
        reached[n] =
            !tz_same_element(e->algebra, e->value + n * e->algebra->size, e->algebra->zero);
    while (more) {
        more = false;
        for (size_t a = 0; a < e->arcs; a++)
            if (reached[e->arc[a].from] && !reached[e->arc[a].to])
                reached[e->arc[a].to] = more = true;
    }
}

/* Round k; row, column: room for copies of k's. */
static bool pass_through(const tz_equations *e, char *matrix, size_t k, char *row, char *column) {
    const tz_algebra *algebra = e->algebra;
    const size_t size = algebra->size;
    char *around = e->room + size, *way = around + size;
    if (!tz_star(algebra, around, at(e, matrix, k, k)))
        return false;
    for (size_t n = 0; n < e->nodes; n++) {
        memcpy(row + n * size, at(e, matrix, k, n), size);
        memcpy(column + n * size, at(e, matrix, n, k), size);
    }
    for (size_t to = 0; to < e->nodes; to++) {
        algebra->semiring->times(algebra->semiring, way, column + to * size, around);
        for (size_t from = 0; from < e->nodes; from++)
            add(e, at(e, matrix, to, from), way, row + from * size);
    }
    return true;
}

static tz_status by_ways(tz_equations *e, char *matrix) {
    const size_t size = e->algebra->size;
    char *row = matrix + e->nodes * e->nodes * size, *column = row + e->nodes * size;
    for (size_t k = 0; k < e->nodes; k++) {
        if (!pass_through(e, matrix, k, row, column)) {
            e->diverging = (uint32_t)k;
            return TZ_DIVERGES;
        }
        if (tz_equations_stop(e, e->nodes * e->nodes))
            return TZ_STOPPED;
    }
    memcpy(row, e->value, e->nodes * size);
    for (size_t to = 0; to < e->nodes; to++)
        for (size_t from = 0; from < e->nodes; from++)
            add(e, e->value + to * size, at(e, matrix, to, from), row + from * size);
    return TZ_OK;
}

static tz_status by_rounds(tz_equations *e, char *matrix) {
    const tz_algebra *algebra = e->algebra;
    const size_t size = algebra->size, bytes = e->nodes * size;
    char *first = matrix + e->nodes * bytes, *before = first + bytes;
    memcpy(first, e->value, bytes);
    for (size_t round = 0; round <= e->nodes; round++) {
        memcpy(before, e->value, bytes);
        memcpy(e->value, first, bytes);
        for (size_t to = 0; to < e->nodes; to++)
            for (size_t from = 0; from < e->nodes; from++)
                add(e, e->value + to * size, before + from * size, at(e, matrix, to, from));
        if (tz_equations_stop(e, e->nodes * e->nodes))
            return TZ_STOPPED;
    }
    double largest = tz_largest_score(algebra, before, e->nodes);
    double of_arcs = tz_largest_score(algebra, e->product, e->arcs);
    for (size_t n = 0; n < e->nodes; n++) {
        const char *old = before + n * size, *new = e->value + n *size;
        if (!tz_same_element(algebra, old, new) &&
            tz_gains(algebra, old, new, largest > of_arcs ? largest : of_arcs, e->nodes)) {
            e->diverging = (uint32_t)n;
            return TZ_DIVERGES;
        }
    }
    return TZ_OK;
}

tz_status tz_solve_plain(tz_equations *e) {
    const tz_algebra *algebra = e->algebra;
    const size_t size = algebra->size;
    size_t elements;
    if (__builtin_mul_overflow(e->nodes, e->nodes + 2, &elements))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(e->matrix, elements, size);
    if (status == TZ_OK)
        status = tz_buffer_reserve(e->work, e->nodes, sizeof(bool));
    if (status != TZ_OK)
        return status;
    char *matrix = e->matrix->data;
    bool *reached = e->work->data;
    mark_reached(e, reached);
    tz_fill(algebra, matrix, algebra->zero, e->nodes * e->nodes);
    for (size_t a = 0; a < e->arcs; a++)
        if (reached[e->arc[a].from]) {
            char *sum = at(e, matrix, e->arc[a].to, e->arc[a].from);
            algebra->semiring->plus(algebra->semiring, sum, sum, e->product + a * size);
        }
    return (algebra->semiring->laws & TZ_PATH ? by_rounds : by_ways)(e, matrix);
}
