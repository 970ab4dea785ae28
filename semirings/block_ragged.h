/* block_ragged.h - contract for blocks with edges, by vectors: outside, each split takes in other
 * columns.
 *
 * Part of block.h. A tile has splits that take in all of it, and before and after them some that
 * take in a part. SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_BLOCK_RAGGED_H
#define TZ_SEMIRINGS_BLOCK_RAGGED_H

/* Fewer vectors than a tile without edges has: the wider, the more splits take in only a part. */
enum { RAGGED_TILE = 2, RAGGED_TILE_OF_2 = 2, RAGGED_TILE_OF_4 = 1 };

/* The strictest edges at a split, in elements from the tile's first. */
typedef struct window {
    ptrdiff_t low, high;
} window;

FORCED window window_at(const tz_block *block, ptrdiff_t c, ptrdiff_t s) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, low = 0, high = PTRDIFF_MAX / (4 * lanes);
    for (unsigned e = 0; e < block->lows; e++) {
        ptrdiff_t at = block->low[e].at + s * block->low[e].step;
        low = at > low ? at : low;
    }
    for (unsigned e = 0; e < block->highs; e++) {
        ptrdiff_t at = block->high[e].at + s * block->high[e].step;
        high = at < high ? at : high;
    }
    return (window){low * lanes - c, high * lanes - c};
}

/* add_split for a split that takes in only what the window shows. */
FORCED void add_ragged(tile *t, sums *acc, window w) {
    UNROLLED for (unsigned v = 0; v < t->vectors; v++) {
        ptrdiff_t before = (ptrdiff_t)v * VECTOR_ELEMENTS;
        vector_part part = part_of(w.low - before, w.high - before);
        if (t->cut && v + 1 == t->vectors) {
            part = part_both(part, t->tail);
        }
        vector shared = vector_load_part(t->at[0] + before, part);
        if (t->stack > 1) {
            IN_REGISTER(shared);
        }
        UNROLLED for (unsigned m = 0; m < t->stack; m++) {
            vector term = shared;
            UNROLLED for (unsigned o = 1; o < t->inners; o++) {
                ptrdiff_t further = t->stack > 1 ? (ptrdiff_t)m * t->stacked : 0;
                term = vector_product(term, vector_load_part(t->at[o] + before + further, part));
            }
            acc->at[m][v] = vector_sum(acc->at[m][v], term);
        }
    }
    UNROLLED for (unsigned o = 0; o < t->inners; o++) {
        t->at[o] = (const element *)((const char *)t->at[o] + t->split[o]);
    }
}

/* Splits from..end-1 of which none takes in all of the tile, which begins at element c. */
FORCED void add_windows(tile *t, sums *acc, const tz_block *block, ptrdiff_t c, ptrdiff_t from,
                        ptrdiff_t end) {
    if (from >= end) {
        return;
    }
    window w = window_at(block, c, from);
    if (block->lows + block->highs > 1) {
        add_ragged(t, acc, w);
        for (ptrdiff_t s = from + 1; s < end; s++) {
            add_ragged(t, acc, window_at(block, c, s));
        }
        return;
    }
    /* One edge moves by the same amount each time; the block's own columns are the other. */
    ptrdiff_t low_step = 0, high_step = 0, lanes = (ptrdiff_t)block->lanes;
    if (block->lows == 1) {
        low_step = block->low->step * lanes;
        w.low = (block->low->at + from * block->low->step) * lanes - c;
    } else {
        high_step = block->high->step * lanes;
    }
    for (ptrdiff_t s = from; s < end; s++) {
        add_ragged(t, acc, w);
        w.low += low_step;
        w.high += high_step;
    }
}

