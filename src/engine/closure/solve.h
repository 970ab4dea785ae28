/* solve.h - solves closures: the least x with x = M x + b.
 *
 * Lehmann 1977 ("Algebraic structures for transitive closure"); Mohri 2002 ("Semiring frameworks
 * and algorithms for shortest-distance problems"). SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CLOSURE_SOLVE_H
#define TZ_ENGINE_CLOSURE_SOLVE_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/closure/arcs.h"

/* Solves one strongly connected component of the graph after the other. Cost: O(nodes + arcs), and
 * for a component of k nodes k^3 / 3 products, or under a path semiring at most k rounds of its
 * arcs. TZ_DIVERGES, TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_solve(tz_equations *e);
/* The same by the definition, for TZ_PLAIN: x = b + (M + M M + ...) b. Cost: nodes^3. */
tz_status tz_solve_plain(tz_equations *e);

/* 1 + a + a a + ...; false where it has no limit. In a semiring without `star` only zero has
 * one. */
static inline bool tz_star(const tz_algebra *algebra, void *ret, const void *a) {
    const tz_semiring *s = algebra->semiring;
    if (s->star != NULL)
        return s->star(s, ret, a);
    memcpy(ret, algebra->one, algebra->size);
    return tz_same_element(algebra, a, algebra->zero);
}

/* The largest score among n elements, as far as they are finite. */
static inline double tz_largest_score(const tz_algebra *algebra, const char *element, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double score = fabs(algebra->value(algebra->semiring, element + i * algebra->size));
        most = score > most && score < INFINITY ? score : most;
    }
    return most;
}

/* For a path semiring: is `after` better than `before` by more than rounding can make of a cycle
 * that gains nothing, of so many scores up to `largest`? */
static inline bool tz_gains(const tz_algebra *algebra, const void *before, const void *after,
                            double largest, size_t scores) {
    const double unit = algebra->size == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    const double gain =
        algebra->value(algebra->semiring, after) - algebra->value(algebra->semiring, before);
    return !(fabs(gain) <= 2 * unit * (double)(scores + 1) * largest);
}

#endif
