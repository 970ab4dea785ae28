/* block_ready.h - blocks without edges made ready: cut into tiles, with all that there is to know
 * about them found out beforehand.
 *
 * Part of block.h. A block of a short sentence takes a few vectors of work, and would take longer
 * to look at than to compute; but a pass goes through the same blocks for every sentence of a
 * length. So a block becomes one or two rows of tiles, the wide ones and one that the last column
 * cuts, each a cache line that begins with the function for its shape.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_READY_H
#define TZ_KERNELS_BLOCK_READY_H

typedef const tz_ready *run(const tz_ready *ready);

/* A tz_ready as the functions here see it. */
typedef struct __attribute__((may_alias)) ready {
    run *run;
    element *target;
    const element *factor[2];
    union {
        const element *third; /* factor */
        struct {
            int32_t member, target_member; /* factor[1], target */
        };
    };
    int32_t split[2]; /* in bytes */
    union {
        int32_t third_split;
        uint32_t shared; /* splits of a bundle that all members have, or that some begin with */
    };
    uint32_t splits;
    union {
        uint32_t tiles;               /* whole ones side by side */
        uint8_t columns[FEW_MEMBERS]; /* of a cut one, by member */
    };
    uint8_t most; /* columns of its widest member */
    union {
        uint8_t outers; /* their addresses stand in the next tz_ready */
        uint8_t skew;   /* of a bundle */
    };
    uint8_t first_write;
    /* How many vectors; of a cut one: the row end has room for the last; it may follow a row of
     * the same target; one follows it. */
    uint8_t vectors : 3, row_end : 1, follows : 1, more : 1;
} ready;

/* The third factor of a bundle: in a tz_ready before its row, with the same function. */
typedef struct __attribute__((may_alias)) third {
    run *run;
    const element *factor;
    int32_t split, member; /* split in bytes */
} third;

_Static_assert(sizeof(ready) <= sizeof(tz_ready), "a row of tiles fits a tz_ready");

enum { MOST_OUTERS = sizeof(tz_ready) / sizeof(void *) };

FORCED place place_of(const ready *r, unsigned bundle, unsigned m, size_t c) {
    ptrdiff_t member = bundle > 1 ? (ptrdiff_t)m * r->target_member : 0;
    return (place){r->target + c + member, r->columns[m], r->first_write >> m & 1, r->row_end};
}

FORCED void begin_row(form f, tile *t, const ready *r, size_t c) {
    UNROLLED for (unsigned o = 0; o < f.inners; o++) {
        if (o == 2 && f.bundle > 1) {
            const third *before = (const third *)((const tz_ready *)r - 1);
            t->at[o] = before->factor + c;
            t->split[o] = before->split;
            t->member[o] = before->member;
        } else {
            t->at[o] = (o < 2 ? r->factor[o] : r->third) + c;
            t->split[o] = o < 2 ? r->split[o] : r->third_split;
            t->member[o] = f.bundle > 1 && o > 0 ? r->member : 0;
        }
    }
}

/* All splits of a bundle: those that some members begin with, all, and those that only the first
 * has. */
FORCED void add_bundle(form f, tile *t, sums *acc, const ready *r) {
    uint32_t shared = r->shared;
    clear_sums(f, acc);
    if (r->skew > 0) {
        shared -= (f.bundle - 1) * r->skew;
        UNROLLED for (unsigned m = 1; m < f.bundle; m++) {
            unsigned left = r->skew;
            do {
                add_split(f, t, acc, 0, m);
            } while (--left > 0);
        }
    }
    do {
        add_split(f, t, acc, 0, f.bundle);
    } while (--shared > 0);
    for (uint32_t left = r->splits - r->shared; left > 0; left--)
        add_split(f, t, acc, 0, 1);
}

/* All splits of a block, of which there are some. Its sum need not begin with zero, which would
 * change no more than the sign of a zero, and that is for the target to decide. */
FORCED void add_block(form f, tile *t, sums *acc, const ready *r, _Bool several) {
    if (several) {
        clear_sums(f, acc);
        add_splits_whole(f, t, acc, (ptrdiff_t)r->splits, several);
        return;
    }
    add_split_to(f, t, acc, 0, 1, 1);
    for (uint32_t left = r->splits; --left > 0;) {
        next_split(f, t);
        add_split_to(f, t, acc, 0, 1, 0);
    }
}

/* Multiplies by the outer factors; what comes after them. */
FORCED const tz_ready *multiply_outers(form f, const tile *t, sums *acc, const ready *r, size_t c) {
    const tz_ready *next = (const tz_ready *)r + 1;
    if (r->outers == 0)
        return next;
    const element *const *outer = (const element *const *)next;
    for (unsigned o = 0; o < r->outers; o++) {
        UNROLLED for (unsigned v = 0; v < f.vectors; v++) {
            vector a = tile_load(f, t, outer[o] + c + v * VECTOR_ELEMENTS, v);
            acc->at[0][v] = vector_product(acc->at[0][v], a);
        }
    }
    return next + 1;
}

