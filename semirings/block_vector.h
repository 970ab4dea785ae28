/* block_vector.h - contract for blocks whose columns stand side by side, by vectors.
 *
 * Part of block.h, for semirings that have vector_sum and vector_product. A tile of a few vectors
 * of columns, of all members of a stack, stays in registers over all splits; members of a stack
 * share the loads of what they have in common, which is what the load ports are short of. Masks cut
 * off what is beyond a member's last column, and, for splits that take in only some columns of the
 * tile, those. Where sums are exact (EXACT_SUMS), narrow tiles use several sums at a time, since
 * one waits for the other. block_matrix.h has the tiles of lanes that fill whole vectors,
 * block_short.h what is too short for a tile.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_BLOCK_VECTOR_H
#define TZ_SEMIRINGS_BLOCK_VECTOR_H

/* Vectors of a tile for each member, as registers allow; fewer where there are edges: the wider a
 * tile, the more splits take in only a part of it. */
#if VECTOR_BYTES == 64
enum { TILE = 4, TILE_OF_2 = 4, TILE_OF_4 = 4 };
#else
enum { TILE = 4, TILE_OF_2 = 2, TILE_OF_4 = 2 };
#endif
enum { RAGGED_TILE = 2, RAGGED_TILE_OF_2 = 2, RAGGED_TILE_OF_4 = 1 };
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

/* A tile: columns from c on, `vectors` vectors of them for each member. What stands before `block`
 * is constant wherever it is used, so that the compiler unrolls all but the loop over splits. */
typedef struct tile {
    unsigned inners, stack, vectors;
    _Bool cut; /* the last vector reaches over the last column: only its `tail` is read */
    const tz_block *block;
    const tz_operand *inner, *outer;
    unsigned outers;
    ptrdiff_t c;
    vector_part tail;
    int shift; /* lanes are 2^shift; -1: no power of two */
} tile;

typedef struct sums {
    vector at[TZ_MAX_STACK][MOST_TILE];
} sums;

FORCED vector tile_load(const tile *t, const element *at, unsigned v) {
    return t->cut && v + 1 == t->vectors ? vector_load_part(at, t->tail) : vector_load(at);
}

/* Adds split s for members from..stack-1 that share it. */
FORCED void add_split(const tile *t, sums *acc, ptrdiff_t s, unsigned from, unsigned end) {
    const element *at[MOST_INNERS];
    UNROLLED for (unsigned o = 0; o < t->inners; o++) {
        at[o] = (const element *)t->inner[o].base + t->c + s * t->inner[o].split;
    }
    UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
        vector shared = tile_load(t, at[0] + v * VECTOR_ELEMENTS, v);
        if (t->stack > 1) {
            IN_REGISTER(shared);
        }
        UNROLLED for (unsigned m = from; m < end; m++) {
            vector term = shared;
            UNROLLED for (unsigned o = 1; o < t->inners; o++) {
                ptrdiff_t further = t->stack > 1 ? (ptrdiff_t)m * t->inner[o].stacked : 0;
                term = vector_product(term, tile_load(t, at[o] + v * VECTOR_ELEMENTS + further, v));
            }
            acc->at[m][v] = vector_sum(acc->at[m][v], term);
        }
    }
}

/* The strictest edges at a split, in elements from the tile's first. */
typedef struct window {
    ptrdiff_t low, high;
} window;

FORCED window window_at(const tile *t, ptrdiff_t s) {
    const tz_block *block = t->block;
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, low = 0, high = PTRDIFF_MAX / (4 * lanes);
    for (unsigned e = 0; e < block->lows; e++) {
        ptrdiff_t at = block->low[e].at + s * block->low[e].step;
        low = at > low ? at : low;
    }
    for (unsigned e = 0; e < block->highs; e++) {
        ptrdiff_t at = block->high[e].at + s * block->high[e].step;
        high = at < high ? at : high;
    }
    return (window){low * lanes - t->c, high * lanes - t->c};
}

/* The same for a split that takes in only what the window shows. */
FORCED void add_ragged(const tile *t, sums *acc, ptrdiff_t s, window w) {
    const element *at[MOST_INNERS];
    UNROLLED for (unsigned o = 0; o < t->inners; o++) {
        at[o] = (const element *)t->inner[o].base + t->c + s * t->inner[o].split;
    }
    UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
        ptrdiff_t before = (ptrdiff_t)v * VECTOR_ELEMENTS;
        vector_part part = part_of(w.low - before, w.high - before);
        if (t->cut && v + 1 == t->vectors) {
            part = part_both(part, t->tail);
        }
        vector shared = vector_load_part(at[0] + before, part);
        if (t->stack > 1) {
            IN_REGISTER(shared);
        }
        UNROLLED for (unsigned m = 0; m < t->stack; m++) {
            vector term = shared;
            UNROLLED for (unsigned o = 1; o < t->inners; o++) {
                ptrdiff_t further = t->stack > 1 ? (ptrdiff_t)m * t->inner[o].stacked : 0;
                term = vector_product(term, vector_load_part(at[o] + before + further, part));
            }
            acc->at[m][v] = vector_sum(acc->at[m][v], term);
        }
    }
}

