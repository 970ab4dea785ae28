/* narrow.h - the common parts of descriptors of narrow elements: NUMBERS reals, the first of which
 * is a scaled probability. After `zero` and LIFTS of the file that includes it.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_NARROW_H
#define TZ_SEMIRINGS_NARROW_H

/* Lifts one score at a time, by the kernel; a score that does not fit becomes zero. */
static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    const double none[TZ_LIFTED] = {0};
    for (size_t i = 0; i < n; i++) {
        const double several[TZ_LIFTED] = {score[i]};
        real lifted[TZ_LIFTED * NUMBERS];
        const tz_lifting from = {several, none, {0}};
        const _Bool fits = LIFTS(NAME, TZ_ISA)(self, lifted, &from, TZ_LIFTED);
        memcpy((real *)ret + (ptrdiff_t)i * stride * NUMBERS,
               fits ? (const void *)lifted : (const void *)&zero, NUMBERS * sizeof(real));
    }
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return log((double)*(const real *)a);
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    const double x = (double)*(const real *)part;
    return watched(x / (double)*(const real *)whole, x != 0);
}

static double exponent(const tz_semiring *self, const void *narrow) {
    (void)self;
    int e;
    const double a = (double)*(const real *)narrow;
    if (!isfinite(a))
        return INFINITY;
    frexp(a, &e);
    return e - 1;
}

#endif
