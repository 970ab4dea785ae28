/* compress_measure.h - measures a compressor's compressions, free and at the length of the right
 * ones; and tunes its keep weight.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_COMPRESS_MEASURE_H
#define TZ_SENTENCES_LEARN_COMPRESS_MEASURE_H

#include "sentences/learn/model.h"

/* Kept words of some compressions against those of the right ones. F1 of a sentence is 2 both /
 * (kept + gold). */
typedef struct tz_agreement {
    size_t sentences, exact; /* in all; all words right */
    double f1;               /* the sum of the sentences' F1: over `sentences`, macro F1 */
    double both, kept, gold; /* words: 2 both / (kept + gold) is micro F1 */
    double words;
} tz_agreement;

typedef struct tz_compress_figures {
    tz_agreement free;
    tz_agreement held; /* each compression as long as the right one, tz_limit */
    /* Pairs of a sentence and a length from 1 to its words, and of those, the ones where bisection
     * alone finds the best compression and knows it (TZ_LIMIT_DUAL). */
    size_t pairs, bisected;
} tz_compress_figures;

/* Measures on a corpus whose sentences have compressions and outlines, decoded with `weight` in
 * place of the model's weights. all_lengths: fills in pairs and bisected too, O(n) times the time
 * of the rest. TZ_NO_MEMORY, ... */
tz_status tz_compress_measure(const tz_model *model, const float *weight, const tz_corpus *corpus,
                              bool all_lengths, tz_compress_figures *ret_figures,
                              tz_error *opt_error);

/* What is best: the mean F1; the share of compressions that are wholly right; as many words kept in
 * all as the right ones keep. */
typedef enum tz_tune { TZ_TUNE_F1, TZ_TUNE_EXACT, TZ_TUNE_RATE } tz_tune;

/* Adds to the weight of the feature that every kept word has (tz_compress_keep) the amount that is
 * best on the corpus, of 17 from -1/4 to 1/4 of the greatest weight; of several, the one nearest to
 * 0. (Features that share its place in the table are not reckoned with.)
 * TZ_NO_MEMORY, ... */
tz_status tz_compress_tune(tz_model *model, const tz_corpus *corpus, tz_tune to, double *ret_added,
                           tz_error *opt_error);

#endif
