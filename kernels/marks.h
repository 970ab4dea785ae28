/* marks.h - masks for vectors: only marked elements are read or written, or gathered from anywhere.
 *
 * After vector.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_MARKS_H
#define TZ_KERNELS_MARKS_H

enum { V = VECTOR_ELEMENTS };

/* Some elements of a vector. */
#if defined(__AVX512F__)
typedef uint32_t marks;

/* Element i is marked if bit i is set. */
static inline marks marks_of(unsigned bits) {
    return bits & ((1u << V) - 1);
}

static inline _Bool any(marks of) {
    return of != 0;
}

/* Cells i < count with a number at[i] that is not below 0. */
static inline marks there(const int32_t *at, ptrdiff_t count) {
    __m512i index = _mm512_maskz_loadu_epi32((__mmask16)((1u << V) - 1), at);
    return part_of(0, count) & ~(marks)_mm512_movepi32_mask(index);
}

/* a where marked, else b. */
static inline vector marked(marks of, vector a, vector b) {
    return SELECT((vector)_mm512_mask_mov_ps((__m512)b, (__mmask16)of, (__m512)a),
                  (vector)_mm512_mask_mov_pd((__m512d)b, (__mmask8)of, (__m512d)a));
}
#else
typedef vector_mask marks;

static inline marks marks_of(unsigned bits) {
    marks bit;
    for (int i = 0; i < V; i++)
        bit[i] = (whole)1 << i;
    return (((marks){0} + (whole)bits) & bit) != 0;
}

static inline _Bool any(marks of) {
    whole bits = 0;
    for (int i = 0; i < V; i++)
        bits |= of[i];
    return bits != 0;
}

static inline marks there(const int32_t *at, ptrdiff_t count) {
    marks of;
    for (int i = 0; i < V; i++)
        of[i] = -(i < count && at[i] >= 0);
    return of;
}

static inline vector marked(marks of, vector a, vector b) {
    return vector_pick(of, a, b);
}
#endif

/* ---- Reading and writing -------------------------------------------------------------------- */

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
    __m512i index = _mm512_maskz_loadu_epi32((__mmask16)((1u << V) - 1), at);
    return SELECT(
        (vector)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), (__mmask16)of, index, from, 4),
        (vector)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), (__mmask8)of,
                                         _mm512_castsi512_si256(index), from, 8));
#elif defined(__AVX2__)
    __m256i index = V == 8 ? _mm256_loadu_si256((const __m256i_u *)at) : (__m256i){0};
    __m128i half = _mm_loadu_si128((const __m128i_u *)at);
    return SELECT((vector)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), (const float *)from, index,
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

/* from[at[i]] for i < count and at[i] >= 0, else none's. */
static inline vector vector_gather(const element *from, const int32_t *at, ptrdiff_t count,
                                   vector none) {
#if defined(__AVX512F__)
    __m512i index = _mm512_maskz_loadu_epi32((__mmask16)((1u << V) - 1), at);
    marks of = there(at, count);
    return SELECT((vector)_mm512_mask_i32gather_ps((__m512)none, (__mmask16)of, index, from, 4),
                  (vector)_mm512_mask_i32gather_pd((__m512d)none, (__mmask8)of,
                                                   _mm512_castsi512_si256(index), from, 8));
#elif defined(__AVX2__)
    __m128i half = _mm_loadu_si128((const __m128i_u *)at);
    __m256i index =
        V == 8 ? _mm256_loadu_si256((const __m256i_u *)at) : _mm256_cvtepi32_epi64(half);
    __m256i there = _mm256_andnot_si256(index, (__m256i)part_of(0, count));
    return SELECT((vector)_mm256_mask_i32gather_ps((__m256)none, (const float *)from, index,
                                                   (__m256)there, 4),
                  (vector)_mm256_mask_i32gather_pd((__m256d)none, (const double *)from, half,
                                                   (__m256d)there, 8));
#else
    for (ptrdiff_t i = 0; i < V && i < count; i++)
        none[i] = at[i] < 0 ? none[i] : from[at[i]];
    return none;
#endif
}

#endif
