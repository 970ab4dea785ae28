/* language.h - language models in the score of a choice of words: bigrams in the search, models of
 * any order by looking again at the choices that it finds best.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_LANGUAGE_H
#define TZ_SENTENCES_DELETIONS_LANGUAGE_H

#include "sentences/deletions/decode.h"

/* The number of a word in the model: as it is written, else in lower case, else, with a digit, as
 * "#"; TZ_LM_UNKNOWN where it has none of these. TZ_NO_MEMORY. */
tz_status tz_deletion_lm_word(const struct tz_lm *lm, const char *form, uint32_t *ret_word);

/* The log probability of the kept words as a sentence. A word that the model rules out has
 * probability 10^-99, as in ARPA files. context: room for words + 2. */
double tz_deletion_lm_sentence(const struct tz_lm *lm, const uint32_t *word, const uint8_t *keep,
                               uint32_t words, uint32_t *context);

/* For tz_deletion_score_bigrams: bigram[i * (words + 2) + j] is what the search adds to the score
 * for words i and j side by side. Memory is the arena's. TZ_NO_MEMORY. */
tz_status tz_deletion_bigrams(const tz_deletion_how *how, const tz_deletion_item *item,
                              tz_arena *arena, double **ret_bigram);

/* Must how->candidates choices of the search be rescored? Otherwise the first is the best. */
bool tz_deletion_rescored(const tz_deletion_how *how);
/* Finds, among the best choices in a chart of delete-tree-bigram, the one that scores best by the
 * language model: item->keep and item->score. Errors of tz_kbest_next. */
tz_status tz_deletion_rescore(const tz_deletion_how *how, tz_chart *chart, size_t lane,
                              tz_arena *arena, tz_deletion_item *item);

#endif
