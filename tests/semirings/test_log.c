/* test_log.c - how exact is the log semiring, over all magnitudes?
 *
 * Against long double, which has 64 bits of precision where this was measured (x86-64). The errors
 * are printed by every run; "measured" below is the largest with TZ_SEED=1..30.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>

#include <trapeze/kernel.h>

#define TZ_REAL_BITS 64
#include "kernels/explog.h"
#include "tests/support/amount.h"
#include "tests/support/element.h"
#include "tests/support/random.h"

enum { SAMPLES = AMOUNT(200000, 20000) };

/* |x - exact| in units of the last place of a double near exact. */
static double ulps(double x, long double exact) {
    int exponent;
    frexpl(exact, &exponent);
    return (double)(fabsl((long double)x - exact) / ldexpl(1, exponent - 53));
}

static double larger(double a, double b) {
    return b > a ? b : a;
}

/* Measured: 0.74. */
TEST(exp) {
    random_state random = random_start("exp_near_zero");
    double worst = ulps(exp_near_zero(0), 1);
    for (int i = 0; i < SAMPLES; i++) {
        double r = random_between(&random, -0.3625, 0.3625);
        r *= i % 4 == 0 ? ldexp(1, -(int)random_below(&random, 60)) : 1;
        worst = larger(worst, ulps(exp_near_zero(r), expl(r)));
    }
    print_message("# exp_near_zero: largest error %.3f ulp\n", worst);
    assert_true(worst < 0.9);
}

/* Measured: 0.84. */
TEST(log_near_one) {
    random_state random = random_start("log_near_one");
    assert_true(log_near_one(1) == 0);
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double m = random_between(&random, sqrt(0.5), sqrt(2.0));
        m = i % 4 == 0 ? 1 + (m - 1) * ldexp(1, -(int)random_below(&random, 50)) : m;
        if (m != 1)
            worst = larger(worst, ulps(log_near_one(m), logl(m)));
    }
    print_message("# log_near_one: largest error %.3f ulp\n", worst);
    assert_true(worst < 0.9);
}

/* exp(x) as significand and exponent: relative to exp(x), in units of 2^-53. The exponent's share
 * of ln 2 is taken off in two parts, and rounded once for |x| up to 2^50. The reference takes off
 * ln 2 in three parts. Measured: 1.26. */
TEST(exp_split) {
    random_state random = random_start("exp_split");
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double x = ldexp(random_between(&random, -1, 1), (int)random_below(&random, 71) - 20);
        double e, m = exp_split(x, &e);
        assert_true(e == rint(e));
        assert_true(m > 0.6 && m < 1.7);
        long double r = (long double)fma(-e, LN2_HIGH, x) - (long double)e * LN2_LOW -
                        (long double)e * 0x1.7b57a079a1934p-111L;
        worst = larger(worst, (double)(fabsl(m / expl(r) - 1) * 0x1p53L));
    }
    print_message("# exp_split: largest relative error %.3f * 2^-53\n", worst);
    assert_true(worst < 1.5);
}

/* The powers of two made from bits are ldexp's. */
TEST(powers) {
    for (int e = -1022; e <= 1023; e++)
        assert_true(power_f64(e) == ldexp(1, e));
    for (int e = -126; e <= 127; e++)
        assert_true(power_f32((float)e) == ldexpf(1, e));
}

/* value(lift(s)) = s: to about 1 ulp of s where |s| > 1, and absolutely below, because the element
 * is exp(s). In float, with the precision of float. Measured in units of epsilon * max(1, |s|):
 * 1.15 (f64), 1.00 (f32). */
TEST(round_trip) {
    for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
        const tz_semiring *s = tz_semiring_find("log", p);
        random_state random = random_start("round trip");
        double worst = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double score = random_score(&random, s->limit);
            double value = any_value(s, any_lift(s, score));
            assert_false(isnan(value));
            if (score == -INFINITY || score == 0) {
                assert_true(value == score);
                continue;
            }
            double scale = larger(1, fabs(score)) * precision_epsilon(p);
            worst = larger(worst, fabs(value - score) / scale);
        }
        print_message("# value(lift(s)) %s: largest error %.3f\n", precision_name(p), worst);
        assert_true(worst < 1.25);
    }
}

