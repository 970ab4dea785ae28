/* extract.h - picks the few sentences of a document from which an abstract's sentence is likely
 * made.
 *
 * Words are compared by their stems. A stem that is in f of the document's N sentences has the
 * weight idf = log(N / f) (Sparck Jones 1972). The weights come from the document itself, not from
 * a collection of texts, so an extract needs no model and is the same wherever the document occurs.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_DECODE_EXTRACT_H
#define TZ_SENTENCES_ALIGN_DECODE_EXTRACT_H

#include "base/arena.h"
#include "sentences/align/decode/decode.h"
#include "sentences/align/texts/pair.h"

/* Which sentences of a document have which stems. All memory is the arena's, here and below. */
typedef struct tz_stem_index {
    size_t sentences, stems;
    const uint32_t *begin; /* [sentences + 1]: sentence s is words begin[s]..begin[s + 1] - 1 */
    uint64_t *stem;        /* [stems] in ascending order */
    size_t *first;         /* [stems + 1]: stem k is in sentence[first[k]..first[k + 1] - 1] */
    uint32_t *sentence;    /* ascending for each stem */
} tz_stem_index;

/* Indexes a document's stems. Cost: n log n for n words. `begin` is borrowed as long as the index
 * is used. TZ_NO_MEMORY. */
tz_status tz_stem_index_new(tz_arena *arena, const tz_form *document, const uint32_t *begin,
                            size_t sentences, tz_stem_index *ret_index);

/* The words of an extract. */
typedef struct tz_extract {
    size_t words, sentences;
    uint32_t *place; /* [words]: where in the document each stands; ascending */
    uint32_t *begin; /* [sentences + 1], as in tz_stem_index */
} tz_extract;

/* Picks `most` sentences that have words, or all if there are fewer. Greedily: each time the one
 * that adds the most idf of stems of the abstract's sentence that are not covered yet; of equal
 * ones, and where none adds anything, the first. The extract has them in the document's order.
 * Cost: `most` times the sum of the document's sentences and the uses of the abstract's stems in
 * them. TZ_NO_MEMORY. */
tz_status tz_extract_new(tz_arena *arena, const tz_stem_index *index, const tz_form *abstract,
                         size_t words, size_t most, tz_extract *ret_extract);

/* ---- extract_pairs.c: each of an abstract's sentences with its extract, as a pair of its own ----
 */

typedef struct tz_extract_pair {
    tz_passage document, abstract;
    const uint32_t *place; /* [document.words]: where in the whole document each stands */
    uint32_t first;        /* where in the whole abstract the sentence begins */
} tz_extract_pair;

/* A pair for each sentence of the abstract that has words, in order. `side` and `passage` are the
 * same two texts, the document first. TZ_NO_MEMORY. */
tz_status tz_extract_pairs_new(tz_arena *arena, const tz_side *const side[2],
                               const tz_passage passage[2], size_t most, tz_extract_pair **ret_pair,
                               size_t *ret_pairs);
/* Adds an alignment of an extract pair to the alignment of the whole texts, zeroed at first:
 * positions become those in the whole texts, log probabilities are added up. TZ_NO_MEMORY. */
tz_status tz_extract_pair_add(tz_arena *arena, const tz_extract_pair *pair,
                              const tz_decoded *decoded, tz_decoded *whole);

#endif
