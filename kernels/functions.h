/* functions.h - exp, log, sqrt, floor and abs of vectors of doubles: the same bits on every
 * machine, and those of exp_log.h for one number. `number` is double. SPDX-License-Identifier: MIT
 */
#ifndef TZ_KERNELS_FUNCTIONS_H
#define TZ_KERNELS_FUNCTIONS_H

#include <math.h>

#include "explog.h"
#include "numbers.h"

#include "fused.h"

#include "exp_vectors.h"

/* 2^e for whole numbers -1022 <= e <= 1023; see power_f64. */
FORCED numbers power_of(numbers e) {
    return (numbers)((masks)(e + (0x1.8p52 + 1023)) << 52);
}

/* Rounded once, subnormal results too; 0 far below, infinity above, NaN of NaN. */
FORCED numbers numbers_exp(numbers x) {
    numbers ret, e;
    exp_vectors(&x, &ret, &e, 1, 0);
    e -= SHIFTER;
    const numbers half = (e * 0.5 + SHIFTER) - SHIFTER; /* twice, for what one power cannot reach */
    ret = ret * power_of(half) * power_of(e - half);
    ret = numbers_pick(x > -746, ret, numbers_of(0));
    ret = numbers_pick(x < 710, ret, numbers_of(INFINITY));
    return numbers_pick(x == x, ret, x);
}

/* The log; NaN for numbers below zero, -infinity for zero. */
FORCED numbers numbers_log(numbers x) {
    const vector_mask tiny = x < 0x1p-1022; /* subnormal, or it does not matter */
    const masks bits = (masks)numbers_pick(tiny, x * 0x1p54, x);
    numbers e = (numbers)((bits >> 52 & 0x7ff) | 0x4330000000000000) - (0x1p52 + 1023);
    numbers m = (numbers)((bits & 0xfffffffffffff) | 0x3ff0000000000000);
    e -= numbers_pick(tiny, numbers_of(54), numbers_of(0));
    const vector_mask large = m > 0x1.6a09e667f3bcdp0; /* as in log_joined */
    m = numbers_pick(large, m * 0.5, m);
    e = numbers_pick(large, e + 1, e);
    const numbers f = m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    numbers p = numbers_of(log_term[0]);
    UNROLLED for (int t = 1; t < LOG_TERMS; t++) {
        p = p * z + log_term[t];
    }
    numbers ret = f - (half - s * (half + z * p));
    ret = (numbers)fused_doubles((doubles)e, all(LN2_HIGH), (doubles)(ret + e * LN2_LOW));
    ret = numbers_pick(x < INFINITY, ret, x);
    ret = numbers_pick(x > 0, ret, numbers_of(NAN));
    ret = numbers_pick(x == 0, numbers_of(-INFINITY), ret);
    return numbers_pick(x == x, ret, x);
}

static inline numbers numbers_abs(numbers x) {
    return (numbers)((masks)x & INT64_MAX);
}

static inline numbers numbers_sqrt(numbers x) {
#if defined(__AVX512F__)
    return (numbers)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX2__)
    return (numbers)_mm256_sqrt_pd((__m256d)x);
#else
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        x[i] = sqrt(x[i]);
    return x;
#endif
}

static inline numbers numbers_floor(numbers x) {
#if defined(__AVX512F__)
    return (numbers)_mm512_roundscale_pd((__m512d)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return (numbers)_mm256_floor_pd((__m256d)x);
#else
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        x[i] = floor(x[i]);
    return x;
#endif
}

#endif