/* Splits from..end-1, whole, of all members. */
FORCED void add_splits_whole(const tile *t, sums *acc, ptrdiff_t from, ptrdiff_t end) {
    unsigned parallel = t->stack * t->vectors;
    ptrdiff_t s = from;
    if (EXACT_SUMS && parallel <= 2 && end - from >= 8) {
        sums more[3];
        UNROLLED for (unsigned k = 0; k < 3; k++) {
            UNROLLED for (unsigned m = 0; m < t->stack; m++) {
                UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
                    more[k].at[m][v] = vector_of(zero);
                }
            }
        }
        for (; s + 4 <= end; s += 4) {
            add_split(t, acc, s, 0, t->stack);
            add_split(t, &more[0], s + 1, 0, t->stack);
            add_split(t, &more[1], s + 2, 0, t->stack);
            add_split(t, &more[2], s + 3, 0, t->stack);
        }
        UNROLLED for (unsigned m = 0; m < t->stack; m++) {
            UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
                acc->at[m][v] = vector_sum(vector_sum(acc->at[m][v], more[0].at[m][v]),
                                           vector_sum(more[1].at[m][v], more[2].at[m][v]));
            }
        }
    }
    for (; s < end; s++) {
        add_split(t, acc, s, 0, t->stack);
    }
}

/* Splits from..end-1 of which none takes in all of the tile. */
FORCED void add_windows(const tile *t, sums *acc, ptrdiff_t from, ptrdiff_t end) {
    const tz_block *block = t->block;
    if (from >= end) {
        return;
    }
    window w = window_at(t, from);
    if (block->lows + block->highs > 1) {
        add_ragged(t, acc, from, w);
        for (ptrdiff_t s = from + 1; s < end; s++) {
            add_ragged(t, acc, s, window_at(t, s));
        }
        return;
    }
    /* One edge moves by the same amount each time; the block's own columns are the other. */
    ptrdiff_t low_step = 0, high_step = 0, lanes = (ptrdiff_t)block->lanes;
    if (block->lows == 1) {
        low_step = block->low->step * lanes;
        w.low = (block->low->at + from * block->low->step) * lanes - t->c;
    } else {
        high_step = block->high->step * lanes;
    }
    for (ptrdiff_t s = from; s < end; s++) {
        add_ragged(t, acc, s, w);
        w.low += low_step;
        w.high += high_step;
    }
}

FORCED void add_splits_ragged(const tile *t, sums *acc) {
    const tz_block *block = t->block;
    ptrdiff_t lanes = (ptrdiff_t)block->lanes;
    ptrdiff_t end = t->c + (ptrdiff_t)t->vectors * VECTOR_ELEMENTS;
    ptrdiff_t width = (ptrdiff_t)block->width;
    if (t->stack > 1 && block->widening > 0) {
        width += (ptrdiff_t)(t->stack - 1) * block->widening;
    }
    end = end < width * lanes ? end : width * lanes;
    ptrdiff_t x = t->shift >= 0 ? t->c >> t->shift : t->c / lanes;
    ptrdiff_t last = t->shift >= 0 ? (end - 1) >> t->shift : (end - 1) / lanes;
    splits full = splits_for(block, x, last), any = splits_for(block, last, x);
    if (full.from >= full.end) {
        full = (splits){any.end, any.end};
    }
    add_windows(t, acc, any.from, full.from < any.end ? full.from : any.end);
    if (full.from < full.end) {
        add_splits_whole(t, acc, full.from, full.end);
    }
    add_windows(t, acc, full.end, any.end);
}

FORCED void add_splits_stacked(const tile *t, sums *acc) {
    const tz_block *block = t->block;
    ptrdiff_t all = (ptrdiff_t)block->splits, end = (ptrdiff_t)block->stack_splits, s = 0;
    if (block->skew != 0) {
        UNROLLED for (unsigned m = 1; m < t->stack; m++) {
            ptrdiff_t to = (ptrdiff_t)(m * block->skew);
            for (; s < to && s < all; s++) {
                add_split(t, acc, s, 0, m);
            }
        }
    }
    if (s < end) {
        add_splits_whole(t, acc, s, end);
        s = end;
    }
    for (; s < all; s++) {
        add_split(t, acc, s, 0, 1);
    }
}

