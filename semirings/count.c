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

#define HAS_VECTORS
#include "kernels/vector.h"

static inline vector vector_saturated(vector a) {
    vector most = vector_of(DBL_MAX);
    return vector_pick(a < most, a, most);
}

static inline vector vector_sum(vector a, vector b) {
    return vector_saturated(a + b);
}

static inline vector vector_product(vector a, vector b) {
    return vector_saturated(a * b);
}

#include "kernels/block.h"

#ifdef TZ_DESCRIPTOR

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++)
        to[(ptrdiff_t)i * stride] = score[i] != -INFINITY;
}

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
    .lift = lift,
    .value = value,
    .share = share,
    .kernels = &kernels,
};

#endif
