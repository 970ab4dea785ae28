/* decode_compress.h - finds the best compressions of sentences: free or of given lengths, under
 * guards.
 *
 * The best compression has the largest score less a price for every guard that it breaks
 * (guards/guards.h). It is found exactly, except for a sentence that takes too many cases. Guards
 * about neighbours, and needs of two words between which nothing else is kept, are scores of the
 * model's own cells. The search then branches on a dropped word that a kept one farther off needs:
 * the word is kept, or it is dropped and each word that needs it pays. Every case is a problem of
 * the same rules, whose best answer bounds it (branch and bound, best first); most sentences take
 * one to three. After 200 (fewer beyond 60 words) the best so far is taken.
 *
 * The scores are those of compress_scores.h, or,
 * for minimum risk, for every kept word the probability that it is
 * kept less a threshold: the expected number of words in common with the truth, and, by the
 * threshold, their F1. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_DECODE_COMPRESS_H
#define TZ_SENTENCES_LEARN_DECODE_COMPRESS_H

#include "sentences/guards/guards.h"
#include "sentences/learn/compress_scores.h"

typedef struct tz_compress_how {
    unsigned without; /* guards that are off: 1 << tz_guard */
    bool risk;        /* minimum risk instead of the best */
    /* Added to the score for each kept word, in units of the model's greatest weight; with risk, it
     * lowers the threshold. */
    double bonus;
    tz_scorer_kind only; /* which of the linear model's and the neural scores to use, where there
                            are both */
} tz_compress_how;

typedef struct tz_compress_decoder tz_compress_decoder;

/* The model, a compressor, is borrowed. threads: at least 1. TZ_NO_MEMORY, ... */
tz_status tz_compress_decoder_new(const tz_model *model, unsigned threads,
                                  tz_compress_decoder **ret_decoder, tz_error *opt_error);
void tz_compress_decoder_free(tz_compress_decoder *decoder);
/* Adds neural scores to the model's from now on; borrowed. NULL: none. */
void tz_compress_decoder_neural(tz_compress_decoder *decoder, const tz_neural *opt_neural);
/* Sets how to decode from now on; the default is all 0. */
void tz_compress_decoder_set(tz_compress_decoder *decoder, const tz_compress_how *how);

/* Lengths of a compression, in words: low..high; both 0: any. wary, with any length: text that is
 * not news loses only adjuncts (guards/register.c). */
typedef struct tz_words {
    int64_t low, high;
    bool wary;
} tz_words;

/* The price of one unit of the table of guards for these lengths. */
double tz_compress_price(const tz_compress_decoder *decoder, const tz_words *words);

/* Compresses sentences with outlines; answer[s][0..words]: heads, -1 for dropped words;
 * answer[s][0] is 0, and all others are -1 where there is no compression. The result does not
 * depend on the number of threads. TZ_NO_MEMORY, TZ_TOO_LARGE, ... */
tz_status tz_decode_compress(tz_compress_decoder *decoder, const tz_sentence *const *sentence,
                             size_t count, const tz_words *words, int32_t *const *answer,
                             tz_error *opt_error);

#endif
