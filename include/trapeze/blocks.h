/* blocks.h - makes the kernels of a semiring from vector_sum and vector_product; vectors.h comes
 * first and shows how.
 *
 * The file that includes it may have defined
 *
 *   HAS_LIFTED       with vector_lifted, and INPUTS: how many numbers it takes beside a score. The
 *                    score may be -infinity, too; the result then does not count. Without: an
 *                    element is one number, the score, and zero is -infinity.
 *   EXACT_SUMS 1     for a semiring that is TZ_EXACT: more sums at a time.
 *   TRACES           for a path semiring of one number that gives scores: best derivations are
 *                    found faster.
 *   HAS_SCALARS      with sum and product of two elements, which give the bits of vector_sum and
 *                    vector_product. Without: these are used.
 *   HAS_SUM_PRODUCT  with vector_sum_product(a, b, c), which is a + b * c (and with HAS_SCALARS
 *                    sum_product), where that has other bits or fewer operations.
 *
 * It gets plus, times, lift, lift_inputs (with INPUTS) and kernels for its tz_semiring, all static.
 * The size of an element is sizeof(element), its align _Alignof(number).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_BLOCKS_H
#define TRAPEZE_BLOCKS_H

#include <trapeze/vectors.h>

#ifndef INPUTS
#define INPUTS 0
#endif

#ifndef HAS_SCALARS
/* The first element of a vector. */
static inline element vector_first(vector a) {
    element ret;
    UNROLLED for (int p = 0; p < PARTS; p++) {
        ((number *)&ret)[p] = ((const numbers *)&a)[p][0];
    }
    return ret;
}

static inline element sum(element a, element b) {
    return vector_first(vector_sum(vector_of(a), vector_of(b)));
}

static inline element product(element a, element b) {
    return vector_first(vector_product(vector_of(a), vector_of(b)));
}

#ifdef HAS_SUM_PRODUCT
static inline element sum_product(element a, element b, element c) {
    return vector_first(vector_sum_product(vector_of(a), vector_of(b), vector_of(c)));
}
#endif
#endif

#include "kernels/block.h"

#ifdef TRACES
#include "kernels/trace.h"
#endif

#ifdef HAS_LIFTED
#include "kernels/lift_vectors.h"
#elif defined(TZ_DESCRIPTOR)
/* -0.0 becomes 0.0. */
static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++)
        to[(ptrdiff_t)i * stride] = (element)score[i] + 0;
}
#endif

#ifdef TZ_DESCRIPTOR
static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
    .bundles = BUNDLES,
#ifdef TRACES
    .trace = trace,
#endif
#ifndef HAS_LIFTED
    .lift_copies = 1,
#elif INPUTS == 0 && PARTS <= 2
    .lifts = ALL_LIFTS(NAME),
#endif
};
#endif

#endif
