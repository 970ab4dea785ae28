/* copied.h - scores for tests of kernels that copy them, as floats or as doubles.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_COPIED_H
#define TZ_TESTS_SUPPORT_COPIED_H

#include <math.h>

#include "problem.h"
#include "tests/support/test.h"

/* Flags of plans for every instruction set. */
enum { ISAS = 3 };
static const unsigned isa_flags[ISAS] = {TZ_NO_AVX2 | TZ_NO_AVX512, TZ_NO_AVX512, 0};

/* How many lanes a test puts side by side at most: more than a vector holds, and odd. */
enum { MAX_LANES = 19 };

/* Scores as they may be: numbers, -infinity, and -0, which becomes 0. */
static inline double any_score(random_state *random) {
    uint64_t kind = random_below(random, 8);
    return kind == 0 ? -INFINITY : kind == 1 ? -0.0 : (double)random_below(random, 1000) - 500;
}

static inline void set_element(bool wide, void *array, size_t at, double x) {
    if (wide)
        ((double *)array)[at] = x;
    else
        ((float *)array)[at] = (float)x;
}

static inline double element_of(bool wide, const void *array, size_t at) {
    return wide ? ((const double *)array)[at] : (double)((const float *)array)[at];
}

/* Scores that are refused. */
static inline double bad_score(random_state *random) {
    static const double bad[] = {NAN, INFINITY, 1e30, -1e30};
    return bad[random_below(random, 4)];
}

#endif
