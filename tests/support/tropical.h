/* tropical.h - a semiring of a program's own: max, by plus and times alone.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TROPICAL_H
#define TZ_TESTS_SUPPORT_TROPICAL_H

#include <trapeze/trapeze.h>

static void tropical_plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    double x = *(const double *)a, y = *(const double *)b;
    *(double *)ret = x >= y ? x : y;
}

static void tropical_times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(double *)ret = *(const double *)a + *(const double *)b;
}

static const tz_semiring tropical = {.name = "tropical",
                                     .laws = TZ_COMMUTATIVE | TZ_IDEMPOTENT | TZ_PATH | TZ_EXACT,
                                     .plus = tropical_plus,
                                     .times = tropical_times};

#endif
