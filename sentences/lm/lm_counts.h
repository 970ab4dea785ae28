/* lm_counts.h - the different n-grams of a text, and how often each occurs.
 *
 * Two counts are kept: `raw`, of occurrences; and `count`, the one that smoothing uses: in the
 * highest order and for n-grams that begin with <s> the same, else the number of different words
 * that stand before the n-gram (Kneser & Ney 1995; Heafield et al. 2013, section 3.2).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LM_LM_COUNTS_H
#define TZ_SENTENCES_LM_LM_COUNTS_H

#include "sentences/lm/lm_model.h"

typedef struct tz_lm_counts {
    size_t count;
    tz_lm_gram *gram; /* sorted by words; `at` is where it occurs first in the text */
} tz_lm_counts;

/* Counts n-grams of 1..order words of the text word[0..size-1], sentences of <s> word... </s> with
 * one word at least, all below `words`; none reaches over a sentence's end, and <s> alone is not
 * counted. Writes counts[1..order]. TZ_NO_MEMORY. Cost: O(order^2 (size + words)) time,
 * O(order size + words) memory. */
tz_status tz_lm_counts_new(const uint32_t *word, size_t size, size_t words, unsigned order,
                           tz_lm_counts *ret_counts);
/* The same for the texts of all ranks: rank 0 gets the counts, the other ranks empty ones.
 * *ret_text: the text that `at` refers to, to be freed. Cost and errors likewise; also errors of
 * ranks.h. */
tz_status tz_lm_counts_all(const uint32_t *word, size_t size, size_t words, unsigned order,
                           tz_lm_counts *ret_counts, uint32_t **ret_text, tz_error *opt_error);
void tz_lm_counts_free(tz_lm_counts *counts, unsigned order);

#endif
