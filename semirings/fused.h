/* fused.h - vectors of a * b + c, rounded once: the same bits on every machine, and the same flags
 * for underflow and overflow.
 *
 * A processor without an instruction for it has the exact product as a sum of two numbers (Dekker
 * 1971, Numerische Mathematik 18:3), adds c, and keeps the last sum but one from being rounded to a
 * number that looks exact: it is rounded to odd (Boldo & Melquiond 2008, IEEE Transactions on
 * Computers 57:4). Of numbers by which that could leave the range, libm's fma().
 *
 * After vector.h, which says how wide a vector is. SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_FUSED_H
#define TZ_SEMIRINGS_FUSED_H

#include <math.h>

typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));
typedef float floats __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t masks __attribute__((vector_size(VECTOR_BYTES))); /* of doubles */
enum { DOUBLES = VECTOR_BYTES / sizeof(double), FLOATS = VECTOR_BYTES / sizeof(float) };

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

#elif defined(FP_FAST_FMA) || defined(__aarch64__)

static inline doubles fused_doubles(doubles a, doubles b, doubles c) {
    for (int i = 0; i < DOUBLES; i++) {
        c[i] = fma(a[i], b[i], c[i]);
    }
    return c;
}

static inline floats fused_floats(floats a, floats b, floats c) {
    for (int i = 0; i < FLOATS; i++) {
        c[i] = fmaf(a[i], b[i], c[i]);
    }
    return c;
}

#else

/* a + b rounded; *ret_error: what that has left out (Knuth, volume 2, section 4.2.2). */
static inline doubles exact_sum(doubles a, doubles b, doubles *ret_error) {
    doubles sum = a + b, part = sum - a;
    *ret_error = (a - (sum - part)) + (b - part);
    return sum;
}

/* a + b: of the two numbers around it the one whose last bit is set, unless it is one of them. */
static inline doubles odd_sum(doubles a, doubles b) {
    doubles error, sum = exact_sum(a, b, &error);
    masks inexact = (error > 0) | (error < 0); /* false of NaN, which infinities leave */
    masks even = ((masks)sum & 1) - 1, away = ((masks)sum ^ (masks)error) < 0;
    return (doubles)((masks)sum + (inexact & even & (away | 1)));
}

/* a = *ret_high + *ret_low, of 26 bits each. */
static inline void halve(doubles a, doubles *ret_high, doubles *ret_low) {
    const masks half = (masks){0} + (1 << 26);
    *ret_high = (doubles)(((masks)a + half) & -(half << 1));
    *ret_low = a - *ret_high;
}

static inline masks between(doubles a, double least, double most) {
    doubles size = (doubles)((masks)a & INT64_MAX);
    return (size >= least) & (size <= most);
}

/* Is all that fused_in_range computes exact where it has to be? */
static inline masks in_range(doubles a, doubles b, doubles c) {
    return (between(a, 0x1p-450, 0x1p450) | (a == 0)) & (between(b, 0x1p-450, 0x1p450) | (b == 0)) &
           between(c, 0, 0x1p1000);
}

static inline doubles fused_in_range(doubles a, doubles b, doubles c) {
    doubles a_high, a_low, b_high, b_low, high, low, product = a * b;
    halve(a, &a_high, &a_low);
    halve(b, &b_high, &b_low);
    doubles rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    doubles sum = exact_sum(product, exact_sum(rest, c, &low), &high);
    doubles ret = sum + odd_sum(low, high);
    masks none = ret == 0; /* zero has a sign */
    return (doubles)(((masks)ret & ~none) | ((masks)(product + c) & none));
}

__attribute__((noinline, cold, unused)) static doubles fused_out_of_range(doubles a, doubles b,
                                                                          doubles c) {
    for (int i = 0; i < DOUBLES; i++) {
        c[i] = fma(a[i], b[i], c[i]);
    }
    return c;
}

static inline doubles fused_doubles(doubles a, doubles b, doubles c) {
    masks fit = in_range(a, b, c);
    int64_t all = fit[0];
    for (int i = 1; i < DOUBLES; i++) {
        all &= fit[i];
    }
    return all ? fused_in_range(a, b, c) : fused_out_of_range(a, b, c);
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

static inline vector vector_fused(vector a, vector b, vector c) {
    return SELECT((vector)fused_floats((floats)a, (floats)b, (floats)c),
                  (vector)fused_doubles((doubles)a, (doubles)b, (doubles)c));
}

#endif
