/* vector.h - the widest vectors of the instruction set that a kernel is compiled for, of `element`,
 * which is float or double. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_VECTOR_H
#define TZ_KERNELS_VECTOR_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef element vector __attribute__((vector_size(VECTOR_BYTES)));
/* The same where it may stand at any element. */
typedef element loose_vector
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(element)), may_alias));
#define SELECT(of_float, of_double)                                                                \
    __builtin_choose_expr(sizeof(element) == sizeof(float), of_float, of_double)

/* All bits of an element set or none. */
typedef __typeof__(SELECT((int32_t)0, (int64_t)0)) whole;
typedef whole vector_mask __attribute__((vector_size(VECTOR_BYTES)));

enum { VECTOR_ELEMENTS = VECTOR_BYTES / sizeof(element) };

/* ---- What the compiler is told --------------------------------------------------------------- */

/* With each check of the address sanitizer inlined, and that unrolled, compiling would take
 * minutes: then the loops stay loops. */
#if defined(__SANITIZE_ADDRESS__)
#define FORCED __attribute__((noinline)) static
#else
#define FORCED __attribute__((always_inline)) static inline
#endif
#if defined(__SANITIZE_ADDRESS__)
#define UNROLLED
#elif defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
/* It gives up on some loops of cut tiles (clang 14, AVX2, float), and these are right all the same.
 */
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

/* Keeps a vector in a register: left alone, gcc loads it once for each use, as a memory operand. */
#if defined(__x86_64__)
#define IN_REGISTER(a) __asm__("" : "+v"(a))
#else
#define IN_REGISTER(a) (void)(a)
#endif

/* Keeps the compiler from seeing what the value of a register is made of. */
#define HIDDEN(a) __asm__("" : "+r"(a))

/* ---- Vectors --------------------------------------------------------------------------------- */

static inline vector vector_load(const element *from) {
    return *(const loose_vector *)from;
}

static inline void vector_store(element *to, vector a) {
    *(loose_vector *)to = a;
}

static inline vector vector_of(element a) {
    return a - (vector){0};
}

/* a where the mask is set, else b. */
static inline vector vector_pick(vector_mask mask, vector a, vector b) {
    return (vector)(((vector_mask)a & mask) | ((vector_mask)b & ~mask));
}

/* a > b ? a : b, so b where one is NaN; an instruction. */
static inline vector vector_larger(vector a, vector b) {
#if defined(__AVX512F__)
    return SELECT((vector)_mm512_max_ps((__m512)a, (__m512)b),
                  (vector)_mm512_max_pd((__m512d)a, (__m512d)b));
#elif defined(__AVX2__)
    return SELECT((vector)_mm256_max_ps((__m256)a, (__m256)b),
                  (vector)_mm256_max_pd((__m256d)a, (__m256d)b));
#else
    return vector_pick(a > b, a, b);
#endif
}

/* 0, 1, 2, ... */
static inline vector_mask vector_places(void) {
    vector_mask at;
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        at[i] = (whole)i;
    return at;
}

/* Element i is a[from[i]]. */
static inline vector vector_take(vector a, vector_mask from) {
#if defined(__AVX512F__)
    return SELECT((vector)_mm512_permutexvar_ps((__m512i)from, (__m512)a),
                  (vector)_mm512_permutexvar_pd((__m512i)from, (__m512d)a));
#elif defined(__AVX2__)
    /* There is one for elements of 32 bits: of a double it takes both halves. */
    vector_mask halves = SELECT(from, 2 * from + ((2 * from + 1) << 31 << 1));
    return (vector)_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)halves);
#else
    vector ret = a;
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        ret[i] = a[from[i]];
    return ret;
#endif
}

/* ---- Parts ---------------------------------------------------------------------------------
 * Some elements of a vector, first..end-1: only they are read or written. */

#if defined(__AVX512F__)

typedef uint16_t vector_part;

/* first and end may lie outside 0..VECTOR_ELEMENTS, not beyond 2^30. */
static inline vector_part part_of(ptrdiff_t first, ptrdiff_t end) {
    const uint32_t all = (1u << VECTOR_ELEMENTS) - 1;
    uint32_t from = (uint32_t)(first > 0 ? first : 0), to = (uint32_t)(end > 0 ? end : 0);
    from = from < VECTOR_ELEMENTS ? from : VECTOR_ELEMENTS;
    to = to < VECTOR_ELEMENTS ? to : VECTOR_ELEMENTS;
    return (vector_part)(_bzhi_u32(all, to) & ~_bzhi_u32(all, from));
}

/* Of vector v of a row of `count` elements: those that belong to it. 255 at most. */
static inline vector_part part_below(unsigned count, unsigned v) {
    return (vector_part)(_bzhi_u64(~UINT64_C(0), count) >> (v * VECTOR_ELEMENTS)) &
           ((1u << VECTOR_ELEMENTS) - 1);
}

