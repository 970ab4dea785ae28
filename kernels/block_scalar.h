/* block_scalar.h - contract for blocks of any shape, column by column.
 *
 * Part of block.h. A tile of columns is kept over all splits; vectorising contiguous elements is
 * left to the compiler. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_SCALAR_H
#define TZ_KERNELS_BLOCK_SCALAR_H

#include <stddef.h>

#include <trapeze/kernel.h>

#include "block_splits.h"

#ifndef HAS_SUM_PRODUCT
static inline element sum_product(element a, element b, element c) {
    return sum(a, product(b, c));
}
#endif

enum { COLUMNS = TZ_CHAINS }; /* computed together: as many as registers hold */

/* A part of a block: `count` columns that stand `step` apart in each operand and in the target. */
typedef struct part {
    size_t x, lane, count;
    _Bool along_run; /* step is the operand's run, else 1 */
    element *chain;  /* [TZ_CHAINS] all columns add to one target; or NULL */
} part;

static inline const element *first(const tz_operand *operand, const part *part) {
    return (const element *)operand->base + (ptrdiff_t)part->x * operand->run +
           (ptrdiff_t)part->lane;
}

static inline ptrdiff_t step(ptrdiff_t run, const part *part) {
    return part->along_run ? run : 1;
}

static inline void add_elements(element *acc, size_t count, splits of, const element *a,
                                ptrdiff_t a_split, ptrdiff_t a_step) {
    for (ptrdiff_t s = of.from; s < of.end; s++)
        for (size_t c = 0; c < count; c++)
            acc[c] = sum(acc[c], a[s * a_split + (ptrdiff_t)c * a_step]);
}

static inline void add_products(element *acc, size_t count, splits of, const element *a,
                                ptrdiff_t a_split, ptrdiff_t a_step, const element *b,
                                ptrdiff_t b_split, ptrdiff_t b_step) {
    for (ptrdiff_t s = of.from; s < of.end; s++) {
        for (size_t c = 0; c < count; c++) {
            acc[c] = sum_product(acc[c], a[s * a_split + (ptrdiff_t)c * a_step],
                                 b[s * b_split + (ptrdiff_t)c * b_step]);
        }
    }
}

/* Three inner operands or more, or none. */
static void add_long_products(element *acc, const tz_block *block, const part *part, splits of) {
    for (ptrdiff_t s = of.from; s < of.end; s++) {
        element term[COLUMNS];
        for (unsigned o = 0; o < block->inners; o++) {
            const tz_operand *operand = &block->inner[o];
            const element *a = first(operand, part) + s * operand->split;
            ptrdiff_t a_step = step(operand->run, part);
            for (size_t c = 0; c < part->count; c++) {
                element factor = a[(ptrdiff_t)c * a_step];
                if (o + 1 == block->inners)
                    acc[c] = sum_product(acc[c], term[c], factor);
                else
                    term[c] = o == 0 ? factor : product(term[c], factor);
            }
        }
        for (size_t c = 0; c < part->count && block->inners == 0; c++)
            acc[c] = sum(acc[c], one);
    }
}

/* The sums over the splits. Constant steps and counts give the compiler straight loops. */
static inline void add_splits(element *acc, const tz_block *block, const part *part, splits of) {
    size_t count = part->count;
    if (block->inners == 1) {
        const element *a = first(&block->inner[0], part);
        ptrdiff_t as = block->inner[0].split, at = step(block->inner[0].run, part);
        if (at != 1)
            add_elements(acc, count, of, a, as, at);
        else if (count != COLUMNS)
            add_elements(acc, count, of, a, as, 1);
        else
            add_elements(acc, COLUMNS, of, a, as, 1);
    } else if (block->inners == 2) {
        const element *a = first(&block->inner[0], part), *b = first(&block->inner[1], part);
        ptrdiff_t as = block->inner[0].split, at = step(block->inner[0].run, part);
        ptrdiff_t bs = block->inner[1].split, bt = step(block->inner[1].run, part);
        if (at != 1 || bt != 1)
            add_products(acc, count, of, a, as, at, b, bs, bt);
        else if (count != COLUMNS)
            add_products(acc, count, of, a, as, 1, b, bs, 1);
        else
            add_products(acc, COLUMNS, of, a, as, 1, b, bs, 1);
    } else {
        add_long_products(acc, block, part, of);
    }
}

/* The same for one column alone, in a block with edges. */
static element add_column(element acc, const tz_block *block, const part *part, size_t x,
                          splits of) {
    for (ptrdiff_t s = of.from; s < of.end; s++) {
        element term = zero, factor = one;
        for (unsigned o = 0; o < block->inners; o++) {
            const tz_operand *a = &block->inner[o];
            term = o > 1 ? product(term, factor) : factor;
            factor = ((const element *)
                          a->base)[s * a->split + (ptrdiff_t)x * a->run + (ptrdiff_t)part->lane];
        }
        acc = block->inners > 1 ? sum_product(acc, term, factor) : sum(acc, factor);
    }
    return acc;
}

