/* test_fused.c - are fused multiply-adds of vectors those of libm, with its flags at least?
 *
 * This program is compiled for the platform's baseline, which has no instruction for it on x86-64:
 * there it is computed from sums and products. test_kernels.c compares instruction sets.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <fenv.h>

#include "tests/support/amount.h"
#include "tests/support/random.h"

typedef double element;
static const element zero = 0;
#include "kernels/vector.h"

#include "kernels/fused.h"

enum { SAMPLES = AMOUNT(4000000, 1000000) };

/* A number with few bits, or many, or next to a power of two: sums and products of such come close
 * to the middle between two others. */
static double random_significand(random_state *random, int precision) {
    double m = 1 + ldexp((double)(random_bits(random) >> (65 - precision)), 1 - precision);
    switch (random_below(random, 4)) {
    case 0: /* few bits */
        m = 1 + ldexp((double)random_below(random, 8), -3);
        m +=
            ldexp((double)random_below(random, 2), -(int)random_below(random, (uint64_t)precision));
        break;
    case 1: /* just below two, or above one */
        m = ldexp((double)random_below(random, 4), 1 - precision);
        m = random_below(random, 2) ? 2 - m - ldexp(1, 1 - precision) : 1 + m;
        break;
    default:
        break;
    }
    return random_below(random, 2) ? m : -m;
}

/* What a, b and c are: any, moderate, or such that a b and c are of one size, so that they cancel
 * or that one decides how the other is rounded. `most`: the largest exponent. */
static void random_factors(random_state *random, int precision, int most, double ret[3]) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1};
    int range = most / (1 << random_below(random, 6)), exponent[3];
    for (int i = 0; i < 3; i++) {
        ret[i] = random_significand(random, precision);
        exponent[i] = (int)random_below(random, (uint64_t)(2 * range + 1)) - range;
    }
    if (random_below(random, 4)) {
        int apart = 2 * precision + 4;
        exponent[2] =
            exponent[0] + exponent[1] + (int)random_below(random, (uint64_t)(2 * apart)) - apart;
    }
    if (random_below(random, 16) == 0) { /* the smallest ones */
        exponent[random_below(random, 3)] =
            -most - (int)random_below(random, (uint64_t)precision + 2);
    }
    for (int i = 0; i < 3; i++)
        ret[i] = ldexp(ret[i], exponent[i]);
    if (random_below(random, 16) == 0) {
        ret[random_below(random, 3)] =
            special[random_below(random, sizeof special / sizeof *special)];
    }
    if (precision == 53 && isnormal(ret[0]) && random_below(random, 4) == 0)
        ret[1] = next_to_middle(random, &ret[0]);
    if (random_below(random, 16) == 0)
        ret[2] = -ret[0] * ret[1]; /* what is left is what that has rounded away */
}

enum { WATCHED = FE_UNDERFLOW | FE_OVERFLOW };

/* The flags that are raised since they were cleared, which they are again. */
static int raised(void) {
    int flags = fetestexcept(WATCHED);
    feclearexcept(WATCHED);
    return flags;
}

/* Keeps what computes `a` from being moved past a look at the flags, and out of what uses it. */
#define COMPUTED(a) __asm__ volatile("" : "+m"(a) : : "memory")

TEST(doubles) {
    random_state random = random_start("doubles");
    for (int i = 0; i < SAMPLES / DOUBLES; i++) {
        doubles a, b, c, want, is;
        for (int k = 0; k < DOUBLES; k++) {
            double x[3];
            random_factors(&random, 53, 1022, x);
            a[k] = x[0];
            b[k] = x[1];
            c[k] = x[2];
        }
        COMPUTED(a);
        COMPUTED(b);
        COMPUTED(c);
        raised();
        for (int k = 0; k < DOUBLES; k++)
            want[k] = fma(a[k], b[k], c[k]);
        COMPUTED(want);
        int flags = raised();
        is = fused_doubles(a, b, c);
        COMPUTED(is);
        assert_int_equal(raised() & flags, flags);
        for (int k = 0; k < DOUBLES; k++) {
            double one = is[k], other = want[k];
            if (isnan(one) ? !isnan(other) : memcmp(&one, &other, sizeof one) != 0)
                fail_msg("%a * %a + %a: %a, and not %a", a[k], b[k], c[k], one, other);
        }
    }
}

TEST(floats) {
    random_state random = random_start("floats");
    for (int i = 0; i < SAMPLES / FLOATS; i++) {
        floats a, b, c, want, is;
        for (int k = 0; k < FLOATS; k++) {
            double x[3];
            random_factors(&random, 24, 126, x);
            a[k] = (float)x[0];
            b[k] = (float)x[1];
            c[k] = (float)x[2];
        }
        COMPUTED(a);
        COMPUTED(b);
        COMPUTED(c);
        raised();
        for (int k = 0; k < FLOATS; k++)
            want[k] = fmaf(a[k], b[k], c[k]);
        COMPUTED(want);
        int flags = raised();
        is = fused_floats(a, b, c);
        COMPUTED(is);
        assert_int_equal(raised() & flags, flags);
        for (int k = 0; k < FLOATS; k++) {
            float one = is[k], other = want[k];
            if (isnan(one) ? !isnan(other) : memcmp(&one, &other, sizeof one) != 0) {
                fail_msg("%a * %a + %a: %a, and not %a", (double)a[k], (double)b[k], (double)c[k],
                         (double)one, (double)other);
            }
        }
    }
}
