/* block_tall.h - bundles of sixteen: tiles of many members and one vector.
 *
 * Part of block.h. The tables of long sentences do not fit the caches near the core, and a tile
 * waits for what it reads for the first time. At a split that is, for V vectors of columns, V cache
 * lines of the operand that members share, and V + 1 of the other one, of which each member but one
 * reads what its neighbour read a split before. For M * V products that is least where M is large.
 * Such a tile strides over long rows, line by line, which no processor foresees: it asks for what
 * it will read some splits ahead.
 *
 * Columns that fill no vector, and blocks of other shapes, go by fours.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_TALL_H
#define TZ_KERNELS_BLOCK_TALL_H

#include "block_matrix.h"
#include "block_padded.h"

/* Members from..from+count-1 of a bundle as one. */
static tz_block members_of(const tz_block *block, unsigned from, unsigned count,
                           tz_operand inner[2]) {
    ptrdiff_t late = (ptrdiff_t)(from * block->skew);
    tz_block ret = *block;
    for (unsigned o = 0; o < 2; o++) {
        inner[o] = block->inner[o];
        inner[o].base = (const element *)inner[o].base + (ptrdiff_t)from * inner[o].member +
                        late * inner[o].split;
    }
    ret.inner = inner;
    ret.target = (element *)block->target + (ptrdiff_t)from * block->member;
    ret.width = (size_t)((ptrdiff_t)block->width + (ptrdiff_t)from * block->widening);
    ret.splits = (from == 0 ? block->splits : block->bundle_splits) - (size_t)late;
    ret.bundle_splits = block->bundle_splits - (size_t)late;
    ret.first_write = block->first_write >> from & ((1u << count) - 1);
    ret.bundle = count;
    return ret;
}

/* What tiles of a bundle have in common, its edges aside. */
static _Bool flatten_bundle(const tz_block *block, flat *ret) {
    tz_block even = without_edges(block);
    _Bool fits = flatten(&even, ret);
    ret->block = block;
    return fits;
}

