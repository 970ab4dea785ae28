/* lean.h - kernels with little code for elements that are several numbers.
 *
 * block.h has a function for each shape of block, so that nothing is left to decide in its loops.
 * This pays where a product takes one instruction; where it takes dozens, one function for the
 * usual shape (lean_row) and one for any shape (lean_contract_any) are as fast. So a semiring with
 * a parameter has kernels for several `parts`, the numbers of an element: 1, 2, 4, 8, 16 or 32. An
 * element is so many vectors, of columns side by side.
 *
 * The file that includes it has defined `number`, included numbers.h, and defined, as FORCED
 * functions of arrays of `parts` vectors, no two of which are the same,
 *
 *   add(numbers *acc, const numbers *a, const int parts)                               acc + a
 *   multiply(numbers *acc, const numbers *a, const int parts)                          acc * a
 *   add_product(numbers *acc, const numbers *a, const numbers *b, const int parts)     acc + a * b
 *
 * and zero_number(p, parts), number p of zero. With INTERLEAVED it has defined them of vectors that
 * hold elements as they stand in memory, one after the other, and zero is 0. LEAN(parts) then makes
 * lean_of_PARTS, for lean_contract and lean_prepare, which keep the order that trapeze/kernel.h
 * states. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_LEAN_H
#define TZ_KERNELS_LEAN_H

#include <string.h>

#include "block_splits.h"
#include "deal.h"

/* Elements of so many parts. */
typedef struct lean {
    int parts;
    void (*add)(numbers *acc, const numbers *a);
    void (*multiply)(numbers *acc, const numbers *a);
    void (*add_product)(numbers *acc, const numbers *a, const numbers *b);
    void (*deal)(numbers *a), (*take_together)(numbers *a);
    const tz_ready *(*row)(const tz_ready *ready);
} lean;

#ifdef INTERLEAVED
FORCED void lean_deal(numbers *a, const int parts) {
    (void)a, (void)parts;
}
#define lean_together lean_deal
#else
#define lean_deal     deal
#define lean_together take_together
#endif

/* ---- The usual shape -------------------------------------------------------------------------
 * Columns of all x and lanes side by side, in the target and in every factor, or a factor that is
 * the same for all x, whose lanes fill a vector; one factor or two for each split, and one of the
 * whole sum at most. */

typedef struct __attribute__((may_alias)) lean_row {
    const tz_ready *(*run)(const tz_ready *ready);
    number *target;
    const number *factor[2], *outer; /* NULL: there is none */
    int32_t split[2];                /* from split to split, in numbers */
    uint32_t splits, tiles;          /* vectors of columns */
    uint8_t last;                    /* columns of the last one */
    uint8_t first_write;
    uint8_t same; /* bit f: factor f is, from vector to vector; bit 2: outer */
} lean_row;

_Static_assert(sizeof(lean_row) <= sizeof(tz_ready), "a row fits a tz_ready");

#define LEAN_CALL(of, function, ...)                                                               \
    do {                                                                                           \
        if ((of) != NULL)                                                                          \
            (of)->function(__VA_ARGS__);                                                           \
        else                                                                                       \
            function(__VA_ARGS__, parts);                                                          \
    } while (0)

/* The first so many columns. of: its functions; NULL, and they are inlined. */
FORCED void lean_load(numbers *ret, const number *from, int columns, const int parts,
                      const lean *of) {
    if (columns == VECTOR_ELEMENTS) {
        UNROLLED for (int v = 0; v < parts; v++) {
            ret[v] = numbers_load(from + v * VECTOR_ELEMENTS);
        }
    } else {
        UNROLLED for (int v = 0; v < parts; v++) {
            ret[v] = numbers_load_some(from + v * VECTOR_ELEMENTS,
                                       part_of(0, columns * parts - v * VECTOR_ELEMENTS));
        }
    }
    if (of == NULL)
        lean_deal(ret, parts);
    else
        of->deal(ret);
}

FORCED void lean_store(number *to, int columns, numbers *a, const int parts, const lean *of) {
    if (of == NULL)
        lean_together(a, parts);
    else
        of->take_together(a);
    if (columns == VECTOR_ELEMENTS) {
        UNROLLED for (int v = 0; v < parts; v++) {
            numbers_store(to + v * VECTOR_ELEMENTS, a[v]);
        }
    } else {
        UNROLLED for (int v = 0; v < parts; v++) {
            numbers_store_part(to + v * VECTOR_ELEMENTS,
                               part_of(0, columns * parts - v * VECTOR_ELEMENTS), a[v]);
        }
    }
}

