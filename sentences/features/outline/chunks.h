/* chunks.h - reads base phrases off a dependency tree.
 *
 * A base phrase is a noun, verb, adjective or adverb with what stands before it and belongs to it
 * without being a phrase of its own: determiners, numbers, adjectives, auxiliaries, particles (the
 * chunks of Abney 1991, Parsing by chunks; Tjong Kim Sang & Buchholz 2000, CoNLL). Told by UPOS:
 *
 *   noun phrase  NOUN PROPN PRON NUM SYM, with DET ADJ NUM NOUN PROPN ADV SYM PART before it
 *   verb phrase  VERB AUX, with AUX PART ADV VERB
 *   others       ADJ ADV INTJ, with ADV PART
 *
 * From the right, a word that can head a base phrase takes the words before it as long as their
 * heads are in the phrase and their tags allow. Any other word, a preposition or a comma for
 * instance, is a chunk of its own. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_OUTLINE_CHUNKS_H
#define TZ_SENTENCES_FEATURES_OUTLINE_CHUNKS_H

#include <stdint.h>

typedef enum tz_chunk_kind {
    TZ_CHUNK_OTHER,
    TZ_CHUNK_NOUN,
    TZ_CHUNK_VERB,
    TZ_CHUNK_MODIFIER
} tz_chunk_kind;

/* upos[1..n]: hashes of tags (tz_hash_text); head[1..n]: a tree. Writes for every word 1..n the
 * first word of its chunk, and the chunk's kind. Cost: O(n). */
void tz_chunks(const uint64_t *upos, const int32_t *head, int32_t n, int32_t *ret_chunk,
               uint8_t *ret_kind);

#endif
