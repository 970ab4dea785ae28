/* solve.h - closures solved: the least x with x = M x + b.
 *
 * Lehmann 1977 ("Algebraic structures for transitive closure"); Mohri 2002 ("Semiring frameworks
 * and algorithms for shortest-distance problems"). SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CLOSURE_SOLVE_H
#define TZ_ENGINE_CLOSURE_SOLVE_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/closure/arcs.h"

/* One strongly connected part of the graph after the other. O(nodes + arcs), and for a part of k
 * nodes that need one another k^3 / 3 products, or of a path semiring at most k rounds of its arcs.
 * TZ_DIVERGES, TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_solve(tz_equations *e);
/* The same as it is defined, for TZ_PLAIN: x = b + (M + M M + ...) b. nodes^3. */
tz_status tz_solve_plain(tz_equations *e);

/* 1 + a + a a + ...; false where there is none. Without a star, only zero has one. */
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

/* Of a path semiring: is `after`, which is better, so by more than a cycle of so many scores up to
 * `largest` may gain by rounding, where it gains nothing? */
static inline bool tz_gains(const tz_algebra *algebra, const void *before, const void *after,
                            double largest, size_t scores) {
    const double unit = algebra->size == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    const double gain =
        algebra->value(algebra->semiring, after) - algebra->value(algebra->semiring, before);
    return !(fabs(gain) <= 2 * unit * (double)(scores + 1) * largest);
}

#endif
