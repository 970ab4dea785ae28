/* bigrams.h - a bigram language model as a table of hashes: the part of a model of lm.h that a
 * compressor keeps.
 *
 * Words are identified by tz_form_value: in lower case, and all words with a digit are one. The
 * text from which the model is made should be like this, too. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_OUTLINE_BIGRAMS_H
#define TZ_SENTENCES_FEATURES_OUTLINE_BIGRAMS_H

#include "sentences/features/outline/outline.h"
#include "sentences/features/tables/sketch.h"
#include "sentences/lm/lm.h"

/* A sketch of the model's 1- and 2-grams; n-grams of higher order are left out. TZ_BAD_ARGUMENT:
 * the model is of order 1. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_bigrams_new(const tz_lm *lm, tz_sketch **ret_bigrams);

/* log P(word | before), natural, to 0.1 or 0.2. `before` and `word`: values of words
 * (tz_word_value), the root's for <s>, the end's for </s>. */
double tz_bigrams_log_prob(const tz_sketch *bigrams, uint64_t before, uint64_t word);

/* The bins of all bigrams of a sentence, for tz_bigram_bin; the arena's. NULL when memory is out.
 * Cost: O(n^2). */
const uint8_t *tz_bigrams_bins(const tz_sketch *bigrams, struct tz_arena *arena,
                               const tz_outline *outline);

#endif
