/* pairs.h - elements {m, e} that stand for m * 2^e, whatever e: vectors of them, as two of numbers.
 *
 * An element is a pair of `real`. It is normal if it is {0, -infinity}, or m in +-[1, 2) and e
 * whole. After explog.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_PAIRS_H
#define TZ_KERNELS_PAIRS_H

typedef real number;

#include "numbers.h"

typedef struct vector {
    numbers m, e;
} vector;

enum { VECTOR_REGISTERS = 2 };
#define HOLD(a)                                                                                    \
    do {                                                                                           \
        IN_REGISTER((a).m);                                                                        \
        IN_REGISTER((a).e);                                                                        \
    } while (0)

#define SET_ELEMENT(a, i, to)                                                                      \
    do {                                                                                           \
        const element set = (to);                                                                  \
        (a).m[i] = set.m;                                                                          \
        (a).e[i] = set.e;                                                                          \
    } while (0)

/* ---- Loading and storing --------------------------------------------------------------------- */

static inline vector vector_load(const element *from) {
    const number *at = (const number *)from;
    numbers low = numbers_load(at), high = numbers_load(at + VECTOR_ELEMENTS);
    return (vector){EVEN(low, high), ODD(low, high)};
}

static inline void vector_store(element *to, vector a) {
    number *at = (number *)to;
    numbers_store(at, LOW(a.m, a.e));
    numbers_store(at + VECTOR_ELEMENTS, HIGH(a.m, a.e));
}

static inline vector vector_of(element a) {
    return (vector){numbers_of(a.m), numbers_of(a.e)};
}

static inline vector vector_take(vector a, vector_mask from) {
    return (vector){numbers_take(a.m, from), numbers_take(a.e, from)};
}

/* v[i][l] becomes v[l][i]. */
static inline void vector_exchange(vector v[VECTOR_ELEMENTS]) {
    numbers m[VECTOR_ELEMENTS], e[VECTOR_ELEMENTS];
    for (int i = 0; i < VECTOR_ELEMENTS; i++) {
        m[i] = v[i].m;
        e[i] = v[i].e;
    }
    numbers_exchange(m);
    numbers_exchange(e);
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        v[i] = (vector){m[i], e[i]};
}

/* The numbers of a part of a vector as it stands in memory: of its first or second half. */
static inline vector_part part_of_half(vector_part part, unsigned half) {
#if defined(__AVX512F__)
    uint32_t twice = _pdep_u32(part, 0x55555555) * 3;
    return (vector_part)(twice >> half * VECTOR_ELEMENTS & ((1u << VECTOR_ELEMENTS) - 1));
#elif defined(__AVX2__)
    return half == 0 ? LOW(part, part) : HIGH(part, part);
#else
    int before = (int)half * VECTOR_ELEMENTS;
    return part_of(2 * part.first - before, 2 * part.end - before);
#endif
}

static inline vector vector_load_some(const element *from, vector_part part) {
    const number *at = (const number *)from;
    numbers low = numbers_load_some(at, part_of_half(part, 0));
    numbers high = numbers_load_some(at + VECTOR_ELEMENTS, part_of_half(part, 1));
    return (vector){EVEN(low, high), ODD(low, high)};
}

static inline vector vector_keep(vector_part part, vector a) {
    return (vector){numbers_keep(part, a.m, numbers_of(zero.m)),
                    numbers_keep(part, a.e, numbers_of(zero.e))};
}

static inline vector vector_load_part(const element *from, vector_part part) {
    return vector_keep(part, vector_load_some(from, part));
}

static inline void vector_store_part(element *to, vector_part part, vector a) {
    number *at = (number *)to;
    numbers_store_part(at, part_of_half(part, 0), LOW(a.m, a.e));
    numbers_store_part(at + VECTOR_ELEMENTS, part_of_half(part, 1), HIGH(a.m, a.e));
}

/* ---- Powers of two --------------------------------------------------------------------------- */

#if TZ_REAL_BITS == 64
typedef uint64_t bits __attribute__((vector_size(VECTOR_BYTES)));
#define FRACTION_BITS 52
#define BIAS          1023
#define SHIFTED       0x1p52
#else
typedef uint32_t bits __attribute__((vector_size(VECTOR_BYTES)));
#define FRACTION_BITS 23
#define BIAS          127
#define SHIFTED       0x1p23f
#endif

/* m * 2^d, for whole d <= 0 that power_of_two takes. */
static inline numbers numbers_scaled(numbers m, numbers d) {
#if defined(__AVX512F__)
    return SELECT((numbers)_mm512_scalef_ps((__m512)m, (__m512)d),
                  (numbers)_mm512_scalef_pd((__m512d)m, (__m512d)d));
#else
    return m * (numbers)((bits)(d + (SHIFTED * 1.5f + BIAS)) << FRACTION_BITS);
#endif
}

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

#endif
