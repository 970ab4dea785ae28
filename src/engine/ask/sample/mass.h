/* mass.h - numbers >= 0 of unlimited range: the probability of a long derivation is far below the
 * smallest double. Every operation rounds once, to 53 bits, on every machine alike.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_SAMPLE_MASS_H
#define TZ_ENGINE_ASK_SAMPLE_MASS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* m * 2^e with 1 <= m < 2, or 0 and TZ_MASS_NONE. */
typedef struct tz_mass {
    double m;
    int64_t e;
} tz_mass;

#define TZ_MASS_NONE (INT64_MIN / 4)
#define TZ_MASS_ZERO ((tz_mass){0, TZ_MASS_NONE})
#define TZ_MASS_ONE  ((tz_mass){1, 0})

/* x 2^e, x >= 0 and finite. */
static inline tz_mass tz_mass_of(double x, int64_t e) {
    int own;
    double m = frexp(x, &own);
    return x > 0 ? (tz_mass){2 * m, own - 1 + e} : TZ_MASS_ZERO;
}

static inline tz_mass tz_mass_plus(tz_mass a, tz_mass b) {
    tz_mass large = b.e > a.e ? b : a, small = b.e > a.e ? a : b;
    if (large.e - small.e > 64) /* lost in rounding */
        return large;
    double m = large.m + ldexp(small.m, (int)(small.e - large.e));
    return m < 2 ? (tz_mass){m, large.e} : (tz_mass){m / 2, large.e + 1};
}

/* Neither is 0. */
static inline tz_mass tz_mass_times(tz_mass a, tz_mass b) {
    double m = a.m * b.m;
    return m < 2 ? (tz_mass){m, a.e + b.e} : (tz_mass){m / 2, a.e + b.e + 1};
}

/* Neither is 0. */
static inline tz_mass tz_mass_over(tz_mass a, tz_mass b) {
    double m = a.m / b.m;
    return m >= 1 ? (tz_mass){m, a.e - b.e} : (tz_mass){m * 2, a.e - b.e - 1};
}

static inline bool tz_mass_less(tz_mass a, tz_mass b) {
    return a.e < b.e || (a.e == b.e && a.m < b.m);
}

#endif
