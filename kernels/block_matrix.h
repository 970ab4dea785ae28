/* block_matrix.h - contract for bundles whose columns and members share both operands, by vectors.
 *
 * Part of block.h. Where lanes fill whole vectors, split s of column x + u and member t reads the
 * second operand at
 *
 *   base + x * run + u * run + s * split + t * member
 *
 * In rules such as [i,k] [k+1,j] / [i,j] run - split = member: then split s - u of column x + u
 * reads it at base + x * run + s * split + (u + t) * member, the same for all columns and members
 * with the same u + t, and ACROSS columns of MEMBERS members are a tile of a matrix product: each
 * step s loads ACROSS elements of the first operand and ACROSS + MEMBERS - 1 of the second for
 * ACROSS * MEMBERS products. With its members in reverse order, a bundle of run - split = -member
 * is of that kind too. A third operand has an element of its own for each product. Each target
 * still sums its splits in ascending order; steps for which some have no split are at either end.
 *
 * It is the register tile of matrix products (Goto & van de Geijn 2008, ACM TOMS 34:3), skewed.
 * Larger tiles were no faster: what is read for the first time comes from the second-level cache.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_MATRIX_H
#define TZ_KERNELS_BLOCK_MATRIX_H

#include "block_scalar.h"
#include "block_tile.h"

/* Columns of a tile, as registers allow, and members: twos have too little to share. */
#if VECTOR_BYTES == 64
enum { ACROSS = 4 };
#else
enum { ACROSS = 2 };
#endif
enum { MEMBERS = 4, MOST_ACROSS = 4 };

/* A bundle, seen from one vector of lanes: what has member 0 first, and run - split = member. */
typedef struct bundled {
    const element *a, *b, *third; /* at column 0, split 0, member 0; third: or NULL */
    element *target;
    ptrdiff_t lanes, a_split, b_split, b_member, third_split, third_member, target_member;
    ptrdiff_t splits;
    size_t width;    /* of member 0 */
    _Bool narrowing; /* each further one is narrower by one column */
    unsigned first_write;
    const tz_block *block; /* its edges */
} bundled;

/* What is constant wherever a tile is used. */
typedef struct shape {
    unsigned columns;
    _Bool corner; /* past the narrowest member's last column: column u has members t < 3 - u */
    _Bool third;  /* there is a third factor, of which each product has its own element */
} shape;

typedef struct matrix {
    vector at[MOST_ACROSS][MEMBERS];
} matrix;

FORCED _Bool has(shape of, unsigned u, unsigned t) {
    return !of.corner || u + t + 1 < MEMBERS;
}

/* Where column 0 and member 0 read. */
typedef struct read_at {
    const element *a, *b, *third;
} read_at;

FORCED read_at read_after(const bundled *s, shape of, read_at r, ptrdiff_t steps) {
    return (read_at){r.a + steps * s->a_split, r.b + steps * s->b_split,
                     of.third ? r.third + steps * s->third_split : NULL};
}

/* Adds a step's products for columns from..end-1, of column u those with members t <= begun - u. */
FORCED void add_step(const bundled *s, shape of, matrix *acc, read_at r, unsigned from,
                     unsigned end, unsigned begun) {
    vector moving[MOST_ACROSS + MEMBERS];
    unsigned last = of.corner ? MEMBERS - 1 : end + MEMBERS - 1;
    if (begun + 1 < last)
        last = begun + 1;
    UNROLLED for (unsigned c = from; c < last; c++) {
        moving[c] = vector_load(r.b + (ptrdiff_t)c * s->b_member);
        IN_REGISTER(moving[c]);
    }
    UNROLLED for (unsigned u = from; u < end && u < last; u++) {
        vector shared = vector_load(r.a + (ptrdiff_t)u * (s->lanes - s->a_split));
        IN_REGISTER(shared);
        UNROLLED for (unsigned t = 0; t < MEMBERS; t++) {
            if (has(of, u, t) && u + t < last) {
                vector term = shared, factor = moving[u + t];
                if (of.third) {
                    term = vector_product(shared, factor);
                    factor = vector_load(r.third + (ptrdiff_t)u * (s->lanes - s->third_split) +
                                         (ptrdiff_t)t * s->third_member);
                }
                acc->at[u][t] = vector_sum_product(acc->at[u][t], term, factor);
            }
        }
    }
}

