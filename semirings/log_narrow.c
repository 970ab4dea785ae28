/* log_narrow.c - the narrow elements of log: real numbers, as floating point has them.
 *
 *   element  x                 zero  0         one  1
 *   a + b    a + b             a * b  a b
 *   laws     commutative
 *
 * As long as nothing underflows or overflows, sums and products are rounded exactly as those of
 * log.c are, so the answers have the same bits. Scores are lifted times a power of two, see
 * tz_semiring.narrow. SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/semiring.h>

#include "explog.h"
#include "real.h"
#define NAME log_narrow

typedef real element;
static const element zero = 0, one = 1;

static inline element sum(element a, element b) {
    return a + b;
}

static inline element product(element a, element b) {
    return a * b;
}

#define HAS_VECTORS
#include "vector.h"

static inline vector vector_sum(vector a, vector b) {
    return a + b;
}

static inline vector vector_product(vector a, vector b) {
    return a * b;
}

#include "block.h"

/* Exponents of lifted scores stay this far from underflow and overflow. */
#if TZ_REAL_BITS == 64
#define MOST 1000
#else
#define MOST 120
#endif

/* ---- exp, several at a time ----------------------------------------------------------------- */

typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t masks __attribute__((vector_size(VECTOR_BYTES)));
typedef element elements
    __attribute__((vector_size(VECTOR_BYTES / sizeof(double) * sizeof(element))));
enum { DOUBLES = VECTOR_BYTES / sizeof(double) };

static inline doubles fused(doubles a, double b, doubles c) {
#if defined(__AVX512F__)
    return (doubles)_mm512_fmadd_pd((__m512d)a, _mm512_set1_pd(b), (__m512d)c);
#elif defined(__AVX2__)
    return (doubles)_mm256_fmadd_pd((__m256d)a, _mm256_set1_pd(b), (__m256d)c);
#else
    for (int i = 0; i < DOUBLES; i++) {
        c[i] = fma(a[i], b, c[i]);
    }
    return c;
#endif
}

static inline doubles picked(masks mask, doubles a, doubles b) {
    return (doubles)(((masks)a & mask) | ((masks)b & ~mask));
}

/* exp(x) 2^-shift with the bits of exp_split, which this is for numbers that fit; *unfit is set
 * where they do not. */
static inline doubles scaled_exp(doubles x, doubles shift, masks *unfit) {
    const double shifter = 0x1.8p52; /* rounds to a whole number */
    doubles zeros = {0};
    masks possible = x > -0x1p1023;
    x = picked(possible, x, zeros);
    doubles e = (x * LN2_INVERSE + shifter) - shifter;
    doubles r = fused(-e, LN2_HIGH, x) - e * LN2_LOW;
    doubles m = EXP_NEAR_ZERO(r), exponent = e - shift;
    masks fits = (exponent >= -(double)MOST) & (exponent <= (double)MOST);
    *unfit |= possible & ~fits;
    doubles power = picked(fits, exponent, zeros) + (0x1.8p52 + 1023);
    power = (doubles)((masks)power << 52);
    return picked(possible & fits, m * power, zeros);
}

static inline void put(element *to, ptrdiff_t stride, doubles x, size_t count) {
    if (stride == 1 && count == DOUBLES) {
        elements several = __builtin_convertvector(x, elements);
        memcpy(to, &several, sizeof several);
        return;
    }
    double lifted[DOUBLES];
    memcpy(lifted, &x, sizeof x);
    for (size_t i = 0; i < count; i++) {
        to[(ptrdiff_t)i * stride] = (element)lifted[i];
    }
}

DECLARE_LIFTS_SCALED(NAME);

_Bool LIFT_SCALED(NAME, TZ_ISA)(const tz_semiring *self, void *ret, ptrdiff_t stride,
                                const double *score, size_t n, double shift, double step) {
    (void)self;
    element *to = ret;
    masks unfit = {0};
    doubles x, at = {0};
    for (int i = 0; i < DOUBLES; i++) {
        at[i] = i;
    }
    size_t done = 0;
    for (; n - done >= DOUBLES; done += DOUBLES, at += DOUBLES) {
        memcpy(&x, score + done, sizeof x);
        put(to + (ptrdiff_t)done * stride, stride, scaled_exp(x, shift + at * step, &unfit),
            DOUBLES);
    }
    if (done < n) {
        double last[DOUBLES];
        for (size_t i = 0; i < DOUBLES; i++) {
            last[i] = done + i < n ? score[done + i] : -INFINITY; /* impossible, which fits */
        }
        memcpy(&x, last, sizeof x);
        put(to + (ptrdiff_t)done * stride, stride, scaled_exp(x, shift + at * step, &unfit),
            n - done);
    }
    int64_t any = 0;
    for (int i = 0; i < DOUBLES; i++) {
        any |= unfit[i];
    }
    return any == 0;
}

#ifdef TZ_DESCRIPTOR

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    LIFT_SCALED(NAME, TZ_ISA)(self, ret, stride, score, n, 0, 0);
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return log((double)*(const element *)a);
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    return (double)*(const element *)part / (double)*(const element *)whole;
}

static void shares(const tz_semiring *self, double *ret, ptrdiff_t ret_stride, const void *part,
                   ptrdiff_t stride, size_t n, const void *whole) {
    (void)self;
    const element *p = part;
    double z = (double)*(const element *)whole;
    if (stride == 1 && ret_stride == 1) { /* in vectors */
        for (size_t i = 0; i < n; i++) {
            ret[i] = (double)p[i] / z;
        }
        return;
    }
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        ret[i * ret_stride] = (double)p[i * stride] / z;
    }
}

static void multiples(const tz_semiring *self, void *ret, ptrdiff_t ret_stride, const void *a,
                      ptrdiff_t stride, const double *x, size_t n) {
    (void)self;
    const element *from = a;
    element *to = ret;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        to[i * ret_stride] = (element)((double)from[i * stride] * x[i]);
    }
}

static double exponent(const tz_semiring *self, const void *narrow) {
    (void)self;
    int e;
    double a = (double)*(const element *)narrow;
    if (!isfinite(a)) {
        return INFINITY;
    }
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
    .lift = lift,
    .value = value,
    .share = share,
    .shares = shares,
    .multiples = multiples,
    .contract = CONTRACTS(NAME),
    .stacks = 1,
    .lift_scaled = LIFTS_SCALED(NAME),
    .widen = widen,
    .exponent = exponent,
};

#endif
