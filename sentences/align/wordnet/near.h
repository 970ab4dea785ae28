/* near.h - the part of WordNet that a model holds: the phrases of the abstracts by their senses,
 * and how fast probability falls with distance.
 *
 *   wn(x | y) = exp(-eta d(x, y)) / Z_y,    Z_y: the sum over the phrases x of the abstracts
 *
 * Synsets are numbers of one copy of WordNet, that of the fingerprint. SPDX-License-Identifier: MIT
 */
#ifndef TZ_SENTENCES_ALIGN_WORDNET_NEAR_H
#define TZ_SENTENCES_ALIGN_WORDNET_NEAR_H

#include "sentences/align/wordnet/meaning.h"

/* Empty when zeroed. */
typedef struct tz_near {
    uint64_t fingerprint; /* 0: without WordNet */
    double eta;           /* 0 at the start of learning: all at a finite distance are equally
                             likely */
    tz_numbers phrase;    /* hashes of the phrases of abstracts that are in WordNet */
    size_t *from;         /* [phrase.count + 1]: a phrase's first senses in `sense` */
    uint32_t *sense;
    size_t from_capacity, capacity; /* private */
} tz_near;

void tz_near_free(tz_near *near);
/* Adds a phrase that is new; senses > 0. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_near_add(tz_near *near, uint64_t phrase, const uint32_t *sense, size_t senses);

/* Indexes the phrases, by their numbers, for questions about distances. Senses must be below
 * wordnet's number of synsets. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_near_index(const tz_near *near, const tz_wordnet *wordnet, tz_meaning *ret_meaning);
/* How many phrases are at each distance 0..distances - 1 from the phrase asked for. */
void tz_near_count(const tz_meaning *meaning, size_t distances, uint32_t *ret_count);

/* wn(x | y) by log Z_y and the distance, which is below TZ_WORDNET_FAR. `known`: x is one of the
 * phrases; else x counts as one more. */
double tz_near_value(const tz_near *near, double log_total, unsigned distance, bool known);

#endif