enum { ALL_BEGUN = 1000 };

/* Splits from..end-1 of column u alone. */
FORCED void add_across(const bundled *s, shape of, matrix *acc, read_at r, unsigned u,
                       ptrdiff_t from, ptrdiff_t end) {
    for (ptrdiff_t step = from + (ptrdiff_t)u; step < end + (ptrdiff_t)u; step++)
        add_step(s, of, acc, read_after(s, of, r, step), u, u + 1, ALL_BEGUN);
}

/* Columns x.. of the bundle. */
FORCED void compute_matrix(const bundled *s, shape of, _Bool ragged, size_t x) {
    matrix acc;
    ptrdiff_t column = (ptrdiff_t)x * s->lanes;
    read_at r = {s->a + column, s->b + column, of.third ? s->third + column : NULL};
    UNROLLED for (unsigned u = 0; u < of.columns; u++) {
        UNROLLED for (unsigned t = 0; t < MEMBERS; t++) {
            acc.at[u][t] = vector_of(zero);
        }
    }
    ptrdiff_t from, end;
    if (ragged) {
        splits own[MOST_ACROSS];
        from = PTRDIFF_MIN;
        end = PTRDIFF_MAX;
        UNROLLED for (unsigned u = 0; u < of.columns; u++) {
            own[u] = splits_for(s->block, (ptrdiff_t)(x + u), (ptrdiff_t)(x + u));
            from = own[u].from + (ptrdiff_t)u > from ? own[u].from + (ptrdiff_t)u : from;
            end = own[u].end + (ptrdiff_t)u < end ? own[u].end + (ptrdiff_t)u : end;
        }
        if (from > end) /* no step has a split of every column */
            from = end = PTRDIFF_MAX / 2;
        UNROLLED for (unsigned u = 0; u < of.columns; u++) {
            ptrdiff_t last = from - (ptrdiff_t)u;
            add_across(s, of, &acc, r, u, own[u].from, last < own[u].end ? last : own[u].end);
        }
        for (ptrdiff_t step = from; step < end; step++)
            add_step(s, of, &acc, read_after(s, of, r, step), 0, of.columns, ALL_BEGUN);
        UNROLLED for (unsigned u = 0; u < of.columns; u++) {
            add_across(s, of, &acc, r, u, end - (ptrdiff_t)u, own[u].end);
        }
    } else {
        unsigned begin = of.columns - 1 + MEMBERS - 1;
        UNROLLED for (unsigned step = 0; step < begin; step++) {
            add_step(s, of, &acc, r, 0, of.columns, step);
            r = read_after(s, of, r, 1);
        }
        for (ptrdiff_t step = (ptrdiff_t)begin; step < s->splits; step++) {
            add_step(s, of, &acc, r, 0, of.columns, ALL_BEGUN);
            r = read_after(s, of, r, 1);
        }
        UNROLLED for (unsigned over = 1; over < of.columns; over++) {
            add_step(s, of, &acc, r, over, of.columns, ALL_BEGUN);
            r = read_after(s, of, r, 1);
        }
    }
    UNROLLED for (unsigned t = 0; t < MEMBERS; t++) {
        element *target = s->target + (ptrdiff_t)x * s->lanes + (ptrdiff_t)t * s->target_member;
        _Bool first_write = s->first_write >> t & 1;
        UNROLLED for (unsigned u = 0; u < of.columns; u++) {
            if (has(of, u, t)) {
                element *to = target + (ptrdiff_t)u * s->lanes;
                vector old = first_write ? vector_of(zero) : vector_load(to);
                vector_store(to, vector_sum(old, acc.at[u][t]));
            }
        }
    }
}