/* A tile from element c on, of a block whose widest member has `most` of them. */
FORCED void compute_ragged(tile t, const tz_block *block, ptrdiff_t c, ptrdiff_t most, int shift) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes;
    ptrdiff_t end = c + (ptrdiff_t)t.vectors * VECTOR_ELEMENTS;
    end = end < most ? end : most;
    ptrdiff_t x = shift >= 0 ? c >> shift : c / lanes;
    ptrdiff_t last = shift >= 0 ? (end - 1) >> shift : (end - 1) / lanes;
    splits full = splits_for(block, x, last), any = splits_for(block, last, x);
    if (full.from >= full.end) {
        full = (splits){any.end, any.end};
    }
    sums acc;
    clear_sums(&t, &acc);
    UNROLLED for (unsigned o = 0; o < t.inners; o++) {
        ptrdiff_t split = block->inner[o].split;
        t.split[o] = split * (ptrdiff_t)sizeof(element);
        t.at[o] = (const element *)block->inner[o].base + c + any.from * split;
    }
    t.stacked = t.stack > 1 ? block->inner[1].stacked : 0;
    t.tail = part_of(0, most - c);
    add_windows(&t, &acc, block, c, any.from, full.from < any.end ? full.from : any.end);
    if (full.from < full.end) {
        ptrdiff_t count = full.end - full.from;
        _Bool several = EXACT_SUMS && t.stack * t.vectors <= MOST_SEVERAL && count >= FEW;
        add_splits_whole(&t, &acc, count, several);
    }
    add_windows(&t, &acc, block, c, full.end, any.end);
    for (unsigned o = 0; o < block->outers; o++) {
        const element *a = (const element *)block->outer[o].base + c;
        UNROLLED for (unsigned v = 0; v < t.vectors; v++) {
            vector factor = tile_load(&t, a + v * VECTOR_ELEMENTS, v);
            acc.at[0][v] = vector_product(acc.at[0][v], factor);
        }
    }
    UNROLLED for (unsigned m = 0; m < t.stack; m++) {
        ptrdiff_t columns = (ptrdiff_t)block->width * lanes - c;
        element *target = (element *)block->target + c;
        if (t.stack > 1) {
            columns += (ptrdiff_t)m * block->widening * lanes;
            target += (ptrdiff_t)m * block->stacked;
        }
        _Bool slack = c + VECTOR_ELEMENTS <= most + (ptrdiff_t)block->slack;
        columns = columns < 0 ? 0 : columns < UINT8_MAX ? columns : UINT8_MAX;
        place to = {target, (unsigned)columns, block->fresh >> m & 1, slack};
        add_to_target(&t, &acc, m, to);
    }
}

/* All tiles of the block: whole ones while every member has columns for them. */
FORCED void compute_tiles(tile t, const tz_block *block, unsigned tile_vectors) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, least = (ptrdiff_t)block->width * lanes;
    ptrdiff_t most = least, c = 0, step = (ptrdiff_t)tile_vectors * VECTOR_ELEMENTS;
    if (t.stack > 1) {
        ptrdiff_t wider = (ptrdiff_t)(t.stack - 1) * block->widening * lanes;
        *(wider < 0 ? &least : &most) += wider;
    }
    int shift = (block->lanes & (block->lanes - 1)) == 0 ? __builtin_ctzll(block->lanes) : -1;
    t.vectors = tile_vectors;
    t.cut = 0;
    for (; least - c >= step; c += step) {
        compute_ragged(t, block, c, most, shift);
    }
    t.vectors = 2;
    for (; tile_vectors > 2 && least - c >= 2 * VECTOR_ELEMENTS; c += 2 * VECTOR_ELEMENTS) {
        compute_ragged(t, block, c, most, shift);
    }
    t.vectors = 1;
    t.cut = 1;
    for (; most > c; c += VECTOR_ELEMENTS) {
        compute_ragged(t, block, c, most, shift);
    }
}

#define RAGGED(name, inners_, stack_, tile_vectors)                                                \
    __attribute__((noinline)) static void name(const tz_block *block) {                            \
        compute_tiles((tile){.inners = inners_, .stack = stack_}, block, tile_vectors);            \
    }

RAGGED(ragged_one, 1, 1, RAGGED_TILE)
RAGGED(ragged_two, 2, 1, RAGGED_TILE)
RAGGED(ragged_three, 3, 1, RAGGED_TILE)
RAGGED(ragged_stack_of_2, 2, 2, RAGGED_TILE_OF_2)
RAGGED(ragged_stack_of_4, 2, 4, RAGGED_TILE_OF_4)
RAGGED(far_ragged_stack_of_4, 2, 4, TILE_OF_4)

