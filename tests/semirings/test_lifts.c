/* test_lifts.c - are scores and inputs lifted side by side to the elements of lift and lift_inputs?
 *
 * Of every semiring that has a kernel for it, for every instruction set. Of narrow elements, those
 * that fit are the wide ones times a power of two.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "engine/plan/algebra.h"
#include "tests/support/copied.h"
#include "tests/support/random.h"

enum { TURNS = 200, MOST = 20 * TZ_LIFTED, SIZE = TZ_MOST_LIFTED, AFTER = 64 };

typedef struct given {
    size_t count;
    double score[MOST], shift[MOST], input[TZ_MAX_INPUTS][MOST];
    tz_lifting lifting;
} given;

/* mild: scores and inputs that narrow elements have room for. */
static void make_given(const tz_algebra *wide, bool mild, random_state *random, given *ret) {
    const tz_semiring *s = wide->semiring;
    ret->count = random_below(random, MOST / TZ_LIFTED + 1) * TZ_LIFTED;
    ret->lifting = (tz_lifting){ret->score, ret->shift, {0}};
    for (size_t i = 0; i < s->inputs; i++)
        ret->lifting.input[i] = random_below(random, 2) ? ret->input[i] : NULL;
    for (size_t x = 0; x < ret->count; x++) {
        ret->score[x] = random_below(random, 5) == 0 ? -INFINITY
                        : mild                       ? random_between(random, -30, 30)
                                                     : random_wide_score(random, wide->limit);
        ret->shift[x] = (double)random_below(random, mild ? 40 : 3000) - (mild ? 20 : 1500);
        for (size_t i = 0; i < s->inputs; i++) {
            double number =
                mild ? random_between(random, -9, 9) : random_wide_score(random, wide->limit);
            if (random_below(random, 4) == 0 || (s->input[i].finite && number == -INFINITY))
                number = 0;
            ret->input[i][x] = number;
        }
    }
}

/* By lift and lift_inputs. */
static void lift_plainly(const tz_algebra *algebra, const given *g, char *ret) {
    const tz_semiring *s = algebra->semiring;
    static const double none[MOST];
    const double *input[TZ_MAX_INPUTS];
    bool any = false;
    for (size_t i = 0; i < s->inputs; i++) {
        input[i] = g->lifting.input[i] != NULL ? g->lifting.input[i] : none;
        any |= g->lifting.input[i] != NULL;
    }
    if (any)
        s->lift_inputs(s, ret, 1, g->score, input, g->count);
    else
        algebra->lift(s, ret, 1, g->score, g->count);
}

/* How many were compared. */
static size_t lifts_one(const tz_algebra *wide, const tz_algebra *narrow, bool mild,
                        random_state *random) {
    static _Alignas(64) char got[MOST * SIZE + AFTER], want[MOST * SIZE], wider[SIZE];
    const tz_algebra *algebra = narrow != NULL ? narrow : wide;
    static given g;
    make_given(wide, mild, random, &g);
    memset(got, 0xa5, sizeof got);
    lift_plainly(wide, &g, want);
    const bool fits = algebra->lifts(algebra->semiring, got, &g.lifting, g.count);
    for (size_t i = g.count * algebra->size; i < sizeof got; i++)
        assert_int_equal((unsigned char)got[i], 0xa5);
    assert_true(fits || narrow != NULL);
    for (size_t x = 0; x < g.count && fits; x++) {
        const char *one = got + x * algebra->size;
        if (narrow != NULL)
            narrow->kernels->widen(narrow->semiring, wider, one, g.shift[x]);
        assert_memory_equal(narrow != NULL ? wider : one, want + x * wide->size, wide->size);
    }
    return fits ? g.count : 0;
}

static void test_lifts(void **state) {
    const char *name = *state;
    random_state random = random_start(name);
    for (tz_precision precision = TZ_F64; precision <= TZ_F32; precision++)
        for (int i = 0; i < ISAS; i++) {
            tz_algebra wide, narrow;
            size_t compared = 0;
            OWN(tz_semiring, s) = make_semiring(name, precision);
            assert_ok(tz_algebra_take(&wide, s, isa_flags[i], NULL));
            const bool has_narrow = s->kernels->narrow != NULL;
            if (has_narrow)
                assert_ok(tz_algebra_take(&narrow, s->kernels->narrow, isa_flags[i], NULL));
            for (int t = 0; t < TURNS; t++) {
                if (wide.lifts != NULL)
                    compared += lifts_one(&wide, NULL, t % 2, &random);
                if (has_narrow)
                    compared += lifts_one(&wide, &narrow, t % 4 > 0, &random);
            }
            assert_true(compared > 0);
        }
}

#define LIFTS_OF(name)                                                                             \
    { name, test_lifts, NULL, NULL, name }

int main(void) {
    const struct CMUnitTest tests[] = {
        LIFTS_OF("bool"),          LIFTS_OF("count"),   LIFTS_OF("costs(1)"),
        LIFTS_OF("costs(3)"),      LIFTS_OF("entropy"), LIFTS_OF("kbest(2)"),
        LIFTS_OF("kbest(7)"),      LIFTS_OF("log"),     LIFTS_OF("required(log)"),
        LIFTS_OF("required(max)"), LIFTS_OF("ties"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
