/* log.c - real numbers of unlimited range: the log partition function, and with outside, marginals.
 *
 *   element  m * 2^e           zero  {0, -inf}  one  {1, 0}
 *   a + b    sum               a * b  product  a + b * c  rounded once
 *   laws     commutative
 *
 * A score s is lifted to exp(s), and an element's value is its log. The element is a significand m
 * in [1, 2) and an exponent e, an integer held as a real: "extended-range arithmetic" (Smith, Olver
 * & Lozier 1981, TOMS 7:1). Summing log scores instead would take an exp and a log per sum, and
 * would round log Z: at log Z = 1e5 a marginal is off by 1e-11 at the least. Here
 * - plus and times need no exp and no log, only a power of two made from bits;
 * - the precision of a sum does not depend on its size: adding 1e5 to all scores leaves the
 *   marginals as they were, but for the rounding of the scores;
 * - nothing overflows or underflows: it is what the engine falls back on where the plain real
 *   numbers of log_narrow.c do;
 * - zero's exponent is a true -infinity: plus and times make no NaN of it.
 * Tangents (tz_semiring.multiples) are elements of either sign, m in +-[1, 2).
 *
 * Goodman 1999, section 2. SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/explog.h"
#include "kernels/real.h"
#define NAME log

typedef struct element {
    real m, e;
} element;

static const element zero = {0, -INFINITY}, one = {1, 0};

#define HAS_SUM_PRODUCT
#define HAS_VECTORS
#define BUNDLES 0
#include "kernels/pairs.h"

#include "kernels/block.h"
#include "kernels/exp_vectors.h"
#include "kernels/pair_shares.h"

/* Lifts vectors of scores. */
FORCED void lift_vectors(element *to, const double *score, unsigned chains) {
    doubles x[CHAINS], k[CHAINS], p[CHAINS];
    UNROLLED for (unsigned c = 0; c < chains; c++) {
        memcpy(&x[c], score + c * DOUBLES, sizeof x[c]);
    }
    exp_vectors(x, p, k, chains, 1);
    UNROLLED for (unsigned c = 0; c < chains; c++) {
        p[c] = (doubles)((masks)p[c] & (x[c] != -(double)INFINITY));
        fewer m = __builtin_convertvector(p[c], fewer);
        fewer e = __builtin_convertvector(k[c] - SHIFTER, fewer); /* -infinity of that */
        __typeof__(m < 1) below = m < 1, ones = (__typeof__(m < 1))((fewer){0} + 1);
        m += (fewer)((__typeof__(below))m & below);
        e -= (fewer)(ones & below);
        UNROLLED for (int i = 0; i < DOUBLES; i++) {
            to[c * DOUBLES + (unsigned)i] = (element){m[i], e[i]};
        }
    }
}

DECLARE_ALL_LIFTS(NAME);

_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    (void)self;
    element *to = ret;
    size_t i = 0;
    for (; n - i >= CHAINS * DOUBLES; i += CHAINS * DOUBLES)
        lift_vectors(to + i, from->score + i, CHAINS);
    for (; i < n; i += DOUBLES)
        lift_vectors(to + i, from->score + i, 1);
    return 1;
}

#ifdef TZ_DESCRIPTOR

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++) {
        if (score[i] == -INFINITY) {
            to[(ptrdiff_t)i * stride] = zero;
        } else {
            real e, m = (real)exp_split(score[i], &e);
            to[(ptrdiff_t)i * stride] = m < 1 ? (element){m * 2, e - 1} : (element){m, e};
        }
    }
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    const element *x = a;
    return x->m == 0 ? -INFINITY : log_joined(x->m, x->e);
}

/* Down to the smallest number there is. 2^1022 where a share would be larger, which takes scores so
 * large that e is rounded. */
static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    const element *p = part, *w = whole;
    double shift = (double)p->e - (double)w->e, ratio = (double)p->m / (double)w->m;
    return scaled_f64(ratio, shift);
}

/* 1 / (1 - a). */
static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    (void)self;
    const element *x = a;
    if (!(x->e < 0))
        return 0;
    real shift = x->e > -64 ? x->e : -64; /* below, it is nothing beside 1 */
    *(element *)ret = normal(1 / (1 - x->m * power_of_two(shift)), 0);
    return 1;
}

static void multiples(const tz_semiring *self, void *ret, ptrdiff_t ret_stride, const void *a,
                      ptrdiff_t stride, const double *x, size_t n) {
    (void)self;
    const element *from = a;
    element *to = ret;
    for (size_t i = 0; i < n; i++, from += stride, to += ret_stride) {
        int e;
        double m = 2 * frexp((double)from->m * x[i], &e); /* of subnormals, too */
        *to = normal((real)m, from->e + (real)(e - 1));
    }
}

extern const tz_semiring DESCRIPTOR(log_narrow);

static double largest(const tz_semiring *self, const void *a, ptrdiff_t stride, size_t n) {
    (void)self;
    enum { CHAINS_OF_LARGEST = 8 }; /* so that none waits for the one before */
    const element *from = a;
    real most[CHAINS_OF_LARGEST], all = -INFINITY;
    for (size_t c = 0; c < CHAINS_OF_LARGEST; c++)
        most[c] = -INFINITY;
    for (; n >= CHAINS_OF_LARGEST; n -= CHAINS_OF_LARGEST)
        for (size_t c = 0; c < CHAINS_OF_LARGEST; c++, from += stride)
            most[c] = from->e > most[c] ? from->e : most[c];
    for (; n > 0; n--, from += stride)
        all = from->e > all ? from->e : all;
    for (size_t c = 0; c < CHAINS_OF_LARGEST; c++)
        all = most[c] > all ? most[c] : all;
    return (double)all * LN2_HIGH;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
    .lifts = ALL_LIFTS(NAME),
    .shares = ALL_SHARES(NAME),
    .product_shares = ALL_PRODUCT_SHARES(NAME),
    .narrow = &DESCRIPTOR(log_narrow),
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "log",
    .summary = "log of the sum over derivations of exp(score): the log partition function",
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
    .exact = EXACT,
    .largest = largest,
    .kernels = &kernels,
};

#endif
