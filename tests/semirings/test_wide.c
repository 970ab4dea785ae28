/* test_wide.c - are shares in wide elements of log, several at a time, those of times and share?
 *
 * For every instruction set. The sums of such elements: test_kernels.c.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "engine/plan/algebra.h"
#include "tests/support/copied.h"
#include "tests/support/random.h"

enum { TURNS = 300, MOST = 150, SIZE = 16 /* of the largest element, in bytes */ };

static void fill(const tz_algebra *algebra, char *to, size_t count, random_state *random) {
    for (size_t i = 0; i < count; i++) {
        double score = random_wide_score(random, algebra->limit);
        algebra->lift(algebra->semiring, to + i * algebra->size, 1, &score, 1);
    }
}

/* Elements some places apart, to numbers some places apart, forwards or backwards. */
static void shares_one(const tz_algebra *algebra, random_state *random) {
    enum { APART = 3 };
    static _Alignas(SIZE) char part[APART * MOST * SIZE], whole[SIZE];
    static double got[APART * MOST], want[APART * MOST];
    const tz_semiring *s = algebra->semiring;
    const size_t count = random_below(random, MOST + 1);
    ptrdiff_t stride = (ptrdiff_t)random_below(random, 2 * APART + 1) - APART;
    ptrdiff_t step = (ptrdiff_t)random_below(random, 2) * (APART - 1) + 1;
    size_t first = stride < 0 && count > 0 ? (count - 1) * (size_t)-stride : 0;
    fill(algebra, part, APART * MOST, random);
    do
        fill(algebra, whole, 1, random);
    while (memcmp(whole, algebra->zero, algebra->size) == 0);
    memset(got, 0xa5, sizeof got);
    memset(want, 0xa5, sizeof want);
    const char *from = part + first * algebra->size;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        want[i * step] = s->share(s, from + i * stride * (ptrdiff_t)algebra->size, whole);
    algebra->shares(s, got, step, from, stride, count, whole);
    assert_memory_equal(got, want, sizeof got);
}

static void product_shares_one(const tz_algebra *algebra, random_state *random) {
    enum { CELLS = 40, LANES = 9 };
    static _Alignas(SIZE) char from[TZ_MAX_FACTORS][CELLS * LANES * SIZE], whole[LANES * SIZE];
    static int32_t cell[TZ_MAX_FACTORS][MOST];
    static double got[LANES][MOST], want[LANES][MOST];
    const tz_semiring *s = algebra->semiring;
    const size_t lanes = 1 + random_below(random, LANES), size = algebra->size;
    const size_t count = TZ_LEAST_SHARES + random_below(random, MOST + 1 - TZ_LEAST_SHARES);
    tz_products of = {.factors = 1 + (unsigned)random_below(random, TZ_MAX_FACTORS),
                      .lanes = lanes};
    double *ret[LANES];
    for (unsigned f = 0; f < of.factors; f++) {
        of.base[f] = from[f];
        of.cell[f] = cell[f];
        fill(algebra, from[f], CELLS * lanes, random);
        for (size_t i = 0; i < count; i++)
            cell[f][i] = (int32_t)random_below(random, CELLS) ^
                         (f == 0 && random_below(random, 5) == 0 ? -1 : 0);
    }
    memset(got, 0xa5, sizeof got);
    memset(want, 0xa5, sizeof want);
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = got[l];
        do
            fill(algebra, whole + l * size, 1, random);
        while (memcmp(whole + l * size, algebra->zero, size) == 0);
        for (size_t i = 0; i < count; i++) {
            _Alignas(SIZE) char product[SIZE];
            memcpy(product, algebra->zero, size);
            for (unsigned f = 0; f < of.factors && cell[0][i] >= 0; f++) {
                const char *a = from[f] + ((size_t)cell[f][i] * lanes + l) * size;
                if (f == 0)
                    memcpy(product, a, size);
                else
                    s->times(s, product, product, a);
            }
            want[l][i] = s->share(s, product, whole + l * size);
        }
    }
    algebra->product_shares(s, ret, &of, count, whole);
    assert_memory_equal(got, want, sizeof got);
}

typedef void one(const tz_algebra *algebra, random_state *random);

static void test_all(const char *name, one *turn) {
    random_state random = random_start(name);
    for (tz_precision precision = TZ_F64; precision <= TZ_F32; precision++)
        for (int i = 0; i < ISAS; i++) {
            tz_algebra algebra;
            const tz_semiring *s = tz_semiring_find("log", precision);
            assert_ok(tz_algebra_take(&algebra, s, isa_flags[i], NULL));
            assert_non_null(algebra.shares);
            assert_non_null(algebra.product_shares);
            for (int t = 0; t < TURNS; t++)
                turn(&algebra, &random);
        }
}

TEST(shares) {
    test_all("shares", shares_one);
}

TEST(product_shares) {
    test_all("shares of products", product_shares_one);
}
