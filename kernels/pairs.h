/* pairs.h - elements {m, e} that stand for m * 2^e, whatever e; and vectors of them.
 *
 * An element is a pair of `real`. It is normal if it is {0, -infinity}, or m in +-[1, 2) and e
 * whole. After explog.h, `element` and its `zero`. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_PAIRS_H
#define TZ_KERNELS_PAIRS_H

/* |m| < 8: elements of different signs may leave next to nothing. */
static inline element normal(real m, real e) {
    real k, one_to_two = split_normal(m, &k);
    e += k;
    return (element){m == 0 ? 0 : one_to_two, m == 0 ? -(real)INFINITY : e};
}

static inline element sum(element a, element b) {
    element large = b.e > a.e ? b : a, small = b.e > a.e ? a : b;
    real shift = small.e - large.e;    /* NaN where both are zero */
    shift = shift > -64 ? shift : -64; /* below, small is lost in rounding */
    return normal(large.m + small.m * power_of_two(shift), large.e);
}

static inline element product(element a, element b) {
    return normal(a.m * b.m, a.e + b.e);
}

/* Rounded once. What is shifted out of sight still tells which way a product that lies in the
 * middle of two numbers is rounded: so it is kept, that far below the product's last bit. */
static inline element sum_product(element a, element b, element c) {
    real e = b.e + c.e, shift = a.e > e ? e - a.e : a.e - e;
    real power = power_of_two(shift > -120 ? shift : -120);
    if (a.e > e)
        return normal(fused_real(b.m * power, c.m, a.m), a.e);
    return normal(fused_real(b.m, c.m, a.m * power), e);
}

/* ---- Vectors --------------------------------------------------------------------------------- */

typedef real number;
#define PARTS        2
#define FIELDS(type) type m, e;
#include "tuple.h"

#include "fused.h"
#include "powers.h"

/* {m, e} made normal, where m is 0 or any number that is not subnormal. */
static inline vector vector_normal(numbers m, numbers e) {
#if defined(__AVX512F__)
    __mmask16 some = SELECT(_mm512_cmp_ps_mask((__m512)m, _mm512_setzero_ps(), _CMP_NEQ_UQ),
                            _mm512_cmp_pd_mask((__m512d)m, _mm512_setzero_pd(), _CMP_NEQ_UQ));
    numbers k = SELECT((numbers)_mm512_getexp_ps((__m512)m), /* -infinity of 0 */
                       (numbers)_mm512_getexp_pd((__m512d)m));
    m = SELECT(
        (numbers)_mm512_maskz_getmant_ps(some, (__m512)m, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src),
        (numbers)_mm512_maskz_getmant_pd((__mmask8)some, (__m512d)m, _MM_MANT_NORM_1_2,
                                         _MM_MANT_SIGN_src));
    return (vector){m, e + k};
#else
    const bits fraction = (bits){0} + (((bits){1} << FRACTION_BITS) - 1)[0];
    const bits sign = (bits){0} + (((bits){1} << (TZ_REAL_BITS - 1)))[0];
    const bits ones = (bits)numbers_of(1), shifted = (bits)numbers_of(SHIFTED);
    vector_mask some = m != 0;
    numbers k = (numbers)(((bits)m & ~sign) >> FRACTION_BITS | shifted) - (SHIFTED + BIAS);
    m = (numbers)((((bits)m & (fraction | sign)) | ones) & (bits)some);
    return (vector){m, numbers_pick(some, e + k, numbers_of(zero.e))};
#endif
}

/* Of two, whichever is smaller is scaled, and the other by 1. */

static inline vector vector_sum(vector a, vector b) {
    numbers e = numbers_larger(a.e, b.e);
    return vector_normal(scaled_down(a.m, a.e - e, -64) + scaled_down(b.m, b.e - e, -64), e);
}

static inline vector vector_product(vector a, vector b) {
    return vector_normal(a.m * b.m, a.e + b.e);
}

static inline vector vector_sum_product(vector a, vector b, vector c) {
    numbers product = b.e + c.e, e = numbers_larger(a.e, product);
    numbers factor = scaled_down(b.m, product - e, -120), old = scaled_down(a.m, a.e - e, -120);
    return vector_normal(numbers_fused(factor, c.m, old), e);
}

#endif
