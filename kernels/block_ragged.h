/* block_ragged.h - makes blocks with edges ready: in outside passes, each split covers other
 * columns.
 *
 * Part of block.h. A tile has splits that cover all of it, and before and after them some that
 * cover a part; where they are is found out beforehand.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_RAGGED_H
#define TZ_KERNELS_BLOCK_RAGGED_H

#include "block_even.h"

/* Fewer vectors than a tile without edges has: the wider, the more splits take in only a part. */
enum {
    RAGGED_TILE = TILE < 2 ? 1 : 2,
    RAGGED_TILE_OF_2 = 2,
    RAGGED_TILE_OF_4 = 1,
    MOST_RAGGED = 2
};

/* The strictest edges at a split, in elements from a tile's first. */
typedef struct window {
    ptrdiff_t low, high;
} window;

/* What the next tz_ready holds of a tile with edges. */
typedef struct __attribute__((may_alias)) edges {
    const tz_block *block;
    ptrdiff_t c, from;             /* the tile's first element, and the first split */
    uint32_t before, whole, after; /* splits that take in a part of it, then all, then a part */
    int32_t low, high;             /* the window at the first split */
    int32_t low_step,
        high_step; /* how the window moves, if there is one edge of each kind at most */
} edges;

_Static_assert(sizeof(edges) <= sizeof(tz_ready), "a tile with edges fits two tz_ready");

static window window_at(const tz_block *block, ptrdiff_t c, ptrdiff_t s) {
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

/* add_split for a split that takes in only what the window shows of `most` columns. */
FORCED void add_ragged(form f, tile *t, sums *acc, window w, unsigned most) {
    ptrdiff_t low = w.low > 0 ? w.low : 0,
              high = w.high < (ptrdiff_t)most ? w.high : (ptrdiff_t)most;
    UNROLLED for (unsigned v = 0; v < f.vectors; v++) {
        vector_part part = part_between(low, high, v);
        ptrdiff_t before = (ptrdiff_t)v * VECTOR_ELEMENTS;
        vector shared = vector_load_part(t->at[0] + before, part);
        if (f.bundle > 1)
            HOLD(shared);
        UNROLLED for (unsigned m = 0; m < f.bundle; m++) {
            vector term = shared, last = shared;
            UNROLLED for (unsigned o = 1; o < f.inners; o++) {
                ptrdiff_t further = f.bundle > 1 ? (ptrdiff_t)m * t->member : 0;
                term = o > 1 ? vector_product(term, last) : term;
                last = vector_load_some(t->at[o] + before + further, part);
            }
            acc->at[m][v] = add_term(f, acc->at[m][v], term, last, 0);
        }
    }
    next_split(f, t);
}

/* Splits s.. of which none takes in all of the tile; w: the window of the first. */
FORCED window add_windows(form f, tile *t, sums *acc, const edges *e, window w, ptrdiff_t s,
                          uint32_t count, unsigned most) {
    if (e->block->lows > 1 || e->block->highs > 1) {
        for (uint32_t i = 0; i < count; i++)
            add_ragged(f, t, acc, window_at(e->block, e->c, s + (ptrdiff_t)i), most);
        return w;
    }
    for (; count > 0; count--) {
        add_ragged(f, t, acc, w, most);
        w.low += e->low_step;
        w.high += e->high_step;
    }
    return w;
}

FORCED const tz_ready *run_ragged(const tile_row *r, unsigned inners, unsigned bundle,
                                  unsigned vectors, _Bool cut) {
    const edges *e = (const edges *)((const tz_ready *)r + 1);
    const unsigned most = cut ? r->most : vectors * VECTOR_ELEMENTS;
    const form f = {inners, bundle, vectors, cut};
    tile t;
    t.tail = part_below(most, vectors - 1);
    sums acc;
    clear_sums(f, &acc);
    begin_row(f, &t, r, 0);
    window w = add_windows(f, &t, &acc, e, (window){e->low, e->high}, e->from, e->before, most);
    if (e->whole > 0)
        add_splits_whole(f, &t, &acc, (ptrdiff_t)e->whole, 0);
    if (e->after > 0) {
        w.low += (ptrdiff_t)e->whole * e->low_step;
        w.high += (ptrdiff_t)e->whole * e->high_step;
        ptrdiff_t s = e->from + (ptrdiff_t)e->before + (ptrdiff_t)e->whole;
        add_windows(f, &t, &acc, e, w, s, e->after, most);
    }
    for (unsigned o = 0; bundle == 1 && o < e->block->outers; o++) {
        const element *a = (const element *)e->block->outer[o].base + e->c;
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            vector factor = tile_load(f, &t, a + v * VECTOR_ELEMENTS, v);
            acc.at[0][v] = vector_product(acc.at[0][v], factor);
        }
    }
    UNROLLED for (unsigned m = 0; m < bundle; m++) {
        add_to_target(f, &t, &acc, m, place_of(r, bundle, m, 0));
    }
    return (const tz_ready *)r + 2;
}

