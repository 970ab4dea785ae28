/* block.h - plus, times and contract of a semiring from two inline functions.
 *
 * The file that includes it has defined
 *
 *   element                    a type
 *   zero, one                  static const element
 *   element sum(a, b)          static inline
 *   element product(a, b)      static inline
 *
 * and gets plus, times and contract for its descriptor. contract applies sum and product in the
 * order that semiring.h states, so its bits are those of the plain loop. What is gained: both are
 * inlined, a block of columns is kept over all splits, and columns that stand side by side are
 * computed by vectors (HAS_VECTORS: with vector_sum and vector_product of vector.h), or left to the
 * compiler to vectorise. Each instruction set has a unit of its own (TZ_ISA), which holds nothing
 * else; the one with TZ_DESCRIPTOR is the baseline.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_BLOCK_H
#define TZ_SEMIRINGS_BLOCK_H

#include <stddef.h>

#include <trapeze/semiring.h>

#ifdef TZ_DESCRIPTOR
static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(element *)ret = sum(*(const element *)a, *(const element *)b);
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(element *)ret = product(*(const element *)a, *(const element *)b);
}

#endif

enum { COLUMNS = 16 }; /* computed together: as many as registers hold */

/* A part of a block: `count` columns that stand `step` apart in each operand and in the target. */
typedef struct part {
    size_t x, lane, count;
    _Bool along_run; /* step is the operand's run, else 1 */
} part;

static inline const element *first(const tz_operand *operand, const part *part) {
    return (const element *)operand->base + (ptrdiff_t)part->x * operand->run +
           (ptrdiff_t)part->lane;
}

static inline ptrdiff_t step(ptrdiff_t run, const part *part) {
    return part->along_run ? run : 1;
}

static inline void add_elements(element *acc, size_t count, size_t splits, const element *a,
                                ptrdiff_t a_split, ptrdiff_t a_step) {
    for (size_t s = 0; s < splits; s++) {
        for (size_t c = 0; c < count; c++) {
            acc[c] = sum(acc[c], a[(ptrdiff_t)s * a_split + (ptrdiff_t)c * a_step]);
        }
    }
}

static inline void add_products(element *acc, size_t count, size_t splits, const element *a,
                                ptrdiff_t a_split, ptrdiff_t a_step, const element *b,
                                ptrdiff_t b_split, ptrdiff_t b_step) {
    for (size_t s = 0; s < splits; s++) {
        for (size_t c = 0; c < count; c++) {
            acc[c] = sum(acc[c], product(a[(ptrdiff_t)s * a_split + (ptrdiff_t)c * a_step],
                                         b[(ptrdiff_t)s * b_split + (ptrdiff_t)c * b_step]));
        }
    }
}

/* Any number of inner operands, none included. */
static void add_long_products(element *acc, const tz_block *block, const part *part) {
    for (size_t s = 0; s < block->splits; s++) {
        element term[COLUMNS];
        for (size_t c = 0; c < part->count; c++) {
            term[c] = one;
        }
        for (unsigned o = 0; o < block->inners; o++) {
            const tz_operand *operand = &block->inner[o];
            const element *a = first(operand, part) + (ptrdiff_t)s * operand->split;
            ptrdiff_t a_step = step(operand->run, part);
            for (size_t c = 0; c < part->count; c++) {
                element factor = a[(ptrdiff_t)c * a_step];
                term[c] = o == 0 ? factor : product(term[c], factor);
            }
        }
        for (size_t c = 0; c < part->count; c++) {
            acc[c] = sum(acc[c], term[c]);
        }
    }
}

/* The sums over the splits. Constant steps and counts give the compiler straight loops. */
static inline void add_splits(element *acc, const tz_block *block, const part *part) {
    size_t count = part->count, splits = block->splits;
    if (block->inners == 1) {
        const element *a = first(&block->inner[0], part);
        ptrdiff_t as = block->inner[0].split, at = step(block->inner[0].run, part);
        if (at != 1) {
            add_elements(acc, count, splits, a, as, at);
        } else if (count != COLUMNS) {
            add_elements(acc, count, splits, a, as, 1);
        } else {
            add_elements(acc, COLUMNS, splits, a, as, 1);
        }
    } else if (block->inners == 2) {
        const element *a = first(&block->inner[0], part), *b = first(&block->inner[1], part);
        ptrdiff_t as = block->inner[0].split, at = step(block->inner[0].run, part);
        ptrdiff_t bs = block->inner[1].split, bt = step(block->inner[1].run, part);
        if (at != 1 || bt != 1) {
            add_products(acc, count, splits, a, as, at, b, bs, bt);
        } else if (count != COLUMNS) {
            add_products(acc, count, splits, a, as, 1, b, bs, 1);
        } else {
            add_products(acc, COLUMNS, splits, a, as, 1, b, bs, 1);
        }
    } else {
        add_long_products(acc, block, part);
    }
}

