/* transpose.c - matrices of elements with rows and columns exchanged, for every instruction set:
 * what stands lane by lane comes to stand side by side, and back.
 *
 * V x V elements at a time, in registers: log2 V rounds, each of which deals the vectors of one
 * half and of the other like two halves of a pack of cards. Elements are bits here; TZ_REAL_BITS
 * says how many. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <trapeze/semiring.h>

#include "real.h"
#include "transpose.h"

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

/* ---- Which scores are refused ---------------------------------------------------------------- */

#if defined(__AVX512F__)
typedef uint32_t marks;

static inline marks refused(vector score, vector limit) {
    const vector none = vector_of(-INFINITY);
    return SELECT(
        _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(_mm512_abs_ps((__m512)score), (__m512)limit,
                                                   _CMP_NLE_UQ),
                                (__m512)score, (__m512)none, _CMP_NEQ_UQ),
        _mm512_mask_cmp_pd_mask(_mm512_cmp_pd_mask(_mm512_abs_pd((__m512d)score), (__m512d)limit,
                                                   _CMP_NLE_UQ),
                                (__m512d)score, (__m512d)none, _CMP_NEQ_UQ));
}

static inline _Bool any(marks of) {
    return of != 0;
}
#else
typedef vector_mask marks;

static inline marks refused(vector score, vector limit) {
    return ~((score <= limit) & ((score >= -limit) | (score == vector_of(-INFINITY))));
}

static inline _Bool any(marks of) {
    whole bits = 0;
    for (int i = 0; i < V; i++)
        bits |= of[i];
    return bits != 0;
}
#endif

static inline vector limit_of(double limit) {
    return vector_of((element)(sizeof(element) == sizeof(double) || limit < 3e38 ? limit : 3e38));
}

/* ---- Kernels -------------------------------------------------------------------------------- */

/* V rows or fewer: to[c * pitch + r] = row[r][c] for r < rows, c < columns; for at[c] instead of c
 * where that is given, and not negative. Constant counts and `lifted`, whether they are scores and
 * -0 becomes 0, are left to the compiler. Adds those that are refused to *bad. */
static inline __attribute__((always_inline)) void
exchange_rows(element *to, ptrdiff_t pitch, const element *const row[V], ptrdiff_t rows,
              ptrdiff_t columns, const int32_t *at, int lifted, vector limit, marks *bad) {
    for (ptrdiff_t c = 0; c < columns; c += V) {
        vector v[V];
        ptrdiff_t some = columns - c < V ? columns - c : V;
        vector_part part = part_of(0, some), lanes = part_of(0, rows);
        for (ptrdiff_t r = 0; r < V; r++) {
            if (r >= rows)
                v[r] = (vector){0};
            else
                v[r] = some == V ? vector_load(row[r] + c) : vector_load_part(row[r] + c, part);
            if (lifted) {
                *bad |= refused(v[r], limit);
                v[r] += (vector){0};
            }
        }
        exchange(v);
        for (ptrdiff_t x = 0; x < V; x++) {
            ptrdiff_t cell = at == NULL ? c + x : x < some ? at[c + x] : -1;
            if (x < some && cell >= 0) {
                if (rows == V)
                    vector_store(to + cell * pitch, v[x]);
                else
                    vector_store_part(to + cell * pitch, lanes, v[x]);
            }
        }
    }
}

#define DECLARE(isa)                                                                               \
    tz_transpose TRANSPOSE(isa);                                                                   \
    tz_gather GATHER(isa);                                                                         \
    tz_pick PICK(isa);                                                                             \
    tz_deal DEAL(isa)

DECLARE(TZ_ISA);

void TRANSPOSE(TZ_ISA)(void *to, ptrdiff_t to_pitch, const void *from, ptrdiff_t from_pitch,
                       size_t rows, size_t columns) {
    const vector limit = {0};
    marks none = {0};
    for (size_t r = 0; r < rows; r += V) {
        size_t some = rows - r < V ? rows - r : V;
        const element *row[V];
        for (size_t i = 0; i < some; i++)
            row[i] = (const element *)from + (ptrdiff_t)(r + i) * from_pitch;
        element *target = (element *)to + r;
        if (some == V)
            exchange_rows(target, to_pitch, row, V, (ptrdiff_t)columns, NULL, 0, limit, &none);
        else
            exchange_rows(target, to_pitch, row, (ptrdiff_t)some, (ptrdiff_t)columns, NULL, 0,
                          limit, &none);
    }
}

