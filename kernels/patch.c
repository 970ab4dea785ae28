/* patch.c - scores of one problem to where their cells stand, for every instruction set.
 *
 * What are neighbours in the caller's array are not in the chart, and the other way round: V rows
 * are read as vectors and exchanged with V columns, which are written as vectors. Elements are bits
 * here; TZ_REAL_BITS says how many. SPDX-License-Identifier: MIT */
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
    exchange(v);
    for (int x = 0; x < V && x < columns; x++)
        write_column(t, patch, row, column + x, rows, full, v[x]);
}

/* A column of V rows from `row` on. */
static inline void take_column(target *t, const element *from, const tz_patch *patch, ptrdiff_t row,
                               ptrdiff_t column) {
    vector v = gather_marked(from + column * patch->step, patch->far + row,
                             marks_of(patch->column[column] >> row));
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
            if (patch->step == 1 && some > FEW)
                take_rows(t, from, patch, r, c, some, rows, 0);
            else
                for (ptrdiff_t x = 0; x < some; x++)
                    take_column(t, from, patch, r, c + x);
        }
}

/* The lines of a patch to come: what reads them in the order of patches, no prefetcher follows. */
static inline void fetch(const element *from, const tz_patch *patch, ptrdiff_t rows) {
    const uintptr_t data = (uintptr_t)from; /* rows may begin before the array */
    for (ptrdiff_t r = 0; r < rows; r++)
        for (ptrdiff_t c = 0; c < TZ_PATCH; c += LINE / (ptrdiff_t)sizeof *from)
            __builtin_prefetch(
                (const void *)(data + (uintptr_t)(patch->far[r] + c) * sizeof *from));
}

tz_pick PICK(TZ_ISA);
tz_lay LAY(TZ_ISA);

_Bool PICK(TZ_ISA)(void *to, const void *from, const tz_patch *patch, size_t patches, size_t rows,
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

void LAY(TZ_ISA)(void *to, const void *from, const tz_patch *patch, size_t patches, size_t rows) {
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

#ifdef TZ_DESCRIPTOR

extern tz_pick *const PICKS[TZ_ISAS];
extern tz_lay *const LAYS[TZ_ISAS];

/* One for each instruction set, as tz_semiring.contract. */
tz_pick PICK(baseline), PICK(avx2), PICK(avx512);
tz_lay LAY(baseline), LAY(avx2), LAY(avx512);
tz_pick *const PICKS[TZ_ISAS] = ONE_FOR_EACH(PICK);
tz_lay *const LAYS[TZ_ISAS] = ONE_FOR_EACH(LAY);

#endif