FORCED void lean_row_tile(const lean_row *r, ptrdiff_t c, int columns, const int parts,
                          const lean *of) {
    numbers acc[MOST_PARTS], a[MOST_PARTS], b[MOST_PARTS];
    const number *from = r->factor[0] + (r->same & 1 ? 0 : c);
    const number *by = r->factor[1] + (r->same & 2 ? 0 : c);
    UNROLLED for (int p = 0; p < parts; p++) {
        acc[p] = numbers_of(zero_number(p, parts));
    }
    if (r->factor[1] == NULL) {
        for (uint32_t s = 0; s < r->splits; s++, from += r->split[0]) {
            lean_load(a, from, columns, parts, of);
            LEAN_CALL(of, add, acc, a);
        }
    } else {
        for (uint32_t s = 0; s < r->splits; s++, from += r->split[0], by += r->split[1]) {
            lean_load(a, from, columns, parts, of);
            lean_load(b, by, columns, parts, of);
            LEAN_CALL(of, add_product, acc, a, b);
        }
    }
    if (r->outer != NULL) {
        lean_load(a, r->outer + (r->same & 4 ? 0 : c), columns, parts, of);
        LEAN_CALL(of, multiply, acc, a);
    }
    if (!r->first_write) {
        lean_load(a, r->target + c, columns, parts, of);
        LEAN_CALL(of, add, acc, a);
    }
    lean_store(r->target + c, columns, acc, parts, of);
}

FORCED const tz_ready *lean_run(const tz_ready *ready, const int parts, const lean *of) {
    const lean_row *r = (const lean_row *)ready;
    const uint32_t whole = r->tiles - (r->last < VECTOR_ELEMENTS && of == NULL);
    ptrdiff_t c = 0;
    for (uint32_t tile = 0; tile < whole; tile++, c += VECTOR_ELEMENTS * parts)
        lean_row_tile(r, c, of == NULL || tile + 1 < r->tiles ? VECTOR_ELEMENTS : r->last, parts,
                      of);
    if (whole < r->tiles)
        lean_row_tile(r, c, r->last, parts, of);
    return ready + 1;
}

/* Does it go along with the columns? Sets its bit of `same` if it need not. */
static _Bool goes_along(const tz_block *block, ptrdiff_t run, unsigned bit, uint8_t *same) {
    const _Bool stays = run == 0 && block->lanes == VECTOR_ELEMENTS;
    *same |= (uint8_t)(stays << bit);
    return stays || run == (ptrdiff_t)block->lanes;
}

/* The row of a block without edges; false if it is of another shape. */
static _Bool lean_row_of(const lean *lean, const tz_block *block, lean_row *ret) {
    const _Bool plain = block->inners == 0 && block->splits == 1; /* the sum is one */
    const tz_operand *factor = plain ? block->outer : block->inner, *outer = block->outer;
    const unsigned all = block->inners + block->outers;
    const unsigned factors = !plain ? block->inners : all < 2 ? all : 2;
    const size_t columns = block->width * block->lanes;
    if (block->run != (ptrdiff_t)block->lanes || factors == 0 || factors > 2 || all - factors > 1 ||
        columns == 0 || columns > UINT32_MAX || block->splits == 0 || block->splits > UINT32_MAX)
        return 0;
    *ret = (lean_row){
        .run = lean->row,
        .target = block->target,
        .splits = (uint32_t)block->splits,
        .tiles = (uint32_t)((columns + VECTOR_ELEMENTS - 1) / VECTOR_ELEMENTS),
        .last = (uint8_t)((columns - 1) % VECTOR_ELEMENTS + 1),
        .first_write = (uint8_t)block->first_write,
    };
    if (all > factors) {
        outer += plain ? factors : 0;
        ret->outer = outer->base;
        if (!goes_along(block, outer->run, 2, &ret->same))
            return 0;
    }
    for (unsigned f = 0; f < factors; f++) {
        const ptrdiff_t split = plain ? 0 : factor[f].split * lean->parts;
        if (split < INT32_MIN || split > INT32_MAX ||
            !goes_along(block, factor[f].run, f, &ret->same))
            return 0;
        ret->factor[f] = factor[f].base;
        ret->split[f] = (int32_t)split;
    }
    return 1;
}

/* The columns c.. of a padded block's row, VECTOR_ELEMENTS at most, with the splits that take in
 * some of them. */
