/* max.c - max-plus: the score of the best derivation.
 *
 *   element  one log score     zero  -inf      one  0
 *   a + b    max(a, b)         a * b  a + b
 *   laws     commutative, idempotent, path, exact
 *
 * max never rounds and + rounds the same way everywhere, so every order of summing and every kernel
 * gives the same bits. Goodman 1999, section 2. SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/real.h"
#define NAME max

typedef real element;
static const element zero = -INFINITY, one = 0;

static inline element sum(element a, element b) {
    return b > a ? b : a;
}

static inline element product(element a, element b) {
    return a + b;
}

#define HAS_VECTORS
#define EXACT_SUMS 1
#include "kernels/vector.h"

static inline vector vector_sum(vector a, vector b) {
    return vector_larger(b, a);
}

static inline vector vector_product(vector a, vector b) {
    return a + b;
}

#include "kernels/block.h"
#include "kernels/trace.h"

#ifdef TZ_DESCRIPTOR

/* -0.0 becomes 0.0. */
static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++)
        to[(ptrdiff_t)i * stride] = (element)score[i] + 0;
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return *(const element *)a;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
    .bundles = 1,
    .trace = trace,
    .lift_copies = 1,
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "max",
    .summary = "score of the best derivation",
    .laws = TZ_COMMUTATIVE | TZ_IDEMPOTENT | TZ_PATH | TZ_EXACT,
    .gives = TZ_GIVES_SCORE,
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