#define RAGGED(name, inners, bundle, vectors, cut)                                                 \
    static const tz_ready *name(const tz_ready *r) {                                               \
        return run_ragged((const tile_row *)r, inners, bundle, vectors, cut);                      \
    }
#define NARROW_RAGGEDS(kind, inners, bundle)                                                       \
    RAGGED(kind##_ragged_1, inners, bundle, 1, 0)                                                  \
    RAGGED(kind##_ragged_cut_1, inners, bundle, 1, 1)
#define RAGGEDS(kind, inners, bundle)                                                              \
    NARROW_RAGGEDS(kind, inners, bundle)                                                           \
    RAGGED(kind##_ragged_2, inners, bundle, 2, 0)                                                  \
    RAGGED(kind##_ragged_cut_2, inners, bundle, 2, 1)
#define RAGGED_ROW(kind)                                                                           \
    {                                                                                              \
        {kind##_ragged_1, WITHIN(2, kind##_ragged_2)}, {                                           \
            kind##_ragged_cut_1, WITHIN(2, kind##_ragged_cut_2)                                    \
        }                                                                                          \
    }

RAGGEDS(one_factor, 1, 1)
RAGGEDS(two_factors, 2, 1)
RAGGEDS(three_factors, 3, 1)
#if BUNDLES
RAGGEDS(bundle_of_2, 2, 2)
NARROW_RAGGEDS(bundle_of_4, 2, 4)
RAGGED(bundle_of_4_ragged_far, 2, 4, TILE_OF_4, 0)
#else
static run *const bundle_of_4_ragged_far = NULL;
#endif

/* [kind][cut][vectors - 1] */
static run *const run_ragged_of[KINDS][2][MOST_RAGGED] = {
    {{NULL}},
    RAGGED_ROW(one_factor),
    RAGGED_ROW(two_factors),
    RAGGED_ROW(three_factors),
#if BUNDLES
    RAGGED_ROW(bundle_of_2),
    {{bundle_of_4_ragged_1}, {bundle_of_4_ragged_cut_1}},
#endif
};

/* Are tables of items, of as many rows as a row has elements, too large for the second-level cache?
 * Then a wide tile's fewer lines count more than its partial splits. */
static _Bool far(const tz_block *block) {
    ptrdiff_t row = block->inner[0].split;
    return row * row / (ptrdiff_t)block->lanes * (ptrdiff_t)sizeof(element) > 1 << 19;
}

/* Can the block, with its edges, be cut into tiles? If so, fills in *ret. */
static _Bool flatten_ragged(const tz_block *block, flat *ret) {
    tz_block even = *block;
    even.lows = even.highs = even.outers = 0;
    even.splits += even.splits == 0;
    _Bool fits = block->lows + block->highs > 0 && block->inners > 0 && flatten(&even, ret) &&
                 block->splits <= INT32_MAX && seamless(block);
    ret->block = block;
    return fits && ret->most <= INT32_MAX / 2;
}

/* The next tile of a block for which flatten_ragged, from column *c on; it takes two tz_ready. */
static void next_ragged(const flat *of, size_t *c, tz_ready *to) {
    const tz_block *block = of->block;
    const unsigned bundle = block->bundle, lanes = (unsigned)block->lanes;
    unsigned vectors = bundle == 1   ? RAGGED_TILE
                       : bundle == 2 ? RAGGED_TILE_OF_2
                                     : RAGGED_TILE_OF_4;
    size_t left = of->least > *c ? of->least - *c : 0, begin = *c;
    _Bool wide = bundle == 4 && left >= TILE_OF_4 * VECTOR_ELEMENTS && far(block);
    vectors = wide ? TILE_OF_4 : vectors;
    _Bool cut = left < vectors * VECTOR_ELEMENTS;
    tile_row *r = (tile_row *)to;
    fill_row(of, c, vectors, cut, 1, r);
    edges *e = (edges *)(to + 1);
    size_t end = *c < of->most ? *c : of->most;
    ptrdiff_t x = (ptrdiff_t)(begin / lanes), last = (ptrdiff_t)((end - 1) / lanes);
    splits full = splits_for(block, x, last), any = splits_for(block, last, x);
    if (any.from > any.end)
        any.end = any.from;
    if (full.from >= full.end)
        full = (splits){any.end, any.end};
    window w = window_at(block, (ptrdiff_t)begin, any.from);
    /* An edge itself, where it does not matter yet too. */
    ptrdiff_t low_step = 0, high_step = 0;
    w.high = w.high < UINT8_MAX ? w.high : UINT8_MAX;
    if (block->lows == 1) {
        low_step = block->low->step * (ptrdiff_t)lanes;
        w.low =
            (block->low->at + any.from * block->low->step) * (ptrdiff_t)lanes - (ptrdiff_t)begin;
    }
    if (block->highs == 1) {
        high_step = block->high->step * (ptrdiff_t)lanes;
        w.high =
            (block->high->at + any.from * block->high->step) * (ptrdiff_t)lanes - (ptrdiff_t)begin;
    }
    *e = (edges){.block = block,
                 .c = (ptrdiff_t)begin,
                 .from = any.from,
                 .before = (uint32_t)(full.from - any.from),
                 .whole = (uint32_t)(full.end - full.from),
                 .after = (uint32_t)(any.end - full.end),
                 .low = (int32_t)w.low,
                 .high = (int32_t)w.high,
                 .low_step = (int32_t)low_step,
                 .high_step = (int32_t)high_step};
    for (unsigned o = 0; o < of->inners; o++)
        *(o < 2 ? &r->factor[o] : &r->third) += any.from * of->inner[o].split;
    unsigned kind = kind_of(of);
    r->run = wide ? bundle_of_4_ragged_far : run_ragged_of[kind][cut][r->vectors - 1];
}

enum { MOST_TRIMMED = 4 };

/* Columns from..end-1 of a block, for which splits s take part. */
typedef struct strip {
    ptrdiff_t from, end;
    splits s;
} strip;

/* A block of which edges cut off a few columns at the ends only, which are vectors of their own, as
 * strips; 0 for another. */
static unsigned trim(const tz_block *block, strip ret[MOST_TRIMMED + 1]) {
    ptrdiff_t low = 0, high = (ptrdiff_t)block->width, last = (ptrdiff_t)block->splits - 1;
    unsigned count = 0;
    if (block->lanes % VECTOR_ELEMENTS != 0 || block->outers != 0 || block->bundle > 1 || last < 0)
        return 0;
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
    if (low + (ptrdiff_t)block->width - high > MOST_TRIMMED || low >= high)
        return 0;
    for (ptrdiff_t x = 0; x < (ptrdiff_t)block->width; x++) {
        if (x == low) {
            ret[count++] = (strip){low, high, {0, last + 1}};
            x = high - 1;
        } else {
            ret[count++] = (strip){x, x + 1, splits_for(block, x, x)};
        }
    }
    return count;
}

/* A strip as a block without edges. */
static tz_block strip_of(const tz_block *block, const strip *of, tz_operand inner[MOST_INNERS]) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, from = of->from * lanes;
    for (unsigned o = 0; o < block->inners; o++) {
        inner[o] = block->inner[o];
        inner[o].base = (const element *)inner[o].base + from + of->s.from * block->inner[o].split;
    }
    return (tz_block){.target = (element *)block->target + from,
                      .run = lanes,
                      .lanes = block->lanes,
                      .width = (size_t)(of->end - of->from),
                      .splits = of->s.end > of->s.from ? (size_t)(of->s.end - of->s.from) : 0,
                      .inner = inner,
                      .inners = block->inners,
                      .first_write = block->first_write,
                      .bundle = 1};
}

/* The block's tiles added to the list; 0 if it is of another shape, or there is no room. */
static size_t prepare_ragged(const tz_block *block, tz_ready *list, size_t count) {
    const size_t end = count + TZ_MAX_READY;
    flat all;
    size_t c = 0;
    if (!flatten_ragged(block, &all))
        return 0;
    strip part[MOST_TRIMMED + 1];
    unsigned parts = trim(block, part);
    /* A row may join the one that ends the list: so there is no way back once one is added. */
    for (unsigned p = 0; p < parts; p++)
        if (part[p].s.from >= part[p].s.end)
            return 0;
    for (unsigned p = 0; p < parts; p++) {
        tz_operand inner[MOST_INNERS];
        tz_block alone = strip_of(block, &part[p], inner);
        count = prepare_even(&alone, list, count);
    }
    for (; parts == 0 && c < all.most; count += 2) {
        if (count + 2 > end)
            return 0;
        next_ragged(&all, &c, list + count);
    }
    return count;
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_ragged(const tz_block *block) {
    flat all;
    if (!flatten_ragged(block, &all))
        return 0;
    strip part[MOST_TRIMMED + 1];
    unsigned parts = trim(block, part);
    for (unsigned p = 0; p < parts; p++) {
        tz_operand inner[MOST_INNERS];
        tz_block alone = strip_of(block, &part[p], inner);
        if (!contract_even(&alone))
            contract_scalar(&alone);
    }
    tz_ready tile[2];
    for (size_t c = 0; parts == 0 && c < all.most;) {
        next_ragged(&all, &c, tile);
        tile->run(tile);
    }
    return 1;
}

#endif
