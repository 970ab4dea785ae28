/* block_few.h - rows of few products made ready, all of them listed.
 *
 * Part of block.h. Where lanes fill vectors, most blocks without edges have a few splits, and many
 * come in twos: what is left of a target on either side of a bundle. The code for so many products
 * of the one and so many of the other has no loop but that over columns, and knows beforehand where
 * each product is read.
 *
 * To go strip by strip of columns, with all rows between two bundles, was no faster.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_FEW_H
#define TZ_KERNELS_BLOCK_FEW_H

#include "block_cut.h"

enum { MOST_FEW = 4 }; /* of a block */

/* What a product reads at column 0. */
typedef struct pair {
    const element *a, *b;
} pair;

/* A row of tiles of TILE vectors, and of some vectors more. It goes on in the tz_ready after it as
 * far as its list takes. */
typedef struct __attribute__((may_alias)) few {
    run *run;
    element *target;
    uint32_t tiles;        /* of TILE vectors */
    uint8_t vectors;       /* after the tiles */
    uint8_t first, second; /* products of the first block, and of one that joined it */
    uint8_t first_write;
    pair product[];
} few;

/* Of a row of so many products, in tz_ready. */
static size_t few_size(size_t products) {
    size_t bytes = sizeof(few) + products * sizeof(pair);
    return (bytes + sizeof(tz_ready) - 1) / sizeof(tz_ready);
}

/* Adds a block's products, which are some, to so many vectors from column c on. */
FORCED void add_products_to(vector *total, const pair *product, unsigned products, unsigned vectors,
                            size_t c) {
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        const size_t at = c + v * VECTOR_ELEMENTS;
        vector acc = vector_product(vector_load(product->a + at), vector_load(product->b + at));
        UNROLLED for (unsigned p = 1; p < products; p++) {
            acc = vector_sum_product(acc, vector_load(product[p].a + at),
                                     vector_load(product[p].b + at));
        }
        total[v] = vector_sum(total[v], acc);
    }
}

FORCED void add_few(const few *r, const pair *product, unsigned first, unsigned second,
                    unsigned vectors, size_t c) {
    vector total[MOST_TILE];
    element *target = r->target + c;
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        total[v] = r->first_write ? vector_of(zero) : vector_load(target + v * VECTOR_ELEMENTS);
    }
    add_products_to(total, product, first, vectors, c);
    if (second > 0)
        add_products_to(total, product + first, second, vectors, c);
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        vector_store(target + v * VECTOR_ELEMENTS, total[v]);
    }
}

FORCED const tz_ready *run_few(const tz_ready *ready, unsigned first, unsigned second) {
    const few *r = (const few *)ready;
    pair product[2 * MOST_FEW];
    UNROLLED for (unsigned p = 0; p < first + second; p++) {
        product[p] = r->product[p];
    }
    size_t c = 0, end = (size_t)r->tiles * TILE * VECTOR_ELEMENTS;
    for (; c < end; c += TILE * VECTOR_ELEMENTS)
        add_few(r, product, first, second, TILE, c);
    for (end += r->vectors * VECTOR_ELEMENTS; c < end; c += VECTOR_ELEMENTS)
        add_few(r, product, first, second, 1, c);
    return ready + few_size(first + second);
}

#define FEW(first, second)                                                                         \
    static const tz_ready *few_##first##_##second(const tz_ready *r) {                             \
        return run_few(r, first, second);                                                          \
    }
#define FEWS(first)                                                                                \
    FEW(first, 0)                                                                                  \
    FEW(first, 1)                                                                                  \
    FEW(first, 2)                                                                                  \
    FEW(first, 3)                                                                                  \
    FEW(first, 4)
#define FEW_ROW(first)                                                                             \
    { few_##first##_0, few_##first##_1, few_##first##_2, few_##first##_3, few_##first##_4 }

FEWS(1)
FEWS(2)
FEWS(3)
FEWS(4)

/* [first - 1][second] */
static run *const run_of_few[MOST_FEW][MOST_FEW + 1] = {FEW_ROW(1), FEW_ROW(2), FEW_ROW(3),
                                                        FEW_ROW(4)};

/* The row that ends a list, if it is one of a block alone. */
static few *last_few(tz_ready *list, size_t count) {
    for (unsigned p = 1; p <= MOST_FEW && few_size(p) <= count; p++) {
        few *r = (few *)(list + count - few_size(p));
        if (r->run == run_of_few[p - 1][0])
            return r;
    }
    return NULL;
}

/* The block added to the list, as a row or to the one that ends it, if that is of the same target;
 * 0 if it is of another kind. */
static size_t prepare_few(const flat *of, tz_ready *list, size_t count) {
    const tz_block *block = of->block;
    const size_t vectors = of->most / VECTOR_ELEMENTS;
    if (of->inners != 2 || of->outers > 0 || block->bundle > 1 || block->splits > MOST_FEW ||
        of->most % VECTOR_ELEMENTS != 0)
        return 0;
    few *r = last_few(list, count);
    if (r == NULL || block->first_write || r->target != block->target ||
        r->tiles * (size_t)TILE + r->vectors != vectors) {
        r = (few *)(list + count);
        list[count] = (tz_ready){0};
        *r = (few){.target = block->target,
                   .tiles = (uint32_t)(vectors / TILE),
                   .vectors = (uint8_t)(vectors % TILE),
                   .first_write = block->first_write & 1};
    }
    /* All of it is written: what is added next looks at it. */
    const size_t had = r->first > 0 ? few_size(r->first) : 1;
    memset((tz_ready *)r + had, 0, (few_size(r->first + block->splits) - had) * sizeof(tz_ready));
    const element *a = of->inner[0].base, *b = of->inner[1].base;
    for (size_t s = 0; s < block->splits; s++) {
        r->product[r->first + s] = (pair){a, b};
        a += of->inner[0].split;
        b += of->inner[1].split;
    }
    *(r->first == 0 ? &r->first : &r->second) = (uint8_t)block->splits;
    r->run = run_of_few[r->first - 1][r->second];
    return (size_t)((tz_ready *)r - list) + few_size(r->first + (size_t)r->second);
}

#endif
