/* block_short.h - contract for few splits of two factors and few columns, by vectors: most blocks
 * of a short sentence, for which a tile would take longer to set up than to compute.
 *
 * Part of block.h. Each vector of columns sums its splits on its own; processors overlap them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_BLOCK_SHORT_H
#define TZ_SEMIRINGS_BLOCK_SHORT_H

enum { SHORT = 4 };

/* False, and nothing done, for other blocks. */
static _Bool contract_short(const tz_block *block) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, count = (ptrdiff_t)block->width * lanes;
    ptrdiff_t all = (ptrdiff_t)block->splits;
    if (all == 0 || all > SHORT || lanes >= VECTOR_ELEMENTS || block->run != lanes ||
        count > MOST_TILE * VECTOR_ELEMENTS) {
        return 0;
    }
    _Bool plain = block->inners == 0 && block->outers == 2 && all == 1;
    if (!plain && (block->inners != 2 || block->outers != 0)) {
        return 0;
    }
    const tz_operand *inner = plain ? block->outer : block->inner;
    ptrdiff_t a_split = inner[0].split, b_split = inner[1].split;
    if (inner[0].run != lanes || inner[1].run != lanes) {
        return 0;
    }
    _Bool ragged = block->lows + block->highs > 0;
    splits window[SHORT]; /* the elements that take part */
    for (ptrdiff_t s = 0; s < all && ragged; s++) {
        window[s] = (splits){0, count};
        for (unsigned e = 0; e < block->lows; e++) {
            ptrdiff_t low = (block->low[e].at + s * block->low[e].step) * lanes;
            window[s].from = low > window[s].from ? low : window[s].from;
        }
        for (unsigned e = 0; e < block->highs; e++) {
            ptrdiff_t high = (block->high[e].at + s * block->high[e].step) * lanes;
            window[s].end = high < window[s].end ? high : window[s].end;
        }
    }
    const vector none = vector_of(zero);
    for (ptrdiff_t c = 0; c < count; c += VECTOR_ELEMENTS) {
        const element *a = (const element *)inner[0].base + c;
        const element *b = (const element *)inner[1].base + c;
        element *target = (element *)block->target + c;
        vector acc = none;
        if (!ragged && count - c >= VECTOR_ELEMENTS) {
            for (ptrdiff_t s = 0; s < all; s++) {
                acc = vector_sum(acc, vector_product(vector_load(a + s * a_split),
                                                     vector_load(b + s * b_split)));
            }
            vector old = block->fresh ? none : vector_load(target);
            vector_store(target, vector_sum(old, acc));
            continue;
        }
        vector_part tail = part_of(0, count - c);
        for (ptrdiff_t s = 0; s < all; s++) {
            vector_part part = ragged ? part_of(window[s].from - c, window[s].end - c) : tail;
            acc = vector_sum(acc, vector_product(vector_load_part(a + s * a_split, part),
                                                 vector_load_part(b + s * b_split, part)));
        }
        vector old = block->fresh ? none : vector_load_part(target, tail);
        vector_store_part(target, tail, vector_sum(old, acc));
    }
    return 1;
}

#endif
