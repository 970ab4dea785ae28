/* test_resample.c - are intervals and tests of significance those that enumeration and closed forms
 * give? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/eval/resample.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

enum { RESAMPLES = 10000, SENTENCES = 5, SAMPLES = 3125, FIGURES = 2 };

static tz_resampling by_seed(uint64_t seed, unsigned threads) {
    return (tz_resampling){.resamples = RESAMPLES, .seed = seed, .threads = threads};
}

/* A share of RESAMPLES is within 4.5 standard deviations of its expectation, but for one time in
 * 100,000. */
static double margin(double p) {
    return 4.5 * sqrt(p * (1 - p) / RESAMPLES);
}

static double binomial(int n, int k, double p) {
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
               (n - k) * log1p(-p));
}

/* At a quantile of the resamples, the distribution has about that cumulative probability. */
static void assert_binomial_quantile(int n, double p, double right, double share) {
    double below = 0, up_to = 0;
    for (int k = 0; k <= n; k++) {
        below += k < right - 1e-9 ? binomial(n, k, p) : 0;
        up_to += k <= right + 1e-9 ? binomial(n, k, p) : 0;
    }
    assert_true(below <= share + margin(share) && up_to >= share - margin(share));
}

/* Resampling n outcomes of which k are right gives a binomial number of right ones. */
TEST(binomial) {
    random_state random = random_start("outcomes");
    tz_ratio ratio[64];
    for (int n = 4; n <= 64; n += 12) {
        for (int k = 1; k < n; k += 7) {
            for (int i = 0; i < n; i++)
                ratio[i] = (tz_ratio){i < k, 1};
            tz_resampling r = by_seed(random_bits(&random), 2);
            tz_measured system = {.sentences = (size_t)n, .figures = 1, .ratio = ratio};
            tz_interval found;
            assert_ok(tz_estimate(&r, &system, &found));
            double p = (double)k / n;
            assert_true(found.defined && found.value == p);
            assert_binomial_quantile(n, p, found.low * n, 0.025);
            assert_binomial_quantile(n, p, found.high * n, 0.975);
        }
    }
}

/* Words per sentence differ, so that figures are true ratios. */
static void random_system(random_state *random, tz_ratio *ratio, size_t sentences) {
    for (size_t i = 0; i < sentences * FIGURES; i++) {
        double whole = 1 + (double)random_below(random, 6);
        ratio[i] = (tz_ratio){(double)random_below(random, (uint64_t)whole + 1), whole};
    }
}

static double figure_of(const tz_ratio *ratio, size_t f, const int *sample) {
    double part = 0, whole = 0;
    for (int i = 0; i < SENTENCES; i++) {
        part += ratio[sample[i] * FIGURES + (int)f].part;
        whole += ratio[sample[i] * FIGURES + (int)f].whole;
    }
    return part / whole;
}

/* All samples of 5 sentences out of 5: the figure of the first, and its difference. */
static void enumerate(const tz_ratio *a, const tz_ratio *b, size_t f, double *ret_value,
                      double *ret_difference) {
    for (int number = 0; number < SAMPLES; number++) {
        int sample[SENTENCES];
        for (int i = 0, rest = number; i < SENTENCES; i++, rest /= SENTENCES)
            sample[i] = rest % SENTENCES;
        ret_value[number] = figure_of(a, f, sample);
        ret_difference[number] = figure_of(b, f, sample) - ret_value[number];
    }
}

/* At a quantile of the resamples, all samples have about that cumulative probability. */
static void assert_quantile(const double *all, double quantile, double share) {
    double below = 0, up_to = 0;
    for (int i = 0; i < SAMPLES; i++) {
        below += all[i] < quantile - 1e-12;
        up_to += all[i] <= quantile + 1e-12;
    }
    assert_true(below / SAMPLES <= share + margin(share));
    assert_true(up_to / SAMPLES >= share - margin(share));
}

static void assert_share(const double *all, double share) {
    double above = 0;
    for (int i = 0; i < SAMPLES; i++)
        above += fabs(all[i]) < 1e-12 ? 0.5 : all[i] > 0;
    above /= SAMPLES;
    assert_true(fabs(above - share) <= margin(above));
}