/* log of a sum of exps, against long double, in units of epsilon * max(1, |result|), for 20 terms.
 * Measured: 2.4 (f64), 2.7 (f32). */
TEST(sums) {
    for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
        const tz_semiring *s = tz_semiring_find("log", p);
        random_state random = random_start("sums");
        double worst = 0;
        for (int i = 0; i < SAMPLES / 20; i++) {
            double shift = ldexp(random_between(&random, -1, 1), (int)random_below(&random, 20));
            double spread = ldexp(1, (int)random_below(&random, 12) - 2);
            any sum = any_zero(s);
            long double exact = 0;
            for (int term = 0; term < 20; term++) {
                double score = random_between(&random, -spread, spread);
                sum = any_plus(s, sum, any_lift(s, score + shift));
                exact += expl((long double)(score + shift) - shift);
            }
            long double log_sum = logl(exact) + shift;
            double scale = larger(1, (double)fabsl(log_sum)) * precision_epsilon(p);
            worst = larger(worst, (double)fabsl(any_value(s, sum) - log_sum) / scale);
        }
        print_message("# log of 20 exps %s: largest error %.3f\n", precision_name(p), worst);
        assert_true(worst < 3);
    }
}

/* share(exp a, exp b) = exp(a - b), for scores that are multiples of 2^-10 and so large that a log
 * of the same precision would keep no digit of it. Relative error, in units of epsilon. Measured:
 * 1.6 (f64), 1.0 (f32). */
TEST(shares) {
    for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
        const tz_semiring *s = tz_semiring_find("log", p);
        random_state random = random_start("shares");
        double worst = 0, range = p == TZ_F64 ? 0x1p40 : 0x1p22;
        for (int i = 0; i < SAMPLES; i++) {
            double b = ldexp(rint(random_between(&random, -range, range) * 1024), -10);
            double a = b + ldexp(rint(random_between(&random, -600, 600) * 1024), -10);
            any part = any_lift(s, a), whole = any_lift(s, b);
            double share = s->share(s, part.bytes, whole.bytes);
            long double exact = expl((long double)a - b);
            worst = larger(worst, (double)fabsl(share / exact - 1) / precision_epsilon(p));
        }
        print_message("# share %s: largest error %.3f\n", precision_name(p), worst);
        assert_true(worst < 2);
        any zero = any_zero(s), one = any_one(s), far = any_lift(s, -1e9), near = any_lift(s, 1e9);
        assert_true(s->share(s, zero.bytes, one.bytes) == 0);
        assert_true(s->share(s, one.bytes, one.bytes) == 1);
        assert_true(s->share(s, far.bytes, one.bytes) == 0);
        assert_true(isfinite(s->share(s, near.bytes, one.bytes)));
    }
}

/* Shares by the row are those one by one, bit by bit, for every instruction set of the machine and
 * the build. */
TEST(rows_of_shares) {
    enum { ROW = 21 };
    (void)state;
    for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
        const tz_semiring *s = tz_semiring_find("log", p)->kernels->narrow;
        random_state random = random_start("rows of shares");
        int checked = 0;
        for (int i = 0; i < SAMPLES / ROW; i++) {
            double score[ROW], share[ROW];
            any part[ROW], whole = any_lift(s, random_between(&random, -80, 80));
            char row[ROW * sizeof(double)];
            for (int x = 0; x < ROW; x++) {
                score[x] = i % 7 == x ? -INFINITY : random_between(&random, -80, 80);
                part[x] = any_lift(s, score[x]);
                memcpy(row + (size_t)x * s->size, part[x].bytes, s->size);
            }
            for (tz_isa isa = TZ_ISA_BASELINE; isa <= machine_isa(); isa++) {
                if (s->kernels->shares[isa] == NULL)
                    continue;
                checked++;
                s->kernels->shares[isa](s, share, 1, row, 1, ROW, whole.bytes);
                for (int x = 0; x < ROW; x++)
                    assert_true(share[x] == s->share(s, part[x].bytes, whole.bytes));
            }
        }
        print_message("# %s: %d rows\n", precision_name(p), checked);
        assert_true(checked > 0);
    }
}

