/* vector.h - max-plus of floats (PLAIN_SUMS 0) or plus-times of doubles (PLAIN_SUMS 1) over the
 * widest vectors of the unit's instruction set. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_PLAIN_VECTOR_H
#define TZ_BENCH_PLAIN_VECTOR_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64, TILE = 4 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32, TILE = 3 };
#else
enum { VECTOR_BYTES = 16, TILE = 3 };
#endif

#if PLAIN_SUMS
typedef double real;
typedef int64_t whole;
static const real zero = 0, one = 1, limit = 1e290;
#else
typedef float real;
typedef int32_t whole;
static const real zero = -INFINITY, one = 0, limit = 1e30f;
#endif

enum { V = VECTOR_BYTES / sizeof(real) };

typedef real vec __attribute__((vector_size(VECTOR_BYTES)));
typedef whole mask __attribute__((vector_size(VECTOR_BYTES)));
typedef real loose __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

#define INLINE __attribute__((always_inline)) static inline

INLINE vec load(const real *from) {
    return *(const loose *)from;
}

INLINE void store(real *to, vec a) {
    *(loose *)to = a;
}

INLINE vec all(real a) {
    return a - (vec){0};
}

/* sum + a * b */
#if PLAIN_SUMS
INLINE vec plus(vec a, vec b) {
    return a + b;
}
INLINE vec times(vec a, vec b) {
    return a * b;
}
INLINE vec add_product(vec sum, vec a, vec b) {
    return sum + a * b;
}
#else
INLINE vec plus(vec a, vec b) {
#if defined(__AVX512F__)
    return (vec)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (vec)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (vec)_mm_max_ps((__m128)a, (__m128)b);
#else
    mask more = a > b;
    return (vec)(((mask)a & more) | ((mask)b & ~more));
#endif
}
INLINE vec times(vec a, vec b) {
    return a + b;
}
INLINE vec add_product(vec sum, vec a, vec b) {
    return plus(sum, a + b);
}
#endif

/* 0 where a may be bound. */
INLINE mask unfit(vec a) {
    return ~((a <= limit) & ((a >= -limit) | (a == -INFINITY)));
}

INLINE bool any(mask a) {
    whole bits = 0;
    for (int i = 0; i < V; i++)
        bits |= a[i];
    return bits != 0;
}

#if PLAIN_SUMS
/* exp; 0 below -708, and no more than exp(709). Cody & Waite's reduction, Taylor's series to
 * r^13: 1e-16. */
INLINE vec exponential(vec x) {
    const double shifter = 0x1.8p52;
    mask low = x < -708;
    x = (vec)(((mask)all(-708) & low) | ((mask)x & ~low));
    mask high = x > 709;
    x = (vec)(((mask)all(709) & high) | ((mask)x & ~high));
    vec shifted = x * 0x1.71547652b82fep0 + shifter, e = shifted - shifter;
    vec r = (x - e * 0x1.62e42fee00000p-1) - e * 0x1.a39ef35793c76p-33;
    static const double inverse[] = {1.0 / 479001600,
                                     1.0 / 39916800,
                                     1.0 / 3628800,
                                     1.0 / 362880,
                                     1.0 / 40320,
                                     1.0 / 5040,
                                     1.0 / 720,
                                     1.0 / 120,
                                     1.0 / 24,
                                     1.0 / 6,
                                     0.5,
                                     1,
                                     1};
    vec p = all(1.0 / 6227020800);
    for (int i = 0; i < 13; i++)
        p = p * r + inverse[i];
    p = (vec)((mask)p + ((mask)shifted << 52));
    return (vec)((mask)p & ~low);
}
#endif

/* Elements at, at + step, at + 2 * step... of a and b joined; constants. */
#if defined(__AVX512F__) && !PLAIN_SUMS
#define PICK(a, b, at, step)                                                                       \
    __builtin_shufflevector(a, b, at, (at) + (step), (at) + 2 * (step), (at) + 3 * (step),         \
                            (at) + 4 * (step), (at) + 5 * (step), (at) + 6 * (step),               \
                            (at) + 7 * (step), (at) + 8 * (step), (at) + 9 * (step),               \
                            (at) + 10 * (step), (at) + 11 * (step), (at) + 12 * (step),            \
                            (at) + 13 * (step), (at) + 14 * (step), (at) + 15 * (step))
#elif defined(__AVX512F__) || (defined(__AVX2__) && !PLAIN_SUMS)
#define PICK(a, b, at, step)                                                                       \
    __builtin_shufflevector(a, b, at, (at) + (step), (at) + 2 * (step), (at) + 3 * (step),         \
                            (at) + 4 * (step), (at) + 5 * (step), (at) + 6 * (step),               \
                            (at) + 7 * (step))
#elif defined(__AVX2__) || !PLAIN_SUMS
#define PICK(a, b, at, step)                                                                       \
    __builtin_shufflevector(a, b, at, (at) + (step), (at) + 2 * (step), (at) + 3 * (step))
#else
#define PICK(a, b, at, step) __builtin_shufflevector(a, b, at, (at) + (step))
#endif
/* V neighbours from `at` of 0..V on; element `at` of a everywhere. */
#define WINDOW(a, b, at) PICK(a, b, at, 1)
#define SPREAD(a, at)    PICK(a, a, at, 0)

/* v[i][l] becomes v[l][i]: log2(V) perfect shuffles. */
#if defined(__AVX512F__) && !PLAIN_SUMS
#define LOW(a, b)                                                                                  \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif defined(__AVX512F__) || (defined(__AVX2__) && !PLAIN_SUMS)
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif defined(__AVX2__) || !PLAIN_SUMS
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

INLINE void transpose(vec v[V]) {
    for (int round = 1; round < V; round *= 2) {
        vec w[V];
        for (int i = 0; i < V / 2; i++) {
            w[2 * i] = LOW(v[i], v[i + V / 2]);
            w[2 * i + 1] = HIGH(v[i], v[i + V / 2]);
        }
        memcpy(v, w, sizeof w);
    }
}

#endif