TEST(all_samples) {
    random_state random = random_start("samples of 5 sentences");
    static double value[SAMPLES], difference[SAMPLES];
    for (int round = 0; round < 12; round++) {
        tz_ratio a[SENTENCES * FIGURES], b[SENTENCES * FIGURES];
        random_system(&random, a, SENTENCES);
        random_system(&random, b, SENTENCES);
        tz_measured first = {.sentences = SENTENCES, .figures = FIGURES, .ratio = a},
                    second = {.sentences = SENTENCES, .figures = FIGURES, .ratio = b};
        tz_resampling r = by_seed(random_bits(&random), 1);
        tz_interval found[FIGURES];
        tz_difference between[FIGURES];
        assert_ok(tz_estimate(&r, &first, found));
        assert_ok(tz_compare(&r, &first, &second, between));
        for (size_t f = 0; f < FIGURES; f++) {
            enumerate(a, b, f, value, difference);
            assert_quantile(value, found[f].low, 0.025);
            assert_quantile(value, found[f].high, 0.975);
            assert_quantile(difference, between[f].interval.low, 0.025);
            assert_quantile(difference, between[f].interval.high, 0.975);
            assert_share(difference, between[f].greater);
        }
    }
}

static double exchanged(const tz_ratio *a, const tz_ratio *b, size_t f, size_t sentences,
                        unsigned which) {
    tz_ratio sum[2] = {{0, 0}, {0, 0}};
    for (size_t s = 0; s < sentences; s++) {
        unsigned to = which >> s & 1;
        const tz_ratio *x = &a[s * FIGURES + f], *y = &b[s * FIGURES + f];
        sum[to] = (tz_ratio){sum[to].part + x->part, sum[to].whole + x->whole};
        sum[!to] = (tz_ratio){sum[!to].part + y->part, sum[!to].whole + y->whole};
    }
    return sum[1].part / sum[1].whole - sum[0].part / sum[0].whole;
}

/* p is that over all 2^n exchanges. */
TEST(all_exchanges) {
    random_state random = random_start("exchanges");
    for (int round = 0; round < 20; round++) {
        size_t sentences = 1 + random_below(&random, 10);
        tz_ratio a[10 * FIGURES], b[10 * FIGURES];
        random_system(&random, a, sentences);
        random_system(&random, b, sentences);
        tz_measured first = {.sentences = sentences, .figures = FIGURES, .ratio = a},
                    second = {.sentences = sentences, .figures = FIGURES, .ratio = b};
        tz_resampling r = by_seed(random_bits(&random), 1);
        tz_difference between[FIGURES];
        assert_ok(tz_compare(&r, &first, &second, between));
        for (size_t f = 0; f < FIGURES; f++) {
            double observed = exchanged(a, b, f, sentences, 0), extreme = 0;
            for (unsigned which = 0; which < 1u << sentences; which++)
                extreme += fabs(exchanged(a, b, f, sentences, which)) >= fabs(observed) - 1e-12;
            double p = extreme / (double)(1u << sentences);
            assert_float_equal(between[f].interval.value, observed, 1e-14);
            assert_true(fabs(between[f].p - p) <= margin(p) + 1.0 / RESAMPLES);
        }
    }
}

/* The same numbers for any number of threads, others for another seed. */
TEST(threads) {
    random_state random = random_start("threads");
    tz_ratio a[60 * FIGURES], b[60 * FIGURES];
    random_system(&random, a, 60);
    random_system(&random, b, 60);
    tz_measured first = {.sentences = 60, .figures = FIGURES, .ratio = a},
                second = {.sentences = 60, .figures = FIGURES, .ratio = b};
    tz_interval one[FIGURES], found[FIGURES];
    tz_difference one_between[FIGURES], between[FIGURES];
    memset(one, 0, sizeof one);
    memset(found, 0, sizeof found);
    memset(one_between, 0, sizeof one_between);
    memset(between, 0, sizeof between);
    for (unsigned threads = 1; threads <= 5; threads++) {
        tz_resampling r = by_seed(7, threads);
        assert_ok(tz_estimate(&r, &first, found));
        assert_ok(tz_compare(&r, &first, &second, between));
        if (threads == 1) {
            memcpy(one, found, sizeof one);
            memcpy(one_between, between, sizeof between);
        }
        for (size_t f = 0; f < FIGURES; f++) {
            assert_true(one[f].low == found[f].low && one[f].high == found[f].high);
            assert_true(one_between[f].interval.low == between[f].interval.low);
            assert_true(one_between[f].p == between[f].p);
            assert_true(one_between[f].greater == between[f].greater);
        }
    }
    tz_resampling other = by_seed(8, 1);
    assert_ok(tz_compare(&other, &first, &second, between));
    assert_true(between[0].p != one_between[0].p || between[1].p != one_between[1].p);
}