/* Are tables of items, of as many rows as a row has elements, too large for the second-level cache?
 * Then a wide tile's fewer lines count more than its partial splits. */
static _Bool far(const tz_block *block) {
    ptrdiff_t row = block->inner[0].split;
    return row * row / (ptrdiff_t)block->lanes * (ptrdiff_t)sizeof(element) > 1 << 19;
}

/* Columns from..end-1 of a block, splits s, as a block without edges. */
static void contract_columns(const tz_block *block, ptrdiff_t from, ptrdiff_t end, splits s) {
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
                     .inner = inner,
                     .inners = block->inners,
                     .fresh = block->fresh,
                     .stack = 1};
    for (unsigned o = 0; o < block->inners; o++) {
        inner[o] = block->inner[o];
        inner[o].base =
            (const element *)inner[o].base + from * lanes + s.from * block->inner[o].split;
    }
    if (!contract_rows(&part)) {
        contract_scalar(&part);
    }
}

/* A block of which edges cut off a few columns at the ends only, which are vectors of their own. */
static _Bool contract_trimmed(const tz_block *block) {
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
        contract_columns(block, x, x + 1, splits_for(block, x, x));
    }
    contract_columns(block, low, high, (splits){0, last + 1});
    for (ptrdiff_t x = high; x < (ptrdiff_t)block->width; x++) {
        contract_columns(block, x, x + 1, splits_for(block, x, x));
    }
    return 1;
}

enum { SHORT = 4 };

/* Few splits of two factors and few columns: most blocks of a short sentence, for which a tile
 * would take longer to set up than to compute. Each vector of columns sums its splits on its own;
 * processors overlap them. False, and nothing done, for other blocks. */
static _Bool contract_short(const tz_block *block) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, count = (ptrdiff_t)block->width * lanes;
    ptrdiff_t all = (ptrdiff_t)block->splits;
    if (all == 0 || all > SHORT || lanes >= VECTOR_ELEMENTS || block->inners != 2 ||
        block->outers != 0 || count > MOST_TILE * VECTOR_ELEMENTS) {
        return 0;
    }
    splits window[SHORT]; /* the elements that take part */
    for (ptrdiff_t s = 0; s < all; s++) {
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
    ptrdiff_t a_split = block->inner[0].split, b_split = block->inner[1].split;
    for (ptrdiff_t c = 0; c < count; c += VECTOR_ELEMENTS) {
        const element *a = (const element *)block->inner[0].base + c;
        const element *b = (const element *)block->inner[1].base + c;
        element *target = (element *)block->target + c;
        vector acc = vector_of(zero);
        for (ptrdiff_t s = 0; s < all; s++) {
            vector_part part = part_of(window[s].from - c, window[s].end - c);
            acc = vector_sum(acc, vector_product(vector_load_part(a + s * a_split, part),
                                                 vector_load_part(b + s * b_split, part)));
        }
        vector_part tail = part_of(0, count - c);
        if (c + VECTOR_ELEMENTS <= count + (ptrdiff_t)block->slack) {
            vector old = block->fresh ? vector_of(zero) : vector_load(target);
            vector_store(target, vector_keep(tail, vector_sum(old, acc)));
        } else {
            vector old = block->fresh ? vector_of(zero) : vector_load_some(target, tail);
            vector_store_part(target, tail, vector_sum(old, acc));
        }
    }
    return 1;
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_ragged(const tz_block *block) {
    static void (*const shape[])(const tz_block *) = {ragged_one, ragged_two, ragged_three};
    if (block->stack == 4) {
        (far(block) ? far_ragged_stack_of_4 : ragged_stack_of_4)(block);
        return 1;
    }
    if (block->stack == 2) {
        ragged_stack_of_2(block);
        return 1;
    }
    if (block->inners > MOST_INNERS || !seamless(block)) {
        return 0;
    }
    if (!contract_short(block) && !contract_trimmed(block)) {
        shape[block->inners - 1](block);
    }
    return 1;
}

#endif
