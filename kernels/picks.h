/* picks.h - results of comparing vectors, in the registers that the instruction set has for them.
 * Two of them are joined by & and |. With NaN all comparisons are false but is_other, as in C.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_PICKS_H
#define TZ_KERNELS_PICKS_H

#include "numbers.h"

#if defined(__AVX512F__)
typedef uint16_t picks;
#define COMPARED(a, b, how)                                                                        \
    (picks) SELECT(_mm512_cmp_ps_mask((__m512)(a), (__m512)(b), how),                              \
                   _mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), how))

static inline picks is_larger(numbers a, numbers b) {
    return COMPARED(a, b, _CMP_GT_OQ);
}

static inline picks is_equal(numbers a, numbers b) {
    return COMPARED(a, b, _CMP_EQ_OQ);
}

static inline picks is_at_most(numbers a, numbers b) {
    return COMPARED(a, b, _CMP_LE_OQ);
}

static inline picks is_other(numbers a, numbers b) {
    return COMPARED(a, b, _CMP_NEQ_UQ);
}

/* is_larger, only among those picked. */
static inline picks is_larger_of(picks of, numbers a, numbers b) {
    return (picks)SELECT(_mm512_mask_cmp_ps_mask(of, (__m512)a, (__m512)b, _CMP_GT_OQ),
                         _mm512_mask_cmp_pd_mask((__mmask8)of, (__m512d)a, (__m512d)b, _CMP_GT_OQ));
}

/* a where it is picked, else b. */
static inline numbers numbers_chosen(picks of, numbers a, numbers b) {
    return SELECT((numbers)_mm512_mask_mov_ps((__m512)b, of, (__m512)a),
                  (numbers)_mm512_mask_mov_pd((__m512d)b, (__mmask8)of, (__m512d)a));
}

static inline _Bool is_any(picks of) {
    return of != 0;
}
#else
typedef vector_mask picks;

static inline picks is_larger(numbers a, numbers b) {
    return a > b;
}

static inline picks is_equal(numbers a, numbers b) {
    return a == b;
}

static inline picks is_at_most(numbers a, numbers b) {
    return a <= b;
}

static inline picks is_other(numbers a, numbers b) {
    return a != b;
}

static inline picks is_larger_of(picks of, numbers a, numbers b) {
    return of & (a > b);
}

static inline numbers numbers_chosen(picks of, numbers a, numbers b) {
    return numbers_pick(of, a, b);
}

static inline _Bool is_any(picks of) {
#if defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)of, (__m256i)of);
#else
    whole any = 0;
    UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
        any |= of[i];
    }
    return any != 0;
#endif
}
#endif

#endif
