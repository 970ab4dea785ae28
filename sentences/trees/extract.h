/* extract.h - extracts from a tree and its compression which children of a constituent were kept.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_EXTRACT_H
#define TZ_SENTENCES_TREES_EXTRACT_H

#include "sentences/trees/mapping.h"

/* Arrays of the source's nodes. */
typedef struct tz_extracted {
    uint8_t *rule; /* 1: this constituent, of two or more children, is a rule */
    uint8_t *kept; /* for a child of a rule: is it kept? */
    size_t rules;
} tz_extracted;

/* Extracts rules from kept words, keep[words]: every constituent with a kept word and two or more
 * children is a rule; children with a kept word are kept. Memory is the arena's. TZ_NO_MEMORY.
 * Cost: linear. */
tz_status tz_extract_kept(tz_arena *arena, const tz_tree *source, const uint8_t *keep,
                          tz_extracted *ret_extracted);

/* Extracts rules from two aligned trees (Galley & McKeown 2007, section 4): constituent x with
 * partner y of the same category, where every child of y has a partner, is a rule if these partners
 * are children of x, which are kept; or if they are below children of x by adjunction alone: all
 * constituents between have the partner's category and no partner themselves, and all their other
 * children are deleted. Each constituent between is a rule, too, with one child kept. Memory is the
 * arena's. TZ_NO_MEMORY. Cost: linear, times the height between partners. */
tz_status tz_extract_aligned(tz_arena *arena, const tz_tree *source, const tz_tree *target,
                             const tz_mapping *mapping, tz_extracted *ret_extracted);

#endif
