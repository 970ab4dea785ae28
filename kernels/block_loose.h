/* block_loose.h - blocks with an operand that does not run along with the columns: it is the same
 * for all of them, runs backwards, or has any stride.
 *
 * Part of block.h. Columns of the target stand side by side, so vectors run along them; each
 * operand is brought into their order as it is loaded. Where lanes fill vectors, every column is
 * vectors of its own, and strides do not matter. Edges are masks, except where a split covers a
 * whole tile. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_LOOSE_H
#define TZ_KERNELS_BLOCK_LOOSE_H

#include "block_operand.h"

/* A tile, and its operands: first the inner ones. It goes on in the tz_ready after it. */
typedef struct __attribute__((may_alias)) loose_tile {
    run *run;
    element *target;
    ptrdiff_t apart;               /* of the target's vectors */
    uint32_t before, whole, after; /* splits that take in a part of it, then all, then a part */
    /* The window at the first split, and how it moves. high: of a sum, its elements. */
    int32_t low, high, low_step, high_step;
    uint8_t most;  /* elements of the tile */
    uint8_t lanes; /* elements of a column */
    uint8_t outers;
    uint8_t inners : 2, first_write : 1, row_end : 1;
    loose_operand operand[];
} loose_tile;

static size_t loose_size(size_t operands) {
    size_t bytes = sizeof(loose_tile) + operands * sizeof(loose_operand);
    return (bytes + sizeof(tz_ready) - 1) / sizeof(tz_ready);
}

/* ---- A tile --------------------------------------------------------------------------------- */

FORCED void parts_of(vector_part *ret, unsigned vectors, window w) {
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        ret[v] = part_between(w.low, w.high, v);
    }
}

/* The same of vectors that go backwards. */
FORCED void parts_back(vector_part *ret, unsigned vectors, window w) {
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        const span of = span_of(w, v);
        ret[v] = part_of(VECTOR_ELEMENTS - of.high, VECTOR_ELEMENTS - of.low);
    }
}

/* Adds so many splits, which begin at `at`: of the columns in the window if `cut`, which moves on
 * if `moving`. */
FORCED window add_loose(const loose_tile *t, const element **at, vector *acc, unsigned inners,
                        unsigned vectors, uint32_t count, window w, _Bool cut, _Bool moving,
                        orders orders) {
    /* Where orders are known, tiles have as many vectors as they need: the last alone is cut. */
    const unsigned from = !cut ? NONE_CUT : !moving && orders >= ROWS ? vectors - 1 : 0;
    vector_part part[MOST_TILE];
    window in = w;
    if (orders == ELEMENT_BACK)
        parts_back(part, vectors, w);
    else
        parts_of(part, vectors, w);
    for (; count > 0; count--) {
        vector term[MOST_TILE], last[MOST_TILE];
        if (moving) {
            in.low = w.low > 0 ? w.low : 0;
            in.high = w.high < t->most ? w.high : t->most;
            parts_of(part, vectors, in);
            w.low += t->low_step;
            w.high += t->high_step;
        }
        UNROLLED for (unsigned o = 0; o < inners; o++) {
            load_loose(last, &t->operand[o], order_of(orders, o, &t->operand[o]), at[o],
                       lanes_of(orders, t->lanes), vectors, from, in, part);
            at[o] += t->operand[o].split;
            UNROLLED for (unsigned v = 0; v < vectors; v++) {
                if (o == 0 && v >= from)
                    last[v] = vector_keep(part[v], last[v]);
                if (o + 1 < inners)
                    term[v] = o == 0 ? last[v] : vector_product(term[v], last[v]);
            }
        }
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            acc[v] = inners > 1 ? vector_sum_product(acc[v], term[v], last[v])
                                : vector_sum(acc[v], last[v]);
        }
    }
    return w;
}