/* The sums of one lane of a block with edges: the splits that all columns have, and what each has
 * before and after them. */
static void add_edged(element *acc, const tz_block *block, const part *part) {
    ptrdiff_t x = (ptrdiff_t)part->x, last = x + (ptrdiff_t)part->count - 1;
    splits all = splits_for(block, x, last);
    if (all.from >= all.end)
        all.from = all.end = (ptrdiff_t)block->splits;
    for (size_t c = 0; c < part->count; c++) {
        splits of = splits_for(block, x + (ptrdiff_t)c, x + (ptrdiff_t)c);
        of.end = of.end < all.from ? of.end : all.from;
        acc[c] = add_column(acc[c], block, part, part->x + c, of);
    }
    add_splits(acc, block, part, all);
    for (size_t c = 0; c < part->count; c++) {
        splits of = splits_for(block, x + (ptrdiff_t)c, x + (ptrdiff_t)c);
        of.from = of.from > all.end ? of.from : all.end;
        acc[c] = add_column(acc[c], block, part, part->x + c, of);
    }
}

/* Columns that add to one target, TZ_CHAINS of them from the x-th on, are added to chains. */
static inline void add_to_chains(element *chain, const element *acc, size_t x, size_t count) {
    for (size_t c = 0; c < TZ_CHAINS; c++) {
        const element more = c < count ? acc[c] : zero;
        chain[c] = x == 0 ? more : sum(chain[c], more);
    }
}

static inline element sum_of_chains(element *chain) {
    for (size_t d = TZ_CHAINS / 2; d > 0; d /= 2)
        for (size_t c = 0; c < d; c++)
            chain[c] = sum(chain[c], chain[c + d]);
    return chain[0];
}

static void contract_part(const tz_block *block, const part *part, splits of) {
    element acc[COLUMNS];
    _Bool edges = block->lows + block->highs > 0;
    _Bool plain = block->inners == 0 && block->splits == 1 && !edges; /* the sum is one */
    for (size_t c = 0; c < COLUMNS; c++)
        acc[c] = plain ? one : zero;
    if (part->along_run && edges)
        add_edged(acc, block, part);
    else if (!plain)
        add_splits(acc, block, part, of);
    for (unsigned o = 0; o < block->outers; o++) {
        const element *a = first(&block->outer[o], part);
        ptrdiff_t a_step = step(block->outer[o].run, part);
        for (size_t c = 0; c < part->count; c++) {
            element factor = a[(ptrdiff_t)c * a_step];
            acc[c] = plain && o == 0 ? factor : product(acc[c], factor);
        }
    }
    if (part->chain != NULL) {
        add_to_chains(part->chain, acc, part->x, part->count);
        return;
    }
    element *target =
        (element *)block->target + (ptrdiff_t)part->x * block->run + (ptrdiff_t)part->lane;
    ptrdiff_t target_step = step(block->run, part);
    for (size_t c = 0; c < part->count; c++) {
        element *ret = &target[(ptrdiff_t)c * target_step];
        *ret = sum(block->first_write ? zero : *ret, acc[c]);
    }
}

/* Apart, so that the dispatch of short blocks has few registers to save. */
__attribute__((noinline)) static void contract_scalar(const tz_block *block) {
    _Bool ragged = block->lows + block->highs > 0, flat = !ragged && seamless(block);
    _Bool along_run = !flat && (block->lanes == 1 || block->run == 0);
    _Bool one_target = along_run && block->run == 0;
    splits all = {0, (ptrdiff_t)block->splits};
    size_t rows = flat ? 1 : along_run ? block->lanes : block->width;
    size_t count = flat ? block->width * block->lanes : along_run ? block->width : block->lanes;
    for (size_t r = 0; r < rows; r++) {
        splits of = ragged && !along_run ? splits_for(block, (ptrdiff_t)r, (ptrdiff_t)r) : all;
        element chain[TZ_CHAINS];
        for (size_t c = 0; c < count; c += COLUMNS) {
            size_t left = count - c;
            contract_part(block,
                          &(part){.x = along_run ? c
                                       : flat    ? 0
                                                 : r,
                                  .lane = along_run ? r : c,
                                  .count = left < COLUMNS ? left : COLUMNS,
                                  .along_run = along_run,
                                  .chain = one_target ? chain : NULL},
                          of);
        }
        if (one_target && count > 0) {
            element *target = (element *)block->target + r;
            *target = sum(*target, sum_of_chains(chain));
        }
    }
}

#endif
