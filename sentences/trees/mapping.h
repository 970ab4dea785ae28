/* mapping.h - maps the nodes of one tree to those of another with as few changes as possible.
 *
 * A mapping is one-to-one and keeps left-to-right order and ancestry. It costs 1 for each node of
 * the source that is in no pair (deleted), each of the target that is in none (inserted), and each
 * pair of different labels; words count as nodes below their leaves. Words are paired with words,
 * leaves with leaves, constituents with constituents. A word of the target is never inserted: each
 * comes from one of the source, as it stands or changed. Of several mappings of the same cost, that
 * with more equal words, then that with the smaller sum of the places of the source's words.
 *
 * Zhang & Shasha 1989, Simple fast algorithms for the editing distance between trees and related
 * problems (SIAM Journal on Computing 18). Rule set `tree-edit` is the same over all pairs of
 * intervals. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_MAPPING_H
#define TZ_SENTENCES_TREES_MAPPING_H

#include "sentences/trees/tree.h"

typedef struct tz_mapping {
    uint32_t cost, differ; /* differ: pairs of different words, which cost includes */
    uint32_t *target;      /* [source->nodes]: the partner in the target; TZ_NO_NODE: deleted */
    uint32_t *source;      /* [target->nodes]: likewise; TZ_NO_NODE: inserted */
} tz_mapping;

/* The best mapping. The partner of a leaf is also that of its word. Words are compared in lower
 * case. Memory is the arena's. TZ_NONE: the target has more words than the source; TZ_TOO_LARGE,
 * TZ_NO_MEMORY. Time |source| |target| min(depth, leaves) of each; space |source| |target|. */
tz_status tz_tree_map(tz_arena *arena, const tz_tree *source, const tz_tree *target,
                      tz_mapping *ret_mapping);

/* The fewest substitutions of words after which the target is a subsequence of the source, and the
 * source word of each target word then: ret_source[targets], ascending. Of several answers it gives
 * the one with the leftmost last word, then the leftmost one before it, and so on. Words are
 * compared in lower case. TZ_NONE: the target is longer; TZ_TOO_LARGE, TZ_NO_MEMORY. Time and space
 * sources * targets. Rule set `edit` with insertions forbidden and deletions free is the same. */
tz_status tz_fewest_substitutions(const char *const *source, size_t sources,
                                  const char *const *target, size_t targets, uint32_t *ret_source,
                                  uint32_t *ret_count);

#endif