/* Whole tiles side by side, or a cut one, of this row and of those that follow it. */
FORCED const tz_ready *run_tiles(const ready *r, unsigned inners, unsigned bundle, unsigned vectors,
                                 _Bool cut, _Bool several) {
    const tz_ready *next = NULL;
    const size_t width = (size_t)vectors * VECTOR_ELEMENTS;
    const form f = {inners, bundle, vectors, cut}, alone = {inners, 1, vectors, cut};
    const _Bool followed = !several && (cut || bundle == 1);
    if (bundle > 1 && inners == 3)
        r = (const ready *)((const tz_ready *)r + 1);
    tile t;
    t.tail = part_below(cut ? r->most : UINT8_MAX, vectors - 1);
    for (size_t c = 0, end = cut ? 1 : r->tiles * width; c < end; c += width) {
        sums acc;
        vector total[MOST_TILE];
        next = (const tz_ready *)r + 1;
        begin_row(f, &t, r, c);
        if (bundle > 1) {
            add_bundle(f, &t, &acc, r);
        } else {
            add_block(f, &t, &acc, r, several);
            next = multiply_outers(f, &t, &acc, r, c);
        }
        const place target = place_of(r, bundle, 0, c);
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            total[v] = vector_sum(target_load(f, &t, &target, v), acc.at[0][v]);
        }
        UNROLLED for (unsigned m = 1; m < bundle; m++) {
            add_to_target(f, &t, &acc, m, place_of(r, bundle, m, c));
        }
        for (const ready *one = r; followed && one->more; next++) {
            one = (const ready *)next;
            begin_row(alone, &t, one, c);
            add_block(alone, &t, &acc, one, 0);
            UNROLLED for (unsigned v = 0; v < vectors; v++) {
                total[v] = vector_sum(total[v], acc.at[0][v]);
            }
        }
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            target_store(f, &t, &target, v, total[v]);
        }
    }
    return next;
}

/* Each shape is a function of its own, so that its loops have the registers to themselves. */
#define SHAPE(name, inners, bundle, vectors)                                                       \
    static const tz_ready *name(const tz_ready *r) {                                               \
        return run_tiles((const ready *)r, inners, bundle, vectors, 1, 0);                         \
    }
#define WHOLE_SHAPE(name, inners, bundle, vectors)                                                 \
    static const tz_ready *name(const tz_ready *r) {                                               \
        return run_tiles((const ready *)r, inners, bundle, vectors, 0, 0);                         \
    }
#define LONG_SHAPE(name, inners, vectors)                                                          \
    static const tz_ready *name(const tz_ready *r) {                                               \
        return run_tiles((const ready *)r, inners, 1, vectors, 1, 1);                              \
    }
