/* bool.c - truth: is there a derivation?
 *
 *   element  one byte, 0 or 1  zero  0         one  1
 *   a + b    a or b            a * b  a and b
 *   laws     commutative, idempotent, path, exact
 *
 * A score of -infinity is false, every other score true. Goodman 1999, section 2.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/real.h"
#define NAME bool

typedef unsigned char element;
static const element zero = 0, one = 1;

static inline element sum(element a, element b) {
    return a | b;
}

static inline element product(element a, element b) {
    return a & b;
}

#include "kernels/block.h"
#include "kernels/trace.h"

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

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
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
