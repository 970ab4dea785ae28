/* block_row.h - rows of tiles, with everything about them found out beforehand.
 *
 * Part of block.h. A block of a short sentence takes a few vectors of work, and would take longer
 * to look at than to compute; but a pass goes through the same blocks for every sentence of a
 * length. So a block becomes one or two rows of tiles, the wide ones and one that the last column
 * cuts, each a cache line that begins with the function for its shape: how many factors, members
 * and vectors. Whoever makes a row takes care of edges.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_ROW_H
#define TZ_KERNELS_BLOCK_ROW_H

#include "block_tile.h"

typedef const tz_ready *run(const tz_ready *ready);

/* A tz_ready as the functions here see it. */
typedef struct __attribute__((may_alias)) tile_row {
    run *run;
    element *target;
    const element *factor[2];
    union {
        const element *third; /* the third factor, of a block alone */
        struct {
            int32_t member, target_member; /* from member to member: in factor[1], in the target */
        };
    };
    int32_t split[2]; /* from split to split of each factor, in bytes */
    union {
        int32_t third_split; /* in bytes */
        uint32_t shared;     /* splits of a bundle that all members have, or that some begin with */
    };
    uint32_t splits; /* of a block, or of the first member */
    union {
        uint32_t tiles;                 /* how many whole tiles stand side by side */
        uint8_t columns[TZ_MAX_BUNDLE]; /* each member's columns of a cut tile */
    };
    uint8_t most; /* of a cut tile: columns of the widest member */
    union {
        uint8_t outers; /* outer factors, whose addresses stand in the next tz_ready */
        uint8_t skew;   /* of a bundle */
    };
    uint8_t first_write; /* bit m: of member m */
    uint8_t vectors : 3; /* of a tile */
    uint8_t row_end : 1; /* of a cut tile: the row end has room for its last vector */
} tile_row;

_Static_assert(sizeof(tile_row) <= sizeof(tz_ready), "a row of tiles fits a tz_ready");

enum { MOST_OUTERS = sizeof(tz_ready) / sizeof(void *) };

FORCED place place_of(const tile_row *r, unsigned bundle, unsigned m, size_t c) {
    ptrdiff_t member = bundle > 1 ? (ptrdiff_t)m * r->target_member : 0;
    return (place){r->target + c + member, r->columns[m], r->first_write >> m & 1, r->row_end};
}

FORCED void begin_row(form f, tile *t, const tile_row *r, size_t c) {
    UNROLLED for (unsigned o = 0; o < f.inners; o++) {
        t->at[o] = (o < 2 ? r->factor[o] : r->third) + c;
        t->split[o] = o < 2 ? r->split[o] : r->third_split;
    }
    t->member = f.bundle > 1 ? r->member : 0;
}

/* All splits of a bundle: those that some members begin with, all, and those that only the first
 * has. */
