/* block_places.h - a block at many places: one for each entry of a sparse weight.
 *
 * Part of block.h. The tile is the same everywhere; only the memory that it reads and writes moves.
 * Its sum over the splits is kept while only outer operands move. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_PLACES_H
#define TZ_KERNELS_BLOCK_PLACES_H

#include "block_loose.h"

/* Do inner operands stand elsewhere at one place than at another? */
FORCED _Bool moves(const loose_tile *t, unsigned inners, const ptrdiff_t *a, const ptrdiff_t *b) {
    ptrdiff_t other = 0;
    UNROLLED for (unsigned o = 0; o < inners; o++) {
        other |= a[t->operand[o].member] ^ b[t->operand[o].member];
    }
    return other != 0;
}

/* The next place where they do; the last one, where there is none. */
FORCED const ptrdiff_t *next_sum(const tz_block *block, const loose_tile *t, const ptrdiff_t *by,
                                 unsigned inners) {
    const ptrdiff_t *last = block->place + (block->places - 1) * block->record, *from = by;
    while (by < last && !moves(t, inners, by, from))
        by += block->record;
    return by;
}

/* Where inner operands begin at a place, from the first-th vector on. */
FORCED void begin_at(const loose_tile *t, const ptrdiff_t *by, size_t first, unsigned inners,
                     const element **at) {
    UNROLLED for (unsigned o = 0; o < inners; o++) {
        const loose_operand *of = &t->operand[o];
        at[o] = of->at + by[of->member] + (ptrdiff_t)first * of->apart;
    }
}

/* The sums times the other factors. */
FORCED void multiply_at(const loose_tile *t, const ptrdiff_t *by, size_t first, vector *ret,
                        const vector *acc, unsigned inners, unsigned vectors, window all,
                        const vector_part *part) {
    vector factor[MOST_TILE];
    UNROLLED for (unsigned v = 0; v < vectors; v++) {
        ret[v] = acc[v];
    }
    for (unsigned o = inners; o < inners + t->outers; o++) {
        const loose_operand *of = &t->operand[o];
        load_loose(factor, of, order_of(PLAIN_ORDERS, o, of),
                   of->at + by[of->member] + (ptrdiff_t)first * of->apart, t->lanes, vectors, 0,
                   all, part);
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            ret[v] = vector_product(ret[v], factor[v]);
        }
    }
}

/* ---- Columns of the target ------------------------------------------------------------------ */

/* Sums of several places side by side, of one vector each: alone, every split would wait for the
 * one before it. */
enum { BESIDE = VECTOR_REGISTERS == 1 ? 4 : 1 };

/* Every split takes in the whole tile, and all operands go along with the columns. */
FORCED void sum_beside(const loose_tile *t, const element *const at[BESIDE][MOST_INNERS],
                       vector *acc, unsigned inners, vector_part part) {
    const ptrdiff_t step = t->operand[0].split, other = inners > 1 ? t->operand[1].split : 0;
    ptrdiff_t here = 0, there = 0;
    vector sum[BESIDE];
    UNROLLED for (unsigned g = 0; g < BESIDE; g++) {
        sum[g] = vector_of(zero);
    }
    for (uint32_t left = t->whole; left > 0; left--) {
        UNROLLED for (unsigned g = 0; g < BESIDE; g++) {
            const vector a = vector_keep(part, vector_load_some(at[g][0] + here, part));
            sum[g] = inners > 1
                         ? vector_sum_product(sum[g], a, vector_load_some(at[g][1] + there, part))
                         : vector_sum(sum[g], a);
        }
        here += step;
        there += other;
    }
    UNROLLED for (unsigned g = 0; g < BESIDE; g++) {
        acc[g] = sum[g];
    }
}