static void contract_part(const tz_block *block, const part *part) {
    element acc[COLUMNS];
    _Bool plain = block->inners == 0 && block->splits == 1; /* the sum is the product one */
    for (size_t c = 0; c < COLUMNS; c++) {
        acc[c] = plain ? one : zero;
    }
    if (!plain) {
        add_splits(acc, block, part);
    }
    for (unsigned o = 0; o < block->outers; o++) {
        const element *a = first(&block->outer[o], part);
        ptrdiff_t a_step = step(block->outer[o].run, part);
        for (size_t c = 0; c < part->count; c++) {
            element factor = a[(ptrdiff_t)c * a_step];
            acc[c] = plain && o == 0 ? factor : product(acc[c], factor);
        }
    }
    element *target =
        (element *)block->target + (ptrdiff_t)part->x * block->run + (ptrdiff_t)part->lane;
    ptrdiff_t target_step = step(block->run, part);
    for (size_t c = 0; c < part->count; c++) {
        element *ret = &target[(ptrdiff_t)c * target_step];
        *ret = sum(*ret, acc[c]);
    }
}

#ifdef HAS_VECTORS
/* Columns x.. of a seamless block, `vectors` registers full, with `inners` inner operands:
 * constants, so that the compiler unrolls all but the loop over the splits. */
__attribute__((always_inline)) static inline void
contract_vectors(const tz_block *block, size_t x, unsigned inners, unsigned vectors) {
    vector acc[4];
    const element *from[3];
    for (unsigned v = 0; v < vectors; v++) {
        acc[v] = vector_of(zero);
    }
    for (unsigned o = 0; o < inners; o++) {
        from[o] = (const element *)block->inner[o].base + x;
    }
    for (size_t s = 0; s < block->splits; s++) {
        for (unsigned v = 0; v < vectors; v++) {
            vector term = vector_load(from[0] + v * VECTOR_ELEMENTS);
            for (unsigned o = 1; o < inners; o++) {
                term = vector_product(term, vector_load(from[o] + v * VECTOR_ELEMENTS));
            }
            acc[v] = vector_sum(acc[v], term);
        }
        for (unsigned o = 0; o < inners; o++) {
            from[o] += block->inner[o].split;
        }
    }
    element *target = (element *)block->target + x;
    for (unsigned v = 0; v < vectors; v++) {
        for (unsigned o = 0; o < block->outers; o++) {
            const element *a = (const element *)block->outer[o].base + x + v * VECTOR_ELEMENTS;
            acc[v] = vector_product(acc[v], vector_load(a));
        }
        vector_store(target + v * VECTOR_ELEMENTS,
                     vector_sum(vector_load(target + v * VECTOR_ELEMENTS), acc[v]));
    }
}

__attribute__((always_inline)) static inline size_t
contract_columns(const tz_block *block, size_t count, unsigned inners) {
    size_t x = 0;
    for (; count - x >= 4 * VECTOR_ELEMENTS; x += 4 * VECTOR_ELEMENTS) {
        contract_vectors(block, x, inners, 4);
    }
    for (; count - x >= VECTOR_ELEMENTS; x += VECTOR_ELEMENTS) {
        contract_vectors(block, x, inners, 1);
    }
    return x;
}

/* As many columns of a seamless block as fill registers; returns how many. */
static size_t contract_wide(const tz_block *block, size_t count) {
    switch (block->inners) {
    case 1:
        return contract_columns(block, count, 1);
    case 2:
        return contract_columns(block, count, 2);
    case 3:
        return contract_columns(block, count, 3);
    default:
        return 0;
    }
}
#else
static size_t contract_wide(const tz_block *block, size_t count) {
    (void)block, (void)count;
    return 0;
}
#endif

/* Do consecutive x follow each other without a gap, so that x and lane are one index? */
static _Bool seamless(const tz_block *block) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes;
    _Bool all = block->run == lanes;
    for (unsigned o = 0; o < block->inners; o++) {
        all = all && block->inner[o].run == lanes;
    }
    for (unsigned o = 0; o < block->outers; o++) {
        all = all && block->outer[o].run == lanes;
    }
    return all;
}

DECLARE_CONTRACTS(NAME);

void CONTRACT(NAME, TZ_ISA)(const tz_semiring *self, const tz_block *block) {
    (void)self;
    _Bool flat = seamless(block);
    _Bool along_run = !flat && block->lanes == 1;
    size_t rows = flat || along_run ? 1 : block->width;
    size_t count = flat ? block->width * block->lanes : along_run ? block->width : block->lanes;
    for (size_t row = 0; row < rows; row++) {
        for (size_t c = flat ? contract_wide(block, count) : 0; c < count; c += COLUMNS) {
            size_t left = count - c;
            contract_part(block, &(part){.x = along_run ? c : row,
                                         .lane = along_run ? 0 : c,
                                         .count = left < COLUMNS ? left : COLUMNS,
                                         .along_run = along_run});
        }
    }
}

#endif
