/* marks.h - vectors of scores some of which are marked: those that there are, and those that are
 * refused.
 *
 * After exchange.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_MARKS_H
#define TZ_KERNELS_MARKS_H

#if defined(__AVX512F__)
/* Element i is marked if bit i is set. */
static inline marks marks_of(unsigned bits) {
    return bits & ((1u << V) - 1);
}

/* NaN, or beyond the limit; -infinity too. */
static inline marks beyond(vector score, vector limit) {
    return SELECT(_mm512_cmp_ps_mask(_mm512_abs_ps((__m512)score), (__m512)limit, _CMP_NLE_UQ),
                  _mm512_cmp_pd_mask(_mm512_abs_pd((__m512d)score), (__m512d)limit, _CMP_NLE_UQ));
}

static inline marks possible(vector score) {
    const vector none = vector_of(-INFINITY);
    return SELECT(_mm512_cmp_ps_mask((__m512)score, (__m512)none, _CMP_NEQ_UQ),
                  _mm512_cmp_pd_mask((__m512d)score, (__m512d)none, _CMP_NEQ_UQ));
}
#else
static inline marks marks_of(unsigned bits) {
    marks bit;
    for (int i = 0; i < V; i++)
        bit[i] = (whole)1 << i;
    return (((marks){0} + (whole)bits) & bit) != 0;
}

static inline marks beyond(vector score, vector limit) {
    return ~((score <= limit) & (score >= -limit));
}

static inline marks possible(vector score) {
    return score != vector_of(-INFINITY);
}
#endif

static inline marks refused(vector score, vector limit) {
    return beyond(score, limit) & possible(score);
}

/* Which of V vectors' scores are, one after the other. */
__attribute__((noinline, cold)) static marks refused_among(const vector score[V], vector limit) {
    marks bad = {0};
    for (int i = 0; i < V; i++)
        bad |= refused(score[i], limit);
    return bad;
}

/* The same. As long as none is beyond the limit, nor -infinity, a look at the sum of
 * their magnitudes will do. */
static inline marks refused_of(const vector score[V], vector limit) {
    vector sum[V];
    for (int i = 0; i < V; i++)
        sum[i] = (vector)((vector_mask)score[i] & ~(vector_mask)vector_of(-0.0));
    for (int half = V / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            sum[i] += sum[i + half];
    return any(beyond(*sum, limit)) ? refused_among(score, limit) : (marks){0};
}

static inline vector limit_of(double limit) {
    return vector_of((element)(sizeof(element) == sizeof(double) || limit < 3e38 ? limit : 3e38));
}

/* ---- Reading and writing ----------------------------------------------------------------------
 */

/* from[i] where marked, 0 elsewhere, which is not read. */
static inline vector load_marked(const element *from, marks of) {
#if defined(__AVX2__)
    return vector_load_some(from, (vector_part)of);
#else
    vector v = {0};
    for (int i = 0; i < V; i++)
        if (of[i])
            v[i] = from[i];
    return v;
#endif
}

/* from[at[i]], likewise. */
static inline vector gather_marked(const element *from, const int32_t at[V], marks of) {
#if defined(__AVX512F__)
    __m512i number = _mm512_maskz_loadu_epi32((__mmask16)((1u << V) - 1), at);
    return SELECT(
        (vector)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), (__mmask16)of, number, from, 4),
        (vector)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), (__mmask8)of,
                                         _mm512_castsi512_si256(number), from, 8));
#elif defined(__AVX2__)
    __m256i number = V == 8 ? _mm256_loadu_si256((const __m256i_u *)at) : (__m256i){0};
    __m128i half = _mm_loadu_si128((const __m128i_u *)at);
    return SELECT((vector)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), (const float *)from, number,
                                                   (__m256)of, 4),
                  (vector)_mm256_mask_i32gather_pd(_mm256_setzero_pd(), (const double *)from, half,
                                                   (__m256d)of, 8));
#else
    vector v = {0};
    for (int i = 0; i < V; i++)
        if (of[i])
            v[i] = from[at[i]];
    return v;
#endif
}

/* to[i] = v[i] where marked. */
static inline void store_marked(element *to, marks of, vector v) {
#if defined(__AVX2__)
    vector_store_part(to, (vector_part)of, v);
#else
    for (int i = 0; i < V; i++)
        if (of[i])
            to[i] = v[i];
#endif
}
#endif
