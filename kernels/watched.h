/* watched.h - raises the flag (flags.h) for results that leave the range of numbers.
 *
 * Where the processor does so itself, these functions return their argument and cost nothing.
 * Elsewhere they check the result: if it is no number or infinite it has overflowed; if it is below
 * the least normal number it may have underflowed, unless a factor is 0.
 *
 * After numbers.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_WATCHED_H
#define TZ_KERNELS_WATCHED_H

#include <float.h>
#include <math.h>

#include "flags.h"

#if defined(TZ_OWN_FLAG)

/* The result of arithmetic on what is not 0 where `some` says so, elsewhere 0. */
FORCED numbers numbers_watched(numbers ret, vector_mask some) {
    const number least = SELECT(FLT_MIN, DBL_MIN), none = INFINITY;
    numbers size = numbers_larger(ret, -ret);
    vector_mask left = ((size < least) & some) | ~(size < none);
    if (__builtin_expect(wasm_v128_any_true((v128_t)left), 0))
        tz_flag = true;
    return ret;
}

static inline doubles doubles_watched(doubles ret, masks some) {
    masks bits = (masks)ret & INT64_MAX;
    masks left = (((doubles)bits < DBL_MIN) & some) | ~((doubles)bits < (double)INFINITY);
    if (__builtin_expect(wasm_v128_any_true((v128_t)left), 0))
        tz_flag = true;
    return ret;
}

static inline double watched(double ret, _Bool some) {
    const double least = SELECT(FLT_MIN, DBL_MIN);
    if ((fabs(ret) < least && some) || !isfinite(ret))
        tz_flag = true;
    return ret;
}

#else

#define numbers_watched(ret, some) (ret)
#define doubles_watched(ret, some) (ret)
#define watched(ret, some)         (ret)

#endif
#endif
