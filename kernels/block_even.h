/* block_even.h - blocks without edges: rows of tiles that all have the same splits.
 *
 * Part of block.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_EVEN_H
#define TZ_KERNELS_BLOCK_EVEN_H

#include "block_cut.h"

/* The next row of tiles, from column *c on; true if it takes two tz_ready. */
static _Bool next_row(const flat *of, size_t *c, tz_ready *to) {
    const unsigned bundle = of->block->bundle;
    const unsigned vectors = bundle == 1 ? TILE : bundle == 2 ? TILE_OF_2 : TILE_OF_4;
    size_t tiles = of->least > *c ? (of->least - *c) / (vectors * VECTOR_ELEMENTS) : 0;
    fill_outers(of, *c, to + 1);
    tile_row *r = (tile_row *)to;
    fill_row(of, c, vectors, tiles == 0, tiles > 0 ? tiles : 1, r);
    unsigned kind = kind_of(of);
    r->run = tiles > 0     ? run_of[kind].whole
             : bundle == 1 ? run_of_cut(r, kind)
                           : run_of[kind].cut[r->vectors - 1];
#if EXACT_SUMS
    if (bundle == 1 && of->outers == 0 && tiles == 0 && r->splits >= FEW &&
        r->vectors <= MOST_SEVERAL)
        r->run = run_long[kind][r->vectors - 1];
#endif
    return of->outers > 0;
}

/* The block's rows of tiles added to the list; 0 if it is of another kind, or there is no room. */
static size_t prepare_even(const tz_block *block, tz_ready *list, size_t count) {
    flat all;
    return flatten(block, &all) ? prepare_tiles(&all, next_row, list, count) : 0;
}

/* False, and nothing done, for a block of another kind. */
static _Bool contract_even(const tz_block *block) {
    flat all;
    if (!flatten(block, &all))
        return 0;
    contract_tiles(&all, next_row);
    return 1;
}

#endif
