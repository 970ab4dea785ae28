/* meaning.h - how far a phrase is from each phrase of the abstracts, by WordNet.
 *
 * First the abstracts' phrases are added, which numbers them from 0; questions are asked after
 * tz_meaning_index. An answer is valid until the next question: one thread at a time.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_WORDNET_MEANING_H
#define TZ_SENTENCES_ALIGN_WORDNET_MEANING_H

#include "sentences/align/wordnet/wordnet.h"

typedef struct tz_above {
    uint32_t synset, phrase, edges;
} tz_above;

/* Empty when zeroed. */
typedef struct tz_meaning {
    size_t phrases;
    /* The answer */
    uint8_t *distance; /* [phrases]; TZ_WORDNET_FAR: no common ancestor */
    uint32_t *met;     /* the phrases with a common ancestor, */
    size_t mets;       /* so many */
    /* private */
    tz_above *above; /* what stands above the phrases, sorted by synset; */
    size_t aboves, capacity;
    size_t *from; /* [synsets + 1]: where a synset's begin */
    size_t synsets;
} tz_meaning;

void tz_meaning_free(tz_meaning *meaning);

/* Adds a phrase by its ancestors (tz_wordnet_ancestors). TZ_NO_MEMORY. */
tz_status tz_meaning_add(tz_meaning *meaning, const tz_ancestor *ancestor, size_t ancestors);
/* After the last phrase. TZ_NO_MEMORY. */
tz_status tz_meaning_index(tz_meaning *meaning);
/* How far is a phrase with these ancestors from each of the abstracts' phrases? Cost: the number of
 * pairs of such a phrase and an ancestor that both have. */
void tz_meaning_ask(tz_meaning *meaning, const tz_ancestor *ancestor, size_t ancestors);

#endif
