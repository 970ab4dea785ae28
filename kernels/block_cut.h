/* block_cut.h - cuts blocks into tiles.
 *
 * Part of block.h. Each shape of block has a function that writes its next tiles (next_tiles);
 * their common parts stand here. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_CUT_H
#define TZ_KERNELS_BLOCK_CUT_H

#include "block_row.h"
#include "block_scalar.h"

/* A block whose columns and lanes are one index, and its product's factors: what all its tiles have
 * in common. */
typedef struct flat {
    const tz_block *block;
    const tz_operand *inner, *outer;
    unsigned inners, outers;
    size_t least, most; /* columns, times lanes, of the narrowest and the widest member */
} flat;

static _Bool fits_int32(ptrdiff_t a) {
    return a >= INT32_MIN && a <= INT32_MAX;
}

/* False for a block with edges, with gaps between columns, or of more than a tile_row can say. */
static _Bool flatten(const tz_block *block, flat *ret) {
    ptrdiff_t least = (ptrdiff_t)(block->width * block->lanes), most = least;
    ptrdiff_t wider = (ptrdiff_t)(block->bundle - 1) * block->widening * (ptrdiff_t)block->lanes;
    if (block->bundle > 1)
        *(wider < 0 ? &least : &most) += wider;
    *ret = (flat){block,         block->inner,  block->outer, block->inners,
                  block->outers, (size_t)least, (size_t)most};
    if (block->inners == 0 && block->splits == 1) { /* a product of outer operands alone */
        ret->inner = block->outer;
        ret->inners = block->outers < MOST_INNERS ? block->outers : MOST_INNERS;
        ret->outer += ret->inners;
        ret->outers -= ret->inners;
    } else if (block->inners == 0) {
        return 0;
    }
    _Bool fits = ret->inners <= MOST_INNERS && ret->outers <= MOST_OUTERS && block->splits > 0 &&
                 block->splits <= UINT32_MAX && ret->most <= UINT32_MAX &&
                 block->skew <= UINT8_MAX && block->lows + block->highs == 0 && seamless(block);
    for (unsigned o = 0; o < ret->inners && fits; o++)
        fits = fits_int32(ret->inner[o].split * (ptrdiff_t)sizeof(element));
    return fits && (block->bundle == 1 || (ret->inners == 2 && fits_int32(ret->inner[1].member) &&
                                           fits_int32(block->member)));
}

/* A row of whole tiles of so many vectors from column *c on, or a cut tile of at most so many. */
static void fill_row(const flat *of, size_t *c, unsigned vectors, _Bool cut, size_t tiles,
                     tile_row *r) {
    const tz_block *block = of->block;
    const unsigned bundle = block->bundle;
    *r = (tile_row){.target = (element *)block->target + *c,
                    .splits = (uint32_t)block->splits,
                    .outers = (uint8_t)of->outers,
                    .first_write = (uint8_t)block->first_write};
    for (unsigned o = 0; o < (bundle > 1 ? 2 : of->inners); o++) {
        *(o < 2 ? &r->factor[o] : &r->third) = (const element *)of->inner[o].base + *c;
        *(o < 2 ? &r->split[o] : &r->third_split) =
            (int32_t)(of->inner[o].split * (ptrdiff_t)sizeof(element));
    }
    if (bundle > 1) {
        r->member = (int32_t)of->inner[1].member;
        r->target_member = (int32_t)block->member;
        r->shared = (uint32_t)block->bundle_splits;
        r->skew = (uint8_t)block->skew;
    }
    r->tiles = (uint32_t)tiles;
    if (cut) {
        size_t most = (size_t)vectors * VECTOR_ELEMENTS;
        size_t left = of->most - *c < most ? of->most - *c : most;
        vectors = (unsigned)((left + VECTOR_ELEMENTS - 1) / VECTOR_ELEMENTS);
        r->most = (uint8_t)left;
        r->row_end = block->row_end > 0 &&
                     *c + (size_t)vectors * VECTOR_ELEMENTS <= of->most + block->row_end;
        for (unsigned m = 0; m < bundle; m++) {
            ptrdiff_t end = ((ptrdiff_t)block->width + (ptrdiff_t)m * block->widening) *
                            (ptrdiff_t)block->lanes;
            ptrdiff_t columns = end > (ptrdiff_t)*c ? end - (ptrdiff_t)*c : 0;
            r->columns[m] = (uint8_t)(columns < (ptrdiff_t)left ? columns : (ptrdiff_t)left);
        }
    }
    r->vectors = vectors & 7;
    *c += (size_t)vectors * VECTOR_ELEMENTS * tiles;
}

/* Which of run_of. */
static unsigned kind_of(const flat *of) {
    return of->block->bundle == 1 ? of->inners : of->block->bundle == 2 ? BUNDLE_OF_2 : BUNDLE_OF_4;
}

/* What comes after a row: the outer factors, from column c on. */
static void fill_outers(const flat *of, size_t c, tz_ready *to) {
    if (of->outers > 0)
        *to = (tz_ready){0}; /* all of it: see tz_kernels.prepare */
    for (unsigned o = 0; o < of->outers; o++)
        ((const element **)to)[o] = (const element *)of->outer[o].base + c;
}

/* Writes the next tiles of a block, from column *c on; true if they take two tz_ready. */
typedef _Bool next_tiles(const flat *of, size_t *c, tz_ready *to);

/* A block's tiles added to the list; where it ends, 0 if there is no room. */
static size_t prepare_tiles(const flat *all, next_tiles *next, tz_ready *list, size_t count) {
    const size_t room = count + TZ_MAX_READY;
    for (size_t c = 0; c < all->most;) {
        if (count + 2 > room)
            return 0;
        count += next(all, &c, list + count) ? 2 : 1;
    }
    return count;
}

static void contract_tiles(const flat *all, next_tiles *next) {
    tz_ready tile[2];
    for (size_t c = 0; c < all->most;) {
        next(all, &c, tile);
        tile->run(tile);
    }
}

#endif