/* Those of elements low..high-1 of the row; 0 <= low, high <= 255. */
static inline vector_part part_between(ptrdiff_t low, ptrdiff_t high, unsigned v) {
    uint64_t below = _bzhi_u64(~UINT64_C(0), (uint64_t)(high > 0 ? high : 0));
    uint64_t before = _bzhi_u64(~UINT64_C(0), (uint64_t)low);
    return (vector_part)((below & ~before) >> (v * VECTOR_ELEMENTS) &
                         ((1u << VECTOR_ELEMENTS) - 1));
}

/* zero where there is no part. */
static inline vector vector_load_part(const element *from, vector_part part) {
    vector none = vector_of(zero);
    return SELECT((vector)_mm512_mask_loadu_ps((__m512)none, part, from),
                  (vector)_mm512_mask_loadu_pd((__m512d)none, (__mmask8)part, from));
}

/* zero where there is no part. */
static inline vector vector_keep(vector_part part, vector a) {
    vector none = vector_of(zero);
    return SELECT((vector)_mm512_mask_mov_ps((__m512)none, part, (__m512)a),
                  (vector)_mm512_mask_mov_pd((__m512d)none, (__mmask8)part, (__m512d)a));
}

/* 0 where there is no part, whatever that stands for. */
static inline vector vector_load_some(const element *from, vector_part part) {
    return SELECT((vector)_mm512_maskz_loadu_ps(part, from),
                  (vector)_mm512_maskz_loadu_pd((__mmask8)part, from));
}

static inline void vector_store_part(element *to, vector_part part, vector a) {
    SELECT(_mm512_mask_storeu_ps(to, part, (__m512)a),
           _mm512_mask_storeu_pd(to, (__mmask8)part, (__m512d)a));
}

#elif defined(__AVX2__)

typedef vector_mask vector_part;

static inline vector_part part_of(ptrdiff_t first, ptrdiff_t end) {
    vector_mask at;
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        at[i] = (whole)i;
    first = first < 0 ? 0 : first > VECTOR_ELEMENTS ? VECTOR_ELEMENTS : first;
    end = end < first ? first : end > VECTOR_ELEMENTS ? VECTOR_ELEMENTS : end;
    return (at >= (whole)first) & (at < (whole)end);
}

static inline vector_part part_below(unsigned count, unsigned v) {
    vector_mask at;
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        at[i] = (whole)((int)v * VECTOR_ELEMENTS + i);
    return at < (whole)count;
}

static inline vector_part part_between(ptrdiff_t low, ptrdiff_t high, unsigned v) {
    ptrdiff_t before = (ptrdiff_t)v * VECTOR_ELEMENTS;
    return part_of(low - before, high - before);
}

static inline vector vector_load_some(const element *from, vector_part part) {
    return SELECT((vector)_mm256_maskload_ps((const float *)from, (__m256i)part),
                  (vector)_mm256_maskload_pd((const double *)from, (__m256i)part));
}

static inline vector vector_keep(vector_part part, vector a) {
    return vector_pick(part, a, vector_of(zero));
}

static inline vector vector_load_part(const element *from, vector_part part) {
    return vector_keep(part, vector_load_some(from, part));
}

static inline void vector_store_part(element *to, vector_part part, vector a) {
    SELECT(_mm256_maskstore_ps((float *)to, (__m256i)part, (__m256)a),
           _mm256_maskstore_pd((double *)to, (__m256i)part, (__m256d)a));
}

#else

typedef struct vector_part {
    int first, end;
} vector_part;

static inline vector_part part_of(ptrdiff_t first, ptrdiff_t end) {
    first = first < 0 ? 0 : first > VECTOR_ELEMENTS ? VECTOR_ELEMENTS : first;
    end = end < first ? first : end > VECTOR_ELEMENTS ? VECTOR_ELEMENTS : end;
    return (vector_part){(int)first, (int)end};
}

static inline vector_part part_below(unsigned count, unsigned v) {
    return part_of(0, (ptrdiff_t)count - (ptrdiff_t)v * VECTOR_ELEMENTS);
}

static inline vector_part part_between(ptrdiff_t low, ptrdiff_t high, unsigned v) {
    ptrdiff_t before = (ptrdiff_t)v * VECTOR_ELEMENTS;
    return part_of(low - before, high - before);
}

static inline vector vector_load_part(const element *from, vector_part part) {
    vector a = vector_of(zero);
    for (int i = part.first; i < part.end; i++)
        a[i] = from[i];
    return a;
}

static inline vector vector_keep(vector_part part, vector a) {
    vector_mask at;
    for (int i = 0; i < VECTOR_ELEMENTS; i++)
        at[i] = (whole)i;
    return vector_pick((at >= (whole)part.first) & (at < (whole)part.end), a, vector_of(zero));
}

static inline vector vector_load_some(const element *from, vector_part part) {
    vector a = {0};
    for (int i = part.first; i < part.end; i++)
        a[i] = from[i];
    return a;
}

static inline void vector_store_part(element *to, vector_part part, vector a) {
    for (int i = part.first; i < part.end; i++)
        to[i] = a[i];
}

#endif
#endif
