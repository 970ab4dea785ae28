/* block_vector.h - contract for blocks whose columns stand side by side, by vectors.
 *
 * Part of block.h, for semirings that have vector_sum and vector_product. A tile of a few vectors
 * of columns, of all members of a stack, stays in registers over all splits; members of a stack
 * share the loads of what they have in common, which is what the load ports are short of. Masks cut
 * off what is beyond a member's last column, and, for splits that take in only some columns of the
 * tile, those. Where sums are exact (EXACT_SUMS), narrow tiles use several sums at a time, since
 * one waits for the other. block_ready.h cuts blocks without edges into tiles, block_ragged.h those
 * with edges; block_matrix.h has the tiles of lanes that fill whole vectors.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_BLOCK_VECTOR_H
#define TZ_SEMIRINGS_BLOCK_VECTOR_H

/* Vectors of a tile for each member, as registers allow. */
#if VECTOR_BYTES == 64
enum { TILE = 4, TILE_OF_2 = 4, TILE_OF_4 = 4 };
#else
enum { TILE = 4, TILE_OF_2 = 2, TILE_OF_4 = 2 };
#endif
enum { MOST_TILE = 4, MOST_INNERS = 3 };

#ifndef EXACT_SUMS
#define EXACT_SUMS 0
#endif

/* With each check of the address sanitizer inlined, and that unrolled, compiling would take
 * minutes: then the loops stay loops. */
#if defined(__SANITIZE_ADDRESS__)
#define FORCED __attribute__((noinline)) static
#else
#define FORCED __attribute__((always_inline)) static inline
#endif
#if defined(__SANITIZE_ADDRESS__)
#define UNROLLED
#elif defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

/* Keeps a vector in a register: left alone, gcc loads it once for each use, as a memory operand. */
#if defined(__x86_64__)
#define IN_REGISTER(a) __asm__("" : "+v"(a))
#else
#define IN_REGISTER(a) (void)(a)
#endif

/* A tile: some columns, `vectors` vectors of them for each member. The first four are constant
 * wherever it is used, so that the compiler unrolls all but the loop over splits. */
typedef struct tile {
    unsigned inners, stack, vectors;
    _Bool cut; /* the last vector reaches over the last column: only its `tail` is read */
    const element *at[MOST_INNERS]; /* where the next split reads */
    ptrdiff_t split[MOST_INNERS], stacked;
    vector_part tail;
} tile;

typedef struct sums {
    vector at[TZ_MAX_STACK][MOST_TILE];
} sums;

FORCED void clear_sums(const tile *t, sums *ret) {
    UNROLLED for (unsigned m = 0; m < t->stack; m++) {
        UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
            ret->at[m][v] = vector_of(zero);
        }
    }
}

FORCED vector tile_load(const tile *t, const element *at, unsigned v) {
    return t->cut && v + 1 == t->vectors ? vector_load_some(at, t->tail) : vector_load(at);
}

/* Adds the next split, of members from..end-1. */
FORCED void add_split(tile *t, sums *acc, unsigned from, unsigned end) {
    UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
        vector shared =
            t->inners > 0 ? tile_load(t, t->at[0] + v * VECTOR_ELEMENTS, v) : vector_of(one);
        if (t->stack > 1) {
            IN_REGISTER(shared);
        }
        UNROLLED for (unsigned m = from; m < end; m++) {
            vector term = shared;
            UNROLLED for (unsigned o = 1; o < t->inners; o++) {
                ptrdiff_t further = t->stack > 1 ? (ptrdiff_t)m * t->stacked : 0;
                term =
                    vector_product(term, tile_load(t, t->at[o] + v * VECTOR_ELEMENTS + further, v));
            }
            acc->at[m][v] = vector_sum(acc->at[m][v], term);
        }
    }
    UNROLLED for (unsigned o = 0; o < t->inners; o++) {
        t->at[o] += t->split[o];
    }
}

/* Splits that are not worth several sums, and vectors of a tile that have room for them. */
enum { FEW = 8, MOST_SEVERAL = 2 };

/* Adds the next `splits`, of all members; several: to several sums at a time. */
FORCED void add_splits_whole(tile *t, sums *acc, ptrdiff_t splits, _Bool several) {
    if (several) {
        sums more[3];
        UNROLLED for (unsigned k = 0; k < 3; k++) {
            clear_sums(t, &more[k]);
        }
        for (; splits >= 4; splits -= 4) {
            add_split(t, acc, 0, t->stack);
            UNROLLED for (unsigned k = 0; k < 3; k++) {
                add_split(t, &more[k], 0, t->stack);
            }
        }
        UNROLLED for (unsigned m = 0; m < t->stack; m++) {
            UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
                acc->at[m][v] = vector_sum(vector_sum(acc->at[m][v], more[0].at[m][v]),
                                           vector_sum(more[1].at[m][v], more[2].at[m][v]));
            }
        }
    }
    for (; splits > 0; splits--) {
        add_split(t, acc, 0, t->stack);
    }
}

/* Adds member m's sums to its target, of which so many columns are left (255 at most); whole: there
 * is slack for the tile. */
FORCED void add_to_target(const tile *t, const sums *acc, unsigned m, element *target,
                          unsigned columns, _Bool fresh, _Bool whole) {
    UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
        element *at = target + v * VECTOR_ELEMENTS;
        if (t->cut && (t->stack > 1 || v + 1 == t->vectors)) {
            vector_part part = part_below(columns, v);
            if (whole) {
                vector old = fresh ? vector_of(zero) : vector_load(at);
                vector_store(at, vector_keep(part, vector_sum(old, acc->at[m][v])));
            } else {
                vector old = fresh ? vector_of(zero) : vector_load_some(at, part);
                vector_store_part(at, part, vector_sum(old, acc->at[m][v]));
            }
        } else {
            vector old = fresh ? vector_of(zero) : vector_load(at);
            vector_store(at, vector_sum(old, acc->at[m][v]));
        }
    }
}

#include "block_ready.h"

#include "block_ragged.h" /* after it */

#include "block_matrix.h"

/* False, and nothing done, for a block of another shape. */
static _Bool contract_vectors(const tz_block *block) {
    if (is_matrix(block)) {
        contract_matrix(block);
        return 1;
    }
    if (block->lows + block->highs > 0) {
        return contract_ragged(block);
    }
    return contract_rows(block);
}

/* ---- Made ready ----------------------------------------------------------------------------- */

/* What is not made ready beyond its address. */
typedef struct __attribute__((may_alias)) unready {
    const tz_ready *(*run)(const tz_ready *ready);
    const tz_block *block;
} unready;

static const tz_ready *run_block(const tz_ready *ready) {
    const tz_block *block = ((const unready *)ready)->block;
    if (!contract_vectors(block)) {
        contract_scalar(block);
    }
    return ready + 1;
}

/* See tz_semiring.prepare. */
static size_t prepare(const tz_block *block, tz_ready *ret) {
    rows all;
    size_t ready = 0, c = 0;
    if (!is_matrix(block) && rows_of(block, &all)) {
        while (c < all.most && ready + 2 <= TZ_MAX_READY) {
            ready += next_row(&all, &c, ret + ready) ? 2 : 1;
        }
        if (c >= all.most) {
            return ready;
        }
    }
    *(unready *)ret = (unready){run_block, block};
    return 1;
}

#endif
