/* max.c - max-plus: the score of the best derivation.
 *
 *   element  one log score     zero  -inf      one  0
 *   a + b    max(a, b)         a * b  a + b
 *   laws     commutative, idempotent, path, exact
 *
 * max never rounds and + rounds the same way everywhere, so every order of summing and every kernel
 * gives the same bits. Goodman 1999, section 2. SPDX-License-Identifier: MIT */
#define NAME max
#include <trapeze/vectors.h>

static const element zero = -INFINITY, one = 0;

static inline element sum(element a, element b) {
    return b > a ? b : a;
}

static inline element product(element a, element b) {
    return a + b;
}

static inline vector vector_sum(vector a, vector b) {
    return numbers_larger(b, a);
}

static inline vector vector_product(vector a, vector b) {
    return a + b;
}

#define HAS_SCALARS
#define EXACT_SUMS 1
#define TRACES
#include <trapeze/blocks.h>

#ifdef TZ_DESCRIPTOR

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return *(const element *)a;
}

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
