/* block_padded.h - makes padded blocks ready: splits that edges leave out add nothing.
 *
 * Part of block.h. Edges then only tell where the splits of a tile begin and end, and its columns
 * need no masks: it is a tile with splits of its own. Wide tiles sum some splits in vain, narrow
 * tiles are many. Where later columns have more splits than earlier ones, the columns that do not
 * fill a vector come first, so that all vectors end where a split's columns do.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_PADDED_H
#define TZ_KERNELS_BLOCK_PADDED_H

#include "block_even.h"

/* Splits whose edges are not worth heeding; what a tile takes besides them, in vectors. */
enum { PADDED_FEW = 4, PADDED_TILE = 8 };

/* The block without its edges. */
static tz_block without_edges(const tz_block *block) {
    tz_block even = *block;
    even.lows = even.highs = 0;
    return even;
}

/* The splits that take in some of elements from..end-1; one, if there are none. */
static splits splits_in(const tz_block *block, size_t from, size_t end) {
    size_t lanes = block->lanes;
    splits of = splits_for(block, (ptrdiff_t)((end - 1) / lanes), (ptrdiff_t)(from / lanes));
    return of.from < of.end ? of : (splits){0, 1};
}

static size_t count_in(const tz_block *block, size_t from, size_t end) {
    splits of = splits_in(block, from, end);
    return (size_t)(of.end - of.from);
}

/* How many vectors the tile that begins with element c has: as many as take the least time, where a
 * split takes an eighth of a vector besides its vectors. */
static unsigned padded_vectors(const tz_block *block, size_t c, size_t end, unsigned most) {
    ptrdiff_t alone = 0, gain = 0;
    unsigned ret = 1;
    for (unsigned v = 1; v <= most && c + (v - 1) * VECTOR_ELEMENTS < end; v++) {
        size_t from = c + (v - 1) * VECTOR_ELEMENTS, to = from + VECTOR_ELEMENTS;
        to = to < end ? to : end;
        alone += 9 * (ptrdiff_t)count_in(block, from, to) + 8 * PADDED_TILE;
        ptrdiff_t together =
            (ptrdiff_t)(8 * v + 1) * (ptrdiff_t)count_in(block, c, to) + 8 * PADDED_TILE;
        if (alone - together >= gain) {
            gain = alone - together;
            ret = v;
        }
    }
    return ret;
}

/* Lets a tile of columns from..end-1 begin and end with the splits that take in some of them. */
static void take_splits(const flat *of, size_t from, size_t end, tile_row *r) {
    splits s = splits_in(of->block, from, end);
    r->splits = (uint32_t)(s.end - s.from);
    if (of->block->bundle > 1)
        r->shared = r->splits;
    for (unsigned o = 0; o < of->inners; o++)
        *(o < 2 ? &r->factor[o] : &r->third) += s.from * of->inner[o].split;
}

/* Have later columns more splits than earlier ones? */
static _Bool widens(const flat *of) {
    return count_in(of->block, 0, 1) < count_in(of->block, of->most - 1, of->most);
}

/* The next tile of a padded block from column *c on; true if it takes two tz_ready. */
static _Bool next_padded(const flat *of, size_t *c, tz_ready *to) {
    const tz_block *block = of->block;
    const unsigned bundle = block->bundle;
    const unsigned tile = bundle == 1 ? TILE : bundle == 2 ? TILE_OF_2 : TILE_OF_4;
    unsigned vectors = padded_vectors(block, *c, of->most, tile);
    flat part = *of;
    /* Where later columns have more splits, the narrow tile comes first. */
    size_t over = of->most % VECTOR_ELEMENTS, begin = *c;
    if (begin == 0 && over > 0 && vectors * VECTOR_ELEMENTS < of->most && widens(of)) {
        vectors = 1;
        part.most = over;
        part.least = of->least < over ? of->least : over;
    }
    _Bool cut = vectors < tile || begin + vectors * VECTOR_ELEMENTS > part.least;
    tile_row *r = (tile_row *)to;
    fill_row(&part, c, vectors, cut, 1, r);
    if (part.most < of->most) {
        *c = part.most;
        r->row_end = 0;
    }
    take_splits(of, begin, *c < of->most ? *c : of->most, r);
    fill_outers(of, begin, to + 1);
    unsigned kind = kind_of(of);
    r->run = cut ? run_of[kind].cut[r->vectors - 1] : run_of[kind].whole;
    return of->outers > 0;
}

/* The block's tiles added to the list; 0 if it is of another shape, or there is no room. */
static size_t prepare_padded(const tz_block *block, tz_ready *list, size_t count) {
    tz_block even = without_edges(block);
    flat all;
    if (block->splits <= PADDED_FEW)
        return prepare_even(&even, list, count);
    if (!flatten(&even, &all))
        return 0;
    all.block = block;
    return prepare_tiles(&all, next_padded, list, count);
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_padded(const tz_block *block) {
    tz_block even = without_edges(block);
    flat all;
    if (block->splits <= PADDED_FEW)
        return contract_even(&even);
    if (!flatten(&even, &all))
        return 0;
    all.block = block;
    contract_tiles(&all, next_padded);
    return 1;
}

#endif
