/* numbers.h - the widest vectors of the instruction set that a kernel is compiled for, of `number`,
 * which is float or double; and parts of them. vector.h and tuple.h say how elements are made of
 * numbers. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_NUMBERS_H
#define TZ_KERNELS_NUMBERS_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef number numbers __attribute__((vector_size(VECTOR_BYTES)));
/* The same where it may stand at any element. */
typedef number loose_numbers
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(number)), may_alias));
#define SELECT(of_float, of_double)                                                                \
    __builtin_choose_expr(sizeof(number) == sizeof(float), of_float, of_double)

/* All bits of a number set or none. */
typedef __typeof__(SELECT((int32_t)0, (int64_t)0)) whole;
typedef whole vector_mask __attribute__((vector_size(VECTOR_BYTES)));

enum { VECTOR_ELEMENTS = VECTOR_BYTES / sizeof(number) };

/* Whatever a number is. */
typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));
typedef float floats __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t masks __attribute__((vector_size(VECTOR_BYTES))); /* of doubles */
enum { DOUBLES = VECTOR_BYTES / sizeof(double), FLOATS = VECTOR_BYTES / sizeof(float) };

/* ---- What the compiler is told --------------------------------------------------------------- */

/* With each check of the address sanitizer inlined, and that unrolled, compiling would take
 * minutes: then the loops stay loops. */
#if defined(__SANITIZE_ADDRESS__)
#define FORCED __attribute__((noinline, unused)) static
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

static inline numbers numbers_load(const number *from) {
    return *(const loose_numbers *)from;
}

static inline void numbers_store(number *to, numbers a) {
    *(loose_numbers *)to = a;
}

static inline numbers numbers_of(number a) {
    return a - (numbers){0};
}

/* a where the mask is set, else b. */
static inline numbers numbers_pick(vector_mask mask, numbers a, numbers b) {
    return (numbers)(((vector_mask)a & mask) | ((vector_mask)b & ~mask));
}

/* a < b ? a : b, so b where one is NaN; an instruction. */
static inline numbers numbers_smaller(numbers a, numbers b) {
#if defined(__AVX512F__)
    return SELECT((numbers)_mm512_min_ps((__m512)a, (__m512)b),
                  (numbers)_mm512_min_pd((__m512d)a, (__m512d)b));
#elif defined(__AVX2__)
    return SELECT((numbers)_mm256_min_ps((__m256)a, (__m256)b),
                  (numbers)_mm256_min_pd((__m256d)a, (__m256d)b));
#elif defined(__wasm_simd128__)
    return SELECT((numbers)wasm_f32x4_pmin((v128_t)b, (v128_t)a),
                  (numbers)wasm_f64x2_pmin((v128_t)b, (v128_t)a));
#else
    return numbers_pick(a < b, a, b);
#endif
}

/* a > b ? a : b, so b where one is NaN; an instruction. */
static inline numbers numbers_larger(numbers a, numbers b) {
#if defined(__AVX512F__)
    return SELECT((numbers)_mm512_max_ps((__m512)a, (__m512)b),
                  (numbers)_mm512_max_pd((__m512d)a, (__m512d)b));
#elif defined(__AVX2__)
    return SELECT((numbers)_mm256_max_ps((__m256)a, (__m256)b),
                  (numbers)_mm256_max_pd((__m256d)a, (__m256d)b));
#elif defined(__wasm_simd128__)
    return SELECT((numbers)wasm_f32x4_pmax((v128_t)b, (v128_t)a),
                  (numbers)wasm_f64x2_pmax((v128_t)b, (v128_t)a));
#else
    return numbers_pick(a > b, a, b);
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
static inline numbers numbers_take(numbers a, vector_mask from) {
#if defined(__AVX512F__)
    return SELECT((numbers)_mm512_permutexvar_ps((__m512i)from, (__m512)a),
                  (numbers)_mm512_permutexvar_pd((__m512i)from, (__m512d)a));
#elif defined(__AVX2__)
    /* There is one for elements of 32 bits: of a double it takes both halves. */
    vector_mask halves = SELECT(from, 2 * from + ((2 * from + 1) << 31 << 1));
    return (numbers)_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)halves);
#else
    numbers ret = a;
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

