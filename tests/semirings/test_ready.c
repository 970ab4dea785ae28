/* test_ready.c - what blocks become when they are made ready (kernel.h): of blocks that differ in
 * where they stand, and in how many splits they have, is it a linear function of these?
 *
 * A loop of a pass is kept as its first turn, and as what the second differs by; so the law is
 * asked of turns further on. Blocks are made ready, and not run. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include <trapeze/kernel.h>
#include <trapeze/trapeze.h>

#include "semirings/maker.h"
#include "tests/support/amount.h"
#include "tests/support/random.h"

enum { BLOCKS = AMOUNT(4000, 500), OPERANDS = 4, TURNS = 7, MOST_MOVE = 40 };

/* A block, and how it changes from turn to turn. */
typedef struct turning {
    tz_block block;
    tz_operand operand[OPERANDS];
    ptrdiff_t more, move[1 + OPERANDS];
} turning;

static ptrdiff_t random_run(random_state *random, size_t lanes) {
    const ptrdiff_t apart = (ptrdiff_t)random_below(random, 12);
    return random_below(random, 2) ? (ptrdiff_t)lanes : (apart - 4) * (ptrdiff_t)lanes;
}

static void draw(turning *ret, size_t size, random_state *random) {
    static unsigned char memory[1 << 20];
    static const size_t lane_counts[] = {1, 1, 2, 4, 8, 16};
    const size_t lanes = lane_counts[random_below(random, 6)];
    unsigned char *middle = memory + sizeof memory / 2;
    const unsigned inners = 1 + (unsigned)random_below(random, 3);
    *ret = (turning){.block = {.bundle = 1,
                               .lanes = lanes,
                               .width = 1 + random_below(random, 80),
                               .splits = TZ_MANY_SPLITS + TURNS + random_below(random, 30),
                               .inners = inners,
                               .outers = (unsigned)random_below(random, OPERANDS + 1 - inners),
                               .target = middle,
                               .run = random_run(random, lanes),
                               .row_end = random_below(random, 3) * 8,
                               .first_write = (unsigned)random_below(random, 2)},
                     .more = (ptrdiff_t)random_below(random, 4) - 1};
    ret->block.row_end *= ret->block.run == (ptrdiff_t)lanes;
    ret->block.first_write *= ret->block.run != 0;
    for (unsigned o = 0; o < OPERANDS; o++)
        ret->operand[o] = (tz_operand){.base = middle + random_below(random, 100) * size,
                                       .split = (ptrdiff_t)random_below(random, 40) - 20,
                                       .run = random_run(random, lanes)};
    for (unsigned m = 0; m <= OPERANDS; m++)
        ret->move[m] =
            ((ptrdiff_t)random_below(random, 2 * MOST_MOVE) - MOST_MOVE) * (ptrdiff_t)size;
}

/* The block at a turn, in memory of its own. */
typedef struct at_turn {
    tz_block block;
    tz_operand operand[OPERANDS];
} at_turn;

static size_t prepare(const tz_semiring *s, unsigned isa, const turning *of, ptrdiff_t turn,
                      at_turn *at, tz_ready *ret) {
    at->block = of->block;
    at->block.splits += (size_t)(turn * of->more);
    at->block.target = (unsigned char *)at->block.target + turn * of->move[0];
    for (unsigned o = 0; o < OPERANDS; o++) {
        at->operand[o] = of->operand[o];
        at->operand[o].base = (const unsigned char *)at->operand[o].base + turn * of->move[1 + o];
    }
    at->block.inner = at->operand;
    at->block.outer = at->operand + of->block.inners;
    return s->kernels->prepare[isa](s, &at->block, ret, 0);
}

/* Asks it of one semiring, or its narrow elements. */
static unsigned check(const tz_semiring *s, unsigned isa, random_state *random) {
    static tz_ready list[4][TZ_MAX_READY];
    unsigned lists = 0;
    for (int i = 0; i < BLOCKS; i++) {
        turning of;
        at_turn at[4];
        draw(&of, s->size, random);
        const ptrdiff_t turn[] = {0, 1, 2 + (ptrdiff_t)random_below(random, TURNS - 1), 0};
        size_t count[4];
        for (unsigned t = 0; t < 4; t++)
            count[t] = prepare(s, isa, &of, turn[t], &at[t], list[t]);
        /* Does it look at the block again? Then where that is shows. */
        if (memcmp(list[0], list[3], count[0] * sizeof **list) != 0)
            continue;
        lists++;
        assert_int_equal(count[0], count[1]);
        assert_int_equal(count[0], count[2]);
        for (size_t r = 0; r < count[0]; r++) {
            uint64_t word[3][sizeof **list / sizeof(uint64_t)];
            for (unsigned t = 0; t < 3; t++)
                memcpy(word[t], &list[t][r], sizeof word[t]);
            for (size_t w = 0; w < sizeof word[0] / sizeof word[0][0]; w++)
                if (word[2][w] - word[0][w] != (uint64_t)turn[2] * (word[1][w] - word[0][w]))
                    fail_msg("%s: block %d, word %zu of %zu: %zu lanes, width %zu, splits %zu %+td",
                             s->name, i, w, r, of.block.lanes, of.block.width, of.block.splits,
                             of.more);
        }
    }
    return lists;
}

TEST(linear) {
    random_state random = random_start("ready");
    unsigned asked = 0;
    for (size_t i = 0; tz_semiring_at(i, TZ_F64) != NULL; i++) {
        for (unsigned v = 0; v < 4 * TZ_ISAS; v++) {
            const tz_semiring *s = tz_semiring_at(i, v % 2 == 0 ? TZ_F64 : TZ_F32);
            if (v / 2 % 2)
                s = s->kernels != NULL ? s->kernels->narrow : NULL;
            const unsigned isa = v / 4;
            if (s == NULL || s->kernels == NULL || s->kernels->prepare[isa] == NULL)
                continue;
            const unsigned lists = check(s, isa, &random);
            /* Kernels of tuples make fewer shapes ready. */
            assert_true(lists > (strcmp(s->name, "entropy") == 0 ? 0 : BLOCKS / 2));
            asked++;
        }
    }
    assert_true(asked > 0);
}
