/* scores.h - the rule sets `delete-tree` and `delete-tree-bigram` for one tree: their entries, with
 * log probabilities; and `delete-flat` for all trees of a sentence.
 *
 * Along the children of a constituent, from its head outwards, a state remembers:
 *   0                    nothing is kept yet
 *   1 + flags something is kept, but not the head child
 *   1 + 2^s + flags the head child is kept
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
    /* [words]: the word, from 0, of each entry of `word`, in order; delete-flat: NULL */
    uint32_t *leaf_word;
} tz_deletion_problem;

/* The problem of delete-tree. Memory is the arena's. A kept word scores `bonus`. Cost: a chain of
 * contexts for each child and state. TZ_NO_MEMORY. */
tz_status tz_deletion_score(const tz_deletions *model, const tz_outward *tree, double bonus,
                            tz_arena *arena, tz_deletion_problem *ret_problem);

/* ---- scores_bigram.c ------------------------------------------------------------------------- */

/* The same for delete-tree-bigram, where children are decided in the order of the sentence.
 * bigram[i * (words + 2) + j], 0 <= i < j <= words + 1, is the score of words i and j side by side,
 * counted from 1, where 0 and words + 1 are the ends; borrowed. Cost and errors likewise. */
tz_status tz_deletion_score_bigrams(const tz_deletions *model, const tz_outward *tree, double bonus,
                                    const double *bigram, tz_arena *arena,
                                    tz_deletion_problem *ret_problem);

/* ---- scores_flat.c --------------------------------------------------------------------------- */

/* The weights of delete-flat, in the order of the rule set. */
enum {
    TZ_FLAT_ROOT,
    TZ_FLAT_SIB,
    TZ_FLAT_HEAD_KEPT,
    TZ_FLAT_HEAD_DROPPED,
    TZ_FLAT_KEEP,
    TZ_FLAT_DROP,
    TZ_FLAT_WEIGHTS
};

enum { TZ_ALL_TREES_WORDS = 200 }; /* most words n of a sentence: 9 n^3 cells */

/* A parser's scores of the projective trees of n words. The score of a tree is root[m] of its root
 * word, plus sib[(h * (n + 1) + s) * (n + 1) + m] for each other word m with head h and nearest
 * sister s towards h; s = h: m is the first on its side. Words count from 1. Borrowed. */
typedef struct tz_parses {
    const double *root, *sib;
} tz_parses;

/* The problem of delete-flat: all trees of words 1..n, with all deletions in each. The words are
 * those of `tree`, whatever its form; the model is of TZ_TREES_TAGS. A kept word scores `bonus`.
 * Memory is the arena's. Cost: n^3 chains of contexts, 64 n^3 bytes. TZ_TOO_LARGE: more than
 * TZ_ALL_TREES_WORDS; TZ_NO_MEMORY. */
tz_status tz_deletion_score_flat(const tz_deletions *model, const tz_outward *tree, double bonus,
                                 const tz_parses *parses, tz_arena *arena,
                                 tz_deletion_problem *ret_problem);

#endif