FORCED void compute_matrices(const bundled *s, _Bool ragged, _Bool third) {
    size_t least = s->width - (s->narrowing ? MEMBERS - 1 : 0), x = 0;
    for (; x + ACROSS <= least; x += ACROSS)
        compute_matrix(s, (shape){ACROSS, 0, third}, ragged, x);
    if (ACROSS > 2 && x + 2 <= least) {
        compute_matrix(s, (shape){2, 0, third}, ragged, x);
        x += 2;
    }
    for (; x < least; x++)
        compute_matrix(s, (shape){1, 0, third}, ragged, x);
    if (s->narrowing && !ragged)
        compute_matrix(s, (shape){MEMBERS - 1, 1, third}, ragged, least);
}

/* Members begin one split after the other; there are no edges. */
__attribute__((noinline)) static void skewed_matrices(const bundled *s) {
    compute_matrices(s, 0, 0);
}

/* The same with a third factor, where sums are exact: else there are no such bundles. */
__attribute__((noinline)) static void skewed_matrices_of_3(const bundled *s) {
    compute_matrices(s, 0, 1);
}

/* All members have all splits that the edges let them have. */
__attribute__((noinline)) static void ragged_matrices(const bundled *s) {
    compute_matrices(s, 1, 0);
}

static _Bool is_matrix(const tz_block *block) {
    if (block->bundle != MEMBERS || block->lanes % VECTOR_ELEMENTS != 0 ||
        block->bundle_splits != block->splits || block->inners < 2)
        return 0;
    const tz_operand *b = &block->inner[1];
    if (block->skew == 1) {
        return b->run - b->split == b->member && block->widening <= 0 && block->widening >= -1 &&
               block->splits >= MOST_ACROSS + MEMBERS - 2;
    }
    return block->skew == 0 && block->widening == 0 && block->inners == 2 &&
           (b->run - b->split == b->member || b->split - b->run == b->member);
}

/* A block for which is_matrix. */
static void contract_matrix(const tz_block *block) {
    const tz_operand *a = &block->inner[0], *b = &block->inner[1];
    _Bool skewed = block->skew == 1, reverse = b->run - b->split != b->member;
    bundled s = {.a = a->base,
                 .b = b->base,
                 .target = block->target,
                 .lanes = (ptrdiff_t)block->lanes,
                 .a_split = a->split,
                 .b_split = b->split,
                 .b_member = b->member,
                 .target_member = block->member,
                 .splits = (ptrdiff_t)block->splits,
                 .width = block->width,
                 .narrowing = block->widening < 0,
                 .first_write = block->first_write,
                 .block = block};
    if (block->inners == 3) {
        s.third = block->inner[2].base;
        s.third_split = block->inner[2].split;
        s.third_member = block->inner[2].member;
    }
    if (reverse) {
        s.b += (MEMBERS - 1) * s.b_member;
        s.target += (MEMBERS - 1) * s.target_member;
        s.b_member = -s.b_member;
        s.target_member = -s.target_member;
        s.first_write = 0;
        for (unsigned t = 0; t < MEMBERS; t++)
            s.first_write |= (block->first_write >> t & 1) << (MEMBERS - 1 - t);
    }
    for (size_t lane = 0; lane < block->lanes; lane += VECTOR_ELEMENTS) {
        (!skewed                         ? ragged_matrices
         : EXACT_SUMS && s.third != NULL ? skewed_matrices_of_3
                                         : skewed_matrices)(&s);
        s.a += VECTOR_ELEMENTS;
        s.b += VECTOR_ELEMENTS;
        if (s.third != NULL)
            s.third += VECTOR_ELEMENTS;
        s.target += VECTOR_ELEMENTS;
    }
}

#endif
