/* moves.c - scores and elements taken from where they stand to where they are wanted, for every
 * instruction set: the engine's own kernels, see moves.h.
 *
 * What are neighbours in the caller's arrays are not in a chart, and the other way round: of V
 * rows each, V neighbours are read as a vector, rows and columns are exchanged, and V vectors
 * written. TZ_REAL_BITS says how many bits an element has. SPDX-License-Identifier: MIT */
#include "moves.h"

#include <math.h>
#include <string.h>

#include "real.h"

typedef real element;
static const element zero = 0;

#include "vector.h"

#include "marks.h"

/* ---- Scores that are refused ----------------------------------------------------------------- */

#if defined(__AVX512F__)
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

/* ---- Lanes side by side: deal, put ----------------------------------------------------------- */

/* Where vectors of exchanged rows go: vector c to to + at[c] * pitch, but for those below 0. Of the
 * scores that they are, -0 becomes 0, and `bad` notes those that are refused. */
typedef struct exchanged {
    element *to;
    ptrdiff_t pitch;
    const int32_t *at;
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

/* V rows or fewer: to[at[c] * pitch + r] = row[r][c + from] for r < rows, c < columns. */
static inline __attribute__((always_inline)) void exchange_rows(exchanged *e,
                                                                const element *const row[V],
                                                                ptrdiff_t rows, ptrdiff_t from,
                                                                ptrdiff_t columns) {
    for (ptrdiff_t c = 0; c < columns; c += V) {
        vector v[V];
        load_rows(v, row, rows, from + c, columns - c);
        e->bad |= refused_of(v, e->limit);
        for (ptrdiff_t r = 0; r < V; r++)
            v[r] += (vector){0};
        vector_exchange(v);
        for (ptrdiff_t x = 0; x < V && c + x < columns; x++) {
            const ptrdiff_t at = e->at[c + x];
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
        vector_exchange(v);
        for (ptrdiff_t x = 0; x < V && c + x < packed; x++)
            store_lanes(to + (c + x) * pitch, rows, v[x]);
        for (int half = V / 2; half > 0; half /= 2)
            for (int x = 0; x < half; x++)
                v[x] = vector_larger(v[x], v[x + half]);
        *most = vector_larger(*v, *most);
    }
    return bad;
}

static void raise_most(double *most, vector v, size_t count) {
    for (size_t i = 0; i < count; i++)
        most[i] = (double)v[i] > most[i] ? (double)v[i] : most[i];
}

static _Bool deal(void *to, ptrdiff_t pitch, const void *const *from, size_t rows,
                  const tz_piece *piece, size_t pieces, double limit, double *opt_most) {
    marks bad = {0};
    for (size_t r = 0; r < rows; r += V) {
        ptrdiff_t some = rows - r < V ? (ptrdiff_t)(rows - r) : V;
        const element *row[V];
        exchanged e = {.to = (element *)to + r, .pitch = pitch, .limit = limit_of(limit)};
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

/* What put does for a piece of V lanes or fewer. Constants are left to the compiler. */
static inline __attribute__((always_inline)) void put_lanes(element *to, ptrdiff_t pitch,
                                                            const element *from,
                                                            ptrdiff_t from_pitch, ptrdiff_t lanes,
                                                            const tz_piece *piece) {
    for (ptrdiff_t i = 0; i < piece->count; i++)
        if (piece->far[i] >= 0)
            store_lanes(to + piece->far[i] * pitch, lanes, vector_load(from + i * from_pitch));
}

static void put(void *to, ptrdiff_t pitch, const void *from, ptrdiff_t from_pitch, size_t rows,
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

/* ---- One problem: pick, lay ------------------------------------------------------------------ */

enum {
    LINE = 64,  /* bytes of a cache line */
    FEW = V / 3 /* columns that are gathered one by one */
};

/* Where scores go, and what is told of them. */
typedef struct target {
    element *to;
    _Bool packed;
    vector limit;
    marks bad;
} target;

/* Writes column `column` of a patch from row `row` on. full: V rows. Constants are left to the
 * compiler. */
static inline __attribute__((always_inline)) void write_column(const target *t,
                                                               const tz_patch *patch, ptrdiff_t row,
                                                               ptrdiff_t column, ptrdiff_t rows,
                                                               _Bool full, vector v) {
    element *to = t->to + row;
    if (!t->packed)
        to += patch->near + column * patch->apart;
    else
        to += full ? column * rows : patch->start[column];
    v += (vector){0};
    if (full)
        vector_store(to, v);
    else
        store_marked(to, marks_of(patch->column[column] >> row), v);
}

/* V columns from `column` on or fewer, of V rows from `row` on, each of which has them side by
 * side. */
static inline __attribute__((always_inline)) void take_rows(target *t, const element *from,
                                                            const tz_patch *patch, ptrdiff_t row,
                                                            ptrdiff_t column, ptrdiff_t columns,
                                                            ptrdiff_t rows, _Bool full) {
    vector v[V];
    for (int x = 0; x < V; x++) {
        const element *a = from + patch->far[row + x] + column;
        v[x] = full ? vector_load(a) : load_marked(a, marks_of(patch->row[row + x] >> column));
    }
    t->bad |= refused_of(v, t->limit);
    vector_exchange(v);
    for (int x = 0; x < V && x < columns; x++)
        write_column(t, patch, row, column + x, rows, full, v[x]);
}

/* A column of V rows from `row` on. */
static inline void take_column(target *t, const element *from, const tz_patch *patch, ptrdiff_t row,
                               ptrdiff_t column) {
    const marks there = marks_of(patch->column[column] >> row);
    const element *first = from + column * patch->step;
    vector v = patch->beside ? load_marked(first + patch->far[row], there)
                             : gather_marked(first, patch->far + row, there);
    t->bad |= refused(v, t->limit);
    write_column(t, patch, row, column, 0, 0, v);
}

static inline __attribute__((always_inline)) void take_full(target *t, const element *from,
                                                            const tz_patch *patch, ptrdiff_t rows) {
    for (ptrdiff_t r = 0; r < rows; r += V)
        for (ptrdiff_t c = 0; c < TZ_PATCH; c += V)
            take_rows(t, from, patch, r, c, V, rows, 1);
}

static inline __attribute__((always_inline)) void take_part(target *t, const element *from,
                                                            const tz_patch *patch, ptrdiff_t rows) {
    for (ptrdiff_t i = 0; i < patch->packed && t->packed; i += V)
        vector_store_part(t->to + i, part_of(0, patch->packed - i), vector_of(-INFINITY));
    for (ptrdiff_t r = 0; r < rows; r += V)
        for (ptrdiff_t c = 0, some; c < patch->columns; c += some) {
            some = patch->columns - c < V ? patch->columns - c : V;
            if (patch->step == 1 && some > FEW && !patch->beside)
                take_rows(t, from, patch, r, c, some, rows, 0);
            else
                for (ptrdiff_t x = 0; x < some; x++)
                    take_column(t, from, patch, r, c + x);
        }
}

/* The lines of a patch to come: what reads them in the order of patches, no prefetcher follows. */
static inline void fetch(const element *from, const tz_patch *patch, ptrdiff_t rows) {
    const uintptr_t data = (uintptr_t)from; /* rows may begin before the array */
    for (ptrdiff_t c = 0; c < patch->columns && patch->beside; c++)
        __builtin_prefetch(
            (const void *)(data + (uintptr_t)(patch->far[0] + c * patch->step) * sizeof *from));
    for (ptrdiff_t r = 0; r < rows && !patch->beside; r++)
        for (ptrdiff_t c = 0; c < TZ_PATCH; c += LINE / (ptrdiff_t)sizeof *from)
            __builtin_prefetch(
                (const void *)(data + (uintptr_t)(patch->far[r] + c) * sizeof *from));
}

static _Bool pick(void *to, const void *from, const tz_patch *patch, size_t patches, size_t rows,
                  double limit, _Bool packed) {
    target straight = {.to = to, .limit = limit_of(limit)}, into = straight;
    into.packed = 1;
    for (const tz_patch *p = patch; p < patch + patches; p++) {
        _Bool full = p->full && rows % V == 0;
        fetch(from, p + TZ_AHEAD, (ptrdiff_t)rows);
        if (packed && full)
            take_full(&into, from, p, (ptrdiff_t)rows);
        else if (packed)
            take_part(&into, from, p, (ptrdiff_t)rows);
        else if (full)
            take_full(&straight, from, p, (ptrdiff_t)rows);
        else
            take_part(&straight, from, p, (ptrdiff_t)rows);
        into.to += p->packed;
    }
    return !any(into.bad | straight.bad);
}

static void lay(void *to, const void *from, const tz_patch *patch, size_t patches, size_t rows) {
    const element *packed = from;
    const ptrdiff_t all = (ptrdiff_t)rows;
    for (const tz_patch *p = patch; p < patch + patches; packed += p++->packed) {
        const _Bool full = p->full && rows % V == 0;
        for (ptrdiff_t c = 0; c < p->columns; c++) {
            element *cell = (element *)to + p->near + c * p->apart;
            for (ptrdiff_t r = 0; r < all; r += V)
                if (full) {
                    vector_store(cell + r, vector_load(packed + c * all + r));
                } else {
                    marks of = marks_of(p->column[c] >> r);
                    store_marked(cell + r, of, load_marked(packed + p->start[c] + r, of));
                }
        }
    }
}

/* ---- Scores looked at ------------------------------------------------------------------------ */

static _Bool scan(const void *score, size_t count, double limit, double *opt_most) {
    const element *from = score, *end = from + count;
    const vector bound = limit_of(limit);
    vector largest = vector_of(-INFINITY);
    marks bad = {0};
    for (; end - from >= V; from += V) {
        vector v = vector_load(from);
        bad |= refused(v, bound);
        largest = vector_larger(v, largest);
    }
    _Bool allowed = !any(bad);
    for (; from < end; from++) {
        vector v = vector_of(*from);
        allowed &= !any(refused(v, bound));
        largest = vector_larger(v, largest);
    }
    for (int i = 0; i < V && opt_most != NULL; i++)
        *opt_most = (double)largest[i] > *opt_most ? (double)largest[i] : *opt_most;
    return allowed;
}

/* ---- Exponents ------------------------------------------------------------------------------- */

static void shift_exponents(void *shift, const void *scale, size_t rows, const void *form,
                            ptrdiff_t pitch, size_t forms, size_t count) {
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

/* ---- The table ------------------------------------------------------------------------------- */

extern const tz_moves MOVES(TZ_ISA);

const tz_moves MOVES(TZ_ISA) = {
    .deal = deal, .put = put, .pick = pick, .lay = lay, .scan = scan, .shift = shift_exponents};

#ifdef TZ_DESCRIPTOR

extern const tz_moves MOVES(baseline), MOVES(avx2), MOVES(avx512);
#define MOVES_AT(isa) &MOVES(isa)
const tz_moves *const ALL_MOVES[TZ_ISAS] = ONE_FOR_EACH(MOVES_AT);

#endif