/* Figures that are harmonic means of two others: 2 ab / (a + b) of the sums, 0 of zeros, undefined
 * where one is; and where all samples are alike, the same for the interval's ends. */
TEST(harmonic) {
    enum { FIGURES = 4, SENTENCES = 3 };
    static const tz_ratio row[FIGURES] = {{0, 0}, {3, 4}, {1, 2}, {0, 5}};
    static const tz_harmonic mean[FIGURES] = {{{1, 2}}, {{0, 0}}, {{2, 2}}, {{3, 3}}};
    static const tz_harmonic other[FIGURES] = {{{3, 3}}, {{3, 2}}, {{1, 1}}, {{0, 2}}};
    tz_ratio ratio[SENTENCES * FIGURES];
    for (size_t s = 0; s < SENTENCES; s++)
        memcpy(ratio + s * FIGURES, row, sizeof row);
    tz_measured system = {SENTENCES, FIGURES, ratio, mean};
    tz_measured second = {SENTENCES, FIGURES, ratio, other};
    tz_resampling r = by_seed(1, 1);
    tz_interval found[FIGURES];
    tz_difference between[FIGURES];
    assert_ok(tz_estimate(&r, &system, found));
    assert_true(found[0].defined && found[1].value == 0.75 && found[2].value == 0.5);
    assert_float_equal(found[0].value, 0.6, 1e-15);
    assert_float_equal(found[0].low, 0.6, 1e-15);
    assert_float_equal(found[0].high, 0.6, 1e-15);
    assert_ok(tz_estimate(&r, &second, found));
    assert_false(found[0].defined || found[3].defined);
    assert_true(found[1].defined && found[1].value == 0);
    assert_ok(tz_compare(&r, &system, &system, between));
    assert_true(between[0].interval.defined && between[0].interval.value == 0);
    assert_true(between[0].p == 1);
}

/* A system and itself; figures that are about one sentence, or none; no sentences. */
TEST(borders) {
    tz_ratio a[] = {{1, 3}, {1, 1}, {0, 0}, {2, 3}, {0, 0}, {0, 0}};
    tz_measured system = {.sentences = 2, .figures = 3, .ratio = a};
    tz_resampling r = by_seed(1, 1);
    tz_interval found[3];
    tz_difference between[3];
    assert_ok(tz_estimate(&r, &system, found));
    assert_true(found[0].defined && found[0].value == 0.5);
    assert_float_equal(found[0].low, 1.0 / 3, 1e-15);
    assert_float_equal(found[0].high, 2.0 / 3, 1e-15);
    assert_true(found[1].defined && found[1].low == 1 && found[1].high == 1);
    assert_false(found[2].defined);
    assert_ok(tz_compare(&r, &system, &system, between));
    for (size_t f = 0; f < 2; f++) {
        assert_true(between[f].interval.defined && between[f].interval.low == 0);
        assert_true(between[f].interval.high == 0 && between[f].greater == 0.5);
    }
    assert_true(between[0].p == 1 && between[1].p == 1);
    assert_false(between[2].interval.defined);
    tz_measured empty = {.sentences = 0, .figures = 3, .ratio = a};
    assert_ok(tz_estimate(&r, &empty, found));
    assert_ok(tz_compare(&r, &empty, &empty, between));
    assert_false(found[0].defined || between[0].interval.defined);
    r.resamples = SIZE_MAX / 4;
    assert_int_equal(tz_estimate(&r, &system, found), TZ_TOO_LARGE);
}

static int attempt(void *user) {
    const tz_measured *system = user;
    tz_resampling r = {.resamples = 20, .seed = 1, .threads = 1};
    tz_interval found[3];
    tz_difference between[3];
    tz_status status = tz_estimate(&r, system, found);
    return status != TZ_OK ? status : tz_compare(&r, system, system, between);
}

TEST(memory) {
    tz_ratio a[] = {{1, 3}, {1, 1}, {0, 0}, {2, 3}, {0, 0}, {0, 0}};
    tz_measured system = {.sentences = 2, .figures = 3, .ratio = a};
    assert_int_equal(oom_sweep("resampling", attempt, &system, TZ_NO_MEMORY, false), 10);
}
