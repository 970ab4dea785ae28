/* scan.c - are all scores along a row allowed, and which is the largest?
 * SPDX-License-Identifier: MIT */
#include <math.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "engine/engine.h"

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
#endif

bool tz_scan_row(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, double *most) {
    double limit = plan->wide.limit;
#if defined(__x86_64__) && defined(__GNUC__)
    if (plan->wide.isa >= TZ_ISA_AVX2 && step == 1)
        return scores->type == TZ_FLOAT
                   ? scan_floats((const float *)scores->data + offset, count, limit, most)
                   : scan_doubles((const double *)scores->data + offset, count, limit, most);
#endif
    return scan(scores, offset, step, count, limit, most);
}

bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count) {
    double most = -INFINITY;
    return tz_scan_row(plan, scores, offset, step, count, &most);
}
