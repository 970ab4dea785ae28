/* block_scan.h - recurrences along a row: a column at many places, one after the other, each
 * reading the result of the one before.
 *
 * Part of block.h. The result stays in registers: only a product and a sum must be waited for from
 * place to place. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_SCAN_H
#define TZ_KERNELS_BLOCK_SCAN_H

#include "block_row.h"

enum { MOST_SCANNED = 3 };

/* An operand or the target, and how far it moves from place to place. */
typedef struct scanned {
    const element *at;
    ptrdiff_t move;
} scanned;

typedef struct __attribute__((may_alias)) scan_row {
    run *run;
    element *target;
    ptrdiff_t move;
    uint32_t places, lanes;
    uint64_t first_write;
    scanned operand[MOST_SCANNED];
} scan_row;

enum { SCAN_READY = (sizeof(scan_row) + sizeof(tz_ready) - 1) / sizeof(tz_ready) };

/* Some lanes, from lane c on; handed: the operand that is the target of the place before. */
#define SCAN(name, type, load, store, times, plus, none)                                           \
    FORCED void name(const scan_row *r, size_t c, vector_part part, unsigned operands,             \
                     unsigned handed, _Bool cut) {                                                 \
        element *target = r->target + c;                                                           \
        const element *at[MOST_SCANNED];                                                           \
        UNROLLED for (unsigned o = 0; o < operands; o++) {                                         \
            at[o] = r->operand[o].at + c;                                                          \
        }                                                                                          \
        (void)part;                                                                                \
        (void)cut;                                                                                 \
        type last = load(at[handed]);                                                              \
        for (uint32_t p = r->places; p > 0; p--) {                                                 \
            type a = handed == 0 ? last : load(at[0]);                                             \
            UNROLLED for (unsigned o = 1; o < operands; o++) {                                     \
                a = times(a, handed == o ? last : load(at[o]));                                    \
            }                                                                                      \
            last = plus(r->first_write ? none : load(target), a);                                  \
            store(target, last);                                                                   \
            target += r->move;                                                                     \
            UNROLLED for (unsigned o = 0; o < operands; o++) {                                     \
                at[o] += r->operand[o].move;                                                       \
            }                                                                                      \
        }                                                                                          \
    }
#define LOAD_PART(from)   (cut ? vector_load_some(from, part) : vector_load(from))
#define STORE_PART(to, a) (cut ? vector_store_part(to, part, a) : vector_store(to, a))
#define LOAD_ONE(from)    (*(from))
#define STORE_ONE(to, a)  (*(to) = (a))
SCAN(scan_vector, vector, LOAD_PART, STORE_PART, vector_product, vector_sum, vector_of(zero))
SCAN(scan_lane, element, LOAD_ONE, STORE_ONE, product, sum, zero)

/* Vectors of fewer lanes are stored by masks where these are fast. */
enum { LEAST_CUT = VECTOR_BYTES == 64 ? 2 : VECTOR_ELEMENTS };

FORCED const tz_ready *run_scan(const tz_ready *ready, unsigned operands, unsigned handed) {
    const scan_row *r = (const scan_row *)ready;
    const vector_part all = part_of(0, VECTOR_ELEMENTS);
    size_t c = 0;
    for (; c + VECTOR_ELEMENTS <= r->lanes; c += VECTOR_ELEMENTS)
        scan_vector(r, c, all, operands, handed, 0);
    if (r->lanes - c >= LEAST_CUT) {
        scan_vector(r, c, part_of(0, (ptrdiff_t)(r->lanes - c)), operands, handed, 1);
        c = r->lanes;
    }
    for (; c < r->lanes; c++)
        scan_lane(r, c, all, operands, handed, 0);
    return ready + SCAN_READY;
}

#define SCAN_SHAPE(operands, handed)                                                               \
    static const tz_ready *scan_##operands##_##handed(const tz_ready *ready) {                     \
        return run_scan(ready, operands, handed);                                                  \
    }
SCAN_SHAPE(1, 0)
SCAN_SHAPE(2, 0)
SCAN_SHAPE(2, 1)
SCAN_SHAPE(3, 0)
SCAN_SHAPE(3, 1)
SCAN_SHAPE(3, 2)

/* [operands][handed] */
static run *const scan_of[MOST_SCANNED + 1][MOST_SCANNED] = {
    {NULL}, {scan_1_0}, {scan_2_0, scan_2_1}, {scan_3_0, scan_3_1, scan_3_2}};

/* The recurrence added to the list; see tz_block. */
static size_t prepare_scan(const tz_block *block, tz_ready *list, size_t count) {
    scan_row *r = (scan_row *)(list + count);
    unsigned operands = 0, handed = 0;
    for (unsigned i = 0; i < SCAN_READY; i++)
        list[count + i] = (tz_ready){0};
    r->target = block->target;
    r->move = block->member;
    r->places = (uint32_t)block->places;
    r->lanes = (uint32_t)block->lanes;
    r->first_write = block->first_write;
    for (unsigned o = 0; o < block->inners + block->outers; o++, operands++) {
        const tz_operand *of =
            o < block->inners ? &block->inner[o] : &block->outer[o - block->inners];
        r->operand[o] = (scanned){of->base, of->member};
        if (of->member == block->member && (const element *)of->base + of->member == block->target)
            handed = o;
    }
    r->run = scan_of[operands][handed];
    return count + SCAN_READY;
}

#endif
