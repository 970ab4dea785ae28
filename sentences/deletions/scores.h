/* scores.h - the rule sets `delete-tree` and `delete-tree-bigram` for one tree: their entries, with
 * log probabilities; and `delete-flat` for all trees of a sentence.
 *
 * Along the children of a constituent, from its head outwards, a state remembers:
 *   0                    nothing is kept yet
 *   1 + flags            something is, but not the head child
 *   1 + 2^s + flags      the head child is
 * flags: which of the last s sisters on this side were kept, the nearest one in the lowest bit; 0
 * at the first of a side. The last child is not dropped in state 0: a kept constituent keeps a
 * child.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_SCORES_H
#define TZ_SENTENCES_DELETIONS_SCORES_H

#include "sentences/deletions/entries.h"
#include "sentences/deletions/model.h"

typedef struct tz_deletion_problem {
    int32_t lengths[3]; /* words, nodes, states */
    tz_scores scores[TZ_DELETE_WEIGHTS];
    /* [words]: of each entry of `word`, in order: which word, from 0. Of delete-flat: NULL */
    uint32_t *leaf_word;
} tz_deletion_problem;

/* Memory is the arena's. A word that is kept scores `bonus`. Cost: a chain of contexts for each
 * child and state. TZ_NO_MEMORY. */
tz_status tz_deletion_score(const tz_deletions *model, const tz_outward *tree, double bonus,
                            tz_arena *arena, tz_deletion_problem *ret_problem);

/* ---- scores_bigram.c ------------------------------------------------------------------------- */

/* The same for delete-tree-bigram, where children are decided in the order of the sentence.
 * bigram[i * (words + 2) + j], 0 <= i < j <= words + 1, is the score of words i and j side by side,
 * counted from 1, where 0 and words + 1 are the ends; borrowed. Likewise. */
tz_status tz_deletion_score_bigrams(const tz_deletions *model, const tz_outward *tree, double bonus,
                                    const double *bigram, tz_arena *arena,
                                    tz_deletion_problem *ret_problem);

/* ---- scores_flat.c --------------------------------------------------------------------------- */

/* The weights of delete-flat, in its order. */
enum {
    TZ_FLAT_ROOT,
    TZ_FLAT_SIB,
    TZ_FLAT_HEAD_KEPT,
    TZ_FLAT_HEAD_DROPPED,
    TZ_FLAT_KEEP,
    TZ_FLAT_DROP,
    TZ_FLAT_WEIGHTS
};

enum { TZ_ALL_TREES_WORDS = 200 }; /* of a sentence at most: 9 cells for each cube of its words */

/* What a parser says of the projective trees of n words: the score of a tree is the sum of
 * root[m] of its root word and sib[(h * (n + 1) + s) * (n + 1) + m] of each other word m, of head
 * h, that comes next after s on its side of h; s = h: it is the first. Words from 1; borrowed. */
typedef struct tz_parses {
    const double *root, *sib;
} tz_parses;

/* All trees of words 1..n, with all that can be deleted of each; the words are those of `tree`, of
 * whatever form, and the model is of TZ_TREES_TAGS. A word that is kept scores `bonus`. Memory is
 * the arena's. Cost: n^3 chains of contexts, 64 n^3 bytes. TZ_TOO_LARGE: more than
 * TZ_ALL_TREES_WORDS; TZ_NO_MEMORY. */
tz_status tz_deletion_score_flat(const tz_deletions *model, const tz_outward *tree, double bonus,
                                 const tz_parses *parses, tz_arena *arena,
                                 tz_deletion_problem *ret_problem);

#endif
