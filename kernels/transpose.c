/* transpose.c - matrices of elements with rows and columns exchanged, for every instruction set:
 * what stands lane by lane comes to stand side by side, and back.
 *
 * Elements are bits here; TZ_REAL_BITS says how many. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <trapeze/semiring.h>

#include "real.h"
#include "transpose.h"

typedef real element;
static const element zero = 0;

#include "vector.h"

#include "exchange.h"

#include "marks.h"

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Where vectors of exchanged rows go: vector c to to + c * pitch; or, where `at` is given, to to +
 * at[c] * pitch, but for those below 0. `lifted`: they are scores, -0 becomes 0, and *bad notes
 * those that are refused. */
typedef struct exchanged {
    element *to;
    ptrdiff_t pitch;
    const int32_t *at;
    _Bool lifted;
    vector limit;
    marks bad;
} exchanged;

/* Columns from..from+columns-1, V or fewer, of V rows or fewer; 0 where there are none. Constants
 * are left to the compiler. */
static inline __attribute__((always_inline)) void load_rows(vector v[V],
                                                            const element *const row[V],
                                                            ptrdiff_t rows, ptrdiff_t from,
                                                            ptrdiff_t columns) {
    for (ptrdiff_t r = 0; r < V; r++)
        if (r >= rows)
            v[r] = (vector){0};
        else if (columns >= V)
            v[r] = vector_load(row[r] + from);
        else
            v[r] = vector_load_part(row[r] + from, part_of(0, columns));
}

static inline __attribute__((always_inline)) void store_lanes(element *to, ptrdiff_t lanes,
                                                              vector v) {
    if (lanes == V)
        vector_store(to, v);
    else
        vector_store_part(to, part_of(0, lanes), v);
}

/* V rows or fewer: to[c * pitch + r] = row[r][c + from] for r < rows, c < columns. */
static inline __attribute__((always_inline)) void exchange_rows(exchanged *e,
                                                                const element *const row[V],
                                                                ptrdiff_t rows, ptrdiff_t from,
                                                                ptrdiff_t columns) {
    for (ptrdiff_t c = 0; c < columns; c += V) {
        vector v[V];
        load_rows(v, row, rows, from + c, columns - c);
        if (e->lifted)
            e->bad |= refused_of(v, e->limit);
        for (ptrdiff_t r = 0; r < V && e->lifted; r++)
            v[r] += (vector){0};
        exchange(v);
        for (ptrdiff_t x = 0; x < V && c + x < columns; x++) {
            ptrdiff_t at = e->at == NULL ? c + x : e->at[c + x];
            if (at >= 0)
                store_lanes(e->to + at * e->pitch, rows, v[x]);
        }
    }
}

/* Packs rows of a piece, its first `columns` elements, to to[i * pitch + r]; raises *most to them.
 */
static inline __attribute__((always_inline)) marks
pack_rows(element *to, ptrdiff_t pitch, const element *const row[V], ptrdiff_t rows,
          const tz_piece *piece, ptrdiff_t columns, vector limit, vector *most) {
    const ptrdiff_t packed = columns < TZ_PIECE ? tz_packed(piece) : TZ_PIECE;
    const vector none = vector_of(-INFINITY);
    marks bad = {0};
    for (ptrdiff_t c = 0; c < packed; c += V) {
        vector v[V];
        marks cells = there(piece->far + c, columns - c);
        load_rows(v, row, rows, piece->near + c, columns - c);
        for (ptrdiff_t r = 0; r < V; r++)
            v[r] = marked(cells, v[r], (vector){0});
        bad |= refused_of(v, limit);
        for (ptrdiff_t r = 0; r < V; r++)
            v[r] = marked(cells, v[r] + (vector){0}, none);
        exchange(v);
        for (ptrdiff_t x = 0; x < V && c + x < packed; x++)
            store_lanes(to + (c + x) * pitch, rows, v[x]);
        for (int half = V / 2; half > 0; half /= 2)
            for (int x = 0; x < half; x++)
                v[x] = vector_larger(v[x], v[x + half]);
        *most = vector_larger(*v, *most);
    }
    return bad;
}

#define DECLARE(isa)                                                                               \
    tz_transpose TRANSPOSE(isa);                                                                   \
    tz_deal DEAL(isa);                                                                             \
    tz_put PUT(isa);                                                                               \
    tz_shift SHIFT(isa)

DECLARE(TZ_ISA);

void TRANSPOSE(TZ_ISA)(void *to, ptrdiff_t to_pitch, const void *from, ptrdiff_t from_pitch,
                       size_t rows, size_t columns) {
    for (size_t r = 0; r < rows; r += V) {
        size_t some = rows - r < V ? rows - r : V;
        const element *row[V];
        exchanged e = {.to = (element *)to + r, .pitch = to_pitch};
        for (size_t i = 0; i < some; i++)
            row[i] = (const element *)from + (ptrdiff_t)(r + i) * from_pitch;
        if (some == V)
            exchange_rows(&e, row, V, 0, (ptrdiff_t)columns);
        else
            exchange_rows(&e, row, (ptrdiff_t)some, 0, (ptrdiff_t)columns);
    }
}