/* The splits that take in a part of the tile. */
#define ADD_PARTS(inners, vectors)                                                                 \
    __attribute__((noinline)) static window add_parts_##inners##_##vectors(                        \
        const loose_tile *t, const element **at, vector *acc, uint32_t count, window w) {          \
        return add_loose(t, at, acc, inners, vectors, count, w, 1, 1, ANY_ORDER);                  \
    }
#define ADD_PARTS_OF(inners)                                                                       \
    ADD_PARTS(inners, 1)                                                                           \
    ADD_PARTS(inners, 2)                                                                           \
    ADD_PARTS(inners, 3)                                                                           \
    ADD_PARTS(inners, 4)
#define ADD_PARTS_ROW(inners)                                                                      \
    {                                                                                              \
        NULL, add_parts_##inners##_1, WITHIN(2, add_parts_##inners##_2),                           \
            WITHIN(3, add_parts_##inners##_3), WITHIN(4, add_parts_##inners##_4)                   \
    }
ADD_PARTS_OF(1)
ADD_PARTS_OF(2)
ADD_PARTS_OF(3)

typedef window add_parts(const loose_tile *t, const element **at, vector *acc, uint32_t count,
                         window w);

static const tz_ready *after_loose(const loose_tile *t, unsigned inners) {
    return (const tz_ready *)t + loose_size(inners + t->outers);
}

/* Do all inner operands go along with the columns? */
FORCED _Bool rows_alone(const loose_tile *t, unsigned inners) {
    _Bool rows = 1;
    UNROLLED for (unsigned o = 0; o < inners; o++) {
        rows &= t->operand[o].order == IN_ROW;
    }
    return rows;
}

/* The sums in the order of what goes backwards, or back. */
FORCED void reverse(vector *acc, unsigned vectors) {
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        acc[v] = vector_take(acc[v], vector_places() ^ (whole)(VECTOR_ELEMENTS - 1));
    }
}

/* Adds splits that take in the whole tile, of an element times what goes backwards. */
FORCED void add_back(const loose_tile *t, const element **at, vector *acc, unsigned vectors,
                     _Bool cut) {
    const window all = {0, t->most};
    reverse(acc, vectors);
    at[1] += 1 - VECTOR_ELEMENTS;
    add_loose(t, at, acc, 2, vectors, t->whole, all, cut, 0, ELEMENT_BACK);
    at[1] += VECTOR_ELEMENTS - 1;
    reverse(acc, vectors);
}

/* The same of what lies along the splits times an element, or the like. */
FORCED void add_turned(const loose_tile *t, const element **at, vector *acc, unsigned vectors,
                       _Bool both) {
    vector first[STRIP * MOST_TILE], second[STRIP * MOST_TILE];
    for (uint32_t left = t->whole, splits; left > 0; left -= splits) {
        splits = left < STRIP ? left : STRIP;
        if (both)
            turn(first, &t->operand[0], at[0], vectors, t->most, splits);
        turn(second, &t->operand[1], at[1], vectors, t->most, splits);
        for (uint32_t s = 0; s < splits; s++) {
            const vector same = vector_of(at[0][both ? 0 : (ptrdiff_t)s * t->operand[0].split]);
            UNROLLED for (unsigned v = 0; v < vectors; v++) {
                acc[v] = vector_sum_product(acc[v], both ? first[s * vectors + v] : same,
                                            second[s * vectors + v]);
            }
        }
        at[0] += (ptrdiff_t)splits * t->operand[0].split;
        at[1] += splits;
    }
}

/* Adds splits that take in the whole tile. What is asked of each load is asked here, once, for the
 * products of most label sets and grammars. */
