/* score_range.c - are all scores along a row allowed, and which is the largest?
 * SPDX-License-Identifier: MIT */
#include <math.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "engine/chart/score_range.h"

/* Is every score of a row allowed? Raises *most to the largest. */
static bool scan(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                 double limit, double *most) {
    bool allowed = true;
    double largest = *most;
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t at = offset + (ptrdiff_t)i * step;
        double score = scores->type == TZ_FLOAT ? (double)((const float *)scores->data)[at]
                                                : ((const double *)scores->data)[at];
        allowed &= (score <= limit) & ((score >= -limit) | (score == -INFINITY));
        largest = score > largest ? score : largest;
    }
    *most = largest;
    return allowed;
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same for rows of neighbours; what is beyond the row is -infinity, which is allowed. */
__attribute__((target("avx2"))) static bool scan_floats(const float *row, size_t count,
                                                        double limit, double *most) {
    const __m256 bound = _mm256_set1_ps((float)(limit < 3e38 ? limit : 3e38));
    const __m256 below = _mm256_sub_ps(_mm256_setzero_ps(), bound);
    const __m256 none = _mm256_set1_ps(-INFINITY);
    const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 good = _mm256_cmp_ps(none, none, _CMP_EQ_OQ), largest = none;
    for (size_t i = 0; i < count; i += 8) {
        __m256 score;
        if (count - i >= 8) {
            score = _mm256_loadu_ps(row + i);
        } else {
            __m256i part = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count - i)), number);
            score = _mm256_blendv_ps(none, _mm256_maskload_ps(row + i, part),
                                     _mm256_castsi256_ps(part));
        }
        __m256 low = _mm256_or_ps(_mm256_cmp_ps(score, below, _CMP_GE_OQ),
                                  _mm256_cmp_ps(score, none, _CMP_EQ_OQ));
        good = _mm256_and_ps(good, _mm256_and_ps(_mm256_cmp_ps(score, bound, _CMP_LE_OQ), low));
        largest = _mm256_max_ps(score, largest);
    }
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(largest), _mm256_extractf128_ps(largest, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    four = _mm_max_ss(four, _mm_movehdup_ps(four));
    double found = (double)_mm_cvtss_f32(four);
    *most = found > *most ? found : *most;
    return _mm256_movemask_ps(good) == 0xff;
}

__attribute__((target("avx2"))) static bool scan_doubles(const double *row, size_t count,
                                                         double limit, double *most) {
    const __m256d bound = _mm256_set1_pd(limit), none = _mm256_set1_pd(-INFINITY);
    const __m256d below = _mm256_sub_pd(_mm256_setzero_pd(), bound);
    const __m256i number = _mm256_setr_epi64x(0, 1, 2, 3);
    __m256d good = _mm256_cmp_pd(none, none, _CMP_EQ_OQ), largest = none;
    for (size_t i = 0; i < count; i += 4) {
        __m256d score;
        if (count - i >= 4) {
            score = _mm256_loadu_pd(row + i);
        } else {
            __m256i part = _mm256_cmpgt_epi64(_mm256_set1_epi64x((int64_t)(count - i)), number);
            score = _mm256_blendv_pd(none, _mm256_maskload_pd(row + i, part),
                                     _mm256_castsi256_pd(part));
        }
        __m256d low = _mm256_or_pd(_mm256_cmp_pd(score, below, _CMP_GE_OQ),
                                   _mm256_cmp_pd(score, none, _CMP_EQ_OQ));
        good = _mm256_and_pd(good, _mm256_and_pd(_mm256_cmp_pd(score, bound, _CMP_LE_OQ), low));
        largest = _mm256_max_pd(score, largest);
    }
    __m128d two = _mm_max_pd(_mm256_castpd256_pd128(largest), _mm256_extractf128_pd(largest, 1));
    two = _mm_max_sd(two, _mm_unpackhi_pd(two, two));
    double found = _mm_cvtsd_f64(two);
    *most = found > *most ? found : *most;
    return _mm256_movemask_pd(good) == 0xf;
}

__attribute__((target("avx512f"))) static bool scan_floats_512(const float *row, size_t count,
                                                               double limit, double *most) {
    const __m512 bound = _mm512_set1_ps((float)(limit < 3e38 ? limit : 3e38));
    const __m512 none = _mm512_set1_ps(-INFINITY);
    __m512 largest = none;
    __mmask16 good = 0xffff;
    for (size_t i = 0; i < count; i += 16) {
        __mmask16 part = (__mmask16)(count - i >= 16 ? 0xffff : (1u << (count - i)) - 1);
        __m512 score = _mm512_mask_loadu_ps(none, part, row + i);
        good &= _mm512_cmp_ps_mask(_mm512_abs_ps(score), bound, _CMP_LE_OQ) |
                _mm512_cmp_ps_mask(score, none, _CMP_EQ_OQ);
        largest = _mm512_max_ps(score, largest);
    }
    if (most != NULL) {
        double found = (double)_mm512_reduce_max_ps(largest);
        *most = found > *most ? found : *most;
    }
    return good == 0xffff;
}

__attribute__((target("avx512f"))) static bool scan_doubles_512(const double *row, size_t count,
                                                                double limit, double *most) {
    const __m512d bound = _mm512_set1_pd(limit), none = _mm512_set1_pd(-INFINITY);
    __m512d largest = none;
    __mmask8 good = 0xff;
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 part = (__mmask8)(count - i >= 8 ? 0xff : (1u << (count - i)) - 1);
        __m512d score = _mm512_mask_loadu_pd(none, part, row + i);
        good &= _mm512_cmp_pd_mask(_mm512_abs_pd(score), bound, _CMP_LE_OQ) |
                _mm512_cmp_pd_mask(score, none, _CMP_EQ_OQ);
        largest = _mm512_max_pd(score, largest);
    }
    if (most != NULL) {
        double found = _mm512_reduce_max_pd(largest);
        *most = found > *most ? found : *most;
    }
    return good == 0xff;
}
#endif

bool tz_score_range(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, double *opt_most) {
    double limit = plan->wide.limit, ignored = -INFINITY;
#if defined(__x86_64__) && defined(__GNUC__)
    bool floats = scores->type == TZ_FLOAT;
    const float *from_float = floats ? (const float *)scores->data + offset : NULL;
    const double *from_double = floats ? NULL : (const double *)scores->data + offset;
    if (plan->wide.isa >= TZ_ISA_AVX512 && step == 1)
        return floats ? scan_floats_512(from_float, count, limit, opt_most)
                      : scan_doubles_512(from_double, count, limit, opt_most);
#endif
    opt_most = opt_most != NULL ? opt_most : &ignored;
#if defined(__x86_64__) && defined(__GNUC__)
    if (plan->wide.isa >= TZ_ISA_AVX2 && step == 1)
        return floats ? scan_floats(from_float, count, limit, opt_most)
                      : scan_doubles(from_double, count, limit, opt_most);
#endif
    return scan(scores, offset, step, count, limit, opt_most);
}

bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count) {
    return tz_score_range(plan, scores, offset, step, count, NULL);
}
