/* fused.h - vectors of a * b + c, rounded once: the same bits on every machine. A result that
 * underflows or overflows raises the flag for it.
 *
 * Without an instruction for it, the exact product is computed as a sum of two numbers (Dekker
 * 1971, Numerische Mathematik 18:3), and c is added. The rounding of the smaller part matters only
 * next to the middle of two numbers (Ziv 1991, ACM TOMS 17:3): there, and where a product leaves
 * the range, libm's fma() is called, one by one. Floats are summed in double, rounded to odd (Boldo
 * & Melquiond 2008, IEEE Transactions on Computers 57:4).
 *
 * After numbers.h, which says how wide a vector is. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_FUSED_H
#define TZ_KERNELS_FUSED_H

#include <math.h>

#include "watched.h"

/* As many numbers. */
typedef number fewer __attribute__((vector_size(VECTOR_BYTES / sizeof(double) * sizeof(number))));

static inline doubles all(double a) {
    return a - (doubles){0};
}

#if defined(__AVX512F__)

static inline doubles fused_doubles(doubles a, doubles b, doubles c) {
    return (doubles)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}

static inline floats fused_floats(floats a, floats b, floats c) {
    return (floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

#elif defined(__AVX2__)

static inline doubles fused_doubles(doubles a, doubles b, doubles c) {
    return (doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}

static inline floats fused_floats(floats a, floats b, floats c) {
    return (floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

#elif defined(__wasm_relaxed_simd__)

/* Is one rounding on machines that have the instruction; web/package/src/load.ts asks. */
#if __has_builtin(__builtin_wasm_relaxed_madd_f64x2)
#define MADD(type, a, b, c) __builtin_wasm_relaxed_madd_##type(a, b, c)
#else /* clang 14; web/opcodes.mjs changes it to what became of it */
#define MADD(type, a, b, c) __builtin_wasm_fma_##type(a, b, c)
#endif

static inline doubles fused_doubles(doubles a, doubles b, doubles c) {
    return MADD(f64x2, a, b, c);
}

static inline floats fused_floats(floats a, floats b, floats c) {
    return MADD(f32x4, a, b, c);
}

#elif defined(FP_FAST_FMA) || defined(__aarch64__)

static inline doubles fused_doubles(doubles a, doubles b, doubles c) {
    for (int i = 0; i < DOUBLES; i++)
        c[i] = fma(a[i], b[i], c[i]);
    return c;
}

static inline floats fused_floats(floats a, floats b, floats c) {
    for (int i = 0; i < FLOATS; i++)
        c[i] = fmaf(a[i], b[i], c[i]);
    return c;
}

#else

/* a = *ret_high + *ret_low, of 26 bits each. */
static inline void halve(doubles a, doubles *ret_high, doubles *ret_low) {
    doubles far = a * (0x1p27 + 1);
    *ret_high = far - (far - a);
    *ret_low = a - *ret_high;
}

/* By how much `sum`, a + b rounded, is too small (Knuth, volume 2, section 4.2.2). */
static inline doubles left_out(doubles a, doubles b, doubles sum) {
    doubles part = sum - a;
    return (a - (sum - part)) + (b - part);
}

__attribute__((noinline, cold, unused)) static doubles fused_one_by_one(doubles a, doubles b,
                                                                        doubles c) {
    for (int i = 0; i < DOUBLES; i++)
        c[i] = watched(fma(a[i], b[i], c[i]), a[i] != 0 && b[i] != 0);
    return c;
}

/* a b is `product` less an error, and that plus c is `sum` less `more`, which is rounded once. As
 * far as `rest`, what ret leaves out of sum less more, is from the middle of two numbers, that does
 * not matter. Zero keeps its sign, since no difference here is -0. */
static inline doubles fused_doubles(doubles a, doubles b, doubles c) {
    doubles a_high, a_low, b_high, b_low, product = a * b, sum = product + c;
    halve(a, &a_high, &a_low);
    halve(b, &b_high, &b_low);
    doubles error = ((product - a_high * b_high) - a_high * b_low - a_low * b_high) - a_low * b_low;
    doubles more = error - left_out(product, c, sum);
    doubles ret = sum - more, rest = (sum - ret) - more;
    doubles size = (doubles)((masks)product & INT64_MAX);
    masks inexact = (size < 0x1p-960) & (a != 0) & (b != 0); /* the error may be */
    masks fit = (ret + rest * (1 + 0x1p-48) == ret) & ~inexact;
    int64_t all = fit[0];
    for (int i = 1; i < DOUBLES; i++)
        all &= fit[i];
    return all ? ret : fused_one_by_one(a, b, c);
}

/* a + b: of the two numbers around it the one whose last bit is set, unless it is one of them. */
static inline doubles odd_sum(doubles a, doubles b) {
    doubles sum = a + b, error = left_out(a, b, sum);
    masks inexact = (error > 0) | (error < 0); /* false of NaN, which infinities leave */
    masks even = ((masks)sum & 1) - 1, away = ((masks)sum ^ (masks)error) < 0;
    return (doubles)((masks)sum + (inexact & even & (away | 1)));
}

/* A double holds a product of floats, and an odd last bit far below theirs. */
static inline floats fused_floats(floats a, floats b, floats c) {
    typedef float some __attribute__((vector_size(VECTOR_BYTES / 2)));
    some part[3][2], ret[2];
    memcpy(part[0], &a, sizeof a);
    memcpy(part[1], &b, sizeof b);
    memcpy(part[2], &c, sizeof c);
    for (int i = 0; i < 2; i++) {
        doubles x = __builtin_convertvector(part[0][i], doubles);
        doubles y = __builtin_convertvector(part[1][i], doubles);
        doubles z = __builtin_convertvector(part[2][i], doubles);
        ret[i] = __builtin_convertvector(odd_sum(x * y, z), some);
    }
    memcpy(&a, ret, sizeof a);
    return a;
}

#endif

static inline numbers numbers_fused(numbers a, numbers b, numbers c) {
    return SELECT(numbers_watched((numbers)fused_floats((floats)a, (floats)b, (floats)c),
                                  (a != 0) & (b != 0)),
                  (numbers)fused_doubles((doubles)a, (doubles)b, (doubles)c));
}

#endif
