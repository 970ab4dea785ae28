/* test_score_range.c - are scores that are not allowed found, and the largest of the others?
 *
 * The kernel (kernels/moves.h) against its definition, for every instruction set and both types, at
 * any place in memory. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>

#include "base/buffer.h"
#include "engine/plan/plan.h"
#include "tests/support/random.h"

enum { MOST = 70, ROOM = MOST + 16, TRIALS = 20000 };

/* Mostly allowed. */
static double random_one(random_state *random, double limit) {
    switch (random_below(random, 400)) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return limit * 8 * (random_below(random, 2) ? 1 : -1);
    case 3:
        return limit * (random_below(random, 2) ? 1 : -1);
    default:
        return random_below(random, 4) == 0 ? -INFINITY : random_between(random, -9, 9);
    }
}

static void scan_one(const tz_algebra *algebra, tz_type type, random_state *random) {
    _Alignas(TZ_MAX_ALIGN) double doubles[ROOM];
    _Alignas(TZ_MAX_ALIGN) float floats[ROOM];
    const double limit = 0x1p20;
    size_t first = random_below(random, ROOM - MOST), count = random_below(random, MOST + 1);
    for (size_t i = 0; i < ROOM; i++) {
        bool in = i >= first && i < first + count;
        doubles[i] = in ? random_one(random, limit) : NAN; /* what is beyond is not looked at */
        floats[i] = (float)doubles[i];
    }
    double before = random_below(random, 2) ? -INFINITY : 3, most = before, expected = before;
    bool allowed = true;
    for (size_t i = first; i < first + count; i++) {
        allowed &= doubles[i] == -INFINITY || fabs(doubles[i]) <= limit;
        double score = type == TZ_FLOAT ? (double)floats[i] : doubles[i];
        expected = score > expected ? score : expected;
    }
    const void *row = type == TZ_FLOAT ? (const void *)(floats + first) : doubles + first;
    assert_int_equal(algebra->score_moves[type]->scan(row, count, limit, NULL), allowed);
    assert_int_equal(algebra->score_moves[type]->scan(row, count, limit, &most), allowed);
    if (allowed)
        assert_true(most == expected);
}

TEST(score_range) {
    random_state random = random_start("score_range");
    static const unsigned flags[] = {0, TZ_NO_AVX512, TZ_NO_AVX512 | TZ_NO_AVX2};
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        tz_algebra algebra;
        assert_ok(tz_algebra_take(&algebra, tz_semiring_find("max", TZ_F64), flags[f], NULL));
        for (int trial = 0; trial < TRIALS; trial++)
            scan_one(&algebra, trial % 2 == 0 ? TZ_DOUBLE : TZ_FLOAT, &random);
    }
}
