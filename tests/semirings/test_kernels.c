/* test_kernels.c - do every semiring's contracts, for every instruction set, give the bits of the
 * plain loop?
 *
 * The plain loop here uses plus, times and plus_times alone, in the order that kernel.h states.
 * Blocks are random: 0 to 3 inner and outer operands, 0 to 12 splits, or 70 that operands lie
 * along, widths around the sizes of registers, lanes, strides that are contiguous, zero, negative
 * or large, targets summed over the run, operands that start anywhere, padded or not where there
 * are edges, and from no to all elements zero; of either sign, and many sums nothing, where
 * elements may be so. Bytes around what the target may touch are guards. Some are followed by
 * another of the same target; half are made ready first; a third stand at several places, with
 * inner operands that often stay. Bundles are compared with their members as blocks of their own.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>

#include <trapeze/kernel.h>

#include "semirings/maker.h"
#include "tests/support/amount.h"
#include "tests/support/element.h"
#include "tests/support/random.h"

enum { BLOCKS = AMOUNT(2000, 500), OPERANDS = 3, NAME = 80 };
enum {
    MAX_SPLITS = 12,
    MAX_ALONG = 70,
    MAX_WIDTH = 35,
    MAX_LANES = 16,
    MAX_STRIDE = 3 * MAX_LANES,
    GUARD = 64
};
enum { MAX_PLACES = 5, MAX_MOVE = 64, ROW = (MAX_WIDTH + 1) * (MAX_LANES + 6) };
/* Elements on either side of an operand's base that its strides may reach. */
enum { REACH = (MAX_SPLITS + MAX_WIDTH + 1) * MAX_STRIDE + MAX_LANES + 64 + MAX_MOVE };

typedef struct subject {
    const tz_semiring *semiring;
    tz_isa isa;
    char name[NAME];
} subject;

/* Room for REACH elements before and after the middle, and guards. */
typedef struct room {
    unsigned char *bytes;
    size_t size;
} room;

static room room_new(const tz_semiring *s) {
    room ret = {.size = 2 * REACH * s->size + 2 * GUARD};
    ret.bytes = aligned_alloc(64, (ret.size + 63) / 64 * 64);
    assert_non_null(ret.bytes);
    return ret;
}

static unsigned char *middle(room room, const tz_semiring *s) {
    return room.bytes + GUARD + REACH * s->size;
}

/* Elements, some of them sums of a few scores. */
static void room_fill(room room, const tz_semiring *s, double zeros, random_state *random) {
    const size_t several = s->values != NULL ? 1 + random_below(random, 6) : 1;
    const bool signed_ones = s->multiples != NULL && random_below(random, 2);
    memset(room.bytes, 0xa5, room.size);
    for (size_t i = 0; i < 2 * REACH; i++) {
        double score = random_unit(random) < zeros ? -INFINITY
                       : random_below(random, 8)   ? random_between(random, -20, 20)
                                                   : random_score(random, 1e9);
        void *element = room.bytes + GUARD + i * s->size;
        if (s->mark != NULL && score > -INFINITY && random_below(random, 2))
            s->mark(s, element);
        const bool other_sign = signed_ones && score > -INFINITY && random_below(random, 2);
        score = signed_ones && random_below(random, 2) ? rint(score / 10) : score; /* few numbers */
        s->lift(s, element, 1, &score, 1);
        if (other_sign)
            s->multiples(s, element, 1, element, 1, &(double){-1}, 1);
        for (size_t more = random_below(random, several); more > 0 && score > -INFINITY; more--) {
            any other = any_zero(s);
            score -= (double)random_below(random, 5) / 2;
            s->lift(s, other.bytes, 1, &score, 1);
            s->plus(s, element, element, other.bytes);
        }
    }
}

/* Are all bytes the same? Of narrow elements, numbers of their alignment, the sign of zero is left
 * open, and which bits a NaN has: they make some where they leave their range, and nobody reads
 * them. */
