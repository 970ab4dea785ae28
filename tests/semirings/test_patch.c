/* test_patch.c - are the scores of one problem taken to where their cells stand?
 *
 * Copying patches of scores (kernels/moves.c) against the definition of a patch, for every
 * instruction set: rows that have scores side by side and others, all cells of a patch or some of
 * them, straight to the cells or packed and then laid there, with guards. What belongs to no cell
 * would be refused, and must not be looked at.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "tests/support/copied.h"
#include "tests/support/problem.h"

enum { SPREAD = 400 };

enum { PATCHES = 5, PATCH_CELLS = TZ_PATCH * (TZ_PATCH + 3) };

/* A patch of cells from `near` on, whose scores are SPREAD places or fewer apart. */
static tz_patch random_patch(int32_t near, unsigned rows, random_state *random) {
    static const int32_t steps[] = {1, 1, 1, 0, 3, -2};
    tz_patch p = {.near = near,
                  .columns = 1 + (int32_t)random_below(random, TZ_PATCH),
                  .step = steps[random_below(random, 6)]};
    p.full = random_below(random, 3) == 0;
    if (p.full)
        p.columns = TZ_PATCH, p.step = 1;
    p.apart = TZ_PATCH + (int32_t)random_below(random, 3);
    if (random_below(random, 3) == 0) {
        p.near += (p.columns - 1) * p.apart;
        p.apart = -p.apart;
    }
    for (unsigned r = 0; r < rows; r++) {
        unsigned of =
            (unsigned)random_below(random, 1 << TZ_PATCH) | (random_below(random, 2) ? 0xffff : 0);
        p.row[r] = (uint16_t)((p.full ? 0xffff : of) & ((1u << p.columns) - 1));
        p.far[r] = TZ_PATCH * 2 + (int32_t)random_below(random, SPREAD - 6 * TZ_PATCH);
    }
    for (int c = 0; c < p.columns; c++) {
        int first = -1, end = 0;
        for (unsigned r = 0; r < rows; r++)
            if (p.row[r] >> c & 1) {
                p.column[c] |= (uint16_t)(1 << r);
                first = first < 0 ? (int)r : first;
                end = (int)r + 1;
            }
        p.start[c] = (int16_t)(p.packed - (first < 0 ? 0 : first));
        p.packed += first < 0 ? 0 : end - first;
    }
    p.packed = (p.packed + TZ_LIFTED - 1) / TZ_LIFTED * TZ_LIFTED;
    return p;
}

/* Straight to the cells, or packed and laid there. What belongs to no cell is not looked at. */
static void patches_one(const tz_algebra *algebra, random_state *random) {
    static double from[SPREAD], packed[PATCHES * TZ_PATCH * TZ_PATCH + 1],
        in_order[PATCHES * TZ_PATCH * TZ_PATCH];
    static unsigned char found[PATCHES * PATCH_CELLS * 8], expected[PATCHES * PATCH_CELLS * 8];
    tz_patch patch[PATCHES + TZ_AHEAD] = {{0}};
    bool wide = algebra->size == sizeof(double), allowed = true;
    tz_type type = wide ? TZ_DOUBLE : TZ_FLOAT;
    size_t patches = random_below(random, PATCHES + 1), rows = random_below(random, 2) ? 8 : 16,
           total = 0;
    for (size_t at = 0; at < SPREAD; at++)
        set_element(wide, from, at, bad_score(random));
    for (size_t p = 0; p < patches; p++)
        patch[p] = random_patch((int32_t)(p * PATCH_CELLS), (unsigned)rows, random);
    for (int turn = 0; turn < 2; turn++) { /* first scores, then where they are to be found */
        total = 0;
        memset(expected, 0xa5, sizeof expected);
        for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++)
            set_element(wide, in_order, i, -INFINITY);
        for (size_t p = 0; p < patches; total += (size_t)patch[p++].packed)
            for (int32_t r = 0; r < (int32_t)rows; r++)
                for (int32_t c = 0; c < patch[p].columns; c++) {
                    const tz_patch *of = &patch[p];
                    size_t at = (size_t)(of->far[r] + c * of->step);
                    if (!(of->row[r] >> c & 1))
                        continue;
                    if (turn == 0)
                        set_element(wide, from, at, any_score(random));
                    double score = element_of(wide, from, at) + 0.0;
                    set_element(wide, expected, (size_t)(of->near + c * of->apart + r), score);
                    set_element(wide, in_order, total + (size_t)(of->start[c] + r), score);
                    if (turn == 1 && random_below(random, 2000) == 0) {
                        set_element(wide, from, at, bad_score(random));
                        allowed = false;
                    }
                }
    }
    set_element(wide, packed, total, 77);
    assert_int_equal(
        algebra->score_moves[type]->pick(packed, from, patch, patches, rows, 1e29, true), allowed);
    assert_true(element_of(wide, packed, total) == 77);
    if (allowed)
        assert_memory_equal(packed, in_order, total * algebra->size);
    memset(found, 0xa5, sizeof found);
    algebra->moves->lay(found, packed, patch, patches, rows);
    if (allowed)
        assert_memory_equal(found, expected, sizeof found);
    memset(found, 0xa5, sizeof found);
    assert_int_equal(
        algebra->score_moves[type]->pick(found, from, patch, patches, rows, 1e29, false), allowed);
    if (allowed)
        assert_memory_equal(found, expected, sizeof found);
}

TEST(patches) {
    random_state random = random_start("patches");
    for (int precision = 0; precision < 2; precision++)
        for (int i = 0; i < ISAS; i++) {
            tz_algebra algebra;
            const tz_semiring *s = tz_semiring_find("max", precision ? TZ_F64 : TZ_F32);
            assert_ok(tz_algebra_take(&algebra, s, isa_flags[i], NULL));
            assert_non_null(algebra.moves);
            for (int turn = 0; turn < 500; turn++)
                patches_one(&algebra, &random);
        }
}
