/* counts.h - counts how often children were dropped and kept in each context: the data of a model.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_COUNTS_H
#define TZ_SENTENCES_DELETIONS_COUNTS_H

#include "sentences/deletions/contexts.h"
#include "sentences/features/tables/numbers.h"
#include "sentences/trees/extract.h"

/* Empty when zeroed but for `sight` and `own`. */
typedef struct tz_deletion_counts {
    tz_sight sight;
    bool own; /* words of kept leaves that are not head children count as kept heads, too */
    tz_numbers contexts;
    uint32_t (*count)[2]; /* [contexts.count]: dropped, kept */
    size_t capacity;      /* private: of count */
    size_t rules, decisions;
} tz_deletion_counts;

void tz_deletion_counts_free(tz_deletion_counts *counts);

/* Gives all ranks the sum of their counts. TZ_NO_MEMORY, TZ_TOO_LARGE; errors of ranks.h. */
tz_status tz_deletion_counts_all(tz_deletion_counts *counts, tz_error *opt_error);

/* Counts the rule of a constituent: its children, in the order of `next`, and which of them are
 * kept, by kept[tree->nodes]. A constituent without children has no decisions. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_deletion_count_rule(tz_deletion_counts *counts, const tz_outward *tree,
                                 uint32_t constituent, const uint8_t *kept);

/* Counts all rules that were extracted from a tree. Cost: a chain of contexts for each child.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_deletion_count(tz_deletion_counts *counts, tz_arena *arena, const tz_tree *from,
                            const tz_outward *tree, const tz_extracted *extracted);

#endif
