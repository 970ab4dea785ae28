/* uses.c - how many marked cells a derivation uses at most.
 *
 *   element  a number of uses  zero  -inf      one  0
 *   a + b    max(a, b)         a * b  a + b
 *   laws     commutative, idempotent, path, exact
 *
 * Every possible score is lifted to 0, and a mark adds 1. By it the engine checks required facts,
 * and finds the cells that they exclude (tz_facts_new); it is not registered. Blocks are those of
 * max, whose sum and product these are. SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/kernel.h>

#include "kernels/real.h"

DECLARE_CONTRACTS(max);
DECLARE_PREPARES(max);

#ifdef TZ_DESCRIPTOR

typedef real element;
static const element zero = -INFINITY, one = 0;

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    element x = *(const element *)a, y = *(const element *)b;
    *(element *)ret = y > x ? y : x;
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(element *)ret = *(const element *)a + *(const element *)b;
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++)
        to[(ptrdiff_t)i * stride] = score[i] == -INFINITY ? zero : one;
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return *(const element *)a;
}

static void mark(const tz_semiring *self, void *a) {
    (void)self;
    *(element *)a += 1;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(max),
    .placed = 1,
    .prepare = PREPARES(max),
    .bundles = 1,
};

const tz_semiring DESCRIPTOR(uses) = {
    .name = "uses",
    .summary = "largest number of marked cells that a derivation uses",
    .laws = TZ_COMMUTATIVE | TZ_IDEMPOTENT | TZ_PATH | TZ_EXACT,
    .gives = TZ_GIVES_NUMBER,
    .size = sizeof(element),
    .align = sizeof(element),
    .zero = &zero,
    .one = &one,
    .limit = 1e290, /* of double: what scores are does not matter */
    .plus = plus,
    .times = times,
    .lift = lift,
    .value = value,
    .mark = mark,
    .kernels = &kernels,
};

#endif
