/* compress_measure.h - measures a compressor's compressions, free and at the length of the right
 * ones; and tunes its keep weight.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_COMPRESS_MEASURE_H
#define TZ_SENTENCES_LEARN_COMPRESS_MEASURE_H

#include "sentences/learn/model.h"

/* Kept words of compressions compared with those of the gold ones. F1 of a sentence is 2 both /
 * (kept + gold). */
typedef struct tz_agreement {
    size_t sentences, exact; /* all; those with all words right */
    double f1;               /* the sum of the sentences' F1: over `sentences`, macro F1 */
    double both, kept, gold; /* words: 2 both / (kept + gold) is micro F1 */
    double words;
} tz_agreement;

typedef struct tz_compress_figures {
    tz_agreement free;
    tz_agreement held; /* each compression as long as the gold one, by tz_limit */
    /* Pairs of a sentence and a length from 1 to its number of words; and those where bisection
     * alone finds the best compression and proves it (TZ_LIMIT_DUAL). */
    size_t pairs, bisected;
} tz_compress_figures;

/* Measures on a corpus whose sentences have compressions and outlines, decoded with `weight` in
 * place of the model's weights. all_lengths: also fills in pairs and bisected, which takes O(n)
 * times the time of the rest. TZ_NO_MEMORY, ... */
tz_status tz_compress_measure(const tz_model *model, const float *weight, const tz_corpus *corpus,
                              bool all_lengths, tz_compress_figures *ret_figures,
                              tz_error *opt_error);

/* What tuning aims at: the best mean F1; the largest share of exact compressions; as many kept
 * words in all as the gold compressions have. */
typedef enum tz_tune { TZ_TUNE_F1, TZ_TUNE_EXACT, TZ_TUNE_RATE } tz_tune;

/* Adds to the weight of the feature that every kept word has (tz_compress_keep) the amount that is
 * best on the corpus, of 17 from -1/4 to 1/4 of the greatest weight; of several, the one nearest to
 * 0. (It ignores features that share the weight's place in the table.)
 * TZ_NO_MEMORY, ... */
tz_status tz_compress_tune(tz_model *model, const tz_corpus *corpus, tz_tune to, double *ret_added,
                           tz_error *opt_error);

#endif
