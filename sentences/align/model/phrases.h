/* phrases.h - stretches of words, and where in a document and its abstract they may belong
 * together.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_MODEL_PHRASES_H
#define TZ_SENTENCES_ALIGN_MODEL_PHRASES_H

#include <stdbool.h>

#include "base/arena.h"
#include "sentences/align/model/cover.h"
#include "sentences/align/texts/forms.h"
#include "sentences/align/texts/pair.h"

enum { TZ_MOST_PHRASE = 8 }; /* words of a phrase */

/* A text as the aligner sees it. */
typedef struct tz_passage {
    const tz_form *form;      /* [words] */
    const uint32_t *opt_stop; /* [words]: where the word's sentence ends; no phrase goes beyond */
    size_t words;
    const char *const *opt_word; /* [words]: as written, for WordNet */
    /* Of a document whose jumps are scored by syntax: the trees of its sentences. */
    const tz_cover_sentence *opt_tree;
    size_t trees;
} tz_passage;

/* The passage of a text, with its forms. Memory is the arena's. TZ_NO_MEMORY. */
tz_status tz_passage_of(tz_arena *arena, tz_forms *forms, const tz_side *side,
                        tz_passage *ret_passage);

/* Hashes of the words and of their stems; of a single word, those of the word itself. */
typedef struct tz_phrase {
    uint64_t words, stems;
    unsigned length;
} tz_phrase;

tz_phrase tz_phrase_of(const tz_form *form, unsigned length);

/* q words of the document from j on, p words of the abstract from t on; both count from 0. */
typedef struct tz_place {
    uint32_t t, j;
    uint8_t p, q;
} tz_place;

struct tz_kin;

/* A zeroed list is empty. */
typedef struct tz_places {
    tz_place *place;
    size_t count, capacity;
} tz_places;

/* Adds the places where a phrase of p <= P words may be made from one of q <= Q, max(p, q) >= 2,
 * sorted by t, j, p, q. With `all`, every place; else those where word after word has the same
 * stem, and with opt_kin those whose phrases have a common ancestor in WordNet. Cost: m n, or m n P
 * Q. TZ_NO_MEMORY. */
tz_status tz_places_find(const tz_passage *document, const tz_passage *abstract, unsigned P,
                         unsigned Q, bool all, const struct tz_kin *opt_kin, tz_places *places);
void tz_places_free(tz_places *places);

#endif
