/* block_vector.h - contract for blocks whose columns stand side by side, by vectors.
 *
 * Part of block.h, for semirings that have vector_sum and vector_product. A tile of up to TILE
 * vectors of columns stays in registers over all splits. Masks cut off what is beyond the block's
 * last column, and, for splits that take in only some columns of the tile, those. Where sums are
 * exact (EXACT_SUMS), narrow tiles use several sums at a time, since one waits for the other.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_BLOCK_VECTOR_H
#define TZ_SEMIRINGS_BLOCK_VECTOR_H

enum { TILE = 4 };

#ifndef EXACT_SUMS
#define EXACT_SUMS 0
#endif

#define FORCED __attribute__((always_inline)) static inline

/* Operands at the tile's first column. */
typedef struct sources {
    const element *at[3];
    ptrdiff_t split[3];
} sources;

/* The product of the inner operands at split s, vector v of the tile. `masked`: only its part. */
FORCED vector term_at(const sources *from, unsigned inners, ptrdiff_t s, unsigned v, _Bool masked,
                      vector_part part) {
    vector term = vector_of(zero);
    for (unsigned o = 0; o < inners; o++) {
        const element *at = from->at[o] + s * from->split[o] + v * VECTOR_ELEMENTS;
        vector factor = masked ? vector_load_part(at, part) : vector_load(at);
        term = o == 0 ? factor : vector_product(term, factor);
    }
    return term;
}

/* A split that takes in a part of the tile. */
FORCED void add_ragged(const tz_block *block, const sources *from, unsigned inners, ptrdiff_t s,
                       ptrdiff_t c, unsigned vectors, _Bool cut, vector_part tail, vector *acc) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, low = 0, high = (ptrdiff_t)block->width;
    for (unsigned e = 0; e < block->lows; e++) {
        ptrdiff_t at = block->low[e].at + s * block->low[e].step;
        low = at > low ? at : low;
    }
    for (unsigned e = 0; e < block->highs; e++) {
        ptrdiff_t at = block->high[e].at + s * block->high[e].step;
        high = at < high ? at : high;
    }
    for (unsigned v = 0; v < vectors; v++) {
        ptrdiff_t at = c + (ptrdiff_t)v * VECTOR_ELEMENTS;
        vector_part part = part_of(low * lanes - at, high * lanes - at);
        if (cut && v == vectors - 1) {
            part = part_both(part, tail);
        }
        acc[v] = vector_sum(acc[v], term_at(from, inners, s, v, 1, part));
    }
}

/* Columns c.. of the block, `vectors` of them (the last one only as far as `tail`, if cut). What is
 * not a variable here is a constant, so that the compiler unrolls all but the loops over splits. */