FORCED void compute_tile(const tile *t, _Bool ragged) {
    const tz_block *block = t->block;
    sums acc;
    UNROLLED for (unsigned m = 0; m < t->stack; m++) {
        UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
            acc.at[m][v] = vector_of(zero);
        }
    }
    if (ragged) {
        add_splits_ragged(t, &acc);
    } else if (t->stack > 1) {
        add_splits_stacked(t, &acc);
    } else {
        add_splits_whole(t, &acc, 0, (ptrdiff_t)block->splits);
    }
    for (unsigned o = 0; o < t->outers; o++) {
        const element *a = (const element *)t->outer[o].base + t->c;
        UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
            acc.at[0][v] = vector_product(acc.at[0][v], tile_load(t, a + v * VECTOR_ELEMENTS, v));
        }
    }
    UNROLLED for (unsigned m = 0; m < t->stack; m++) {
        ptrdiff_t lanes = (ptrdiff_t)block->lanes, columns = (ptrdiff_t)block->width * lanes;
        element *target = (element *)block->target + t->c;
        if (t->stack > 1) {
            columns += (ptrdiff_t)m * block->widening * lanes;
            target += (ptrdiff_t)m * block->stacked;
        }
        _Bool fresh = block->fresh >> m & 1;
        UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
            element *at = target + v * VECTOR_ELEMENTS;
            if (t->cut && (t->stack > 1 || v + 1 == t->vectors)) {
                vector_part part = part_of(0, columns - t->c - (ptrdiff_t)v * VECTOR_ELEMENTS);
                vector old = fresh ? vector_of(zero) : vector_load_part(at, part);
                vector_store_part(at, part, vector_sum(old, acc.at[m][v]));
            } else {
                vector old = fresh ? vector_of(zero) : vector_load(at);
                vector_store(at, vector_sum(old, acc.at[m][v]));
            }
        }
    }
}

/* All tiles of the block: whole ones while every member has columns for them. */
FORCED void compute_tiles(tile t, unsigned tile_vectors, _Bool ragged) {
    const tz_block *block = t.block;
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, least = (ptrdiff_t)block->width * lanes;
    ptrdiff_t most = least, c = 0, step = (ptrdiff_t)tile_vectors * VECTOR_ELEMENTS;
    if (t.stack > 1) {
        ptrdiff_t wider = (ptrdiff_t)(t.stack - 1) * block->widening * lanes;
        *(wider < 0 ? &least : &most) += wider;
    }
    t.shift = (block->lanes & (block->lanes - 1)) == 0 ? __builtin_ctzll(block->lanes) : -1;
    t.vectors = tile_vectors;
    t.cut = 0;
    t.tail = part_of(0, VECTOR_ELEMENTS);
    for (; least - c >= step; c += step) {
        t.c = c;
        compute_tile(&t, ragged);
    }
    for (t.vectors = 2; tile_vectors > 2 && least - c >= 2 * VECTOR_ELEMENTS;
         c += 2 * VECTOR_ELEMENTS) {
        t.c = c;
        compute_tile(&t, ragged);
    }
    t.cut = 1;
    for (t.vectors = 1; most > c; c += VECTOR_ELEMENTS) {
        t.c = c;
        t.tail = part_of(0, most - c);
        compute_tile(&t, ragged);
    }
}

/* Each shape is a function of its own, so that its loops have the registers to themselves. */
#define SHAPE(name, inners_, stack_, tile_vectors, ragged)                                         \
    __attribute__((noinline)) static void name(const tz_block *block, const tz_operand *inner,     \
                                               const tz_operand *outer, unsigned outers) {         \
        compute_tiles((tile){.inners = inners_,                                                    \
                             .stack = stack_,                                                      \
                             .block = block,                                                       \
                             .inner = inner,                                                       \
                             .outer = outer,                                                       \
                             .outers = outers},                                                    \
                      tile_vectors, ragged);                                                       \
    }

SHAPE(one_factor, 1, 1, TILE, 0)
SHAPE(two_factors, 2, 1, TILE, 0)
SHAPE(three_factors, 3, 1, TILE, 0)
SHAPE(ragged_one, 1, 1, RAGGED_TILE, 1)
SHAPE(ragged_two, 2, 1, RAGGED_TILE, 1)
SHAPE(ragged_three, 3, 1, RAGGED_TILE, 1)
SHAPE(stack_of_2, 2, 2, TILE_OF_2, 0)
SHAPE(stack_of_4, 2, 4, TILE_OF_4, 0)
SHAPE(ragged_stack_of_2, 2, 2, RAGGED_TILE_OF_2, 1)
SHAPE(ragged_stack_of_4, 2, 4, RAGGED_TILE_OF_4, 1)
SHAPE(far_ragged_stack_of_4, 2, 4, TILE_OF_4, 1)