/* The part of vector v that belongs to a row of `count` elements, 255 at most. */
static inline vector_part part_below(unsigned count, unsigned v) {
    return (vector_part)(_bzhi_u64(~UINT64_C(0), count) >> (v * VECTOR_ELEMENTS)) &
           ((1u << VECTOR_ELEMENTS) - 1);
}

/* The part of vector v that is elements low..high-1 of the row; 0 <= low, high <= 255. */
static inline vector_part part_between(ptrdiff_t low, ptrdiff_t high, unsigned v) {
    uint64_t below = _bzhi_u64(~UINT64_C(0), (uint64_t)(high > 0 ? high : 0));
    uint64_t before = _bzhi_u64(~UINT64_C(0), (uint64_t)low);
    return (vector_part)((below & ~before) >> (v * VECTOR_ELEMENTS) &
                         ((1u << VECTOR_ELEMENTS) - 1));
}

/* `none` where there is no part. */
static inline numbers numbers_load_part(const number *from, vector_part part, numbers none) {
    return SELECT((numbers)_mm512_mask_loadu_ps((__m512)none, part, from),
                  (numbers)_mm512_mask_loadu_pd((__m512d)none, (__mmask8)part, from));
}

/* `none` where there is no part. */
static inline numbers numbers_keep(vector_part part, numbers a, numbers none) {
    return SELECT((numbers)_mm512_mask_mov_ps((__m512)none, part, (__m512)a),
                  (numbers)_mm512_mask_mov_pd((__m512d)none, (__mmask8)part, (__m512d)a));
}

/* 0 where there is no part. */
static inline numbers numbers_load_some(const number *from, vector_part part) {
    return SELECT((numbers)_mm512_maskz_loadu_ps(part, from),
                  (numbers)_mm512_maskz_loadu_pd((__mmask8)part, from));
}

static inline void numbers_store_part(number *to, vector_part part, numbers a) {
    SELECT(_mm512_mask_storeu_ps(to, part, (__m512)a),
           _mm512_mask_storeu_pd(to, (__mmask8)part, (__m512d)a));
}

#elif defined(__AVX2__)

typedef vector_mask vector_part;

static inline vector_part part_of(ptrdiff_t first, ptrdiff_t end) {
    vector_mask at = vector_places();
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

static inline numbers numbers_load_some(const number *from, vector_part part) {
    return SELECT((numbers)_mm256_maskload_ps((const float *)from, (__m256i)part),
                  (numbers)_mm256_maskload_pd((const double *)from, (__m256i)part));
}

static inline numbers numbers_keep(vector_part part, numbers a, numbers none) {
    return numbers_pick(part, a, none);
}

static inline numbers numbers_load_part(const number *from, vector_part part, numbers none) {
    return numbers_keep(part, numbers_load_some(from, part), none);
}

/* Some processors take ten times as long to store what a mask shows as to store a vector, and have
 * it ready to be loaded later: so what is whole, or begins with the first, goes in pieces. */
__attribute__((noinline, unused)) static void numbers_store_part(number *to, vector_part part,
                                                                 numbers a) {
    unsigned bits =
        (unsigned)SELECT(_mm256_movemask_ps((__m256)part), _mm256_movemask_pd((__m256d)part));
    __m128 half = _mm256_castps256_ps128((__m256)a);
    if (bits == (1u << VECTOR_ELEMENTS) - 1) {
        numbers_store(to, a);
        return;
    }
    if ((bits & (bits + 1)) != 0) {
        SELECT(_mm256_maskstore_ps((float *)to, (__m256i)part, (__m256)a),
               _mm256_maskstore_pd((double *)to, (__m256i)part, (__m256d)a));
        return;
    }
    if (bits >> (VECTOR_ELEMENTS / 2 - 1) != 0) {
        _mm_storeu_ps((float *)to, half);
        half = _mm256_extractf128_ps((__m256)a, 1);
        to += VECTOR_ELEMENTS / 2;
        bits >>= VECTOR_ELEMENTS / 2;
    }
    if (bits >> (VECTOR_ELEMENTS / 4 - 1) != 0) {
        _mm_storel_pi((__m64 *)to, half);
        half = _mm_movehl_ps(half, half);
        to += VECTOR_ELEMENTS / 4;
        bits >>= VECTOR_ELEMENTS / 4;
    }
    if (VECTOR_ELEMENTS == 8 && bits != 0)
        _mm_store_ss((float *)to, half);
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

/* Is element i in the part? Loops over these are written out: over first..end-1 they would be calls
 * of memcpy, in the innermost loops. */
#define OF(part, i) ((i) >= (part).first && (i) < (part).end)

static inline numbers numbers_load_part(const number *from, vector_part part, numbers none) {
    UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
        if (OF(part, i))
            none[i] = from[i];
    }
    return none;
}

static inline numbers numbers_keep(vector_part part, numbers a, numbers none) {
    vector_mask at = vector_places();
    return numbers_pick((at >= (whole)part.first) & (at < (whole)part.end), a, none);
}

static inline numbers numbers_load_some(const number *from, vector_part part) {
    return numbers_load_part(from, part, (numbers){0});
}

static inline void numbers_store_part(number *to, vector_part part, numbers a) {
    UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
        if (OF(part, i))
            to[i] = a[i];
    }
}

