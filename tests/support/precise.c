/* precise.c - log in long double. SPDX-License-Identifier: MIT */
#include "precise.h"

#include <math.h>

typedef long double real;

static const real zero = -INFINITY, one = 0;

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    real x = *(const real *)a, y = *(const real *)b;
    real high = x > y ? x : y, low = x > y ? y : x;
    (void)self;
    *(real *)ret = low > -INFINITY ? high + log1pl(expl(low - high)) : high;
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(real *)ret = *(const real *)a + *(const real *)b;
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    for (size_t i = 0; i < n; i++)
        ((real *)ret)[(ptrdiff_t)i * stride] = score[i];
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return (double)*(const real *)a;
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    return (double)expl(*(const real *)part - *(const real *)whole);
}

const tz_semiring precise_log = {
    .name = "log in long double",
    .summary = "log of the sum of exp(score)",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_SCORE,
    .size = sizeof(real),
    .align = _Alignof(real),
    .zero = &zero,
    .one = &one,
    .plus = plus,
    .times = times,
    .lift = lift,
    .value = value,
    .share = share,
};