FORCED void run_rows(const tz_block *block, const loose_tile *t, unsigned inners,
                     unsigned vectors) {
    const window all = {0, t->most};
    const _Bool beside = BESIDE > 1 && vectors == 1 && t->before + t->after == 0 && t->whole > 1 &&
                         rows_alone(t, inners);
    const element *at[BESIDE][MOST_INNERS];
    vector acc[MOST_TILE], product[MOST_TILE], sums[BESIDE];
    vector_part part[MOST_TILE];
    unsigned known = 0; /* of these sums */
    parts_of(part, vectors, all);
    for (size_t p = 0; p < block->places; p++) {
        const ptrdiff_t *by = block->place + p * block->record;
        if (p > 0 && !moves(t, inners, by, by - block->record)) {
        } else if (!beside) {
            begin_at(t, by, 0, inners, at[0]);
            sum_loose(t, at[0], acc, inners, vectors, 1, add_parts_of[inners][vectors]);
        } else {
            if (known == 0) {
                for (const ptrdiff_t *next = by; known < BESIDE; known++) {
                    begin_at(t, next, 0, inners, at[known]);
                    next = next_sum(block, t, next, inners);
                }
                sum_beside(t, (const element *const(*)[MOST_INNERS])at, sums, inners, part[0]);
            }
            acc[0] = sums[BESIDE - known--];
        }
        multiply_at(t, by, 0, product, acc, inners, vectors, all, part);
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            element *to = t->target + by[block->member] + (ptrdiff_t)v * t->apart;
            vector_store_part(to, part[v], vector_sum(vector_load_some(to, part[v]), product[v]));
        }
    }
}

/* The same of a tile that is one element: what is loaded of a vector beside it would only be in the
 * way, and what has just been stored is there sooner for an element. Every split takes it in. */
FORCED void run_elements(const tz_block *block, const loose_tile *t, unsigned inners) {
    const ptrdiff_t step = t->operand[0].split, other = inners > 1 ? t->operand[1].split : 0;
    element sums[BESIDE], acc = zero;
    unsigned known = 0;
    for (size_t p = 0; p < block->places; p++) {
        const ptrdiff_t *by = block->place + p * block->record;
        if (p == 0 || moves(t, inners, by, by - block->record)) {
            if (known == 0) {
                const element *at[BESIDE][MOST_INNERS];
                element total[BESIDE];
                for (const ptrdiff_t *next = by; known < BESIDE; known++) {
                    total[known] = zero;
                    begin_at(t, next, 0, inners, at[known]);
                    next = next_sum(block, t, next, inners);
                }
                ptrdiff_t here = 0, there = 0;
                for (uint32_t left = t->whole; left > 0; left--, here += step, there += other) {
                    UNROLLED for (unsigned g = 0; g < BESIDE; g++) {
                        total[g] = inners > 1
                                       ? sum_product(total[g], at[g][0][here], at[g][1][there])
                                       : sum(total[g], at[g][0][here]);
                    }
                }
                UNROLLED for (unsigned g = 0; g < BESIDE; g++) {
                    sums[g] = total[g];
                }
            }
            acc = sums[BESIDE - known--];
        }
        element result = acc, *to = t->target + by[block->member];
        for (unsigned o = inners; o < inners + t->outers; o++)
            result = product(result, t->operand[o].at[by[t->operand[o].member]]);
        *to = sum(*to, result);
    }
}

/* ---- One target ----------------------------------------------------------------------------- */