/* Are there edges, and splits enough to heed them? */
static _Bool heeds_edges(const tz_block *block) {
    return block->lows + block->highs > 0 && block->splits > PADDED_FEW;
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* Members of a tile, as registers allow. */
#if VECTOR_BYTES == 64
enum { TALL = 16 };
#else
enum { TALL = 8 };
#endif

/* How many splits ahead a tile asks for what it will read. */
enum { AHEAD = 8 };

typedef struct tall {
    const char *shared, *moving; /* where the next split reads, the latter that of member 0 */
    ptrdiff_t shared_split, moving_split, shared_ahead, moving_ahead, odd[4];
    vector sum[TALL];
} tall;

/* It asks for the ends of vectors: where they begin, the tile before it has read. */
FORCED void begin_tall(tall *t, const tile_row *r, size_t c) {
    ptrdiff_t member = r->member * (ptrdiff_t)sizeof(element);
    *t = (tall){.shared = (const char *)(r->factor[0] + c),
                .moving = (const char *)(r->factor[1] + c),
                .shared_split = r->split[0],
                .moving_split = r->split[1],
                .shared_ahead = AHEAD * (ptrdiff_t)r->split[0] + VECTOR_BYTES - 1,
                .moving_ahead = AHEAD * (ptrdiff_t)r->split[1] + VECTOR_BYTES - 1,
                .odd = {member, 3 * member, 5 * member, 7 * member}};
    if ((member > 0) == (r->split[1] > 0)) /* the last member is the first to come to a row */
        t->moving_ahead += (TALL - 1) * member;
    UNROLLED for (unsigned m = 0; m < TALL; m++) {
        t->sum[m] = vector_of(zero);
    }
}

/* Adds the next split, of members 0..end-1. Addresses are a register, and 1, 2, 4 or 8 times
 * another one: so the odd multiples are enough for all members, and must stay in registers. */
FORCED void add_tall(tall *t, unsigned end) {
    vector shared = vector_load((const element *)t->shared);
    IN_REGISTER(shared);
    const char *eighth = t->moving;
    if (TALL > 8) {
        eighth += 8 * t->odd[0];
        HIDDEN(eighth);
    }
    UNROLLED for (unsigned k = 0; k < 4; k++) {
        HIDDEN(t->odd[k]);
    }
    __builtin_prefetch(t->shared + t->shared_ahead);
    __builtin_prefetch(t->moving + t->moving_ahead);
    UNROLLED for (unsigned m = 0; m < end; m++) {
        const char *at = m < 8 ? t->moving : eighth;
        unsigned twos = m % 8 == 0 ? 0 : (unsigned)__builtin_ctz(m % 8);
        at += m % 8 == 0 ? 0 : t->odd[(m % 8 >> twos) / 2] * (1 << twos);
        t->sum[m] = vector_sum_product(t->sum[m], shared, vector_load((const element *)at));
    }
    t->shared += t->shared_split;
    t->moving += t->moving_split;
}

/* A row of tiles, which all are whole: the splits that some members begin with, those of all, and
 * those that only the first has. */
static const tz_ready *run_tall(const tz_ready *to) {
    const tile_row *r = (const tile_row *)to;
    for (size_t c = 0; c < (size_t)r->tiles * VECTOR_ELEMENTS; c += VECTOR_ELEMENTS) {
        tall t;
        begin_tall(&t, r, c);
        UNROLLED for (unsigned m = 1; m < TALL; m++) {
            for (unsigned left = r->skew; left > 0; left--)
                add_tall(&t, m);
        }
        for (uint32_t left = r->shared - (TALL - 1) * r->skew; left > 0; left--)
            add_tall(&t, TALL);
        for (uint32_t left = r->splits - r->shared; left > 0; left--)
            add_tall(&t, 1);
        element *target = r->target + c;
        UNROLLED for (unsigned m = 0; m < TALL; m++, target += r->target_member) {
            vector old = r->first_write ? vector_of(zero) : vector_load(target);
            vector_store(target, vector_sum(old, t.sum[m]));
        }
    }
    return to + 1;
}

/* ---- Made ready ----------------------------------------------------------------------------- */

/* The next row of tiles of a bundle from column *c on, all whole, or its next tile where it has
 * edges. */
static _Bool next_tall(const flat *of, size_t *c, tz_ready *to) {
    _Bool edges = heeds_edges(of->block);
    size_t begin = *c, tiles = edges ? 1 : (of->most - begin) / VECTOR_ELEMENTS;
    tile_row *r = (tile_row *)to;
    fill_row(of, c, 1, 0, tiles, r);
    if (edges)
        take_splits(of, begin, *c, r);
    r->run = run_tall;
    return 0;
}

/* Columns from..end-1 of a bundle by so many members at a time. */
typedef struct part_of_bundle {
    size_t from, end;
    unsigned members;
    next_tiles *next;
} part_of_bundle;

/* Their tiles added to the list, which ends at `room`; 0 if there is none left, or they are of
 * another shape. */
static size_t prepare_part(const tz_block *block, part_of_bundle of, tz_ready *list, size_t count,
                           size_t room) {
    for (unsigned m = 0; m < block->bundle && of.from < of.end; m += of.members) {
        tz_operand inner[2];
        tz_block part = members_of(block, m, of.members, inner);
        flat all;
        if (is_matrix(&part) || !flatten_bundle(&part, &all))
            return 0;
        if (of.end < all.most) {
            part.row_end = 0;
            all.most = of.end;
            all.least = all.least < of.end ? all.least : of.end;
        }
        count = prepare_tiles(&all, of.next, of.from, list, count, room);
        if (count == 0)
            return 0;
    }
    return count;
}

/* The same of the whole bundle. */
static size_t prepare_tall(const tz_block *block, tz_ready *list, size_t count, size_t room) {
    const unsigned every = (1u << block->bundle) - 1;
    flat all;
    if ((block->lows + block->highs > 0 && !block->padded) || !flatten_bundle(block, &all))
        return 0;
    _Bool edges = heeds_edges(block);
    next_tiles *few = edges ? next_padded : next_row;
    /* The vectors of all members, where next_padded would have them. */
    size_t from = edges && widens(&all) ? all.most % VECTOR_ELEMENTS : 0;
    size_t end = all.least > from ? all.least - (all.least - from) % VECTOR_ELEMENTS : from;
    if (block->lanes >= VECTOR_ELEMENTS || VECTOR_ELEMENTS % block->lanes != 0 ||
        (block->first_write != 0 && block->first_write != every))
        end = from;
    const part_of_bundle parts[] = {{0, from, FEW_MEMBERS, few},
                                    {from, end, TALL, next_tall},
                                    {end, all.most, FEW_MEMBERS, few}};
    size_t last = count;
    for (unsigned s = 0; s < 3; s++) {
        if (parts[s].from < parts[s].end) {
            last = prepare_part(block, parts[s], list, last, room);
            if (last == 0)
                return 0;
        }
    }
    return last;
}

/* False, and nothing done, for a bundle of another shape. */
static _Bool contract_tall(const tz_block *block) {
    tz_ready list[TZ_MAX_READY];
    size_t count = prepare_tall(block, list, 0, TZ_MAX_READY);
    for (const tz_ready *r = list; r < list + count;)
        r = r->run(r);
    return count > 0;
}

#endif
