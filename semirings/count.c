/* count.c - natural numbers: how many derivations there are.
 *
 *   element  one double        zero  0         one  1
 *   a + b    a + b             a * b  a b
 *   laws     commutative
 *
 * A double in either precision: exact to 2^53, rounded beyond. Past DBL_MAX it stays there, because
 * an infinite count times zero would be NaN. A score of -infinity counts 0, every other score 1.
 * Goodman 1999, section 2. SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/real.h"
#define NAME count

typedef double element;
static const element zero = 0, one = 1;

static inline element saturated(element a) {
    return a < DBL_MAX ? a : DBL_MAX;
}

static inline element sum(element a, element b) {
    return saturated(a + b);
}

static inline element product(element a, element b) {
    return saturated(a * b);
}

/* The bits of sum and product: what a product has beyond the greatest number, a sum has as well. */
#define HAS_SUM_PRODUCT
static inline element sum_product(element a, element b, element c) {
    return saturated(a + b * c);
}

#define HAS_VECTORS
#include "kernels/vector.h"

static inline vector vector_saturated(vector a) {
    return vector_smaller(a, vector_of(DBL_MAX));
}

static inline vector vector_sum(vector a, vector b) {
    return vector_saturated(a + b);
}

static inline vector vector_product(vector a, vector b) {
    return vector_saturated(a * b);
}

static inline vector vector_sum_product(vector a, vector b, vector c) {
    return vector_saturated(a + b * c);
}

#include "kernels/block.h"

static inline element lifted(double score) {
    return score != -INFINITY;
}

#include "kernels/lift.h"

#ifdef TZ_DESCRIPTOR

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return *(const element *)a;
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    return *(const element *)part / *(const element *)whole;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
    .lifts = ALL_LIFTS(NAME),
    .bundles = 1,
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "count",
    .summary = "number of derivations",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_NUMBER,
    .size = sizeof(element),
    .align = sizeof(element),
    .zero = &zero,
    .one = &one,
    .limit = REAL_LIMIT,
    .plus = plus,
    .times = times,
    .plus_times = plus_times,
    .lift = lift,
    .value = value,
    .share = share,
    .kernels = &kernels,
};

#endif