static lean_row lean_padded(const lean *lean, const tz_block *block, const lean_row *row,
                            size_t c) {
    const size_t end = block->width * block->lanes, lanes = block->lanes;
    const size_t columns = end - c < VECTOR_ELEMENTS ? end - c : VECTOR_ELEMENTS;
    const splits of =
        splits_for(block, (ptrdiff_t)((c + columns - 1) / lanes), (ptrdiff_t)(c / lanes));
    const ptrdiff_t further = (ptrdiff_t)c * lean->parts;
    lean_row ret = *row;
    ret.tiles = 1;
    ret.last = (uint8_t)columns;
    ret.target += further;
    ret.splits = of.from < of.end ? (uint32_t)(of.end - of.from) : 0;
    for (int f = 0; f < 2 && ret.factor[f] != NULL; f++)
        ret.factor[f] +=
            (ret.same >> f & 1 ? 0 : further) + (ret.splits > 0 ? of.from * ret.split[f] : 0);
    ret.outer += ret.outer != NULL && !(ret.same & 4) ? further : 0;
    return ret;
}

/* False, and nothing done, for a block of another shape. */
static _Bool lean_contract_row(const lean *lean, const tz_block *block) {
    const _Bool edges = block->lows + block->highs > 0;
    lean_row row;
    if ((edges && !block->padded) || !lean_row_of(lean, block, &row))
        return 0;
    for (size_t t = 0; t < (edges ? row.tiles : 1); t++) {
        const lean_row tile = edges ? lean_padded(lean, block, &row, t * VECTOR_ELEMENTS) : row;
        tile.run((const tz_ready *)&tile);
    }
    return 1;
}

#include "lean_any.h"

/* ---- Made ready ------------------------------------------------------------------------------ */

/* A block that is not made ready beyond its address. */
typedef struct __attribute__((may_alias)) lean_unready {
    const tz_ready *(*run)(const tz_ready *ready);
    const tz_block *block;
    const lean *lean;
    const tz_semiring *self;
} lean_unready;

static const tz_ready *run_unready(const tz_ready *ready) {
    const lean_unready *u = (const lean_unready *)ready;
    lean_contract(u->lean, u->self, u->block);
    return ready + 1;
}

/* See tz_kernels.prepare. */
static size_t lean_prepare(const lean *lean, const tz_semiring *self, const tz_block *block,
                           tz_ready *list, size_t count) {
    const _Bool edges = block->lows + block->highs > 0;
    lean_row row;
    list[count] = (tz_ready){0}; /* all of it: what is added next looks at it */
    if ((edges && !block->padded) || !lean_row_of(lean, block, &row) ||
        (edges && row.tiles > TZ_MAX_READY)) {
        *(lean_unready *)(list + count) = (lean_unready){run_unready, block, lean, self};
        return count + 1;
    }
    if (!edges) {
        *(lean_row *)(list + count) = row;
        return count + 1;
    }
    for (size_t t = 0; t < row.tiles; t++, count++)
        *(lean_row *)(list + count) = lean_padded(lean, block, &row, t * VECTOR_ELEMENTS);
    return count;
}

enum { MOST_INLINED = 8 }; /* parts of elements whose sums and products are */

#define LEAN(parts)                                                                                \
    static void add_##parts(numbers *acc, const numbers *a) {                                      \
        add(acc, a, parts);                                                                        \
    }                                                                                              \
    static void multiply_##parts(numbers *acc, const numbers *a) {                                 \
        multiply(acc, a, parts);                                                                   \
    }                                                                                              \
    static void add_product_##parts(numbers *acc, const numbers *a, const numbers *b) {            \
        add_product(acc, a, b, parts);                                                             \
    }                                                                                              \
    static void deal_##parts(numbers *a) {                                                         \
        lean_deal(a, parts);                                                                       \
    }                                                                                              \
    static void take_together_##parts(numbers *a) {                                                \
        lean_together(a, parts);                                                                   \
    }                                                                                              \
    static const tz_ready *run_##parts(const tz_ready *ready);                                     \
    static const lean lean_of_##parts = {                                                          \
        parts,        add_##parts,           multiply_##parts, add_product_##parts,                \
        deal_##parts, take_together_##parts, run_##parts};                                         \
    static const tz_ready *run_##parts(const tz_ready *ready) {                                    \
        return lean_run(ready, parts, parts <= MOST_INLINED ? NULL : &lean_of_##parts);            \
    }

#endif
