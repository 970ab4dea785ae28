/* test_transpose.c - are the scores of lanes taken side by side, and read again?
 *
 * Copying pieces of scores, straight to the cells or packed and then put there
 * (kernels/moves.c), and shares of products (kernels/shares.h), against their definitions,
 * for every instruction set, with guards.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "tests/support/copied.h"
#include "tests/support/problem.h"

/* ---- Pieces ---------------------------------------------------------------------------------- */

enum { PAD = 9, PIECES = 9, SPREAD = 400 };

static void check_guard(const unsigned char *element, size_t size) {
    for (size_t b = 0; b < size; b++)
        assert_int_equal(element[b], 0xa5);
}

/* Pieces whose elements, neighbours at one end, are SPREAD places or fewer apart at the other, none
 * in the same place. */
static size_t random_pieces(random_state *random, tz_piece *ret) {
    size_t pieces = random_below(random, PIECES + 1);
    int32_t near = (int32_t)random_below(random, PAD), far[SPREAD];
    for (int32_t i = 0; i < SPREAD; i++) {
        int32_t at = (int32_t)random_below(random, (uint64_t)i + 1);
        far[i] = far[at];
        far[at] = i;
    }
    for (size_t p = 0; p < pieces; p++) {
        ret[p] = (tz_piece){
            .near = near,
            .count = random_below(random, 2) ? TZ_PIECE : 1 + (int32_t)random_below(random, 16)};
        for (int32_t i = 0; i < ret[p].count; i++)
            ret[p].far[i] = random_below(random, 5) == 0 ? -1 : far[p * TZ_PIECE + (size_t)i];
        near += ret[p].count + (int32_t)random_below(random, 3);
    }
    return pieces;
}

/* Straight to the cells, or packed and put there. */
static void pieces_one(const tz_algebra *algebra, random_state *random) {
    static double rows[MAX_LANES][SPREAD], packed[(PIECES + 1) * TZ_PIECE * MAX_LANES];
    static unsigned char found[SPREAD * MAX_LANES * 8], expected[SPREAD * MAX_LANES * 8];
    const void *from[MAX_LANES];
    tz_piece piece[PIECES];
    bool wide = algebra->size == sizeof(double), allowed[2] = {true, true};
    size_t lanes = 1 + random_below(random, MAX_LANES), pieces = random_pieces(random, piece);
    double most[MAX_LANES], largest[MAX_LANES];
    for (size_t l = 0; l < lanes; l++) {
        for (size_t at = 0; at < SPREAD; at++)
            set_element(wide, rows[l], at, any_score(random));
        from[l] = rows[l];
        most[l] = largest[l] = -INFINITY;
    }
    if (pieces > 0 && random_below(random, 3) == 0) {
        const tz_piece *p = &piece[random_below(random, pieces)];
        size_t i = random_below(random, (uint64_t)p->count);
        set_element(wide, rows[random_below(random, lanes)], (size_t)p->near + i,
                    bad_score(random));
        allowed[0] = false;
        allowed[1] = p->far[i] < 0;
    }
    memset(expected, 0xa5, sizeof expected);
    for (size_t p = 0; p < pieces; p++)
        for (int32_t i = 0; i < piece[p].count; i++)
            for (size_t l = 0; l < lanes && piece[p].far[i] >= 0; l++) {
                double score = element_of(wide, rows[l], (size_t)(piece[p].near + i)) + 0.0;
                set_element(wide, expected, (size_t)piece[p].far[i] * lanes + l, score);
                largest[l] = score > largest[l] ? score : largest[l];
            }
    for (int pack = 0; pack < 2; pack++) {
        ptrdiff_t pitch = (ptrdiff_t)lanes;
        memset(found, 0xa5, sizeof found);
        assert_int_equal(algebra->score_moves[wide ? TZ_DOUBLE : TZ_FLOAT]->deal(
                             pack ? (void *)packed : found, pitch, from, lanes, piece, pieces, 1e29,
                             pack ? most : NULL),
                         allowed[pack]);
        if (pack)
            algebra->moves->put(found, pitch, packed, pitch, lanes, piece, pieces);
        assert_memory_equal(found, expected, sizeof found);
    }
    if (allowed[1])
        assert_memory_equal(most, largest, lanes * sizeof *most);
}

/* Where no cell is, packed scores are -infinity. */
static void packed_rest(const tz_algebra *algebra) {
    static const double row[TZ_PIECE] = {0};
    const void *from[] = {row, row, row};
    const tz_piece piece = {.count = 5, .far = {4, 3, -1, 1, 0}};
    double packed[TZ_PIECE * 3], most[3] = {-1, -1, -1};
    algebra->score_moves[TZ_DOUBLE]->deal(packed, 3, from, 3, &piece, 1, 1, most);
    assert_int_equal(tz_packed(&piece), 8);
    for (size_t i = 0; i < 8 * 3; i++)
        assert_true(packed[i] == (i < 5 * 3 && i / 3 != 2 ? 0 : -INFINITY));
}

