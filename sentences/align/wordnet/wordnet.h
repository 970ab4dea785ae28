/* wordnet.h - reads WordNet's files: the first senses of a word, and the synsets above a sense.
 *
 * The format is that of WordNet 3 (wndb(5WN)), as in Debian's package wordnet-base: index.noun,
 * data.noun, noun.exc, and the same for verb, adj, adv. Synsets of all parts of speech are numbered
 * from 0; those above a synset are its hypernyms, instance hypernyms included. A tz_wordnet does
 * not change once loaded and may be shared between threads. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_WORDNET_WORDNET_H
#define TZ_SENTENCES_ALIGN_WORDNET_WORDNET_H

#include "base/arena.h"
#include "base/buffer.h"
#include "sentences/features/tables/numbers.h"

enum {
    TZ_WORDNET_PARTS = 4,   /* of speech */
    TZ_WORDNET_SENSES = 16, /* most first senses of a phrase's base forms; further ones are left
                               out */
    TZ_WORDNET_FAR = 255,   /* the distance of phrases without a common ancestor */
};

typedef struct tz_wordnet {
    tz_numbers synset;    /* tz_wordnet_key */
    size_t *above_from;   /* [synset.count + 1]: hypernyms of a synset in `above` */
    uint32_t *above;      /* numbers of synsets */
    tz_numbers lemma;     /* hashes of a part of speech and a lemma */
    uint32_t *first;      /* [lemma.count]: synset */
    tz_numbers exception; /* hashes of a part of speech and an inflected form */
    const char **base;    /* [exception.count]: its base forms, blanks between them */
    uint64_t fingerprint; /* of the synsets and their hypernyms */
    tz_arena *arena;      /* private */
} tz_wordnet;

/* Loads the files of a folder. opt_error names FILE:LINE or FILE. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_wordnet_load(const char *folder, tz_wordnet **ret_wordnet, tz_error *opt_error);
void tz_wordnet_free(tz_wordnet *wordnet);

/* Parts of speech: 0 noun, 1 verb, 2 adjective, 3 adverb. */
static inline uint64_t tz_wordnet_key(unsigned part, uint64_t offset) {
    return (uint64_t)part << 60 | offset;
}
uint64_t tz_wordnet_hash(unsigned part, const char *lemma, size_t size);

/* ---- wordnet_forms.c ------------------------------------------------------------------------- */

/* The first senses of a phrase in every part of speech: of the phrase in lower case, its words
 * joined by `_`, and of its base forms by WordNet's exception lists and rules of detachment
 * (morphy(7WN)). words >= 1. TZ_NO_MEMORY. */
tz_status tz_wordnet_find(const tz_wordnet *wordnet, const char *const *word, size_t words,
                          uint32_t ret_sense[TZ_WORDNET_SENSES], size_t *ret_senses);

/* ---- Distances ------------------------------------------------------------------------------- */

typedef struct tz_ancestor {
    uint32_t synset, edges;
} tz_ancestor;

/* The senses and all synsets above them, each with the fewest edges to it, as an array of
 * tz_ancestor in *ret, sorted by synset. Paths are cut at 126 edges. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_wordnet_ancestors(const tz_wordnet *wordnet, const uint32_t *sense, size_t senses,
                               tz_buffer *ret, size_t *ret_count);
/* The fewest edges of two paths to a common ancestor, at most 252; TZ_WORDNET_FAR: there is
 * none. */
unsigned tz_wordnet_distance(const tz_ancestor *a, size_t as, const tz_ancestor *b, size_t bs);

#endif
