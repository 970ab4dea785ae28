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

static inline void whole_block(element *to, ptrdiff_t to_pitch, const element *from,
                               ptrdiff_t from_pitch) {
    vector v[V];
    for (ptrdiff_t r = 0; r < V; r++)
        v[r] = vector_load(from + r * from_pitch);
    exchange(v);
    for (ptrdiff_t c = 0; c < V; c++)
        vector_store(to + c * to_pitch, v[c]);
}

static inline void part_block(element *to, ptrdiff_t to_pitch, const element *from,
                              ptrdiff_t from_pitch, ptrdiff_t rows, ptrdiff_t columns) {
    vector v[V];
    vector_part row = part_of(0, columns), column = part_of(0, rows);
    for (ptrdiff_t r = 0; r < V; r++)
        v[r] = r < rows ? vector_load_part(from + r * from_pitch, row) : (vector){0};
    exchange(v);
    for (ptrdiff_t c = 0; c < V; c++)
        if (c < columns)
            vector_store_part(to + c * to_pitch, column, v[c]);
}

#define DECLARE(isa) void TRANSPOSE(isa)(void *, ptrdiff_t, const void *, ptrdiff_t, size_t, size_t)

DECLARE(TZ_ISA);

/* to[c * to_pitch + r] = from[r * from_pitch + c] for r < rows, c < columns; the two do not
 * overlap. */
void TRANSPOSE(TZ_ISA)(void *to, ptrdiff_t to_pitch, const void *from, ptrdiff_t from_pitch,
                       size_t rows, size_t columns) {
    for (ptrdiff_t r = 0; r < (ptrdiff_t)rows; r += V)
        for (ptrdiff_t c = 0; c < (ptrdiff_t)columns; c += V) {
            element *target = (element *)to + c * to_pitch + r;
            const element *source = (const element *)from + r * from_pitch + c;
            ptrdiff_t more_rows = (ptrdiff_t)rows - r, more_columns = (ptrdiff_t)columns - c;
            if (more_rows >= V && more_columns >= V)
                whole_block(target, to_pitch, source, from_pitch);
            else
                part_block(target, to_pitch, source, from_pitch, more_rows < V ? more_rows : V,
                           more_columns < V ? more_columns : V);
        }
}

#ifdef TZ_DESCRIPTOR

typedef void transpose(void *, ptrdiff_t, const void *, ptrdiff_t, size_t, size_t);

/* One for each instruction set, as tz_semiring.contract. */
#ifdef TZ_X86_KERNELS
DECLARE(avx2);
DECLARE(avx512);
extern transpose *const TRANSPOSES[TZ_ISAS];
transpose *const TRANSPOSES[TZ_ISAS] = {TRANSPOSE(baseline), TRANSPOSE(avx2), TRANSPOSE(avx512)};
#else
extern transpose *const TRANSPOSES[TZ_ISAS];
transpose *const TRANSPOSES[TZ_ISAS] = {TRANSPOSE(baseline)};
#endif

#endif
