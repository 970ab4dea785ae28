/* log_narrow.c - the narrow elements of log: real numbers, as floating point has them.
 *
 *   element  x                 zero  0         one  1
 *   a + b    a + b             a * b  a b     a + b * c  rounded once
 *   laws     commutative
 *
 * As long as nothing underflows or overflows, sums and products are rounded exactly as those of
 * log.c are, so the answers have the same bits. Scores are lifted times a power of two, see
 * tz_kernels.narrow. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <trapeze/semiring.h>

#include "kernels/explog.h"
#include "kernels/real.h"
#define NAME log_narrow

typedef real element;
static const element zero = 0, one = 1;

#define HAS_VECTORS
#include "kernels/vector.h"

#include "kernels/fused.h"

static inline element sum(element a, element b) {
    return watched(a + b, 0);
}

static inline element product(element a, element b) {
    return watched(a * b, a != 0 && b != 0);
}

#define HAS_SUM_PRODUCT
static inline element sum_product(element a, element b, element c) {
    return watched(fused_real(b, c, a), b != 0 && c != 0);
}

static inline vector vector_sum(vector a, vector b) {
    return numbers_watched(a + b, (vector_mask){0});
}

static inline vector vector_product(vector a, vector b) {
    return numbers_watched(a * b, (a != 0) & (b != 0));
}

static inline vector vector_sum_product(vector a, vector b, vector c) {
    return numbers_fused(b, c, a);
}

#include "kernels/block.h"
#include "kernels/exp_scaled.h"

/* Lifts vectors of scores. */
FORCED void lift_vectors(element *to, const double *score, const double *shift, unsigned chains,
                         range *of) {
    doubles x[CHAINS], p[CHAINS];
    exp_scaled(score, shift, x, p, chains, of);
    UNROLLED for (unsigned k = 0; k < chains; k++) {
        fewer lifted = __builtin_convertvector(p[k], fewer);
        memcpy(to + k * DOUBLES, &lifted, sizeof lifted);
    }
}

DECLARE_ALL_LIFTS(NAME);

_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    (void)self;
    element *to = ret;
    range of = no_range();
    size_t i = 0;
    for (; n - i >= CHAINS * DOUBLES; i += CHAINS * DOUBLES)
        lift_vectors(to + i, from->score + i, from->shift + i, CHAINS, &of);
    for (; i < n; i += DOUBLES)
        lift_vectors(to + i, from->score + i, from->shift + i, 1, &of);
    return range_fits(&of);
}

#include "kernels/shares.h"

#ifdef TZ_DESCRIPTOR

enum { NUMBERS = 1 };
#include "semirings/narrow.h"

static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    (void)self;
    const element x = *(const element *)a;
    if (!(x < 1))
        return 0;
    *(element *)ret = 1 / (1 - x);
    return 1;
}

static void multiples(const tz_semiring *self, void *ret, ptrdiff_t ret_stride, const void *a,
                      ptrdiff_t stride, const double *x, size_t n) {
    (void)self;
    const element *from = a;
    element *to = ret;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
        to[i * ret_stride] =
            watched((element)((double)from[i * stride] * x[i]), from[i * stride] != 0 && x[i] != 0);
}

/* The element {m, e} of log.c, m in [1, 2). */
static void widen(const tz_semiring *self, void *ret, const void *narrow, double exponent) {
    (void)self;
    real *wide = ret;
    const real a = *(const element *)narrow;
    if (isnormal(a)) {
        wide[0] = split_normal(a, &wide[1]);
        wide[1] += (real)exponent;
    } else {
        int e;
        wide[0] = (real)(2 * frexp((double)a, &e));
        wide[1] = a == 0 ? -(real)INFINITY : (real)(e - 1 + exponent);
    }
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
    .bundles = 1,
    .shares = ALL_SHARES(NAME),
    .product_shares = ALL_PRODUCT_SHARES(NAME),
    .lifts = ALL_LIFTS(NAME),
    .widen = widen,
    .exponent = exponent,
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "log",
    .summary = "log of the sum over derivations of exp(score), scores of moderate range",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_SCORE,
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
    .star = star,
    .multiples = multiples,
    .kernels = &kernels,
};

#endif