/* Adds columns TZ_CHAINS apart to the same chain, then the chains; `vectors` at a time. */
FORCED void run_chains(const tz_block *block, const loose_tile *t, size_t elements, unsigned inners,
                       unsigned vectors) {
    enum { MOST_CHAINS = TZ_CHAINS };
    const unsigned lanes = t->lanes, all = TZ_CHAINS * lanes / VECTOR_ELEMENTS;
    const size_t columns = (elements + VECTOR_ELEMENTS - 1) / VECTOR_ELEMENTS; /* as vectors */
    const vector_part own = part_of(0, lanes);
    const _Bool along = rows_alone(t, inners);
    const ptrdiff_t *before = NULL;
    const element *at[MOST_INNERS];
    vector acc[MOST_CHAINS], chain[MOST_CHAINS];
    for (size_t p = 0; p < block->places; p++) {
        const ptrdiff_t *by = block->place + p * block->record;
        const _Bool moved = before == NULL || columns > all || moves(t, inners, by, before);
        before = by;
        for (unsigned v = 0; v < all; v++)
            chain[v] = vector_of(zero);
        for (size_t first = 0; first < columns; first += vectors) {
            vector product[MOST_TILE];
            vector_part part[MOST_TILE];
            const size_t left = elements - first * VECTOR_ELEMENTS,
                         most = vectors * VECTOR_ELEMENTS;
            const window in = {0, (ptrdiff_t)(left < most ? left : most)};
            vector *to = chain + first % all, *sums = acc + first % all;
            parts_of(part, vectors, in);
            if (moved) {
                begin_at(t, by, first, inners, at);
                UNROLLED for (unsigned v = 0; v < vectors; v++) {
                    sums[v] = vector_of(zero);
                }
                if (along && left >= most)
                    add_loose(t, at, sums, inners, vectors, t->whole, in, 0, 0, ROWS);
                else
                    add_loose(t, at, sums, inners, vectors, t->whole, in, 1, 0, PLAIN_ORDERS);
            }
            multiply_at(t, by, first, product, sums, inners, vectors, in, part);
            UNROLLED for (unsigned v = 0; v < vectors; v++) {
                to[v] = first < all ? product[v] : vector_sum(to[v], product[v]);
            }
        }
        for (unsigned d = all / 2; d > 0; d /= 2)
            for (unsigned v = 0; v < d; v++)
                chain[v] = vector_sum(chain[v], chain[v + d]);
        for (unsigned d = VECTOR_ELEMENTS / 2; d >= lanes; d /= 2)
            chain[0] = vector_sum(chain[0], vector_take(chain[0], vector_places() ^ (whole)d));
        element *to = t->target + by[block->member];
        vector_store_part(to, own, vector_sum(vector_load_some(to, own), chain[0]));
    }
}

/* ---- Which ---------------------------------------------------------------------------------- */

enum { MOST_PLACED = 2 }; /* inner operands of rows */

typedef void run_at_places(const tz_block *block, const loose_tile *t, size_t elements);

#define AT_PLACES(inners, vectors)                                                                 \
    static void rows_##inners##_##vectors(const tz_block *block, const loose_tile *t,              \
                                          size_t elements) {                                       \
        (void)elements;                                                                            \
        run_rows(block, t, inners, vectors);                                                       \
    }
#define ELEMENTS_AT_PLACES(inners)                                                                 \
    static void elements_##inners(const tz_block *block, const loose_tile *t, size_t elements) {   \
        (void)elements;                                                                            \
        run_elements(block, t, inners);                                                            \
    }
ELEMENTS_AT_PLACES(1)
ELEMENTS_AT_PLACES(2)
#define CHAINS_AT_PLACES(inners, vectors)                                                          \
    __attribute__((noinline)) static void chains_##inners##_##vectors(                             \
        const tz_block *block, const loose_tile *t, size_t elements) {                             \
        run_chains(block, t, elements, inners, vectors);                                           \
    }
AT_PLACES(1, 1)
AT_PLACES(1, 2)
AT_PLACES(1, 3)
AT_PLACES(1, 4)
AT_PLACES(2, 1)
AT_PLACES(2, 2)
AT_PLACES(2, 3)
AT_PLACES(2, 4)
CHAINS_AT_PLACES(1, 1)
CHAINS_AT_PLACES(1, 2)
CHAINS_AT_PLACES(1, 4)
CHAINS_AT_PLACES(2, 1)
CHAINS_AT_PLACES(2, 2)
CHAINS_AT_PLACES(2, 4)
CHAINS_AT_PLACES(3, 1)
CHAINS_AT_PLACES(3, 2)
CHAINS_AT_PLACES(3, 4)

