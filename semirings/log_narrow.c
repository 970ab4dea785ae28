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
#include "kernels/exp_vectors.h"

/* Exponents of lifted scores stay this far from underflow and overflow. */
#if TZ_REAL_BITS == 64
#define MOST 1000.0
#else
#define MOST 120.0
#endif

/* ---- exp, several at a time ----------------------------------------------------------------- */

typedef uint64_t bits __attribute__((vector_size(VECTOR_BYTES))); /* which wrap */
/* Numbers between which some others lie. */
typedef struct range {
    doubles low, high;
} range;

/* m 2^(v - shifter), v having been made by adding that; 0 where x is -infinity. Makes the range
 * hold all other v. */
static inline doubles scale_possible(doubles x, doubles m, doubles v, range *of) {
    bits scaled = (bits)v << 52;
#if defined(__AVX512F__)
    __mmask8 possible = _mm512_cmp_pd_mask((__m512d)x, _mm512_set1_pd(-INFINITY), _CMP_NEQ_UQ);
    of->high = (doubles)_mm512_max_pd((__m512d)v, (__m512d)of->high);
    of->low = (doubles)_mm512_mask_min_pd((__m512d)of->low, possible, (__m512d)v, (__m512d)of->low);
    return (doubles)_mm512_maskz_add_epi64(possible, (__m512i)m, (__m512i)scaled);
#else
    masks impossible = x == -(double)INFINITY;
    doubles some = (doubles)((masks)v | impossible); /* or NaN */
#if defined(__AVX2__)
    of->high = (doubles)_mm256_max_pd((__m256d)v, (__m256d)of->high);
    of->low = (doubles)_mm256_min_pd((__m256d)some, (__m256d)of->low);
#else
    masks higher = v > of->high, lower = some < of->low;
    of->high = (doubles)(((masks)v & higher) | ((masks)of->high & ~higher));
    of->low = (doubles)(((masks)v & lower) | ((masks)of->low & ~lower));
#endif
    return (doubles)(((bits)m + scaled) & (bits)~impossible);
#endif
}

/* Lifts vectors of scores, each to exp(x) 2^-shift with the bits of exp_split, which this is for
 * numbers that fit; of: their exponents. */
FORCED void lift_vectors(element *to, const double *score, const double *shift, unsigned chains,
                         range *of) {
    doubles x[CHAINS], v[CHAINS], p[CHAINS];
    UNROLLED for (unsigned k = 0; k < chains; k++) {
        memcpy(&x[k], score + k * DOUBLES, sizeof x[k]);
    }
    exp_vectors(x, p, v, chains, 0);
    UNROLLED for (unsigned k = 0; k < chains; k++) {
        doubles down;
        memcpy(&down, shift + k * DOUBLES, sizeof down);
        fewer lifted = __builtin_convertvector(scale_possible(x[k], p[k], v[k] - down, of), fewer);
        memcpy(to + k * DOUBLES, &lifted, sizeof lifted);
    }
}

DECLARE_LIFTS_SCALED(NAME);

_Bool LIFT_SCALED(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const double *score,
                                const double *shift, size_t n) {
    (void)self;
    element *to = ret;
    range of = {all(SHIFTER), all(SHIFTER)};
    _Bool fit = 1;
    size_t i = 0;
    for (; n - i >= CHAINS * DOUBLES; i += CHAINS * DOUBLES)
        lift_vectors(to + i, score + i, shift + i, CHAINS, &of);
    for (; i < n; i += DOUBLES)
        lift_vectors(to + i, score + i, shift + i, 1, &of);
    for (int k = 0; k < DOUBLES; k++)
        fit &= of.low[k] >= SHIFTER - MOST && of.high[k] <= SHIFTER + MOST;
    return fit;
}

#include "kernels/shares.h"

#ifdef TZ_DESCRIPTOR

static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    (void)self;
    const element x = *(const element *)a;
    if (!(x < 1))
        return 0;
    *(element *)ret = 1 / (1 - x);
    return 1;
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    const double none[TZ_LIFTED] = {0};
    element *to = ret;
    for (size_t i = 0; i < n; i++) {
        double several[TZ_LIFTED] = {score[i]};
        element lifted[TZ_LIFTED];
        _Bool fits = LIFT_SCALED(NAME, TZ_ISA)(self, lifted, several, none, TZ_LIFTED);
        to[(ptrdiff_t)i * stride] = fits ? lifted[0] : zero; /* else they are any bits */
    }
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return log((double)*(const element *)a);
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    const double x = (double)*(const element *)part;
    return watched(x / (double)*(const element *)whole, x != 0);
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

static double exponent(const tz_semiring *self, const void *narrow) {
    (void)self;
    int e;
    double a = (double)*(const element *)narrow;
    if (!isfinite(a))
        return INFINITY;
    frexp(a, &e);
    return e - 1;
}

/* The element {m, e} of log.c, m in [1, 2). */
static void widen(const tz_semiring *self, void *ret, const void *narrow, double exponent) {
    (void)self;
    real *wide = ret;
    double a = (double)*(const element *)narrow;
    if (a == 0) {
        wide[0] = 0;
        wide[1] = -INFINITY;
        return;
    }
    int e;
    double m = frexp(a, &e);
    wide[0] = (real)(2 * m);
    wide[1] = (real)(e - 1 + exponent);
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
    .bundles = 1,
    .shares = ALL_SHARES(NAME),
    .product_shares = ALL_PRODUCT_SHARES(NAME),
    .lift_scaled = LIFTS_SCALED(NAME),
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
