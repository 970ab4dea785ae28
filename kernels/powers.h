/* powers.h - vectors of `real` times powers of two.
 *
 * After explog.h and numbers.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_POWERS_H
#define TZ_KERNELS_POWERS_H

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

/* m * 2^d for d <= 0, as if `least` were the least there is, also of NaN. */
static inline numbers scaled_down(numbers m, numbers d, real least) {
    return numbers_scaled(m, numbers_larger(d, numbers_of(least)));
}

#endif
