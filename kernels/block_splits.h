/* block_splits.h - finds which splits of a block take part where, and whether its columns have
 * gaps. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_SPLITS_H
#define TZ_KERNELS_BLOCK_SPLITS_H

#include <stddef.h>

#include <trapeze/kernel.h>

/* Splits from..end-1. */
typedef struct splits {
    ptrdiff_t from, end;
} splits;

/* Splits in r for which at + s * step >= 0. */
static inline splits clip(splits r, ptrdiff_t at, ptrdiff_t step) {
    if (step == 0)
        return at >= 0 ? r : (splits){0, 0};
    /* The steps of real rules are 1 or -1, and a division takes longer than a short tile. */
    if (step > 0) {
        ptrdiff_t from = at >= 0 ? 0 : step == 1 ? -at : (-at + step - 1) / step;
        return (splits){from > r.from ? from : r.from, r.end};
    }
    ptrdiff_t end = at < 0 ? 0 : step == -1 ? at + 1 : at / -step + 1;
    return (splits){r.from, end < r.end ? end : r.end};
}

/* The splits whose columns begin at `first` or before it and end at `last` or after it. */
static inline splits splits_for(const tz_block *block, ptrdiff_t first, ptrdiff_t last) {
    splits of = {0, (ptrdiff_t)block->splits};
    for (unsigned e = 0; e < block->lows; e++)
        of = clip(of, first - block->low[e].at, -block->low[e].step);
    for (unsigned e = 0; e < block->highs; e++)
        of = clip(of, block->high[e].at - last - 1, block->high[e].step);
    return of;
}

/* Do consecutive x follow each other without a gap, so that x and lane are one index? */
static inline _Bool seamless(const tz_block *block) {
    ptrdiff_t lanes = (ptrdiff_t)block->lanes;
    _Bool all = block->run == lanes;
    for (unsigned o = 0; o < block->inners; o++)
        all = all && block->inner[o].run == lanes;
    for (unsigned o = 0; o < block->outers; o++)
        all = all && block->outer[o].run == lanes;
    return all;
}

#endif
