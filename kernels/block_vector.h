/* block_vector.h - which kernel serves which shape of block, where columns stand side by side.
 *
 * Part of block.h.
 *
 *   a bundle of 16                          block_tall.h, else as bundles of 4
 *   a bundle of 4 like a matrix product     block_matrix.h
 *   no edges                                block_even.h, block_few.h
 *   edges, padded                           block_padded.h
 *   edges                                   block_ragged.h
 *   operands that columns share, backwards  block_loose.h
 *   at many places                          block_places.h
 *   a recurrence along a row                block_scan.h
 *   all others                              block_scalar.h
 *
 * A block that is computed again and again is made ready as the same tiles.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_VECTOR_H
#define TZ_KERNELS_BLOCK_VECTOR_H

#include "block_loose.h"
#include "block_padded.h"
#include "block_places.h"
#include "block_scan.h"

/* A block alone. False, and nothing done, for one of another shape. */
static _Bool contract_alone(const tz_block *block) {
    _Bool done = block->lows + block->highs == 0 ? contract_even(block)
                 : block->padded                 ? contract_padded(block)
                                                 : contract_ragged(block);
    return done || contract_loose(block);
}

#if BUNDLES
#include "block_tall.h"

/* A block of at most FEW_MEMBERS. False, and nothing done, for one of another shape. */
static _Bool contract_few_members(const tz_block *block) {
    if (is_matrix(block)) {
        contract_matrix(block);
        return 1;
    }
    return contract_alone(block);
}

/* Likewise any. */
static _Bool contract_vectors(const tz_block *block) {
    if (block->bundle <= FEW_MEMBERS)
        return contract_few_members(block);
    if (contract_tall(block))
        return 1;
    for (unsigned m = 0; m < block->bundle; m += FEW_MEMBERS) {
        tz_operand inner[2];
        tz_block few = members_of(block, m, FEW_MEMBERS, inner);
        contract_few_members(&few);
    }
    return 1;
}
#else
static _Bool contract_vectors(const tz_block *block) {
    return contract_alone(block);
}
#endif

/* ---- Made ready ----------------------------------------------------------------------------- */

/* What is not made ready beyond its address. */
typedef struct __attribute__((may_alias)) unready {
    const tz_ready *(*run)(const tz_ready *ready);
    const tz_block *block;
} unready;

static const tz_ready *run_block(const tz_ready *ready) {
    const tz_block *block = ((const unready *)ready)->block;
    if (!contract_vectors(block))
        contract_scalar(block);
    return ready + 1;
}

/* The block's tiles added to the list; 0 if it is not for tiles, or there is no room. */
static size_t prepare_vectors(const tz_block *block, tz_ready *list, size_t count) {
#if BUNDLES
    if (block->bundle > FEW_MEMBERS)
        return prepare_tall(block, list, count, count + TZ_MAX_READY);
    if (is_matrix(block))
        return 0;
#endif
    size_t end = block->lows + block->highs == 0 ? prepare_even(block, list, count)
                 : block->padded                 ? prepare_padded(block, list, count)
                                                 : prepare_ragged(block, list, count);
    return end > 0 ? end : prepare_loose(block, list, count);
}

/* See tz_kernels.prepare. */
static size_t prepare(const tz_block *block, tz_ready *list, size_t count) {
    if (block->places > 0)
        return prepare_scan(block, list, count);
    size_t end = prepare_vectors(block, list, count);
    if (end > 0)
        return end;
    list[count] = (tz_ready){0}; /* all of it: what is added next looks at it */
    *(unready *)(list + count) = (unready){run_block, block};
    return count + 1;
}

#endif