FORCED void add_whole(const loose_tile *t, const element **at, vector *acc, unsigned inners,
                      unsigned vectors, _Bool cut) {
    const window all = {0, t->most};
    const _Bool pair = inners == 2;
    const order first = t->operand[0].order, second = pair ? t->operand[1].order : ANY_STRIDE;
    if (inners < 3 && rows_alone(t, inners))
        add_loose(t, at, acc, inners, vectors, t->whole, all, cut, 0, ROWS);
    else if (pair && first == ALL_SAME && second == IN_ROW && t->lanes == 1)
        add_loose(t, at, acc, inners, vectors, t->whole, all, cut, 0, ELEMENT_ROW);
    else if (pair && first == ALL_SAME && second == IN_ROW && t->lanes == VECTOR_ELEMENTS)
        add_loose(t, at, acc, inners, vectors, t->whole, all, cut, 0, VECTOR_ROW);
    else if (pair && first == ALL_SAME && second == BACKWARDS && t->lanes == 1)
        add_back(t, at, acc, vectors, cut);
    else if (pair && first == ALL_SAME && second == ALONG_SPLITS)
        add_turned(t, at, acc, vectors, 0);
    else if (pair && first == ALONG_SPLITS && second == ALONG_SPLITS)
        add_turned(t, at, acc, vectors, 1);
    else
        add_loose(t, at, acc, inners, vectors, t->whole, all, cut, 0, ANY_ORDER);
}

/* The sums over the splits, which begin at `at`. */
FORCED void sum_loose(const loose_tile *t, const element **at, vector *acc, unsigned inners,
                      unsigned vectors, _Bool cut, add_parts *parts) {
    window w = {t->low, t->high};
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        acc[v] = vector_of(zero);
    }
    if (t->before > 0)
        w = parts(t, at, acc, t->before, w);
    add_whole(t, at, acc, inners, vectors, cut);
    if (t->after > 0) {
        w.low += (ptrdiff_t)t->whole * t->low_step;
        w.high += (ptrdiff_t)t->whole * t->high_step;
        parts(t, at, acc, t->after, w);
    }
}

FORCED const tz_ready *run_loose(const tz_ready *ready, unsigned inners, unsigned vectors,
                                 _Bool cut, add_parts *parts) {
    const loose_tile *t = (const loose_tile *)ready;
    vector acc[MOST_TILE], factor[MOST_TILE];
    const window all = {0, t->most};
    vector_part part[MOST_TILE];
    const element *at[MOST_INNERS];
    parts_of(part, vectors, all);
    UNROLLED for (unsigned o = 0; o < inners; o++) {
        at[o] = t->operand[o].at;
    }
    sum_loose(t, at, acc, inners, vectors, cut, parts);
    for (unsigned o = inners; o < inners + t->outers; o++) {
        load_loose(factor, &t->operand[o], t->operand[o].order, t->operand[o].at, t->lanes, vectors,
                   cut ? vectors - 1 : NONE_CUT, all, part);
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            acc[v] = vector_product(acc[v], factor[v]);
        }
    }
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        element *to = t->target + (ptrdiff_t)v * t->apart;
        const _Bool some = cut && v + 1 == vectors;
        vector old = t->first_write ? vector_of(zero)
                     : some         ? vector_load_some(to, part[v])
                                    : vector_load(to);
        vector new = vector_sum(old, acc[v]);
        if (!some)
            vector_store(to, new);
        else if (t->row_end)
            vector_store(to, vector_keep(part[v], new));
        else
            vector_store_part(to, part[v], new);
    }
    return after_loose(t, inners);
}

static add_parts *const add_parts_of[MOST_INNERS + 1][MOST_TILE + 1] = {
    {NULL}, ADD_PARTS_ROW(1), ADD_PARTS_ROW(2), ADD_PARTS_ROW(3)};

#define LOOSE(name, inners, vectors, cut)                                                          \
    static const tz_ready *name(const tz_ready *ready) {                                           \
        return run_loose(ready, inners, vectors, cut, add_parts_of[inners][vectors]);              \
    }
