/* block_tile.h - a tile: a few vectors of columns, of all members of a bundle, that stay in
 * registers over all splits.
 *
 * Part of block.h, for semirings that have vector_sum and vector_product, and vector_sum_product if
 * they have sum_product. Members of a bundle share the loads of their common operand, since loads
 * are the bottleneck. Masks cut off columns beyond a member's last. Where sums are exact
 * (EXACT_SUMS), narrow tiles use several sums at a time, since one addition waits for the other.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_TILE_H
#define TZ_KERNELS_BLOCK_TILE_H

#include <stddef.h>

#include <trapeze/kernel.h>

/* Vectors of a tile for each member, as registers allow. */
#if VECTOR_BYTES == 64
enum { TILE = VECTOR_REGISTERS > 2 ? 1 : 4, TILE_OF_2 = 4, TILE_OF_4 = 4 };
#else
enum { TILE = VECTOR_REGISTERS > 2 ? 1 : 4 / VECTOR_REGISTERS, TILE_OF_2 = 2, TILE_OF_4 = 2 };
#endif
/* What no tile is as wide as need not be compiled. */
#define WITHIN(vectors, function) ((vectors) <= TILE ? (function) : NULL)
enum { MOST_TILE = 4, MOST_INNERS = 3 };

#ifndef HAS_SUM_PRODUCT
static inline vector vector_sum_product(vector a, vector b, vector c) {
    return vector_sum(a, vector_product(b, c));
}
#endif

#ifndef EXACT_SUMS
#define EXACT_SUMS 0
#endif
#ifndef BUNDLES
#define BUNDLES 1
#endif

/* A tile is some columns, `vectors` vectors of them for each member. Its form is constant wherever
 * it is used, so that the compiler unrolls all but the loop over splits. */
typedef struct form {
    unsigned inners, bundle, vectors;
    _Bool cut; /* the last vector reaches over the last column: only its `tail` is read */
} form;

typedef struct tile {
    const element *at[MOST_INNERS]; /* where the next split reads each factor */
    ptrdiff_t split[MOST_INNERS];   /* from split to split, in bytes */
    ptrdiff_t member;               /* of a bundle: from member to member, of the second factor */
    vector_part tail;               /* columns of the last vector that there are */
} tile;

typedef struct sums {
    vector at[TZ_MAX_BUNDLE][MOST_TILE];
} sums;

FORCED void clear_sums(form f, sums *ret) {
    UNROLLED for (unsigned m = 0; m < f.bundle; m++) {
        UNROLLED for (unsigned v = 0; v < f.vectors; v++) {
            ret->at[m][v] = vector_of(zero);
        }
    }
}

FORCED vector tile_load(form f, const tile *t, const element *at, unsigned v) {
    return f.cut && v + 1 == f.vectors ? vector_load_some(at, t->tail) : vector_load(at);
}

FORCED void next_split(form f, tile *t) {
    UNROLLED for (unsigned o = 0; o < f.inners; o++) {
        t->at[o] = (const element *)((const char *)t->at[o] + t->split[o]);
    }
}

/* sum + term * last, or sum + term where a split has one factor alone; first: there is no sum. */
FORCED vector add_term(form f, vector sum, vector term, vector last, _Bool first) {
    if (first)
        return f.inners > 1 ? vector_product(term, last) : term;
    return f.inners > 1 ? vector_sum_product(sum, term, last) : vector_sum(sum, term);
}

/* Adds a split, of members from..end-1; first: to nothing. */
FORCED void add_split_to(form f, tile *t, sums *acc, unsigned from, unsigned end, _Bool first) {
    UNROLLED for (unsigned v = 0; v < f.vectors; v++) {
        vector shared =
            f.inners > 0 ? tile_load(f, t, t->at[0] + v * VECTOR_ELEMENTS, v) : vector_of(one);
        if (f.bundle > 1)
            HOLD(shared);
        UNROLLED for (unsigned m = from; m < end; m++) {
            vector term = shared, last = shared;
            UNROLLED for (unsigned o = 1; o < f.inners; o++) {
                ptrdiff_t further = f.bundle > 1 ? (ptrdiff_t)m * t->member : 0;
                term = o > 1 ? vector_product(term, last) : term;
                last = tile_load(f, t, t->at[o] + v * VECTOR_ELEMENTS + further, v);
            }
            acc->at[m][v] = add_term(f, acc->at[m][v], term, last, first);
        }
    }
}

/* And goes on to the next. */
FORCED void add_split(form f, tile *t, sums *acc, unsigned from, unsigned end) {
    add_split_to(f, t, acc, from, end, 0);
    next_split(f, t);
}

/* Splits that are not worth several sums, and vectors of a tile that have room for them. */
enum { FEW = 8, MOST_SEVERAL = 2 };

/* Adds the next `splits`, of all members; several: to several sums at a time. */
FORCED void add_splits_whole(form f, tile *t, sums *acc, ptrdiff_t splits, _Bool several) {
    if (several) {
        sums more[3];
        UNROLLED for (unsigned k = 0; k < 3; k++) {
            clear_sums(f, &more[k]);
        }
        for (; splits >= 4; splits -= 4) {
            add_split(f, t, acc, 0, f.bundle);
            UNROLLED for (unsigned k = 0; k < 3; k++) {
                add_split(f, t, &more[k], 0, f.bundle);
            }
        }
        UNROLLED for (unsigned m = 0; m < f.bundle; m++) {
            UNROLLED for (unsigned v = 0; v < f.vectors; v++) {
                acc->at[m][v] = vector_sum(vector_sum(acc->at[m][v], more[0].at[m][v]),
                                           vector_sum(more[1].at[m][v], more[2].at[m][v]));
            }
        }
    }
    for (; splits > 0; splits--)
        add_split(f, t, acc, 0, f.bundle);
}

/* A member's columns of a tile in its target. */
typedef struct place {
    element *at;
    unsigned columns; /* 255 at most */
    _Bool first_write, row_end;
} place;

/* The columns of vector v, and whether they are fewer than a whole vector. */
FORCED _Bool columns_of(form f, const tile *t, const place *of, unsigned v, vector_part *ret) {
    *ret = f.bundle == 1 ? t->tail : part_below(of->columns, v);
    return f.cut && (f.bundle > 1 || v + 1 == f.vectors);
}

FORCED vector target_load(form f, const tile *t, const place *from, unsigned v) {
    vector_part part;
    _Bool cut = columns_of(f, t, from, v, &part);
    const element *at = from->at + v * VECTOR_ELEMENTS;
    return from->first_write         ? vector_of(zero)
           : (cut && !from->row_end) ? vector_load_some(at, part)
                                     : vector_load(at);
}

FORCED void target_store(form f, const tile *t, const place *to, unsigned v, vector a) {
    vector_part part;
    _Bool cut = columns_of(f, t, to, v, &part);
    element *at = to->at + v * VECTOR_ELEMENTS;
    if (!cut)
        vector_store(at, a);
    else if (to->row_end)
        vector_store(at, vector_keep(part, a));
    else
        vector_store_part(at, part, a);
}

/* Adds member m's sums to its target. */
FORCED void add_to_target(form f, const tile *t, const sums *acc, unsigned m, place target) {
    UNROLLED for (unsigned v = 0; v < f.vectors; v++) {
        target_store(f, t, &target, v, vector_sum(target_load(f, t, &target, v), acc->at[m][v]));
    }
}

#endif
