/* transpose.c - matrices of elements with rows and columns exchanged, for every instruction set:
 * what stands lane by lane comes to stand side by side, and back.
 *
 * V x V elements at a time, in registers: log2 V rounds, each of which deals the vectors of one
 * half and of the other like two halves of a pack of cards. Elements are bits here; TZ_REAL_BITS
 * says how many. SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <trapeze/semiring.h>

#include "real.h"

typedef real element;
static const element zero = 0;

#include "vector.h"

enum { V = VECTOR_ELEMENTS };

/* Of two vectors the first halves, and the second ones, element by element in turn. */
#if VECTOR_BYTES * 8 == 2 * TZ_REAL_BITS
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#elif VECTOR_BYTES * 8 == 4 * TZ_REAL_BITS
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#elif VECTOR_BYTES * 8 == 8 * TZ_REAL_BITS
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define LOW(a, b)                                                                                  \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#endif

/* v[i][l] becomes v[l][i]. */
static inline void exchange(vector v[V]) {
    for (int round = 1; round < V; round *= 2) {
        vector w[V];
        for (int i = 0; i < V / 2; i++) {
            w[2 * i] = LOW(v[i], v[i + V / 2]);
            w[2 * i + 1] = HIGH(v[i], v[i + V / 2]);
        }
        memcpy(v, w, sizeof w);
    }
}

/* V rows or fewer: to[c * pitch + r] = row[r][c] for r < rows, c < columns. Constant counts and
 * `added`, a 0 that makes 0 of -0 or nothing at all, are left to the compiler. */
static inline void exchange_rows(element *to, ptrdiff_t pitch, const element *const row[V],
                                 ptrdiff_t rows, ptrdiff_t columns, int add_zero) {
    for (ptrdiff_t c = 0; c < columns; c += V) {
        vector v[V];
        ptrdiff_t some = columns - c < V ? columns - c : V;
        vector_part part = part_of(0, some), lanes = part_of(0, rows);
        for (ptrdiff_t r = 0; r < V; r++) {
            if (r >= rows)
                v[r] = (vector){0};
            else
                v[r] = some == V ? vector_load(row[r] + c) : vector_load_part(row[r] + c, part);
            if (add_zero)
                v[r] += (vector){0};
        }
        exchange(v);
        for (ptrdiff_t x = 0; x < V; x++)
            if (x < some) {
                if (rows == V)
                    vector_store(to + (c + x) * pitch, v[x]);
                else
                    vector_store_part(to + (c + x) * pitch, lanes, v[x]);
            }
    }
}
#define DECLARE(isa)                                                                               \
    void TRANSPOSE(isa)(void *, ptrdiff_t, const void *, ptrdiff_t, size_t, size_t);               \
    void GATHER(isa)(void *, ptrdiff_t, const void *const *, ptrdiff_t, size_t, size_t);           \
    void COLLECT(isa)(void *, ptrdiff_t, const void *, size_t, const int32_t *, size_t,            \
                      const void *)

DECLARE(TZ_ISA);

/* to[c * to_pitch + r] = from[r * from_pitch + c] for r < rows, c < columns; the two do not
 * overlap. */
void TRANSPOSE(TZ_ISA)(void *to, ptrdiff_t to_pitch, const void *from, ptrdiff_t from_pitch,
                       size_t rows, size_t columns) {
    for (size_t r = 0; r < rows; r += V) {
        size_t some = rows - r < V ? rows - r : V;
        const element *row[V];
        for (size_t i = 0; i < some; i++)
            row[i] = (const element *)from + (ptrdiff_t)(r + i) * from_pitch;
        element *target = (element *)to + r;
        if (some == V)
            exchange_rows(target, to_pitch, row, V, (ptrdiff_t)columns, 0);
        else
            exchange_rows(target, to_pitch, row, (ptrdiff_t)some, (ptrdiff_t)columns, 0);
    }
}

/* to[c * pitch + r] = from[r][at + c] + 0 for r < rows, c < columns. */
void GATHER(TZ_ISA)(void *to, ptrdiff_t pitch, const void *const *from, ptrdiff_t at, size_t rows,
                    size_t columns) {
    if (rows == 1) {
        const element *row = (const element *)*from + at;
        element *target = to;
        for (size_t c = 0; c < columns; c++)
            target[(ptrdiff_t)c * pitch] = row[c] + 0;
        return;
    }
    for (size_t r = 0; r < rows; r += V) {
        size_t some = rows - r < V ? rows - r : V;
        const element *row[V];
        for (size_t i = 0; i < some; i++)
            row[i] = (const element *)from[r + i] + at;
        element *target = (element *)to + r;
        if (some == V)
            exchange_rows(target, pitch, row, V, (ptrdiff_t)columns, 1);
        else
            exchange_rows(target, pitch, row, (ptrdiff_t)some, (ptrdiff_t)columns, 1);
    }
}

