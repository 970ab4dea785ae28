/* block.h - makes plus, times and contract of a semiring from two inline functions.
 *
 * The file that includes it has defined
 *
 *   element                    a type
 *   zero, one                  static const element
 *   element sum(a, b)          static inline
 *   element product(a, b)      static inline
 *
 * and gets plus, times and contract for its descriptor. With HAS_SUM_PRODUCT it has also defined
 * sum_product(a, b, c), which is a + b * c, and gets plus_times. With HAS_VECTORS it has also
 * included vector.h or tuple.h and defined vector_sum and vector_product (and vector_sum_product),
 * gets prepare, and its kernels take bundles unless BUNDLES is 0; EXACT_SUMS is 1 where it is
 * TZ_EXACT.
 *
 * contract applies them in the order that kernel.h states, so its bits are those of the plain loop.
 * It is faster because the functions are inlined, a tile of columns is kept over all splits, and
 * columns that stand side by side are computed by vectors. Each instruction set has a unit of its
 * own (TZ_ISA), which holds nothing else, except the one with TZ_DESCRIPTOR.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_H
#define TZ_KERNELS_BLOCK_H

#include "block_scalar.h"

#ifdef HAS_VECTORS
#include "block_vector.h"
#endif

#ifdef TZ_DESCRIPTOR
static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(element *)ret = sum(*(const element *)a, *(const element *)b);
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(element *)ret = product(*(const element *)a, *(const element *)b);
}

#ifdef HAS_SUM_PRODUCT
static void plus_times(const tz_semiring *self, void *ret, const void *a, const void *b,
                       const void *c) {
    (void)self;
    *(element *)ret = sum_product(*(const element *)a, *(const element *)b, *(const element *)c);
}
#endif
#endif

#ifdef HAS_VECTORS
DECLARE_PREPARES(NAME);

size_t PREPARE(NAME, TZ_ISA)(const tz_semiring *self, const tz_block *block, tz_ready *list,
                             size_t count) {
    (void)self;
    return prepare(block, list, count);
}
#else
static inline _Bool contract_vectors(const tz_block *block) {
    (void)block;
    return 0;
}

static inline _Bool contract_tiles_at_places(const tz_block *block) {
    (void)block;
    return 0;
}
#endif

/* Single products of one lane, each at its places: the columns of a block of one column and one
 * split, in the order of contract_scalar. */
static inline void contract_single(const tz_block *block, size_t p) {
    const ptrdiff_t *by = block->place + p * block->record;
    element acc = zero;
    for (unsigned o = 0; o < block->inners; o++) {
        const element factor = ((const element *)block->inner[o].base)[by[block->inner[o].member]];
        if (o + 1 < block->inners)
            acc = o == 0 ? factor : product(acc, factor);
        else
            acc = o == 0 ? sum(zero, factor) : sum_product(zero, acc, factor);
    }
    for (unsigned o = 0; o < block->outers; o++) {
        const element factor = ((const element *)block->outer[o].base)[by[block->outer[o].member]];
        acc = o + block->inners == 0 ? factor : product(acc, factor);
    }
    element *target = (element *)block->target + by[block->member];
    if (block->run == 0)
        *target = sum(*target, sum(acc, zero)); /* its chain */
    else
        *target = sum(block->first_write ? zero : *target, acc);
}

static inline _Bool is_single(const tz_block *block) {
    return block->place != NULL && block->width == 1 && block->splits == 1 && block->lanes == 1 &&
           block->bundle == 1 && block->lows + block->highs == 0 &&
           block->inners + block->outers > 0;
}

/* Apart, for the same reason as contract_scalar. */
__attribute__((noinline)) static void contract_places(const tz_block *block) {
    if (is_single(block)) {
        for (size_t p = 0; p < block->places; p++)
            contract_single(block, p);
        return;
    }
    if (block->place != NULL && contract_tiles_at_places(block))
        return;
    tz_operand operand[TZ_MAX_OPERANDS];
    for (size_t p = 0; p < block->places; p++) {
        tz_block moved = tz_block_at(block, p, sizeof(element), operand);
        if (!contract_vectors(&moved))
            contract_scalar(&moved);
    }
}

DECLARE_CONTRACTS(NAME);

void CONTRACT(NAME, TZ_ISA)(const tz_semiring *self, const tz_block *block, size_t count) {
    (void)self;
    for (size_t b = 0; b < count; b++)
        if (block[b].places > 0)
            contract_places(&block[b]);
        else if (!contract_vectors(&block[b]))
            contract_scalar(&block[b]);
}

#endif
