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

/* What is added to the target of a column. */
static void column(const tz_algebra *algebra, const tz_block *block, size_t x, size_t lane,
                   char *sum, char *product) {
    const tz_semiring *s = algebra->semiring;
    const size_t size = algebra->size;
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
}

static void add_columns(const tz_algebra *algebra, const tz_block *block, void *room) {
    const tz_semiring *s = algebra->semiring;
    const size_t size = algebra->size;
    char *sum = room, *product = sum + size;
    for (size_t x = 0; x < block->width; x++)
        for (size_t lane = 0; lane < block->lanes; lane++) {
            column(algebra, block, x, lane, sum, product);
            char *target = (char *)block->target +
                           ((ptrdiff_t)x * block->run + (ptrdiff_t)lane) * (ptrdiff_t)size;
            if (block->first_write)
                memcpy(target, algebra->zero, size);
            s->plus(s, target, target, sum);
        }
}

/* The columns of a block whose run is 0: those TZ_CHAINS apart add to one chain. */
static void add_chains(const tz_algebra *algebra, const tz_block *block, void *room) {
    const tz_semiring *s = algebra->semiring;
    const size_t size = algebra->size;
    char *chain = room, *product = chain + TZ_CHAINS * size, *more = product + size;
    for (size_t lane = 0; lane < block->lanes && block->width > 0; lane++) {
        tz_fill(algebra, chain, algebra->zero, TZ_CHAINS);
        for (size_t x = 0; x < block->width; x += TZ_CHAINS)
            for (size_t c = 0; c < TZ_CHAINS; c++) {
                char *to = x == 0 ? chain + c * size : more;
                if (x + c < block->width)
                    column(algebra, block, x + c, lane, to, product);
                else
                    memcpy(to, algebra->zero, size);
                if (x > 0)
                    s->plus(s, chain + c * size, chain + c * size, more);
            }
        for (size_t d = TZ_CHAINS / 2; d > 0; d /= 2)
            for (size_t c = 0; c < d; c++)
                s->plus(s, chain + c * size, chain + c * size, chain + (c + d) * size);
        char *target = (char *)block->target + lane * size;
        s->plus(s, target, target, chain);
    }
}

void tz_plain_contract(const tz_algebra *algebra, const tz_block *block, void *room) {
    (block->run == 0 ? add_chains : add_columns)(algebra, block, room);
}

/* A constant `size` lets the compiler compare and copy words. */
static inline void mark_present(const tz_algebra *algebra, const tz_block *block, size_t size) {
    const tz_operand *item = block->inners > 0 ? block->inner : block->outer;
    const char *from = item->base, *zero = algebra->zero, *one = algebra->one;
    char *to = block->target;
    const ptrdiff_t lanes = (ptrdiff_t)block->lanes;
    const bool one_row = item->run == lanes && block->run == lanes;
    const size_t rows = one_row ? 1 : block->width, row = one_row ? block->width : 1;
    for (size_t x = 0; x < rows; x++) {
        for (size_t e = 0; e < row * block->lanes; e++) {
            const bool present = memcmp(from + e * size, zero, size) != 0;
            if (present || block->first_write)
                memcpy(to + e * size, present ? one : zero, size);
        }
        from += item->run * (ptrdiff_t)size;
        to += block->run * (ptrdiff_t)size;
    }
}

void tz_presence(tz_chart *chart, const tz_block *block) {
    const size_t size = chart->algebra->size;
    if (size == 4)
        mark_present(chart->algebra, block, 4);
    else if (size == 8)
        mark_present(chart->algebra, block, 8);
    else
        mark_present(chart->algebra, block, size);
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

void tz_contract_placed(tz_chart *chart, const tz_block *block) {
    const tz_algebra *algebra = chart->algebra;
    tz_operand operand[TZ_MAX_OPERANDS];
    if (algebra->contract != NULL && algebra->semiring->kernels->placed) {
        algebra->contract(algebra->semiring, block, 1);
        return;
    }
    for (size_t p = 0; p < block->places; p++) {
        tz_block moved = tz_block_at(block, p, algebra->size, operand);
        tz_contract(chart, &moved, 1);
    }
}
