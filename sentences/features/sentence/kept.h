/* kept.h - compressions of a sentence: the words that are kept, with a tree of their own.
 *
 * compression[m] is the head of word m in that tree, a kept word or 0 for the root, and -1 where m
 * is dropped. In CoNLL-U, beside the tree of the whole sentence, MISC says `Kept=HEAD` of each kept
 * word and nothing of the others: "5 dog _ NOUN NN _ 6 nsubj _ Kept=9". SPDX-License-Identifier:
 * MIT */
#ifndef TZ_SENTENCES_FEATURES_SENTENCE_KEPT_H
#define TZ_SENTENCES_FEATURES_SENTENCE_KEPT_H

#include "sentences/features/sentence/corpus.h"

/* Reads `Kept=` of all words into to->compression, which becomes NULL where no word has one. The
 * heads must be kept words or 0, without a cycle. Crossing arcs are lifted (projective.h). TZ_IO,
 * TZ_NO_MEMORY. Cost: O(n^2) at most where no arcs cross. */
tz_status tz_kept_read(struct tz_arena *arena, const char *file, const tz_conllu_sentence *from,
                       tz_sentence *to, tz_error *opt_error);

/* Makes all words at the root but the first modify that one; a projective tree stays projective.
 * Returns how many were moved. */
int32_t tz_kept_single_root(int32_t *compression, int32_t n);

/* Numbers of words that both, the first and the gold compression keep. */
typedef struct tz_overlap {
    int32_t both, kept, gold;
} tz_overlap;

tz_overlap tz_kept_overlap(const int32_t *compression, const int32_t *gold, int32_t n);
/* F1 of the kept words: 2 both / (kept + gold); 1 where both keep none. */
double tz_overlap_f1(const tz_overlap *overlap);

#endif