#define NARROW_SHAPES(kind, inners, bundle, tile)                                                  \
    WHOLE_SHAPE(kind##_whole, inners, bundle, tile)                                                \
    SHAPE(kind##_cut_1, inners, bundle, 1)                                                         \
    SHAPE(kind##_cut_2, inners, bundle, 2)
#define SHAPES(kind, inners, bundle, tile)                                                         \
    NARROW_SHAPES(kind, inners, bundle, tile)                                                      \
    SHAPE(kind##_cut_3, inners, bundle, 3)                                                         \
    SHAPE(kind##_cut_4, inners, bundle, 4)
#define NARROW_ROW(kind)                                                                           \
    {                                                                                              \
        kind##_whole, {                                                                            \
            kind##_cut_1, kind##_cut_2                                                             \
        }                                                                                          \
    }
#define ROW(kind)                                                                                  \
    {                                                                                              \
        kind##_whole, {                                                                            \
            kind##_cut_1, kind##_cut_2, kind##_cut_3, kind##_cut_4                                 \
        }                                                                                          \
    }
#if VECTOR_BYTES == 64
#define BUNDLE_SHAPES SHAPES
#define BUNDLE_ROW    ROW
#else /* where tiles of bundles have two vectors at most */
#define BUNDLE_SHAPES NARROW_SHAPES
#define BUNDLE_ROW    NARROW_ROW
#endif

SHAPES(no_factor, 0, 1, TILE)
SHAPES(one_factor, 1, 1, TILE)
SHAPES(two_factors, 2, 1, TILE)
SHAPES(three_factors, 3, 1, TILE)
BUNDLE_SHAPES(bundle_of_2, 2, 2, TILE_OF_2)
BUNDLE_SHAPES(bundle_of_4, 2, 4, TILE_OF_4)
#if EXACT_SUMS /* else there are no such bundles */
BUNDLE_SHAPES(bundle_of_2_thirds, 3, 2, TILE_OF_2)
BUNDLE_SHAPES(bundle_of_4_thirds, 3, 4, TILE_OF_4)
#endif

/* After blocks of so many factors: bundles of two, then those of three. */
enum { BUNDLE_OF_2 = MOST_INNERS + 1, BUNDLE_OF_4, THIRD_OF_2, THIRD_OF_4, KINDS };

static const struct {
    run *whole, *cut[MOST_TILE]; /* cut: by vectors - 1 */
} run_of[KINDS] = {ROW(no_factor),
                   ROW(one_factor),
                   ROW(two_factors),
                   ROW(three_factors),
                   BUNDLE_ROW(bundle_of_2),
                   BUNDLE_ROW(bundle_of_4),
#if EXACT_SUMS
                   BUNDLE_ROW(bundle_of_2_thirds),
                   BUNDLE_ROW(bundle_of_4_thirds)
#endif
};

#if EXACT_SUMS
LONG_SHAPE(one_factor_long_1, 1, 1)
LONG_SHAPE(one_factor_long_2, 1, 2)
LONG_SHAPE(two_factors_long_1, 2, 1)
LONG_SHAPE(two_factors_long_2, 2, 2)
LONG_SHAPE(three_factors_long_1, 3, 1)
LONG_SHAPE(three_factors_long_2, 3, 2)

/* Cut ones of many splits. */
static run *const run_long[MOST_INNERS + 1][MOST_SEVERAL] = {
    {no_factor_cut_1, no_factor_cut_2},
    {one_factor_long_1, one_factor_long_2},
    {two_factors_long_1, two_factors_long_2},
    {three_factors_long_1, three_factors_long_2}};
#endif

/* What tiles of a block have in common. */
typedef struct rows {
    const tz_block *block;
    const tz_operand *inner, *outer;
    unsigned inners, outers;
    size_t least, most; /* columns, times lanes, of the narrowest and the widest member */
} rows;

static _Bool fits_int32(ptrdiff_t a) {
    return a >= INT32_MIN && a <= INT32_MAX;
}

/* False for a block that is not of the kind. */
static _Bool rows_of(const tz_block *block, rows *ret) {
    ptrdiff_t least = (ptrdiff_t)(block->width * block->lanes), most = least;
    ptrdiff_t wider = (ptrdiff_t)(block->bundle - 1) * block->widening * (ptrdiff_t)block->lanes;
    if (block->bundle > 1)
        *(wider < 0 ? &least : &most) += wider;
    *ret = (rows){block,         block->inner,  block->outer, block->inners,
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
    for (unsigned o = 1; o < ret->inners && block->bundle > 1; o++)
        fits &= fits_int32(ret->inner[o].member);
    return fits && (block->bundle == 1 || fits_int32(block->member));
}

/* A row of whole tiles of so many vectors from column *c on, or a cut tile of at most so many. */
static void fill_row(const rows *of, size_t *c, unsigned vectors, _Bool cut, size_t tiles,
                     ready *r) {
    const tz_block *block = of->block;
    const unsigned bundle = block->bundle;
    *r = (ready){.target = (element *)block->target + *c,
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
static unsigned kind_of(const rows *of) {
    unsigned twos = of->inners == 3 ? THIRD_OF_2 : BUNDLE_OF_2;
    return of->block->bundle == 1 ? of->inners : of->block->bundle == 2 ? twos : twos + 1;
}

/* The next row of tiles, from column *c on; true if it takes two tz_ready. */
static _Bool next_row(const rows *of, size_t *c, tz_ready *to) {
    const unsigned bundle = of->block->bundle;
    const unsigned vectors = bundle == 1 ? TILE : bundle == 2 ? TILE_OF_2 : TILE_OF_4;
    size_t tiles = of->least > *c ? (of->least - *c) / (vectors * VECTOR_ELEMENTS) : 0;
    for (unsigned o = 0; o < of->outers; o++)
        ((const element **)(to + 1))[o] = (const element *)of->outer[o].base + *c;
    const _Bool apart = bundle > 1 && of->inners == 3;
    ready *r = (ready *)(to + apart);
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
    const ready *a = (const ready *)first, *b = (const ready *)second;
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
        ((ready *)new)->more = 1;
    }
    ((ready *)old)->more = 1;
}

/* Writes the next tiles of a block, from column *c on; true if they take two tz_ready. */
typedef _Bool next_tiles(const rows *of, size_t *c, tz_ready *to);

/* A block's tiles from column c on added to the list; where it ends, 0 if there is no room. */
static size_t prepare_tiles(const rows *all, next_tiles *next, size_t c, tz_ready *list,
                            size_t count, size_t room) {
    while (c < all->most) {
        if (count + 2 > room)
            return 0;
        count += next(all, &c, list + count) ? 2 : 1;
    }
    return count;
}

static void contract_tiles(const rows *all, next_tiles *next) {
    tz_ready tile[2];
    for (size_t c = 0; c < all->most;) {
        next(all, &c, tile);
        tile->run(tile);
    }
}

#include "block_few.h"

/* The block's rows of tiles added to the list; 0 if it is of another kind, or there is no room. */
static size_t prepare_rows(const tz_block *block, tz_ready *list, size_t count) {
    rows all;
    if (!rows_of(block, &all))
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
static _Bool contract_rows(const tz_block *block) {
    rows all;
    if (!rows_of(block, &all))
        return 0;
    contract_tiles(&all, next_row);
    return 1;
}

#endif
