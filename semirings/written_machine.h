/* written_machine.h - runs a function of a semiring that is a program on columns of numbers.
 *
 * Part of written.c. Arrays have room for whole vectors; columns past the last hold anything.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_WRITTEN_MACHINE_H
#define TZ_SEMIRINGS_WRITTEN_MACHINE_H

#include <string.h>

#include "written.h"

typedef double number;
#include "kernels/block_splits.h"
#include "kernels/functions.h"
#include "kernels/steps.h"

enum {
    PARTS = TZ_WRITTEN_PARTS,
    WIDE = VECTOR_ELEMENTS,
    STRIP = 192, /* columns at most */
    ROW = STRIP + WIDE,
    ROOM = 3072 /* numbers of what a function computes: of more cells, strips have fewer columns */
};

#include "kernels/columns.h"

#define ALIGNED _Alignas(VECTOR_BYTES)

/* A function, its constants filled in. */
typedef struct machine {
    const tz_function *f;
    _Bool plain;                        /* every result is a step's, and no other result's */
    size_t strip;                       /* columns that there is room for */
    const number *at[TZ_WRITTEN_CELLS]; /* where the numbers of each cell stand */
    number *to[TZ_WRITTEN_CELLS];       /* and where a step writes them */
    ALIGNED number room[ROOM];
} machine;

/* For strips of so many columns, if there is room. */
static void begin(machine *m, const tz_function *f, size_t columns) {
    const unsigned own = f->cells - f->arguments;
    m->f = f;
    m->strip = own > 0 ? ROOM / own / WIDE * WIDE : STRIP;
    m->strip = m->strip < STRIP ? m->strip : STRIP;
    m->strip = m->strip < columns ? m->strip : vectors_of(columns) * WIDE;
    m->plain = 1;
    for (unsigned o = f->arguments; o < f->cells; o++) {
        m->at[o] = m->to[o] = m->room + (o - f->arguments) * m->strip;
        for (size_t i = 0; f->op[o].what == TZ_NUMBER && i < m->strip; i += WIDE)
            numbers_store(m->to[o] + i, numbers_of(f->op[o].number));
    }
    for (unsigned r = 0; r < f->results; r++) {
        m->plain &= f->result[r] >= f->arguments && f->op[f->result[r]].what != TZ_NUMBER;
        for (unsigned other = 0; other < r; other++)
            m->plain &= f->result[r] != f->result[other];
    }
}

/* n results of each kind, and some more to the end of a vector; ret overlaps no argument. */
static void run(machine *m, number *const *ret, size_t n) {
    const tz_function *f = m->f;
    const size_t vectors = vectors_of(n);
    for (unsigned r = 0; m->plain && r < f->results; r++)
        m->at[f->result[r]] = m->to[f->result[r]] = ret[r];
    for (const tz_written_step *s = f->step, *end = s + f->steps; s < end; s++)
        step_of[s->what](m->to[s->to], m->at[s->a], m->at[s->b], m->at[s->c], m->at[s->d], vectors);
    for (unsigned r = 0; !m->plain && r < f->results; r++)
        memcpy(ret[r], m->at[f->result[r]], n * sizeof(number));
}

#endif
