/* decode.h - finds the best answers for sentences under a model.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_DECODE_H
#define TZ_SENTENCES_LEARN_DECODE_H

#include "sentences/learn/score.h"

typedef struct tz_decoder tz_decoder;

/* The model is borrowed, and its weights may change between calls. threads: at least 1. */
tz_status tz_decoder_new(const tz_model *model, unsigned threads, tz_decoder **ret_decoder,
                         tz_error *opt_error);
void tz_decoder_free(tz_decoder *decoder);

/* Sets a function that changes the scores of sentence s before it is decoded; threads may call it
 * for different sentences at once. NULL, the default: scores stay. */
typedef void tz_adjust_scores(void *user, size_t s, tz_scored *scored);
void tz_decoder_adjust(tz_decoder *decoder, tz_adjust_scores *opt_adjust, void *user);

/* Finds the best answer for each sentence: sentence[s]->words + 1 numbers from (*ret_answer)[s] on
 * (the first, the root's, is 0); they are the decoder's, until the next call. A sentence without an
 * answer (one of no words, where the rules need a root) has all 0. `weight` replaces the model's
 * weights. The result does not depend on the number of threads. Cost: that of the rule set, and of
 * the features of all its cells. TZ_NO_MEMORY, TZ_TOO_LARGE, ... */
tz_status tz_decode(tz_decoder *decoder, const float *weight, const tz_sentence *const *sentence,
                    size_t count, const int32_t *const **ret_answer, tz_error *opt_error);

/* How right an answer is (tz_task.agreement): `right` of `all`. */
typedef struct tz_right {
    double right, all;
} tz_right;

/* Finds how right the answer of each sentence is; 0 of 0 for a sentence without words. */
tz_status tz_decode_right(tz_decoder *decoder, const float *weight, const tz_sentence *sentence,
                          size_t count, tz_right *ret_right, tz_error *opt_error);
/* The sum of `right` over the sum of `all`, from 0 to 1. */
double tz_right_share(const tz_right *right, size_t count);

/* How right the answers for the whole corpus are (tz_task.agreement), from 0 to 1. */
tz_status tz_decode_score(tz_decoder *decoder, const float *weight, const tz_corpus *corpus,
                          double *ret_share, tz_error *opt_error);

#endif