FORCED void add_bundle(form f, tile *t, sums *acc, const tile_row *r) {
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
FORCED void add_block(form f, tile *t, sums *acc, const tile_row *r, _Bool several) {
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
FORCED const tz_ready *multiply_outers(form f, const tile *t, sums *acc, const tile_row *r,
                                       size_t c) {
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

/* Whole tiles side by side, or a cut one. */
FORCED const tz_ready *run_tiles(const tile_row *r, unsigned inners, unsigned bundle,
                                 unsigned vectors, _Bool cut, _Bool several) {
    const tz_ready *next = NULL;
    const size_t width = (size_t)vectors * VECTOR_ELEMENTS;
    const form f = {inners, bundle, vectors, cut};
    tile t;
    t.tail = part_below(cut ? r->most : UINT8_MAX, vectors - 1);
    for (size_t c = 0, end = cut ? 1 : r->tiles * width; c < end; c += width) {
        sums acc;
        next = (const tz_ready *)r + 1;
        begin_row(f, &t, r, c);
        if (bundle > 1) {
            add_bundle(f, &t, &acc, r);
        } else {
            add_block(f, &t, &acc, r, several);
            next = multiply_outers(f, &t, &acc, r, c);
        }
        UNROLLED for (unsigned m = 0; m < bundle; m++) {
            add_to_target(f, &t, &acc, m, place_of(r, bundle, m, c));
        }
    }
    return next;
}

/* Each shape is a function of its own, so that its loops have the registers to themselves. */
#define SHAPE(name, inners, bundle, vectors)                                                       \
    static const tz_ready *name(const tz_ready *r) {                                               \
        return run_tiles((const tile_row *)r, inners, bundle, vectors, 1, 0);                      \
    }
#define WHOLE_SHAPE(name, inners, bundle, vectors)                                                 \
    static const tz_ready *name(const tz_ready *r) {                                               \
        return run_tiles((const tile_row *)r, inners, bundle, vectors, 0, 0);                      \
    }
#define LONG_SHAPE(name, inners, vectors)                                                          \
    static const tz_ready *name(const tz_ready *r) {                                               \
        return run_tiles((const tile_row *)r, inners, 1, vectors, 1, 1);                           \
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
            kind##_cut_1, WITHIN(2, kind##_cut_2), WITHIN(3, kind##_cut_3),                        \
                WITHIN(4, kind##_cut_4)                                                            \
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
#if BUNDLES
BUNDLE_SHAPES(bundle_of_2, 2, 2, TILE_OF_2)
BUNDLE_SHAPES(bundle_of_4, 2, 4, TILE_OF_4)
#endif
/* After blocks of so many factors: bundles, of two. */
enum { BUNDLE_OF_2 = MOST_INNERS + 1, BUNDLE_OF_4, KINDS };

static const struct {
    run *whole, *cut[MOST_TILE]; /* cut: by vectors - 1 */
} run_of[KINDS] = {ROW(no_factor),          ROW(one_factor),        ROW(two_factors),
                   ROW(three_factors),
#if BUNDLES
                   BUNDLE_ROW(bundle_of_2), BUNDLE_ROW(bundle_of_4)
#endif
};

/* A tile that is one element: as a vector it would wait until what has just been stored beside it
 * is there. */
FORCED const tz_ready *run_element(const tile_row *r, unsigned inners) {
    const tz_ready *next = (const tz_ready *)r + 1;
    const element *const *outer = (const element *const *)next;
    const element *at[MOST_INNERS] = {r->factor[0], r->factor[1], r->third};
    const ptrdiff_t split[MOST_INNERS] = {r->split[0], r->split[1], r->third_split};
    element acc = zero;
    for (uint32_t s = 0; s < r->splits; s++) {
        element term = *at[0], last = term;
        UNROLLED for (unsigned o = 1; o < inners; o++) {
            term = o > 1 ? product(term, last) : term;
            last = *at[o];
        }
        if (s == 0)
            acc = inners > 1 ? product(term, last) : term;
        else
            acc = inners > 1 ? sum_product(acc, term, last) : sum(acc, term);
        UNROLLED for (unsigned o = 0; o < inners; o++) {
            at[o] = (const element *)((const char *)at[o] + split[o]);
        }
    }
    for (unsigned o = 0; o < r->outers; o++)
        acc = product(acc, *outer[o]);
    *r->target = sum(r->first_write ? zero : *r->target, acc);
    return next + (r->outers > 0);
}

#define ELEMENT(inners)                                                                            \
    static const tz_ready *element_##inners(const tz_ready *r) {                                   \
        return run_element((const tile_row *)r, inners);                                           \
    }
ELEMENT(1)
ELEMENT(2)
ELEMENT(3)
static run *const run_of_element[MOST_INNERS + 1] = {NULL, element_1, element_2, element_3};

/* For a cut tile of a block alone. */
static run *run_of_cut(const tile_row *r, unsigned inners) {
    const _Bool alone = VECTOR_REGISTERS == 1 && r->most == 1 && inners > 0;
    return alone ? run_of_element[inners] : run_of[inners].cut[r->vectors - 1];
}

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

#endif
