/* lift.h - lift, and the kernel that lifts scores side by side, from
 *
 *   static inline element lifted(double score)
 *
 * which the file that includes it has defined. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_LIFT_H
#define TZ_KERNELS_LIFT_H

DECLARE_ALL_LIFTS(NAME);

_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++)
        to[i] = lifted(from->score[i]);
    return 1;
}

#ifdef TZ_DESCRIPTOR
static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++)
        to[(ptrdiff_t)i * stride] = lifted(score[i]);
}
#endif

#endif
