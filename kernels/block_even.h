/* block_even.h - blocks without edges: rows of tiles that all have the same splits.
 *
 * Part of block.h. A row may follow one of the same target, as where a bundle left something over:
 * then the target is read and written once for both. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_EVEN_H
#define TZ_KERNELS_BLOCK_EVEN_H

#include "block_few.h"

/* The next row of tiles, from column *c on; true if it takes two tz_ready. */
static _Bool next_row(const flat *of, size_t *c, tz_ready *to) {
    const unsigned bundle = of->block->bundle;
    const unsigned vectors = bundle == 1 ? TILE : bundle == 2 ? TILE_OF_2 : TILE_OF_4;
    size_t tiles = of->least > *c ? (of->least - *c) / (vectors * VECTOR_ELEMENTS) : 0;
    for (unsigned o = 0; o < of->outers; o++)
        ((const element **)(to + 1))[o] = (const element *)of->outer[o].base + *c;
    const _Bool apart = bundle > 1 && of->inners == 3;
    tile_row *r = (tile_row *)(to + apart);
    if (apart) {
        *to = (tz_ready){0};
        *(third *)to = (third){.factor = (const element *)of->inner[2].base + *c,
                               .split = (int32_t)(of->inner[2].split * (ptrdiff_t)sizeof(element)),
                               .member = (int32_t)of->inner[2].member};
    }
    fill_row(of, c, vectors, tiles == 0, tiles > 0 ? tiles : 1, r);
    unsigned kind = kind_of(of);
    r->run = tiles > 0 ? run_of[kind].whole : run_of[kind].cut[r->vectors - 1];
    r->follows = bundle == 1 && of->outers == 0;
#if EXACT_SUMS
    if (r->follows && tiles == 0 && r->splits >= FEW && r->vectors <= MOST_SEVERAL) {
        r->run = run_long[kind][r->vectors - 1];
        r->follows = 0;
    }
#endif
    if (apart)
        ((third *)to)->run = r->run;
    return apart || of->outers > 0;
}

/* May a row of tiles follow one of the same target, which then need not store what it has? */
static _Bool joins(const tz_ready *first, const tz_ready *second) {
    const tile_row *a = (const tile_row *)first, *b = (const tile_row *)second;
    if (!b->follows || b->first_write || a->target != b->target)
        return 0;
    if (b->run == run_of[1].whole || b->run == run_of[2].whole || b->run == run_of[3].whole)
        return a->run == b->run && a->tiles == b->tiles;
    unsigned v = b->vectors - 1u, twos = b->run == run_of[3].cut[v] ? THIRD_OF_2 : BUNDLE_OF_2;
    _Bool bundle = (b->run == run_of[2].cut[v] || b->run == run_of[3].cut[v]) &&
                   (a->run == run_of[twos].cut[v] || a->run == run_of[twos + 1].cut[v]);
    return (bundle ? a->columns[0] : a->most) == b->most && (bundle || a->run == b->run);
}

/* Lets the one or two rows that end a list follow those before them, if they may: row by row. */
static void join(tz_ready *end, size_t rows) {
    tz_ready *new = end - rows, *old = new - rows;
    for (size_t r = 0; r < rows; r++)
        if (!joins(&old[r], &new[r]))
            return;
    if (rows == 2) {
        tz_ready swap = old[1];
        old[1] = new[0];
        new[0] = swap;
        ((tile_row *)new)->more = 1;
    }
    ((tile_row *)old)->more = 1;
}

/* The block's rows of tiles added to the list; 0 if it is of another kind, or there is no room. */
static size_t prepare_even(const tz_block *block, tz_ready *list, size_t count) {
    flat all;
    if (!flatten(block, &all))
        return 0;
    size_t last = prepare_few(&all, list, count);
    if (last > 0)
        return last;
    last = prepare_tiles(&all, next_row, 0, list, count, count + TZ_MAX_READY);
    if (last > count && last - count <= 2 && count >= last - count)
        join(list + last, last - count);
    return last;
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