void GATHER(TZ_ISA)(void *to, ptrdiff_t pitch, const void *const *from, ptrdiff_t at, size_t rows,
                    size_t columns) {
    const vector limit = {0};
    marks ignored = {0};
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
            exchange_rows(target, pitch, row, V, (ptrdiff_t)columns, NULL, 1, limit, &ignored);
        else
            exchange_rows(target, pitch, row, (ptrdiff_t)some, (ptrdiff_t)columns, NULL, 1, limit,
                          &ignored);
    }
}

/* from[at[i]] for i < count, else zero. */
static inline vector vector_pick_at(const element *from, const int32_t *at, ptrdiff_t count) {
    vector none = {0};
#if defined(__AVX512F__)
    vector_part part = part_of(0, count);
    __m512i number = _mm512_loadu_si512(at);
    return SELECT((vector)_mm512_mask_i32gather_ps((__m512)none, part, number, from, 4),
                  (vector)_mm512_mask_i32gather_pd((__m512d)none, (__mmask8)part,
                                                   _mm512_castsi512_si256(number), from, 8));
#elif defined(__AVX2__)
    vector_part part = part_of(0, count);
    __m256i number = _mm256_loadu_si256((const __m256i_u *)at);
    return SELECT((vector)_mm256_mask_i32gather_ps((__m256)none, (const float *)from, number,
                                                   (__m256)part, 4),
                  (vector)_mm256_mask_i32gather_pd((__m256d)none, (const double *)from,
                                                   _mm256_castsi256_si128(number), (__m256d)part,
                                                   8));
#else
    for (ptrdiff_t i = 0; i < V && i < count; i++)
        none[i] = from[at[i]];
    return none;
#endif
}

_Bool PICK(TZ_ISA)(void *to, const void *from, const tz_piece *piece, size_t pieces,
                   double most) {
    vector limit = limit_of(most);
    marks bad = {0};
    for (const tz_piece *end = piece + pieces; piece < end; piece++)
        for (ptrdiff_t i = 0; i < piece->count; i += V) {
            ptrdiff_t some = piece->count - i < V ? piece->count - i : V;
            vector v = vector_pick_at(from, piece->far + i, some);
            element *target = (element *)to + piece->near + i;
            bad |= refused(v, limit);
            v += (vector){0};
            if (some == V)
                vector_store(target, v);
            else
                vector_store_part(target, part_of(0, some), v);
        }
    return !any(bad);
}

_Bool DEAL(TZ_ISA)(void *to, ptrdiff_t pitch, const void *const *from, size_t rows,
                   const tz_piece *piece, size_t pieces, double most) {
    vector limit = limit_of(most);
    marks bad = {0};
    for (size_t r = 0; r < rows; r += V) {
        size_t some = rows - r < V ? rows - r : V;
        element *target = (element *)to + r;
        for (const tz_piece *p = piece; p < piece + pieces; p++) {
            const element *row[V];
            for (size_t i = 0; i < some; i++)
                row[i] = (const element *)from[r + i] + p->near;
            if (some == V && p->count == TZ_PIECE)
                exchange_rows(target, pitch, row, V, TZ_PIECE, p->far, 1, limit, &bad);
            else
                exchange_rows(target, pitch, row, (ptrdiff_t)some, p->count, p->far, 1,
                              limit, &bad);
        }
    }
    return !any(bad);
}

#ifdef TZ_DESCRIPTOR

extern tz_transpose *const TRANSPOSES[TZ_ISAS];
extern tz_gather *const GATHERS[TZ_ISAS];
extern tz_pick *const PICKS[TZ_ISAS];
extern tz_deal *const DEALS[TZ_ISAS];

/* One for each instruction set, as tz_semiring.contract. */
#ifdef TZ_X86_KERNELS
DECLARE(avx2);
DECLARE(avx512);
#define ONE_FOR_EACH(of)                                                                           \
    { of(baseline), of(avx2), of(avx512) }
#else
#define ONE_FOR_EACH(of)                                                                           \
    { of(baseline) }
#endif
tz_transpose *const TRANSPOSES[TZ_ISAS] = ONE_FOR_EACH(TRANSPOSE);
tz_gather *const GATHERS[TZ_ISAS] = ONE_FOR_EACH(GATHER);
tz_pick *const PICKS[TZ_ISAS] = ONE_FOR_EACH(PICK);
tz_deal *const DEALS[TZ_ISAS] = ONE_FOR_EACH(DEAL);

#endif
