/* bool.c - truth: is there a derivation?
 *
 *   element  a float, 0 or 1   zero  0         one  1
 *   a + b    a or b            a * b  a and b
 *   laws     commutative, idempotent, path, exact
 *
 * A score of -infinity is false, every other score true. Goodman 1999, section 2.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/real.h"
#define NAME bool

typedef float element;
static const element zero = 0, one = 1;

static inline element sum(element a, element b) {
    return a > b ? a : b;
}

static inline element product(element a, element b) {
    return a < b ? a : b;
}

#define HAS_VECTORS
#define EXACT_SUMS  1
#define NUMBER_BITS 32
#include "kernels/strips.h"
#include "kernels/vector.h"
#undef bool /* those that have it for a type come before */

static inline vector vector_sum(vector a, vector b) {
    return vector_larger(a, b);
}

static inline vector vector_product(vector a, vector b) {
    return vector_smaller(a, b);
}

#include "kernels/block.h"
#include "kernels/trace.h"

static inline element lifted(double score) {
    return score != -INFINITY;
}

#include "kernels/lift.h"

#ifdef TZ_DESCRIPTOR

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return *(const element *)a;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
    .lifts = ALL_LIFTS(NAME),
    .bundles = 1,
    .trace = trace,
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "bool",
    .summary = "whether there is a derivation",
    .laws = TZ_COMMUTATIVE | TZ_IDEMPOTENT | TZ_PATH | TZ_EXACT,
    .gives = TZ_GIVES_TRUTH,
    .size = sizeof(element),
    .align = sizeof(element),
    .zero = &zero,
    .one = &one,
    .limit = REAL_LIMIT,
    .plus = plus,
    .times = times,
    .lift = lift,
    .value = value,
    .kernels = &kernels,
};

#endif