static void raise_most(double *most, vector v, size_t count) {
    for (size_t i = 0; i < count; i++)
        most[i] = (double)v[i] > most[i] ? (double)v[i] : most[i];
}

_Bool DEAL(TZ_ISA)(void *to, ptrdiff_t pitch, const void *const *from, size_t rows,
                   const tz_piece *piece, size_t pieces, double limit, double *opt_most) {
    marks bad = {0};
    for (size_t r = 0; r < rows; r += V) {
        ptrdiff_t some = rows - r < V ? (ptrdiff_t)(rows - r) : V;
        const element *row[V];
        exchanged e = {
            .to = (element *)to + r, .pitch = pitch, .lifted = 1, .limit = limit_of(limit)};
        vector most = vector_of(-INFINITY);
        for (ptrdiff_t i = 0; i < V; i++)
            row[i] = (const element *)from[r + (size_t)(i < some ? i : 0)];
        for (const tz_piece *p = piece; p < piece + pieces; p++) {
            _Bool whole = some == V && p->count == TZ_PIECE;
            e.at = p->far;
            if (opt_most == NULL && whole)
                exchange_rows(&e, row, V, p->near, TZ_PIECE);
            else if (opt_most == NULL)
                exchange_rows(&e, row, some, p->near, p->count);
            else if (whole)
                bad |= pack_rows(e.to, pitch, row, V, p, TZ_PIECE, e.limit, &most);
            else
                bad |= pack_rows(e.to, pitch, row, some, p, p->count, e.limit, &most);
            e.to += opt_most != NULL ? tz_packed(p) * pitch : 0;
        }
        if (opt_most != NULL)
            raise_most(opt_most + r, most, (size_t)some);
        bad |= e.bad;
    }
    return !any(bad);
}

/* What PUT does for a piece of V lanes or fewer. Constants are left to the compiler. */
static inline __attribute__((always_inline)) void put_lanes(element *to, ptrdiff_t pitch,
                                                            const element *from,
                                                            ptrdiff_t from_pitch, ptrdiff_t lanes,
                                                            const tz_piece *piece) {
    for (ptrdiff_t i = 0; i < piece->count; i++)
        if (piece->far[i] >= 0)
            store_lanes(to + piece->far[i] * pitch, lanes, vector_load(from + i * from_pitch));
}

void PUT(TZ_ISA)(void *to, ptrdiff_t pitch, const void *from, ptrdiff_t from_pitch, size_t rows,
                 const tz_piece *piece, size_t pieces) {
    const element *packed = from;
    element *target = to;
    for (size_t p = 0; p < pieces; p++, packed += tz_packed(piece++) * from_pitch)
        for (size_t r = 0; r < rows; r += V)
            if (rows - r >= V)
                put_lanes(target + r, pitch, packed + r, from_pitch, V, piece);
            else
                put_lanes(target + r, pitch, packed + r, from_pitch, (ptrdiff_t)(rows - r), piece);
}

void SHIFT(TZ_ISA)(void *shift, const void *scale, size_t rows, const void *form, ptrdiff_t pitch,
                   size_t forms, size_t count) {
    const element *factor = scale, *of = form;
    element *to = shift;
    for (size_t i = 0; rows == 1 && i < count; i += V) {
        vector sum = {0};
        for (size_t f = 0; f < forms; f++)
            sum += vector_load(of + (ptrdiff_t)f * pitch + i) * factor[f];
        vector_store(to + i, sum);
    }
    for (size_t r = 0; rows > 1 && r < rows; r += V) {
        vector_part part = part_of(0, (ptrdiff_t)(rows - r));
        vector some[TZ_FORMS];
        for (size_t f = 0; f < TZ_FORMS; f++)
            some[f] = f < forms ? vector_load_part(factor + f * rows + r, part) : (vector){0};
        for (size_t i = 0; i < count; i++) {
            vector sum = {0};
            for (size_t f = 0; f < TZ_FORMS; f++)
                if (f < forms)
                    sum += some[f] * of[(ptrdiff_t)f * pitch + (ptrdiff_t)i];
            if (rows - r >= V)
                vector_store(to + i * rows + r, sum);
            else
                vector_store_part(to + i * rows + r, part, sum);
        }
    }
}

#ifdef TZ_DESCRIPTOR

extern tz_transpose *const TRANSPOSES[TZ_ISAS];
extern tz_deal *const DEALS[TZ_ISAS];
extern tz_put *const PUTS[TZ_ISAS];
extern tz_shift *const SHIFTS[TZ_ISAS];

/* One for each instruction set, as tz_semiring.contract. */
DECLARE(baseline);
DECLARE(avx2);
DECLARE(avx512);
tz_transpose *const TRANSPOSES[TZ_ISAS] = ONE_FOR_EACH(TRANSPOSE);
tz_deal *const DEALS[TZ_ISAS] = ONE_FOR_EACH(DEAL);
tz_put *const PUTS[TZ_ISAS] = ONE_FOR_EACH(PUT);
tz_shift *const SHIFTS[TZ_ISAS] = ONE_FOR_EACH(SHIFT);

#endif