#define LOOSES(kind, inners)                                                                       \
    LOOSE(kind##_loose_whole, inners, TILE, 0)                                                     \
    LOOSE(kind##_loose_1, inners, 1, 1)                                                            \
    LOOSE(kind##_loose_2, inners, 2, 1)                                                            \
    LOOSE(kind##_loose_3, inners, 3, 1)                                                            \
    LOOSE(kind##_loose_4, inners, 4, 1)
#define LOOSE_ROW(kind)                                                                            \
    {                                                                                              \
        kind##_loose_whole, kind##_loose_1, WITHIN(2, kind##_loose_2), WITHIN(3, kind##_loose_3),  \
            WITHIN(4, kind##_loose_4)                                                              \
    }
LOOSES(one_factor, 1)
LOOSES(two_factors, 2)
LOOSES(three_factors, 3)

/* [inners][0: a whole tile, or vectors of a cut one] */
static run *const run_of_loose[MOST_INNERS + 1][MOST_TILE + 1] = {
    {NULL}, LOOSE_ROW(one_factor), LOOSE_ROW(two_factors), LOOSE_ROW(three_factors)};

/* ---- Made ready ----------------------------------------------------------------------------- */

/* A block as vectors: lanes l.. of it, `lanes` of each column. */
typedef struct loose {
    const tz_block *block;
    const tz_operand *inner, *outer; /* all operands are inner ones where there is one split */
    unsigned inners, outers;
    size_t lane, lanes;
    ptrdiff_t run; /* of what goes along with the columns */
} loose;

enum { MOST_LOOSE = 8 }; /* operands */

/* Do the block's columns stand side by side, or fill vectors? If so, fills in *ret. */
static _Bool is_loose(const tz_block *block, loose *ret) {
    size_t lanes = block->lanes;
    const _Bool vectors = lanes % VECTOR_ELEMENTS == 0;
    *ret = (loose){.block = block,
                   .inner = block->inner,
                   .outer = block->outer,
                   .inners = block->inners,
                   .outers = block->outers,
                   .lanes = vectors ? VECTOR_ELEMENTS : lanes,
                   .run = (ptrdiff_t)lanes};
    if (block->inners == 0 && block->splits == 1) {
        ret->inner = block->outer;
        ret->inners = block->outers < MOST_INNERS ? block->outers : MOST_INNERS;
        ret->outer += ret->inners;
        ret->outers -= ret->inners;
    }
    const _Bool along =
        vectors ? block->run != 0 || block->width <= 1 : block->run == (ptrdiff_t)lanes;
    if (lanes == 0 || (!vectors && VECTOR_ELEMENTS % lanes != 0) || block->bundle != 1 ||
        !(along || (block->run == 0 && (block->places > 0 || block->width > 1))) ||
        ret->inners < 1 || ret->inners > MOST_INNERS || ret->inners + ret->outers > MOST_LOOSE ||
        block->splits > INT32_MAX / 2 || block->width > INT32_MAX / 2 / lanes || block->lows > 1 ||
        block->highs > 1)
        return 0;
    return 1;
}

/* The operand from column x on. */
static loose_operand loose_operand_of(const loose *of, const tz_operand *o, size_t x,
                                      ptrdiff_t split) {
    const ptrdiff_t columns = (ptrdiff_t)(VECTOR_ELEMENTS / of->lanes); /* of a vector */
    loose_operand ret = {.at = (const element *)o->base + (ptrdiff_t)x * o->run + split * o->split +
                               (ptrdiff_t)of->lane,
                         .split = o->split,
                         .apart = columns * o->run,
                         .run = o->run,
                         .order = ANY_STRIDE,
                         .member = (signed char)o->member};
    if (o->run == 0)
        ret.order = ALL_SAME;
    else if (columns == 1 || o->run == of->run)
        ret.order = IN_ROW;
    else if (o->run == -of->run) {
        ret.order = BACKWARDS;
        ret.at += of->run - 1;
    } else if (o->split == 1 && of->lanes == 1)
        ret.order = ALONG_SPLITS;
    return ret;
}

/* The next tile from column *x on; how many tz_ready it takes. */
static size_t next_loose(const loose *of, size_t *x, tz_ready *to) {
    const tz_block *block = of->block;
    const size_t left = (block->width - *x) * of->lanes, most = TILE * VECTOR_ELEMENTS;
    const size_t elements = left < most ? left : most;
    const ptrdiff_t lanes = (ptrdiff_t)of->lanes, begin = (ptrdiff_t)*x;
    const ptrdiff_t last = begin + (ptrdiff_t)elements / lanes - 1;
    splits full = splits_for(block, begin, last), any = splits_for(block, last, begin);
    if (any.from > any.end)
        any.end = any.from;
    if (block->padded)
        full = any;
    if (full.from >= full.end)
        full = (splits){any.end, any.end};
    const size_t size = loose_size(of->inners + of->outers);
    to[size - 1] = (tz_ready){0}; /* its end, too: see tz_kernels.prepare */
    loose_tile *t = (loose_tile *)to;
    *t = (loose_tile){
        .target = (element *)block->target + begin * block->run + (ptrdiff_t)of->lane,
        .apart = (ptrdiff_t)(VECTOR_ELEMENTS / of->lanes) * block->run,
        .before = (uint32_t)(full.from - any.from),
        .whole = (uint32_t)(full.end - full.from),
        .after = (uint32_t)(any.end - full.end),
        .high = INT32_MAX,
        .most = (uint8_t)elements,
        .lanes = (uint8_t)of->lanes,
        .outers = (uint8_t)of->outers,
        .inners = of->inners & 3,
        .first_write = block->first_write & 1,
        .row_end = of->lanes == block->lanes && elements == left &&
                   elements % VECTOR_ELEMENTS + block->row_end >= VECTOR_ELEMENTS,
    };
    /* Where no split takes in a part, windows do not matter, and might not fit. */
    if (block->lows > 0 && t->before + t->after > 0) {
        t->low = (int32_t)((block->low->at + any.from * block->low->step - begin) * lanes);
        t->low_step = (int32_t)(block->low->step * lanes);
    }
    if (block->highs > 0 && t->before + t->after > 0) {
        t->high = (int32_t)((block->high->at + any.from * block->high->step - begin) * lanes);
        t->high_step = (int32_t)(block->high->step * lanes);
    }
    for (unsigned o = 0; o < of->inners; o++)
        t->operand[o] = loose_operand_of(of, &of->inner[o], *x, any.from);
    for (unsigned o = 0; o < of->outers; o++)
        t->operand[of->inners + o] = loose_operand_of(of, &of->outer[o], *x, 0);
    unsigned vectors = (unsigned)((elements + VECTOR_ELEMENTS - 1) / VECTOR_ELEMENTS);
    /* Factors may be exchanged, so the one that is the same for all comes first. */
    if (of->inners == 2 && t->operand[1].order == ALL_SAME) {
        loose_operand first = t->operand[0];
        t->operand[0] = t->operand[1];
        t->operand[1] = first;
    }
    t->run = run_of_loose[of->inners][elements == most ? 0 : vectors];
    *x += elements / of->lanes;
    return size;
}

/* The block's tiles added to the list; 0 if it is of another shape, or there is no room. */
static size_t prepare_loose(const tz_block *block, tz_ready *list, size_t count) {
    const size_t room = count + TZ_MAX_READY;
    loose of;
    if (!is_loose(block, &of))
        return 0;
    for (; of.lane < block->lanes; of.lane += of.lanes)
        for (size_t x = 0; x < block->width;) {
            if (count + loose_size(of.inners + of.outers) > room)
                return 0;
            count += next_loose(&of, &x, list + count);
        }
    return count;
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_loose(const tz_block *block) {
    loose of;
    if (!is_loose(block, &of))
        return 0;
    for (; of.lane < block->lanes; of.lane += of.lanes)
        for (size_t x = 0; x < block->width;) {
            tz_ready
                tile[(sizeof(loose_tile) + MOST_LOOSE * sizeof(loose_operand)) / sizeof(tz_ready) +
                     1];
            next_loose(&of, &x, tile);
            tile->run(tile);
        }
    return 1;
}

#endif
