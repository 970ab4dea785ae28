/* block_vector.h - chooses the kernel for each shape of block, where columns stand side by side.
 *
 * Part of block.h.
 *
 *   no edges                                block_even.h
 *   edges, padded                           block_padded.h
 *   edges                                   block_ragged.h
 *   operands that columns share, backwards  block_loose.h
 *   at many places, or a sum of columns     block_places.h
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

/* By one kernel. False, and nothing done, for a block of another shape. */
static _Bool contract_whole(const tz_block *block) {
    if (block->run == 0 && block->width > 1)
        return contract_sum(block);
    _Bool done = block->lows + block->highs == 0 ? contract_even(block)
                 : block->padded                 ? contract_padded(block)
                                                 : contract_ragged(block);
    return done || contract_loose(block);
}

/* Member m of a bundle. */
static tz_block member_of(const tz_block *block, unsigned m, tz_operand *inner) {
    ptrdiff_t late = (ptrdiff_t)(m * block->skew);
    tz_block ret = *block;
    for (unsigned o = 0; o < block->inners; o++) {
        inner[o] = block->inner[o];
        inner[o].base =
            (const element *)inner[o].base + (ptrdiff_t)m * inner[o].member + late * inner[o].split;
    }
    ret.inner = inner;
    ret.target = (element *)block->target + (ptrdiff_t)m * block->member;
    ret.width = (size_t)((ptrdiff_t)block->width + (ptrdiff_t)m * block->widening);
    ret.splits = (m == 0 ? block->splits : block->bundle_splits) - (size_t)late;
    ret.first_write = block->first_write >> m & 1;
    ret.bundle = 1;
    return ret;
}

/* False, and nothing done, for a block alone of another shape. */
static _Bool contract_vectors(const tz_block *block) {
    if (contract_whole(block))
        return 1;
    for (unsigned m = 0; block->bundle > 1 && m < block->bundle; m++) {
        tz_operand inner[TZ_MAX_OPERANDS];
        tz_block one = member_of(block, m, inner);
        if (!contract_whole(&one))
            contract_scalar(&one);
    }
    return block->bundle > 1;
}

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
    if (block->run == 0 && block->width > 1)
        return prepare_sum(block, list, count);
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