/* from[at[i]], or none's where at[i] < 0. */
static inline vector pick_all(const element *from, const int32_t *at, vector none) {
#if defined(__AVX512F__)
    __m512i f32 = _mm512_maskz_loadu_epi32((__mmask16)((1u << V) - 1), at);
    __m256i f64 = _mm512_castsi512_si256(f32);
    __mmask16 there = (__mmask16)(~_mm512_movepi32_mask(f32) & ((1u << V) - 1));
    return SELECT((vector)_mm512_mask_i32gather_ps((__m512)none, there, f32, from, 4),
                  (vector)_mm512_mask_i32gather_pd((__m512d)none, (__mmask8)there, f64, from, 8));
#else
    for (int i = 0; i < V; i++)
        none[i] = at[i] < 0 ? none[i] : from[at[i]];
    return none;
#endif
}

/* The same of V lanes or fewer, `apart` elements from cell to cell: to[l * pitch + i] is lane l's
 * of at[i], i < count <= V. Constants are left to the compiler. */
static inline __attribute__((always_inline)) void
collect_lanes(element *to, ptrdiff_t pitch, const element *from, ptrdiff_t apart, ptrdiff_t lanes,
              const int32_t *at, ptrdiff_t count, vector none) {
    vector v[V];
    for (ptrdiff_t i = 0; i < V; i++) {
        v[i] = none;
        if (i < count && at[i] >= 0) {
            const element *cell = from + at[i] * apart;
            v[i] = lanes == V ? vector_load(cell) : vector_load_part(cell, part_of(0, lanes));
        }
    }
    exchange(v);
    for (ptrdiff_t l = 0; l < V; l++) {
        if (l >= lanes)
            continue;
        if (count == V)
            vector_store(to + l * pitch, v[l]);
        else
            vector_store_part(to + l * pitch, part_of(0, count), v[l]);
    }
}

/* to[l * pitch + i] = from[at[i] * lanes + l], or *none where at[i] < 0, for i < count, l < lanes.
 */
void COLLECT(TZ_ISA)(void *to, ptrdiff_t pitch, const void *from, size_t lanes, const int32_t *at,
                     size_t count, const void *none) {
    const element *cell = from, absent = *(const element *)none;
    const vector absents = vector_of(absent);
    const ptrdiff_t apart = (ptrdiff_t)lanes;
    element *target = to;
    if (lanes == 1) {
        size_t i = 0;
        for (; count - i >= V; i += V)
            vector_store(target + i, pick_all(cell, at + i, absents));
        for (; i < count; i++)
            target[i] = at[i] < 0 ? absent : cell[at[i]];
        return;
    }
    for (ptrdiff_t l = 0; l < apart; l += V) {
        ptrdiff_t some = apart - l < V ? apart - l : V, i = 0;
        element *row = target + l * pitch;
        for (; (ptrdiff_t)count - i >= V; i += V) {
            if (some == V)
                collect_lanes(row + i, pitch, cell + l, apart, V, at + i, V, absents);
            else
                collect_lanes(row + i, pitch, cell + l, apart, some, at + i, V, absents);
        }
        if (i < (ptrdiff_t)count)
            collect_lanes(row + i, pitch, cell + l, apart, some, at + i, (ptrdiff_t)count - i,
                          absents);
    }
}

#ifdef TZ_DESCRIPTOR

typedef void transpose(void *, ptrdiff_t, const void *, ptrdiff_t, size_t, size_t);
typedef void gather(void *, ptrdiff_t, const void *const *, ptrdiff_t, size_t, size_t);
extern transpose *const TRANSPOSES[TZ_ISAS];
typedef void collect(void *, ptrdiff_t, const void *, size_t, const int32_t *, size_t,
                     const void *);
extern gather *const GATHERS[TZ_ISAS];
extern collect *const COLLECTS[TZ_ISAS];

/* One for each instruction set, as tz_semiring.contract. */
#ifdef TZ_X86_KERNELS
DECLARE(avx2);
DECLARE(avx512);
transpose *const TRANSPOSES[TZ_ISAS] = {TRANSPOSE(baseline), TRANSPOSE(avx2), TRANSPOSE(avx512)};
gather *const GATHERS[TZ_ISAS] = {GATHER(baseline), GATHER(avx2), GATHER(avx512)};
collect *const COLLECTS[TZ_ISAS] = {COLLECT(baseline), COLLECT(avx2), COLLECT(avx512)};
#else
transpose *const TRANSPOSES[TZ_ISAS] = {TRANSPOSE(baseline)};
gather *const GATHERS[TZ_ISAS] = {GATHER(baseline)};
collect *const COLLECTS[TZ_ISAS] = {COLLECT(baseline)};
#endif

#endif
