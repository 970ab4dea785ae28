/* contract.c - a block computed; and the plain loop over one, element by element, which faster
 * contracts are checked against, and what a plug-in without one runs on.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/pass/contract.h"

static const char *at(const tz_operand *operand, size_t split, size_t x, size_t lane, size_t size) {
    ptrdiff_t offset = (ptrdiff_t)split * operand->split + (ptrdiff_t)x * operand->run;
    return (const char *)operand->base + (offset + (ptrdiff_t)lane) * (ptrdiff_t)size;
}

bool tz_takes_part(const tz_block *block, ptrdiff_t split, ptrdiff_t x) {
    for (unsigned e = 0; e < block->lows; e++)
        if (x < block->low[e].at + split * block->low[e].step)
            return false;
    for (unsigned e = 0; e < block->highs; e++)
        if (x >= block->high[e].at + split * block->high[e].step)
            return false;
    return true;
}

void tz_plus_times(const tz_semiring *s, void *sum, void *product, const void *factor) {
    if (s->plus_times != NULL) {
        s->plus_times(s, sum, sum, product, factor);
    } else {
        s->times(s, product, product, factor);
        s->plus(s, sum, sum, product);
    }
}

void tz_plain_contract(const tz_algebra *algebra, const tz_block *block, void *pair) {
    const tz_semiring *s = algebra->semiring;
    size_t size = algebra->size;
    char *sum = pair, *product = sum + size;
    for (size_t x = 0; x < block->width; x++)
        for (size_t lane = 0; lane < block->lanes; lane++) {
            memcpy(sum, algebra->zero, size);
            for (size_t split = 0; split < block->splits; split++) {
                if (!tz_takes_part(block, (ptrdiff_t)split, (ptrdiff_t)x))
                    continue;
                memcpy(product, algebra->one, size);
                for (unsigned i = 0; i < block->inners; i++) {
                    const char *element = at(&block->inner[i], split, x, lane, size);
                    if (i == 0)
                        memcpy(product, element, size);
                    else if (i + 1 < block->inners)
                        s->times(s, product, product, element);
                    else
                        tz_plus_times(s, sum, product, element);
                }
                if (block->inners < 2)
                    s->plus(s, sum, sum, product);
            }
            for (unsigned o = 0; o < block->outers; o++)
                s->times(s, sum, sum, at(&block->outer[o], 0, x, lane, size));
            char *target = (char *)block->target +
                           ((ptrdiff_t)x * block->run + (ptrdiff_t)lane) * (ptrdiff_t)size;
            if (block->first_write)
                memcpy(target, algebra->zero, size);
            s->plus(s, target, target, sum);
        }
}

void tz_contract(tz_chart *chart, const tz_block *block, size_t count) {
    const tz_algebra *algebra = chart->algebra;
    if (algebra->contract != NULL) {
        algebra->contract(algebra->semiring, block, count);
        return;
    }
    for (size_t b = 0; b < count; b++)
        tz_plain_contract(algebra, &block[b], chart->pair.data);
}