FORCED void add_tile(const tz_block *block, const tz_operand *inner, unsigned inners,
                     const tz_operand *outer, unsigned outers, ptrdiff_t c, unsigned vectors,
                     _Bool cut, vector_part tail, _Bool ragged) {
    enum { CHAINS = EXACT_SUMS ? 4 : 1 };
    vector acc[CHAINS][TILE];
    unsigned chains = EXACT_SUMS ? (vectors == 1 ? 4 : vectors == 2 ? 2 : 1) : 1;
    sources from;
    for (unsigned k = 0; k < chains; k++) {
        for (unsigned v = 0; v < vectors; v++) {
            acc[k][v] = vector_of(zero);
        }
    }
    for (unsigned o = 0; o < inners; o++) {
        from.at[o] = (const element *)inner[o].base + c;
        from.split[o] = inner[o].split;
    }
    splits full = {0, (ptrdiff_t)block->splits}, any = full;
    ptrdiff_t lanes = (ptrdiff_t)block->lanes;
    if (ragged) {
        ptrdiff_t end = c + (ptrdiff_t)vectors * VECTOR_ELEMENTS;
        ptrdiff_t most = (ptrdiff_t)block->width * lanes;
        end = end < most ? end : most;
        ptrdiff_t x = lanes == 1 ? c : c / lanes, last = lanes == 1 ? end - 1 : (end - 1) / lanes;
        full = splits_for(block, x, last);
        any = splits_for(block, last, x); /* those that take in some column */
        if (full.from >= full.end) {
            full = (splits){any.end, any.end};
        }
        for (ptrdiff_t s = any.from; s < full.from && s < any.end; s++) {
            add_ragged(block, &from, inners, s, c, vectors, cut, tail, acc[0]);
        }
    }
    ptrdiff_t s = full.from;
    for (; chains > 1 && s + chains <= full.end; s += chains) {
        for (unsigned k = 0; k < chains; k++) {
            for (unsigned v = 0; v < vectors; v++) {
                acc[k][v] = vector_sum(
                    acc[k][v], term_at(&from, inners, s + k, v, cut && v == vectors - 1, tail));
            }
        }
    }
    for (; s < full.end; s++) {
        for (unsigned v = 0; v < vectors; v++) {
            acc[0][v] =
                vector_sum(acc[0][v], term_at(&from, inners, s, v, cut && v == vectors - 1, tail));
        }
    }
    for (; ragged && s < any.end; s++) {
        add_ragged(block, &from, inners, s, c, vectors, cut, tail, acc[0]);
    }
    element *target = (element *)block->target + c;
    for (unsigned v = 0; v < vectors; v++) {
        _Bool masked = cut && v == vectors - 1;
        element *at = target + v * VECTOR_ELEMENTS;
        for (unsigned k = 1; k < chains; k++) {
            acc[0][v] = vector_sum(acc[0][v], acc[k][v]);
        }
        for (unsigned o = 0; o < outers; o++) {
            const element *a = (const element *)outer[o].base + c + v * VECTOR_ELEMENTS;
            acc[0][v] =
                vector_product(acc[0][v], masked ? vector_load_part(a, tail) : vector_load(a));
        }
        if (masked) {
            vector_store_part(at, tail, vector_sum(vector_load_part(at, tail), acc[0][v]));
        } else {
            vector_store(at, vector_sum(vector_load(at), acc[0][v]));
        }
    }
}

FORCED void contract_flat(const tz_block *block, const tz_operand *inner, unsigned inners,
                          const tz_operand *outer, unsigned outers, _Bool ragged) {
    ptrdiff_t count = (ptrdiff_t)(block->width * block->lanes), c = 0;
    for (; count - c >= TILE * VECTOR_ELEMENTS; c += TILE * VECTOR_ELEMENTS) {
        add_tile(block, inner, inners, outer, outers, c, TILE, 0, part_of(0, 0), ragged);
    }
    ptrdiff_t left = count - c;
    if (left > 3 * VECTOR_ELEMENTS) {
        vector_part tail = part_of(0, left - 3 * VECTOR_ELEMENTS);
        add_tile(block, inner, inners, outer, outers, c, 4, 1, tail, ragged);
    } else if (left > 2 * VECTOR_ELEMENTS) {
        vector_part tail = part_of(0, left - 2 * VECTOR_ELEMENTS);
        add_tile(block, inner, inners, outer, outers, c, 3, 1, tail, ragged);
    } else if (left > VECTOR_ELEMENTS) {
        vector_part tail = part_of(0, left - VECTOR_ELEMENTS);
        add_tile(block, inner, inners, outer, outers, c, 2, 1, tail, ragged);
    } else if (left > 0) {
        add_tile(block, inner, inners, outer, outers, c, 1, 1, part_of(0, left), ragged);
    }
}

#define SHAPES(ragged)                                                                             \
    switch (inners) {                                                                              \
    case 1:                                                                                        \
        contract_flat(block, inner, 1, outer, outers, ragged);                                     \
        return 1;                                                                                  \
    case 2:                                                                                        \
        contract_flat(block, inner, 2, outer, outers, ragged);                                     \
        return 1;                                                                                  \
    case 3:                                                                                        \
        contract_flat(block, inner, 3, outer, outers, ragged);                                     \
        return 1;                                                                                  \
    default:                                                                                       \
        return 0;                                                                                  \
    }

static _Bool contract_ragged(const tz_block *block, const tz_operand *inner, unsigned inners,
                             const tz_operand *outer, unsigned outers) {
    SHAPES(1)
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_vectors(const tz_block *block) {
    const tz_operand *inner = block->inner, *outer = block->outer;
    unsigned inners = block->inners, outers = block->outers;
    if (!seamless(block)) {
        return 0;
    }
    if (block->lows + block->highs > 0) {
        return contract_ragged(block, inner, inners, outer, outers);
    }
    if (inners == 0 && block->splits == 1) { /* a product of outer operands alone */
        inner = outer;
        inners = outers;
        outers = 0;
    }
    SHAPES(0)
}

#endif
