/* pairs.h - elements {m, e} that stand for m * 2^e, whatever e: vectors of them.
 *
 * An element is a pair of `real`. It is normal if it is {0, -infinity}, or m in +-[1, 2) and e
 * whole. After explog.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_PAIRS_H
#define TZ_KERNELS_PAIRS_H

typedef real number;
#define PARTS        2
#define FIELDS(type) type m, e;
#include "tuple.h"

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

#endif