/* Are tables of items, of as many rows as a row has elements, too large for the second-level cache?
 * Then a wide tile's fewer lines count more than its partial splits. */
static _Bool far(const tz_block *block) {
    ptrdiff_t row = block->inner[0].split;
    return row * row / (ptrdiff_t)block->lanes * (ptrdiff_t)sizeof(element) > 1 << 19;
}

#include "block_matrix.h"
#include "block_short.h"

/* Columns from..end-1 of a block, splits s, as a block without edges. */
static void contract_columns(const tz_block *block, ptrdiff_t from, ptrdiff_t end, splits s,
                             void (*shape)(const tz_block *, const tz_operand *, const tz_operand *,
                                           unsigned)) {
    if (from >= end) {
        return;
    }
    tz_operand inner[MOST_INNERS];
    ptrdiff_t lanes = (ptrdiff_t)block->lanes;
    tz_block part = {.target = (element *)block->target + from * lanes,
                     .run = lanes,
                     .lanes = block->lanes,
                     .width = (size_t)(end - from),
                     .splits = s.end > s.from ? (size_t)(s.end - s.from) : 0,
                     .fresh = block->fresh,
                     .stack = 1};
    for (unsigned o = 0; o < block->inners; o++) {
        inner[o] = block->inner[o];
        inner[o].base =
            (const element *)inner[o].base + from * lanes + s.from * block->inner[o].split;
    }
    shape(&part, inner, NULL, 0);
}

/* A block of which edges cut off a few columns at the ends only, which are vectors of their own. */
static _Bool contract_trimmed(const tz_block *block,
                              void (*shape)(const tz_block *, const tz_operand *,
                                            const tz_operand *, unsigned)) {
    ptrdiff_t low = 0, high = (ptrdiff_t)block->width, last = (ptrdiff_t)block->splits - 1;
    if (block->lanes % VECTOR_ELEMENTS != 0 || block->outers != 0 || last < 0) {
        return 0;
    }
    for (unsigned e = 0; e < block->lows; e++) {
        ptrdiff_t at = block->low[e].at, end = at + last * block->low[e].step;
        at = at > end ? at : end;
        low = at > low ? at : low;
    }
    for (unsigned e = 0; e < block->highs; e++) {
        ptrdiff_t at = block->high[e].at, end = at + last * block->high[e].step;
        at = at < end ? at : end;
        high = at < high ? at : high;
    }
    if (low + (ptrdiff_t)block->width - high > 4 || low >= high) {
        return 0;
    }
    for (ptrdiff_t x = 0; x < low; x++) {
        contract_columns(block, x, x + 1, splits_for(block, x, x), shape);
    }
    contract_columns(block, low, high, (splits){0, last + 1}, shape);
    for (ptrdiff_t x = high; x < (ptrdiff_t)block->width; x++) {
        contract_columns(block, x, x + 1, splits_for(block, x, x), shape);
    }
    return 1;
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_vectors(const tz_block *block) {
    static void (*const shape[2][MOST_INNERS])(const tz_block *, const tz_operand *,
                                               const tz_operand *, unsigned) = {
        {one_factor, two_factors, three_factors}, {ragged_one, ragged_two, ragged_three}};
    const tz_operand *inner = block->inner, *outer = block->outer;
    unsigned inners = block->inners, outers = block->outers;
    _Bool ragged = block->lows + block->highs > 0;
    if (block->stack == 1 && contract_short(block)) {
        return 1;
    }
    if (block->stack > 1 && contract_matrix(block)) {
        return 1;
    }
    if (block->stack == 4) {
        (!ragged      ? stack_of_4
         : far(block) ? far_ragged_stack_of_4
                      : ragged_stack_of_4)(block, inner, outer, 0);
        return 1;
    }
    if (block->stack == 2) {
        (ragged ? ragged_stack_of_2 : stack_of_2)(block, inner, outer, 0);
        return 1;
    }
    if (!seamless(block)) {
        return 0;
    }
    if (inners == 0 && block->splits == 1) { /* a product of outer operands alone */
        inner = outer;
        inners = outers < MOST_INNERS ? outers : MOST_INNERS;
        outer += inners;
        outers -= inners;
    }
    if (inners == 0 || inners > MOST_INNERS) {
        return 0;
    }
    if (ragged && contract_trimmed(block, shape[0][inners - 1])) {
        return 1;
    }
    shape[ragged][inners - 1](block, inner, outer, outers);
    return 1;
}

#endif
