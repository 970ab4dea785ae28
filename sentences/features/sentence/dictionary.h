/* dictionary.h - a tag dictionary: which fine tags a form has elsewhere, for words that a treebank
 * is too small to know.
 *
 * Each form that came TZ_DICTIONARY_LEAST times is of a *kind*: its commonest tag, the next one
 * where that has a twentieth of it, and how great the share of each is (above .95, .7, .3, or
 * less). The 254 most frequent kinds have numbers; forms of other kinds are left out. Forms are in
 * lower case. The dictionary holds no words (sketch.h). After the tag dictionaries of Ratnaparkhi
 * 1996, as features: Toutanova et al. 2003 (Feature-rich part-of-speech tagging with a cyclic
 * dependency network, NAACL) have a feature of such a kind. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_SENTENCE_DICTIONARY_H
#define TZ_SENTENCES_FEATURES_SENTENCE_DICTIONARY_H

#include "sentences/features/sentence/corpus.h"
#include "sentences/features/tables/sketch.h"
#include "sentences/features/tables/tally.h"

enum { TZ_DICTIONARY_LEAST = 2, TZ_DICTIONARY_TAGS = 255 };

/* How often forms came, and with which fine tags. Empty when zeroed. */
typedef struct tz_tag_counts {
    tz_tally form, pair;
} tz_tag_counts;

void tz_tag_counts_free(tz_tag_counts *counts);
/* Counts a sentence whose fine tags are numbered, 0..TZ_DICTIONARY_TAGS-1. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_tag_counts_add(tz_tag_counts *counts, const tz_sentence *sentence);

/* Makes a dictionary. tags: the number of tags, 1..TZ_DICTIONARY_TAGS. TZ_NO_MEMORY, TZ_TOO_LARGE.
 * Cost: forms times tags. */
tz_status tz_dictionary_new(const tz_tag_counts *counts, size_t tags, tz_sketch **ret_dictionary);

/* Sets the kinds of the sentence's words. NULL: to 0. */
void tz_dictionary_look(const tz_sketch *opt_dictionary, const tz_sentence *sentence);

#endif