static void shift_one(const tz_algebra *algebra, random_state *random) {
    enum { MOST = 6 * TZ_LIFTED };
    double scale[TZ_FORMS * MAX_LANES], form[TZ_FORMS * (MOST + 3)], shift[MOST * MAX_LANES + 1];
    size_t lanes = 1 + random_below(random, MAX_LANES), forms = random_below(random, TZ_FORMS + 1),
           count = TZ_LIFTED * random_below(random, MOST / TZ_LIFTED + 1),
           pitch = count + random_below(random, 4);
    for (size_t i = 0; i < forms * lanes; i++)
        scale[i] = (double)random_below(random, 1000) - 500;
    for (size_t i = 0; i < forms * pitch; i++)
        form[i] = (double)random_below(random, 100) - 50;
    shift[count * lanes] = 77;
    algebra->score_moves[TZ_DOUBLE]->shift(shift, scale, lanes, form, (ptrdiff_t)pitch, forms,
                                           count);
    assert_true(shift[count * lanes] == 77);
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; l < lanes; l++) {
            double sum = 0;
            for (size_t f = 0; f < forms; f++)
                sum += scale[f * lanes + l] * form[f * pitch + i];
            assert_true(shift[i * lanes + l] == sum);
        }
}

TEST(transpose) {
    random_state random = random_start("transpose");
    for (int precision = 0; precision < 2; precision++)
        for (int i = 0; i < ISAS; i++) {
            tz_algebra algebra;
            const tz_semiring *s = tz_semiring_find("max", precision ? TZ_F64 : TZ_F32);
            assert_ok(tz_algebra_take(&algebra, s, isa_flags[i], NULL));
            assert_non_null(algebra.moves);
            packed_rest(&algebra);
            for (int turn = 0; turn < 150; turn++) {
                pieces_one(&algebra, &random);
                shift_one(&algebra, &random);
            }
        }
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Of products of random cells, some of which are not there, in problems that may be impossible. */
static void shares_one(const tz_algebra *algebra, random_state *random) {
    enum { CELLS = 50, MOST = 3 * TZ_LEAST_SHARES };
    static double from[TZ_MAX_FACTORS][CELLS * MAX_LANES], whole[MAX_LANES], to[MAX_LANES][MOST];
    static int32_t cell[TZ_MAX_FACTORS][MOST];
    const tz_semiring *s = algebra->semiring;
    const bool wide = algebra->size == sizeof(double);
    const size_t lanes = random_below(random, 3) == 0 ? 1 : 1 + random_below(random, MAX_LANES),
                 n = TZ_LEAST_SHARES + random_below(random, MOST - TZ_LEAST_SHARES);
    tz_products of = {.factors = 1 + (unsigned)random_below(random, TZ_MAX_FACTORS),
                      .lanes = lanes};
    double *ret[MAX_LANES];
    memset(to, 0xa5, sizeof to);
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = to[l] + random_below(random, MOST - n + 1);
        set_element(wide, whole, l, random_below(random, 5) == 0 ? 0 : 0.01 + random_unit(random));
    }
    for (unsigned f = 0; f < of.factors; f++) {
        of.base[f] = from[f];
        of.cell[f] = cell[f];
        for (size_t e = 0; e < CELLS * lanes; e++)
            set_element(wide, from[f], e, random_below(random, 9) == 0 ? 0 : random_unit(random));
        for (size_t i = 0; i < n; i++)
            cell[f][i] = (int32_t)random_below(random, CELLS) ^
                         (f == 0 && random_below(random, 5) == 0 ? -1 : 0);
    }
    algebra->product_shares(s, ret, &of, n, whole);
    for (size_t l = 0; l < lanes; l++) {
        const char *part = (const char *)whole + l * algebra->size;
        for (double *at = to[l]; at < to[l] + MOST; at++) {
            size_t i = (size_t)(at - ret[l]);
            double product = 0;
            if (at < ret[l] || i >= n) {
                check_guard((unsigned char *)at, sizeof *at);
                continue;
            }
            for (unsigned f = 0; f < of.factors && cell[0][i] >= 0; f++) {
                const char *a =
                    (const char *)from[f] + ((size_t)cell[f][i] * lanes + l) * algebra->size;
                if (f == 0)
                    memcpy(&product, a, algebra->size);
                else
                    s->times(s, &product, &product, a);
            }
            double expected = s->share(s, &product, part);
            if (memcmp(part, algebra->zero, algebra->size) != 0)
                assert_memory_equal(at, &expected, sizeof expected);
        }
    }
}

TEST(shares) {
    random_state random = random_start("shares");
    for (int precision = 0; precision < 2; precision++)
        for (int i = 0; i < ISAS; i++) {
            tz_algebra algebra;
            const tz_semiring *s = tz_semiring_find("log", precision ? TZ_F64 : TZ_F32);
            assert_ok(tz_algebra_take(&algebra, s->kernels->narrow, isa_flags[i], NULL));
            assert_non_null(algebra.product_shares);
            for (int turn = 0; turn < 300; turn++)
                shares_one(&algebra, &random);
        }
}