/* A number of either sign with few bits or all, so that many sums lie in the middle of two. */
static double random_number(random_state *random, int precision, int exponent) {
    int used = random_below(random, 2) ? precision : 1 + (int)random_below(random, 4);
    double m = 1 + ldexp((double)(random_bits(random) >> 12 >> (53 - used)), 1 - used);
    return ldexp(random_below(random, 2) ? m : -m, exponent);
}

/* a + b c is rounded once, in both ranges, however far a and b c are apart. */
TEST(plus_times) {
    for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
        const tz_semiring *wide = tz_semiring_find("log", p), *narrow = wide->kernels->narrow;
        const int precision = p == TZ_F64 ? 53 : 24, apart = 5 * precision / 2;
        random_state random = random_start("plus_times");
        for (int i = 0; i < SAMPLES; i++) {
            double number[4];
            any small[4] = {{{0}}}, large[4] = {{{0}}}, is;
            int exponent[3] = {0, (int)random_below(&random, 20), (int)random_below(&random, 20)};
            exponent[0] = exponent[1] + exponent[2] + (int)random_below(&random, 2 * apart) - apart;
            for (int k = 0; k < 3; k++)
                number[k] = random_number(&random, precision, exponent[k]);
            if (p == TZ_F64 && i % 4 == 0)
                number[2] = next_to_middle(&random, &number[1]);
            number[3] = p == TZ_F64
                            ? fma(number[1], number[2], number[0])
                            : (double)fmaf((float)number[1], (float)number[2], (float)number[0]);
            for (int k = 0; k < 4; k++) {
                float single = (float)number[k];
                memcpy(small[k].bytes, p == TZ_F64 ? (void *)&number[k] : (void *)&single,
                       narrow->size);
                narrow->kernels->widen(narrow, large[k].bytes, small[k].bytes, 0);
            }
            is = any_plus_times(narrow, small[0], small[1], small[2]);
            assert_memory_equal(is.bytes, small[3].bytes, narrow->size);
            is = any_plus_times(wide, large[0], large[1], large[2]);
            assert_memory_equal(is.bytes, large[3].bytes, wide->size);
        }
    }
}

/* Adding +-1e5 to all scores leaves the shares: scores that are multiples of 2^-10 are not rounded
 * by it. Measured, relative to a share, in units of epsilon, for sums of 10 terms: 5.0. */
TEST(shift) {
    const tz_semiring *s = tz_semiring_find("log", TZ_F64);
    random_state random = random_start("shift");
    double worst = 0;
    for (int i = 0; i < SAMPLES / 10; i++) {
        any plain = any_zero(s), raised = any_zero(s), lowered = any_zero(s);
        any first[3] = {plain, plain, plain};
        for (int term = 0; term < 10; term++) {
            double score = rint(random_between(&random, -10, 10) * 1024) / 1024;
            any all[3] = {any_lift(s, score), any_lift(s, score + 1e5), any_lift(s, score - 1e5)};
            plain = any_plus(s, plain, all[0]);
            raised = any_plus(s, raised, all[1]);
            lowered = any_plus(s, lowered, all[2]);
            memcpy(first, all, term == 0 ? sizeof first : 0);
        }
        double share = s->share(s, first[0].bytes, plain.bytes);
        double up = s->share(s, first[1].bytes, raised.bytes);
        double down = s->share(s, first[2].bytes, lowered.bytes);
        worst = larger(worst, fabs(up / share - 1) / DBL_EPSILON);
        worst = larger(worst, fabs(down / share - 1) / DBL_EPSILON);
    }
    print_message("# shift by 1e5: largest change %.3f\n", worst);
    assert_true(worst < 6);
}

/* No chain of sums and products of legal scores is NaN, or infinite but for zero. */
TEST(no_nan) {
    for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
        const tz_semiring *s = tz_semiring_find("log", p);
        random_state random = random_start("no NaN");
        for (int i = 0; i < SAMPLES / 100; i++) {
            any a = any_lift(s, random_score(&random, s->limit));
            for (int step = 0; step < 100; step++) {
                any b = any_lift(s, random_score(&random, s->limit));
                bool plus = random_below(&random, 2);
                a = plus ? any_plus(s, a, b) : any_times(s, a, b);
                double value = any_value(s, a);
                assert_false(isnan(value) || value == INFINITY);
                assert_true((value == -INFINITY) == any_same(s, a, any_zero(s)));
                a = value == -INFINITY ? b : a;
            }
        }
    }
}
