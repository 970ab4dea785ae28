/* exp_scaled.h - exp(x) times powers of two as floating-point numbers, several vectors at a time:
 * lifts scores to narrow elements.
 *
 * After explog.h and fused.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_EXP_SCALED_H
#define TZ_KERNELS_EXP_SCALED_H

#include "exp_vectors.h"

/* Exponents of lifted scores stay this far from underflow and overflow. */
#if TZ_REAL_BITS == 64
#define MOST 1000.0
#else
#define MOST 120.0
#endif

typedef uint64_t wrapping __attribute__((vector_size(VECTOR_BYTES)));
/* Numbers between which some others lie. */
typedef struct range {
    doubles low, high;
} range;

static inline range no_range(void) {
    return (range){all(SHIFTER), all(SHIFTER)};
}

static inline _Bool range_fits(const range *of) {
    _Bool fit = 1;
    for (int k = 0; k < DOUBLES; k++)
        fit &= of->low[k] >= SHIFTER - MOST && of->high[k] <= SHIFTER + MOST;
    return fit;
}

/* m 2^(v - shifter), v having been made by adding that; 0 where x is -infinity. Makes the range
 * hold all other v. */
static inline doubles scale_possible(doubles x, doubles m, doubles v, range *of) {
    wrapping scaled = (wrapping)v << 52;
#if defined(__AVX512F__)
    __mmask8 possible = _mm512_cmp_pd_mask((__m512d)x, _mm512_set1_pd(-INFINITY), _CMP_NEQ_UQ);
    of->high = (doubles)_mm512_max_pd((__m512d)v, (__m512d)of->high);
    of->low = (doubles)_mm512_mask_min_pd((__m512d)of->low, possible, (__m512d)v, (__m512d)of->low);
    return (doubles)_mm512_maskz_add_epi64(possible, (__m512i)m, (__m512i)scaled);
#else
    masks impossible = x == -(double)INFINITY;
    doubles some = (doubles)((masks)v | impossible); /* or NaN */
#if defined(__AVX2__)
    of->high = (doubles)_mm256_max_pd((__m256d)v, (__m256d)of->high);
    of->low = (doubles)_mm256_min_pd((__m256d)some, (__m256d)of->low);
#else
    masks higher = v > of->high, lower = some < of->low;
    of->high = (doubles)(((masks)v & higher) | ((masks)of->high & ~higher));
    of->low = (doubles)(((masks)v & lower) | ((masks)of->low & ~lower));
#endif
    return (doubles)(((wrapping)m + scaled) & (wrapping)~impossible);
#endif
}

/* ret[k] = exp(x[k]) 2^-shift with the bits of exp_split, which this is for numbers that fit; x:
 * the scores; of: exponents. */
FORCED void exp_scaled(const double *score, const double *shift, doubles *x, doubles *ret,
                       unsigned chains, range *of) {
    doubles v[CHAINS];
    UNROLLED for (unsigned k = 0; k < chains; k++) {
        memcpy(&x[k], score + k * DOUBLES, sizeof x[k]);
    }
    exp_vectors(x, ret, v, chains, 0);
    UNROLLED for (unsigned k = 0; k < chains; k++) {
        doubles down;
        memcpy(&down, shift + k * DOUBLES, sizeof down);
        ret[k] = scale_possible(x[k], ret[k], v[k] - down, of);
    }
}

#endif