#undef OF

#endif

/* ---- Two vectors -----------------------------------------------------------------------------
 * Of numbers of NUMBER_BITS, which are TZ_REAL_BITS where nothing else is said. */
#if defined(TZ_REAL_BITS) && !defined(NUMBER_BITS)
#define NUMBER_BITS TZ_REAL_BITS
#endif
#ifdef NUMBER_BITS

/* LOW and HIGH deal the first halves and the second ones of two vectors like a pack of cards: a, b,
 * a, b ...; EVEN and ODD take every other number of one vector and then of the other, which undoes
 * that. */
#if VECTOR_BYTES * 8 == 2 * NUMBER_BITS
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2)
#define ODD(a, b)  __builtin_shufflevector(a, b, 1, 3)
#elif VECTOR_BYTES * 8 == 4 * NUMBER_BITS
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODD(a, b)  __builtin_shufflevector(a, b, 1, 3, 5, 7)
#elif VECTOR_BYTES * 8 == 8 * NUMBER_BITS
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b)  __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#else
#define LOW(a, b)                                                                                  \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define EVEN(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(a, b)                                                                                  \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#endif

/* v[i][l] becomes v[l][i]: rows and columns of V x V numbers are exchanged. */
#if VECTOR_BYTES == 32 && NUMBER_BITS == 64
static inline void numbers_exchange(numbers v[VECTOR_ELEMENTS]) {
    numbers w[4];
    for (int i = 0; i < 4; i += 2) { /* each half of a register by itself */
        w[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 4, 2, 6);
        w[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 5, 3, 7);
    }
    for (int i = 0; i < 2; i++) {
        v[i] = __builtin_shufflevector(w[i], w[i + 2], 0, 1, 4, 5);
        v[i + 2] = __builtin_shufflevector(w[i], w[i + 2], 2, 3, 6, 7);
    }
}
#elif VECTOR_BYTES == 32
static inline void numbers_exchange(numbers v[VECTOR_ELEMENTS]) {
    numbers w[8];
    for (int i = 0; i < 8; i += 2) {
        w[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        w[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; k++) {
            v[i + 2 * k] =
                __builtin_shufflevector(w[i + k], w[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            v[i + 2 * k + 1] =
                __builtin_shufflevector(w[i + k], w[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        w[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        w[i + 4] = __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    memcpy(v, w, sizeof w);
}
#else
/* log2 V rounds, each of which deals the vectors of one half and of the other like two halves of a
 * pack of cards. */
static inline void numbers_exchange(numbers v[VECTOR_ELEMENTS]) {
    for (int round = 1; round < VECTOR_ELEMENTS; round *= 2) {
        numbers w[VECTOR_ELEMENTS];
        for (int i = 0; i < VECTOR_ELEMENTS / 2; i++) {
            w[2 * i] = LOW(v[i], v[i + VECTOR_ELEMENTS / 2]);
            w[2 * i + 1] = HIGH(v[i], v[i + VECTOR_ELEMENTS / 2]);
        }
        memcpy(v, w, sizeof w);
    }
}
#endif
#endif /* NUMBER_BITS */

#endif
