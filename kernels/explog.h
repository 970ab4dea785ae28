/* explog.h - exp and log that give the same bits on every machine.
 *
 * They use only +, -, *, /, comparisons and fma, which IEEE 754 and C11 round correctly; no libm,
 * whose last bits differ between versions. Largest errors, measured against long double by
 * tests/semirings/test_log.c: exp_near_zero 0.74 and log_near_one 0.84 units of the last place of
 * the result, exp_split 1.26 * 2^-53 of exp(x).
 *
 * Polynomials: least maximum error, coefficients rounded to double (Brisebarre & Chevillard 2007,
 * the method fpminimax of Sollya); error of the approximation alone below 2^-57 (exp) and 2^-60
 * (log).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_EXPLOG_H
#define TZ_KERNELS_EXPLOG_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "real.h"

/* ln 2 to 106 bits, as a sum; and its inverse. */
#define LN2_HIGH    0x1.62e42fefa39efp-1
#define LN2_LOW     0x1.abc9e3b39803fp-56
#define LN2_INVERSE 0x1.71547652b82fep0

/* exp(r), |r| <= 0.3625, in powers of r, the highest first. */
enum { EXP_TERMS = 12 };
static const double exp_term[EXP_TERMS] = {
    0x1.ad73be23d50f0p-26, 0x1.28c03d1386176p-22, 0x1.71df4c5019a43p-19, 0x1.a01985ba4c28cp-16,
    0x1.a01a0109c1fb2p-13, 0x1.6c16c18b9669ep-10, 0x1.1111111130b30p-7,  0x1.555555554e757p-5,
    0x1.55555555554cap-3,  0x1.000000000000fp-1,  0x1.0000000000000p0,   0x1.0000000000000p0};

static inline double exp_near_zero(double r) {
    double p = exp_term[0];
    for (int t = 1; t < EXP_TERMS; t++)
        p = fma(p, r, exp_term[t]);
    return p;
}

/* What log_near_one takes of the square, the highest power first. */
enum { LOG_TERMS = 7 };
static const double log_term[LOG_TERMS] = {
    0x1.2f05628e4f204p-3, 0x1.39a1c359d50f3p-3, 0x1.74663e2d7fc43p-3, 0x1.c71c520f53b95p-3,
    0x1.24924941e5e2cp-2, 0x1.999999997feeap-2, 0x1.5555555555592p-1};

/* log(m), sqrt(1/2) <= m <= sqrt(2); as 2 artanh((m - 1) / (m + 1)), where m - 1 is exact. Without
 * fma, whose calls would take it four times as long where no instruction does it. */
static inline double log_near_one(double m) {
    double f = m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    double p = log_term[0];
    for (int t = 1; t < LOG_TERMS; t++)
        p = p * z + log_term[t];
    return f - (half - s * (half + z * p));
}

/* tz_semiring.exact where exponents are held in a real: those of scores 4 times as large are exact
 * (up to 2^24; 2^53, and 2^50 in exp_split). */
#if TZ_REAL_BITS == 64
#define EXACT 2e14
#else
#define EXACT 2.5e6
#endif

/* Added to a number, rounds it to a whole one, which is then in the last bits. */
#define SHIFTER 0x1.8p52

/* exp(x) = ret * 2^*ret_exponent with 0.6 < ret < 1.7, for finite x.
 *
 * x - e LN2_HIGH is exact in fma where e is below 2^52, and what LN2_HIGH lacks of ln 2 is
 * subtracted after. Beyond |x| = 2^50 what LN2_INVERSE lacks moves the remainder out of the
 * polynomial's range; there it is less than the last place of x, and is cut. */
static inline double exp_split(double x, real *ret_exponent) {
    double e = fma(x, LN2_INVERSE, SHIFTER) - SHIFTER;
    double r = fma(-e, LN2_LOW, fma(-e, LN2_HIGH, x));
    r = r > -0.5 ? r : -0.5;
    r = r < 0.5 ? r : 0.5;
    *ret_exponent = (real)e;
    return exp_near_zero(r);
}

/* log(m * 2^e), m in [1, 2). */
static inline double log_joined(double m, double e) {
    if (m > 0x1.6a09e667f3bcdp0) { /* sqrt(2): so that nothing cancels where e is -1 */
        m *= 0.5;
        e += 1;
    }
    return fma(e, LN2_HIGH, log_near_one(m) + e * LN2_LOW);
}

/* 2^e for an integer -1022 <= e <= 1023: adding 1.5 * 2^52 leaves it in the last bits. */
static inline double power_f64(double e) {
    double shifted = e + (0x1.8p52 + 1023);
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    memcpy(&shifted, &bits, sizeof bits);
    return shifted;
}

/* x * 2^e for a number x near 1 and any whole e, rounded once; 0 far below, 2^1022 x at most. */
static inline double scaled_f64(double x, double e) {
    if (e < -1022)
        return x * power_f64(-1022) * power_f64(e > -2000 ? e + 1022 : -978);
    return x * power_f64(e < 1022 ? e : 1022);
}

/* The same in float: -126 <= e <= 127. */
static inline float power_f32(float e) {
    float shifted = e + (0x1.8p23f + 127);
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 23;
    memcpy(&shifted, &bits, sizeof bits);
    return shifted;
}

/* x = ret * 2^*ret_exponent with |ret| in [1, 2), by its bits; any number but 0 and subnormals. */
static inline double split_f64(double x, double *ret_exponent) {
    uint64_t bits, exponent;
    memcpy(&bits, &x, sizeof bits);
    exponent = (bits >> 52 & 0x7ff) | 0x4330000000000000;
    bits = (bits & 0x800fffffffffffff) | 0x3ff0000000000000;
    memcpy(ret_exponent, &exponent, sizeof exponent);
    *ret_exponent -= 0x1p52 + 1023;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static inline float split_f32(float x, float *ret_exponent) {
    uint32_t bits, exponent;
    memcpy(&bits, &x, sizeof bits);
    exponent = (bits >> 23 & 0xff) | 0x4b000000;
    bits = (bits & 0x807fffff) | 0x3f800000;
    memcpy(ret_exponent, &exponent, sizeof exponent);
    *ret_exponent -= 0x1p23f + 127;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

#if TZ_REAL_BITS == 64
#define power_of_two power_f64
#define split_normal split_f64
#define fused_real   fma
#else
#define power_of_two power_f32
#define split_normal split_f32
#define fused_real   fmaf
#endif

#endif
