/* entries.h - entries of the sparse weights of `delete-tree` and `delete-tree-bigram`, as they are
 * listed. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_ENTRIES_H
#define TZ_SENTENCES_DELETIONS_ENTRIES_H

#include <stdbool.h>

#include "base/arena.h"
#include <trapeze/trapeze.h>

/* The weights of delete-tree, in the order of the rule set; delete-tree-bigram has one more. */
enum {
    TZ_DELETE_WORD,
    TZ_DELETE_FIRST,
    TZ_DELETE_KEEP,
    TZ_DELETE_DROP,
    TZ_DELETE_KEEP_LAST,
    TZ_DELETE_DROP_LAST,
    TZ_DELETE_BIGRAM,
    TZ_DELETE_WEIGHTS
};

typedef struct tz_entries {
    struct {
        int32_t *index;
        double *score;
        size_t count;
    } weight[TZ_DELETE_BIGRAM];
} tz_entries;

/* Room for the entries of so many nodes in so many states each. False: memory is out. */
bool tz_entries_new(tz_arena *arena, size_t nodes, size_t states, tz_entries *ret_entries);

/* Adds an entry. Nodes, and words for TZ_DELETE_WORD, count from 0 here and from 1 in the entry.
 * Those of y, q and r that are no index of the weight are ignored. */
void tz_entries_add(tz_entries *entries, int weight, uint32_t x, uint32_t y, unsigned q, unsigned r,
                    double score);

/* The entries as the scores of a problem: ret_scores[TZ_DELETE_BIGRAM]. */
void tz_entries_scores(const tz_entries *entries, tz_scores *ret_scores);

#endif
