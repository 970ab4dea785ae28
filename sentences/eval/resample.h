/* resample.h - confidence intervals of figures, and tests whether two systems differ, by resampling
 * sentences.
 *
 * A *figure* is a ratio of two sums over sentences, of `part` and of `whole`. Accuracy, precision
 * and recall over all words are such ratios; so are F1, with part = 2 |both| and whole = |one| +
 * |other|, and a mean over sentences, with whole = 1. Where precision and recall count different
 * matches, F1 is not such a ratio but their harmonic mean. A sentence to which a figure does not
 * apply has 0 and 0. A figure whose whole is 0 is not defined.
 *
 * Sentences are taken as drawn independently of each other; words within a sentence are not.
 * Resample r draws from Philox stream r of the seed, so that nothing depends on the number of
 * threads.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_RESAMPLE_H
#define TZ_SENTENCES_EVAL_RESAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

typedef struct tz_ratio {
    double part, whole; /* whole >= 0 */
} tz_ratio;

/* The two different figures whose harmonic mean a figure is (0 where both are 0); twice the same
 * number: the figure is a ratio. */
typedef struct tz_harmonic {
    size_t of[2];
} tz_harmonic;

/* The figures of one system: ratio[sentence * figures + figure]. */
typedef struct tz_measured {
    size_t sentences, figures;
    const tz_ratio *ratio;
    const tz_harmonic *opt_harmonic; /* [figures]; ratios of harmonic means are not read */
} tz_measured;

typedef struct tz_resampling {
    size_t resamples; /* at least 1 */
    uint64_t seed;
    unsigned threads; /* at least 1 */
} tz_resampling;

typedef struct tz_interval {
    bool defined;            /* else the numbers are 0 */
    double value, low, high; /* the figure; the ends of its 95 % interval */
} tz_interval;

typedef struct tz_difference {
    tz_interval interval; /* of the second system's figure minus the first's */
    double greater;       /* share of resamples where the second's is greater; a tie counts half */
    double p;             /* two-sided: P(so large a difference) if the systems were alike */
} tz_difference;

/* Each figure with its bootstrap interval: the 2.5 % and 97.5 % quantiles of the figure over
 * samples, drawn with replacement, of as many sentences (Efron & Tibshirani 1993, chapter 13,
 * percentile intervals). Quantiles between two values are interpolated; resamples where the figure
 * is not defined do not count. ret_interval: [figures]. Cost: resamples * sentences * figures.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_estimate(const tz_resampling *resampling, const tz_measured *system,
                      tz_interval *ret_interval);

/* Two systems on the same sentences. Interval and `greater`: the same samples for both (the paired
 * bootstrap of Koehn 2004). p: approximate randomisation (Noreen 1989, chapter 2), two-sided: the
 * systems' outputs change places in each sentence with probability 1/2, and
 * p = (1 + times |difference| was at least as large) / (1 + times). Where the figure of either is
 * not defined, neither is the difference. */
tz_status tz_compare(const tz_resampling *resampling, const tz_measured *first,
                     const tz_measured *second, tz_difference *ret_difference);

#endif
