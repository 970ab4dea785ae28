/* scores.h - the rule sets `delete-tree` and `delete-tree-bigram` for one tree: their entries, with
 * log probabilities.
 *
 * What is remembered along the children of a constituent, from its head outwards, is a state:
 *   0                    nothing is kept yet
 *   1 + flags            something is, but not the head child
 *   1 + 2^s + flags      the head child is
 * flags: of the last s sisters on this side, the nearest one lowest; 0 at the first of a side. The
 * last child is not dropped in state 0: a kept constituent keeps a child.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_SCORES_H
#define TZ_SENTENCES_DELETIONS_SCORES_H

#include "sentences/deletions/entries.h"
#include "sentences/deletions/model.h"

typedef struct tz_deletion_problem {
    int32_t lengths[3]; /* words, nodes, states */
    tz_scores scores[TZ_DELETE_WEIGHTS];
    uint32_t *leaf_word; /* [words]: of each entry of `word`, in order: which word, from 0 */
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

#endif
