/* kin.h - phrases of texts, and the synsets above them in WordNet.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_MODEL_KIN_H
#define TZ_SENTENCES_ALIGN_MODEL_KIN_H

#include "sentences/align/model/phrases.h"
#include "sentences/align/wordnet/wordnet.h"

/* Empty when zeroed but for `wordnet`, which is borrowed. */
typedef struct tz_kin {
    const tz_wordnet *wordnet;
    tz_numbers phrase;     /* those looked up: tz_phrase.words */
    size_t *from;          /* [phrase.count + 1]: a phrase's in `ancestor` */
    tz_ancestor *ancestor; /* none: the phrase is not in WordNet */
    /* private */
    size_t from_capacity, capacity;
    tz_buffer path;
} tz_kin;

void tz_kin_free(tz_kin *kin);

/* Looks up the phrases of up to `most` words, within a sentence, of a passage that has its words
 * (opt_word). TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_kin_add(tz_kin *kin, const tz_passage *passage, unsigned most);

/* Finds the phrase's ancestors, sorted by synset, and returns how many: 0 also for a phrase that
 * was not looked up. */
size_t tz_kin_find(const tz_kin *kin, uint64_t phrase, const tz_ancestor **ret_ancestor);
/* The distance of two phrases; TZ_WORDNET_FAR: they have no common ancestor. */
unsigned tz_kin_distance(const tz_kin *kin, uint64_t y, uint64_t x);

#endif