static bool same(const tz_semiring *s, room a, room b) {
    bool narrow = s->kernels->widen != NULL, all = memcmp(a.bytes, b.bytes, a.size) == 0;
    if (all || !narrow)
        return all;
    for (size_t i = 0; i < a.size; i += s->align) {
        double x = 0, y = 0;
        float x_single, y_single;
        if (memcmp(a.bytes + i, b.bytes + i, s->align) == 0)
            continue;
        if (s->align == sizeof x) {
            memcpy(&x, a.bytes + i, sizeof x);
            memcpy(&y, b.bytes + i, sizeof y);
        } else {
            memcpy(&x_single, a.bytes + i, sizeof x_single);
            memcpy(&y_single, b.bytes + i, sizeof y_single);
            x = x_single;
            y = y_single;
        }
        if (x != y && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

static ptrdiff_t random_run(random_state *random, size_t lanes) {
    switch (random_below(random, 6)) {
    case 0:
        return 0;
    case 1:
        return -(ptrdiff_t)lanes;
    case 2:
        return (ptrdiff_t)(lanes + 1 + random_below(random, 5));
    default:
        return (ptrdiff_t)lanes;
    }
}

static const unsigned char *at(const tz_semiring *s, const void *base, ptrdiff_t offset) {
    return (const unsigned char *)base + offset * (ptrdiff_t)s->size;
}

/* The element of operand at split, x, lane. */
static any factor_at(const tz_semiring *s, const tz_operand *operand, size_t split, size_t x,
                     size_t lane) {
    ptrdiff_t offset = (ptrdiff_t)split * operand->split + (ptrdiff_t)x * operand->run;
    return any_of(s, at(s, operand->base, offset + (ptrdiff_t)lane));
}

static bool takes_part(const tz_block *block, size_t split, size_t x) {
    bool part = true;
    for (unsigned e = 0; e < block->lows; e++)
        part &= (ptrdiff_t)x >= block->low[e].at + (ptrdiff_t)split * block->low[e].step;
    for (unsigned e = 0; e < block->highs; e++)
        part &= (ptrdiff_t)x < block->high[e].at + (ptrdiff_t)split * block->high[e].step;
    return part;
}

/* What is added to the target of a column. */
static any column(const tz_semiring *s, const tz_block *block, size_t x, size_t lane) {
    bool no_sum = block->inners == 0 && block->splits == 1 && block->lows + block->highs == 0;
    any acc = no_sum ? any_one(s) : any_zero(s);
    for (size_t split = 0; split < block->splits && !no_sum; split++) {
        if (!takes_part(block, split, x))
            continue;
        any product = any_one(s);
        for (unsigned o = 0; o + 1 < block->inners; o++) {
            any factor = factor_at(s, &block->inner[o], split, x, lane);
            product = o == 0 ? factor : any_times(s, product, factor);
        }
        if (block->inners > 0) {
            any last = factor_at(s, &block->inner[block->inners - 1], split, x, lane);
            acc =
                block->inners == 1 ? any_plus(s, acc, last) : any_plus_times(s, acc, product, last);
        } else {
            acc = any_plus(s, acc, product);
        }
    }
    for (unsigned o = 0; o < block->outers; o++) {
        any factor = factor_at(s, &block->outer[o], 0, x, lane);
        acc = no_sum && o == 0 ? factor : any_times(s, acc, factor);
    }
    return acc;
}

/* What all columns of a block whose run is 0 add to its target. */
static any chained(const tz_semiring *s, const tz_block *block, size_t lane) {
    any chain[TZ_CHAINS];
    const size_t end = (block->width + TZ_CHAINS - 1) / TZ_CHAINS * TZ_CHAINS;
    for (size_t x = 0; x < end; x++) {
        const any more = x < block->width ? column(s, block, x, lane) : any_zero(s);
        any *to = &chain[x % TZ_CHAINS];
        *to = x < TZ_CHAINS ? more : any_plus(s, *to, more);
    }
    for (size_t d = TZ_CHAINS / 2; d > 0; d /= 2)
        for (size_t c = 0; c < d; c++)
            chain[c] = any_plus(s, chain[c], chain[c + d]);
    return chain[0];
}

static void plain_block(const tz_semiring *s, const tz_block *block) {
    const bool one_target = block->run == 0 && block->width > 0;
    for (size_t x = 0; x < (one_target ? 1 : block->width); x++)
        for (size_t lane = 0; lane < block->lanes; lane++) {
            any added = one_target ? chained(s, block, lane) : column(s, block, x, lane);
            unsigned char *target =
                (unsigned char *)block->target +
                ((ptrdiff_t)x * block->run + (ptrdiff_t)lane) * (ptrdiff_t)s->size;
            any sum = any_plus(s, block->first_write ? any_zero(s) : any_of(s, target), added);
            memcpy(target, sum.bytes, s->size);
        }
}

static void plain_loop(const tz_semiring *s, const tz_block *block) {
    if (block->places == 0)
        plain_block(s, block);
    for (size_t p = 0; p < block->places; p++) {
        const ptrdiff_t *by = block->place + p * block->record;
        tz_operand inner[OPERANDS], outer[OPERANDS];
        tz_block moved = *block;
        moved.target = (unsigned char *)block->target + by[block->member] * (ptrdiff_t)s->size;
        for (unsigned o = 0; o < OPERANDS; o++) {
            inner[o] = block->inner[o];
            inner[o].base = at(s, inner[o].base, by[inner[o].member]);
            outer[o] = block->outer[o];
            outer[o].base = at(s, outer[o].base, by[outer[o].member]);
        }
        moved.inner = inner;
        moved.outer = outer;
        plain_block(s, &moved);
    }
}

/* Lets a block stand at places, which are written to `place`. */
static void spread(tz_block *block, tz_operand *inner, tz_operand *outer, ptrdiff_t *place,
                   random_state *random) {
    block->place = place;
    block->record = 2 * OPERANDS + 1;
    block->places = 1 + random_below(random, MAX_PLACES);
    block->first_write = 0;
    block->row_end = 0;
    block->padded = false;
    block->member = 2 * OPERANDS;
    for (unsigned o = 0; o < OPERANDS; o++) {
        inner[o].member = o;
        outer[o].member = OPERANDS + o;
    }
    for (size_t p = 0; p < block->places; p++) {
        const bool stay = p > 0 && random_below(random, 2);
        for (ptrdiff_t o = 0; o < (ptrdiff_t)block->record; o++) {
            const size_t at = p * block->record + (size_t)o;
            place[at] = stay && o < OPERANDS
                            ? place[at - block->record]
                            : (ptrdiff_t)random_below(random, 2 * MAX_MOVE + 1) - MAX_MOVE;
            if (o == block->member)
                place[at] = (ptrdiff_t)random_below(random, 3) * ROW;
        }
    }
}

/* Makes an inner operand zero wherever an edge leaves out one of the columns. */
static void pad(const tz_semiring *s, tz_block *block, unsigned operand, size_t columns) {
    any zero = any_zero(s);
    const tz_operand *o = &block->inner[operand];
    block->padded = true;
    for (size_t split = 0; split < block->splits; split++) {
        for (size_t x = 0; x < columns; x++) {
            for (size_t lane = 0; lane < block->lanes && !takes_part(block, split, x); lane++) {
                ptrdiff_t offset = (ptrdiff_t)split * o->split + (ptrdiff_t)x * o->run;
                memcpy((unsigned char *)at(s, o->base, offset + (ptrdiff_t)lane), zero.bytes,
                       s->size);
            }
        }
    }
}

/* Makes the elements from..end-1 of a row that begins at `base` zero. */
static void clear(const tz_semiring *s, unsigned char *base, size_t from, size_t end) {
    any zero = any_zero(s);
    for (size_t i = from; i < end; i++)
        memcpy(base + i * s->size, zero.bytes, s->size);
}

/* By contract or, in half of the cases, made ready. */
static void compute(const subject *subject, const tz_block *block, size_t blocks,
                    random_state *random) {
    const tz_semiring *s = subject->semiring;
    if (s->kernels->prepare[subject->isa] == NULL || block->places > 0 || random_below(random, 2)) {
        s->kernels->contract[subject->isa](s, block, blocks);
        return;
    }
    tz_ready ready[2 * TZ_MAX_READY + 1];
    size_t count = 0;
    memset(ready, 0xa5, sizeof ready);
    for (size_t b = 0; b < blocks; b++) {
        size_t before = count;
        ready[count + TZ_MAX_READY].run = NULL;
        count = s->kernels->prepare[subject->isa](s, &block[b], ready, count);
        assert_in_range(count, before, before + TZ_MAX_READY);
        assert_null(ready[before + TZ_MAX_READY].run);
    }
    const tz_ready *next = ready;
    while (next < ready + count)
        next = next->run(next);
    assert_ptr_equal(next, ready + count);
}

static void test_contract(void **state) {
    const subject *subject = *state;
    const tz_semiring *s = subject->semiring;
    if (subject->isa > machine_isa()) {
        print_message("# %s: this machine does not run it\n", subject->name);
        skip();
    }
    random_state random = random_start(subject->name);
    room operands[2 * OPERANDS], target = room_new(s), expected = room_new(s), kept = room_new(s);
    unsigned padded = 0;
    for (int o = 0; o < 2 * OPERANDS; o++) {
        operands[o] = room_new(s);
        room_fill(operands[o], s, o * 0.1, &random);
    }
    room_fill(target, s, 0.3, &random);
    for (int i = 0; i < BLOCKS; i++) {
        if (i % 100 == 0) { /* other densities of zero, all and none included */
            for (int o = 0; o < 2 * OPERANDS; o++)
                room_fill(operands[o], s, random_between(&random, -0.5, 1.2), &random);
            room_fill(target, s, random_unit(&random), &random);
        }
        static const size_t lane_counts[] = {1, 1, 2, 3, 8, 16};
        size_t lanes = lane_counts[random_below(&random, 6)];
        bool seamless = random_below(&random, 3) == 0;
        bool along = lanes == 1 && random_below(&random, 3) == 0;
        tz_operand inner[OPERANDS], outer[OPERANDS];
        tz_block block = {.bundle = 1,
                          .lanes = lanes,
                          .width = random_below(&random, MAX_WIDTH + 1),
                          .splits = random_below(&random, (along ? MAX_ALONG : MAX_SPLITS) + 1),
                          .inner = inner,
                          .outer = outer,
                          .inners = (unsigned)random_below(&random, OPERANDS + 1),
                          .outers = (unsigned)random_below(&random, OPERANDS + 1),
                          .run = seamless ? (ptrdiff_t)lanes : random_run(&random, lanes)};
        block.first_write = block.run != 0 && random_below(&random, 2);
        tz_edge edge[4];
        if (random_below(&random, 2) == 0) {
            for (unsigned e = 0; e < 4; e++) {
                edge[e] = (tz_edge){(ptrdiff_t)random_below(&random, block.width + 5) - 3,
                                    (ptrdiff_t)random_below(&random, 5) - 2};
            }
            block.low = edge;
            block.high = edge + 2;
            block.lows = (unsigned)random_below(&random, 3);
            block.highs = (unsigned)random_below(&random, 3);
        }
        for (int o = 0; o < 2 * OPERANDS; o++) {
            ptrdiff_t misaligned = (ptrdiff_t)random_below(&random, 17);
            tz_operand operand = {.base = at(s, middle(operands[o], s), misaligned),
                                  .split = (ptrdiff_t)random_below(&random, 2 * MAX_STRIDE + 1) -
                                           MAX_STRIDE,
                                  .run = seamless ? (ptrdiff_t)lanes : random_run(&random, lanes)};
            operand.split = along ? random_below(&random, 8) > 0 : operand.split;
            *(o < OPERANDS ? &inner[o] : &outer[o - OPERANDS]) = operand;
        }
        if (block.inners > 0 && block.lows + block.highs > 0 && random_below(&random, 2)) {
            padded = (unsigned)random_below(&random, block.inners);
            memcpy(kept.bytes, operands[padded].bytes, kept.size);
            pad(s, &block, padded, block.width);
        }
        ptrdiff_t offset = (ptrdiff_t)random_below(&random, 17) * (ptrdiff_t)s->size;
        size_t columns = block.width * lanes, count = 1 + random_below(&random, 2);
        if (block.run == (ptrdiff_t)lanes) {
            block.row_end = random_below(&random, 20);
            clear(s, middle(target, s) + offset, columns, columns + block.row_end);
        }
        ptrdiff_t place[MAX_PLACES * (2 * OPERANDS + 1)];
        if (s->kernels->placed && !block.padded && random_below(&random, 3) == 0)
            spread(&block, inner, outer, place, &random);
        memcpy(expected.bytes, target.bytes, target.size);
        /* In half of the cases another one of the same target follows. */
        tz_block blocks[2] = {block, block};
        blocks[1].first_write = 0;
        blocks[1].splits = random_below(&random, block.splits + 1);
        blocks[1].inners = random_below(&random, 2) ? block.inners : block.inners > 0;
        blocks[1].padded = block.padded && padded < blocks[1].inners;
        for (size_t b = 0; b < count; b++) {
            blocks[b].target = middle(expected, s) + offset;
            plain_loop(s, &blocks[b]);
            blocks[b].target = middle(target, s) + offset;
        }
        compute(subject, blocks, count, &random);
        if (!same(s, target, expected)) {
            fail_msg("block %d: %zu lanes, width %zu, splits %zu, %u inner, %u outer, run %td, "
                     "%u edges below, %u above, padded %d, first_write %u, row_end %zu, "
                     "%zu places",
                     i, lanes, block.width, block.splits, block.inners, block.outers, block.run,
                     block.lows, block.highs, block.padded, block.first_write, block.row_end,
                     block.places);
        }
        if (block.padded)
            memcpy(operands[padded].bytes, kept.bytes, kept.size);
    }
    for (int o = 0; o < 2 * OPERANDS; o++)
        free(operands[o].bytes);
    free(target.bytes);
    free(expected.bytes);
    free(kept.bytes);
}

/* A bundle, one member after the other. */
static void plain_members(const tz_semiring *s, const tz_block *bundle) {
    for (unsigned t = 0; t < bundle->bundle; t++) {
        tz_operand inner[3];
        tz_block member = *bundle;
        ptrdiff_t first = (ptrdiff_t)(t * bundle->skew);
        for (unsigned o = 0; o < bundle->inners; o++) {
            inner[o] = bundle->inner[o];
            inner[o].base =
                at(s, inner[o].base, (ptrdiff_t)t * inner[o].member + first * inner[o].split);
        }
        member.bundle = 1;
        member.first_write = bundle->first_write >> t & 1;
        member.inner = inner;
        member.target =
            (unsigned char *)bundle->target + (ptrdiff_t)t * bundle->member * (ptrdiff_t)s->size;
        member.width += (size_t)((ptrdiff_t)t * bundle->widening);
        member.splits = t == 0 ? bundle->splits : bundle->bundle_splits - (size_t)first;
        plain_loop(s, &member);
    }
}

/* Bundles of 2 and 4 whose members follow each other's targets closely, so that what is written
 * past a member's last column shows. Of the kind that the engine makes: the first operand is the
 * one that members share, and where there are edges all members have all splits. */
static void test_bundle(void **state) {
    const subject *subject = *state;
    const tz_semiring *s = subject->semiring;
    if (subject->isa > machine_isa()) {
        print_message("# %s: this machine does not run it\n", subject->name);
        skip();
    }
    random_state random = random_start(subject->name);
    room operands[2], target = room_new(s), expected = room_new(s), kept = room_new(s);
    for (int o = 0; o < 2; o++)
        operands[o] = room_new(s);
    for (int i = 0; i < BLOCKS; i++) {
        if (i % 100 == 0) {
            for (int o = 0; o < 2; o++)
                room_fill(operands[o], s, random_between(&random, -0.5, 1.2), &random);
            room_fill(target, s, random_unit(&random), &random);
        }
        static const size_t lane_counts[] = {1, 1, 2, 3, 8, 16};
        size_t lanes = lane_counts[random_below(&random, 6)];
        static const unsigned bundles[] = {2, TZ_MAX_BUNDLE};
        unsigned bundle = bundles[random_below(&random, 2)];
        ptrdiff_t widening = (ptrdiff_t)random_below(&random, 3) - 1;
        size_t narrowest = widening < 0 ? bundle : 1, gap = random_below(&random, 20);
        /* All targets find room. */
        size_t most = (2 * REACH - GUARD) / bundle - 2 * gap;
        most = most / lanes < MAX_WIDTH ? most / lanes : MAX_WIDTH;
        most -= widening > 0 && most >= bundle ? bundle - 1 : 0;
        const unsigned every = (1u << bundle) - 1, some = (unsigned)random_below(&random, every);
        const unsigned first_write[] = {0, some, every};
        tz_operand inner[2];
        tz_edge edge[4];
        tz_block block = {.bundle = bundle,
                          .lanes = lanes,
                          .width = narrowest + random_below(&random, most + 1 - narrowest),
                          .inner = inner,
                          .inners = 2,
                          .run = (ptrdiff_t)lanes,
                          .first_write = first_write[random_below(&random, 3)],
                          .widening = widening};
        bool edged = random_below(&random, 2);
        block.skew = edged ? 0 : (unsigned)random_below(&random, 2);
        /* Every member has a split. */
        size_t shared = (bundle - 1) * block.skew + 1;
        block.splits =
            shared + random_below(&random, shared > MAX_SPLITS / 2 ? 6 : MAX_SPLITS + 1 - shared);
        block.bundle_splits =
            edged ? block.splits : shared + random_below(&random, block.splits + 1 - shared);
        if (edged) {
            for (unsigned e = 0; e < 4; e++) {
                edge[e] =
                    (tz_edge){(ptrdiff_t)random_below(&random, block.width + 5) - 3,
                              random_below(&random, 2) ? -1 /* the same for all columns of a tile */
                                                       : (ptrdiff_t)random_below(&random, 5) - 2};
            }
            block.low = edge;
            block.high = edge + 2;
            block.lows = (unsigned)random_below(&random, 3);
            block.highs = (unsigned)random_below(&random, 3);
        }
        for (int o = 0; o < 2; o++) {
            ptrdiff_t misaligned = (ptrdiff_t)random_below(&random, 17);
            inner[o] = (tz_operand){
                .base = at(s, middle(operands[o], s), misaligned),
                .split = (ptrdiff_t)random_below(&random, 2 * MAX_STRIDE + 1) - MAX_STRIDE,
                .run = (ptrdiff_t)lanes,
                .member = o == 0 ? 0 : (ptrdiff_t)random_below(&random, 81) - 40};
        }
        if (lanes == 1 && block.splits <= 5) /* rows of large charts have tiles of their own */
            inner[0].split = random_below(&random, 2) ? 400 : -400;
        /* The widest member's columns, and a few more that nothing may touch. */
        size_t widest = block.width + (widening > 0 ? bundle - 1 : 0);
        if (block.lows + block.highs > 0 && random_below(&random, 2)) {
            memcpy(kept.bytes, operands[0].bytes, kept.size);
            pad(s, &block, 0, widest);
        }
        ptrdiff_t apart = (ptrdiff_t)(widest * lanes + gap), start = -(ptrdiff_t)REACH + GUARD;
        block.member = random_below(&random, 2) ? apart : -apart;
        start += block.member < 0 ? apart * (ptrdiff_t)(bundle - 1) : 0;
        start += (ptrdiff_t)random_below(&random, 17);
        block.row_end = random_below(&random, 2) ? random_below(&random, gap + 1) : 0;
        for (unsigned t = 0; t < bundle && block.row_end > 0; t++) {
            size_t columns = (size_t)((ptrdiff_t)block.width + (ptrdiff_t)t * widening) * lanes;
            clear(s, middle(target, s) + (start + (ptrdiff_t)t * block.member) * (ptrdiff_t)s->size,
                  columns, widest * lanes + block.row_end);
        }
        memcpy(expected.bytes, target.bytes, target.size);
        block.target = middle(expected, s) + start * (ptrdiff_t)s->size;
        plain_members(s, &block);
        block.target = middle(target, s) + start * (ptrdiff_t)s->size;
        compute(subject, &block, 1, &random);
        if (!same(s, target, expected)) {
            fail_msg("bundle %d of %u: %zu lanes, width %zu %+td, splits %zu of which %zu shared, "
                     "skew %u, %u edges below, %u above, padded %d, first_write %x, row_end %zu",
                     i, bundle, lanes, block.width, widening, block.splits, block.bundle_splits,
                     block.skew, block.lows, block.highs, block.padded, block.first_write,
                     block.row_end);
        }
        if (block.padded)
            memcpy(operands[0].bytes, kept.bytes, kept.size);
    }
    for (int o = 0; o < 2; o++)
        free(operands[o].bytes);
    free(target.bytes);
    free(expected.bytes);
    free(kept.bytes);
}

int main(void) {
    enum { SUBJECTS = 160 };
    static subject subjects[SUBJECTS];
    struct CMUnitTest tests[2 * SUBJECTS];
    size_t count = 0, number = 0;
    static const char *const parametric[] = {
        "costs(1)", "costs(2)", "costs(3)",  "costs(16)", "kbest(1)",      "kbest(2)",
        "kbest(4)", "kbest(5)", "kbest(12)", "kbest(17)", "required(max)", "required(log)"};
    static const char *const written[] = {"best-two", "expectation", "logsum", "viterbi"};
    static tz_semiring *made[SUBJECTS];
    size_t plain = 0, all = 0;
    while (tz_semiring_at(plain, TZ_F64))
        plain++;
    const size_t named = plain + sizeof parametric / sizeof *parametric;
    for (size_t i = 0; i < named + sizeof written / sizeof *written; i++) {
        char path[sizeof TZ_SOURCE_ROOT + NAME];
        for (tz_precision p = TZ_F64; i >= plain && i < named && p <= TZ_F32; p++)
            if (tz_semiring_new(parametric[i - plain], p, &made[all++], NULL) != TZ_OK)
                return 1;
        if (i >= named) {
            snprintf(path, sizeof path, TZ_SOURCE_ROOT "/semirings/gallery/%s.semiring",
                     written[i - named]);
            if (tz_semiring_read(path, &made[all++], NULL) != TZ_OK)
                return 1;
        }
        for (unsigned v = 0; v < 4 * TZ_ISAS; v++) {
            static const char *const isa_name[] = {"baseline", "AVX2", "AVX-512"};
            tz_precision p = v % 2 == 0 ? TZ_F64 : TZ_F32;
            bool narrow = v / 2 % 2;
            if (i >= named && p == TZ_F32)
                continue; /* its elements are doubles */
            const tz_semiring *semiring = i < plain    ? tz_semiring_at(i, p)
                                          : i >= named ? made[all - 1]
                                                       : made[all - 2 + (p == TZ_F32)];
            const tz_kernels *kernels = semiring->kernels;
            if (narrow && (kernels == NULL || kernels->narrow == NULL))
                continue;
            if (narrow)
                kernels = kernels->narrow->kernels;
            if (kernels == NULL || !kernels->contract[v / 4])
                continue; /* there is none, or this build leaves the instruction set out */
            assert_true(count < SUBJECTS);
            subject *s = &subjects[count++];
            s->semiring = narrow ? semiring->kernels->narrow : semiring;
            s->isa = (tz_isa)(v / 4);
            snprintf(s->name, NAME, "%s%s %s: %s contract", narrow ? "narrow " : "", semiring->name,
                     precision_name(p), isa_name[s->isa]);
            tests[number++] = (struct CMUnitTest){s->name, test_contract, NULL, NULL, s};
            if (kernels->bundles)
                tests[number++] = (struct CMUnitTest){s->name, test_bundle, NULL, NULL, s};
        }
    }
    int failed = _cmocka_run_group_tests("kernels", tests, number, NULL, NULL);
    while (all > 0)
        tz_semiring_free(made[--all]);
    return failed;
}