/* [inners][vectors - 1] */
#define ROWS_OF(inners)                                                                            \
    {                                                                                              \
        rows_##inners##_1, WITHIN(2, rows_##inners##_2), WITHIN(3, rows_##inners##_3),             \
            WITHIN(4, rows_##inners##_4)                                                           \
    }
static run_at_places *const rows_of[MOST_PLACED + 1][MOST_TILE] = {{NULL}, ROWS_OF(1), ROWS_OF(2)};
static run_at_places *const elements_of[MOST_PLACED + 1] = {NULL, elements_1, elements_2};
/* [inners][1, 2, 4 vectors] */
static run_at_places *const chains_of[MOST_INNERS + 1][3] = {
    {NULL},
    {chains_1_1, chains_1_2, WITHIN(4, chains_1_4)},
    {chains_2_1, chains_2_2, WITHIN(4, chains_2_4)},
    {chains_3_1, chains_3_2, WITHIN(4, chains_3_4)}};

static run_at_places *chains_for(const loose_tile *t) {
    const unsigned all = (unsigned)TZ_CHAINS * t->lanes / VECTOR_ELEMENTS;
    return chains_of[t->inners][all < 2 ? 0 : all < 4 || TILE < 4 ? 1 : 2];
}

static _Bool plain_orders(const loose_tile *t, unsigned inners) {
    for (unsigned o = 0; o < inners + t->outers; o++)
        if (t->operand[o].order != IN_ROW && t->operand[o].order != ALL_SAME)
            return 0;
    return 1;
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_tiles_at_places(const tz_block *block) {
    loose of;
    const _Bool chains = block->run == 0;
    if ((chains && block->lows + block->highs > 0) || !is_loose(block, &of) ||
        (!chains && of.inners > MOST_PLACED))
        return 0;
    for (; of.lane < block->lanes; of.lane += of.lanes) {
        const size_t most = chains ? block->width : TILE * VECTOR_ELEMENTS / of.lanes;
        for (size_t x = 0; x < block->width; x += most) {
            tz_ready
                room[(sizeof(loose_tile) + MOST_LOOSE * sizeof(loose_operand)) / sizeof(tz_ready) +
                     1];
            const size_t left = block->width - x, elements = (left < most ? left : most) * of.lanes;
            const loose_tile *t = (const loose_tile *)room;
            size_t next = x;
            next_loose(&of, &next, room);
            if (!plain_orders(t, of.inners))
                return 0;
            if (chains)
                chains_for(t)(block, t, elements);
            else if (elements == 1 && t->before + t->after == 0)
                elements_of[of.inners](block, t, elements);
            else
                rows_of[of.inners][(elements - 1) / VECTOR_ELEMENTS](block, t, elements);
        }
    }
    return 1;
}

/* ---- A block whose columns all add to one target --------------------------------------------- */

static const tz_ready *run_sum(const tz_ready *ready) {
    static const ptrdiff_t here[1];
    const loose_tile *t = (const loose_tile *)ready;
    const tz_block once = {.place = here, .places = 1, .record = 1};
    chains_for(t)(&once, t, (size_t)t->high);
    return after_loose(t, t->inners);
}

/* Its tiles added to the list; 0 if it is of another shape. */
static size_t prepare_sum(const tz_block *block, tz_ready *list, size_t count) {
    const size_t room = count + TZ_MAX_READY;
    loose of;
    if (block->lows + block->highs > 0 || !is_loose(block, &of))
        return 0;
    for (; of.lane < block->lanes; of.lane += of.lanes) {
        size_t x = 0;
        loose_tile *t = (loose_tile *)(list + count);
        if (count + loose_size(of.inners + of.outers) > room)
            return 0;
        count += next_loose(&of, &x, list + count);
        if (!plain_orders(t, of.inners))
            return 0;
        t->high = (int32_t)(block->width * of.lanes);
        t->run = run_sum;
    }
    return count;
}

/* False, and nothing done, for a block of another shape. */
static _Bool contract_sum(const tz_block *block) {
    loose of;
    if (block->lows + block->highs > 0 || !is_loose(block, &of))
        return 0;
    for (; of.lane < block->lanes; of.lane += of.lanes) {
        size_t x = 0;
        tz_ready
            room[(sizeof(loose_tile) + MOST_LOOSE * sizeof(loose_operand)) / sizeof(tz_ready) + 1];
        loose_tile *t = (loose_tile *)room;
        next_loose(&of, &x, room);
        if (!plain_orders(t, of.inners))
            return 0;
        t->high = (int32_t)(block->width * of.lanes);
        run_sum(room);
    }
    return 1;
}

#endif
