/* model.h - a lexicalised Markov grammar of deletions: the probability that a child of a kept
 * constituent is kept.
 *
 * Relative frequencies, interpolated by Witten & Bell's estimate along the chain of contexts x_0
 * (everything), ..., x_e (nothing) of contexts.h:
 *
 *   P_j(k) = (c(x_j, k) + u(x_j) P_(j+1)(k)) / (c(x_j) + u(x_j)),   P_(e+1)(k) = 1/2
 *
 * c counts decisions, and u(x) is how many of the two outcomes came after x; where x was never
 * seen, P_j = P_(j+1). Galley & McKeown 2007, *Lexicalized Markov grammars for sentence
 * compression*.
 *
 * A model file is made of (all numbers little-endian):
 *   8 bytes   "TZDELETE"
 *   u32       version, TZ_DELETIONS_VERSION
 *   u32       what trees are made of (tz_tree_source)
 *   u32 sisters, ancestors, bits seen of modifiers, of heads
 *   f64       threshold
 *   u64       contexts
 *   for each  u64 hash, ascending; u32 dropped, u32 kept
 *   u32       CRC-32 of all before
 * No text can be read off it. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_MODEL_H
#define TZ_SENTENCES_DELETIONS_MODEL_H

#include "base/text.h"
#include "sentences/deletions/counts.h"
#include "sentences/trees/dependencies.h"

enum { TZ_DELETIONS_VERSION = 1 };
extern const char tz_deletions_name[]; /* of a section of a pack: "deletions" */

/* Where the trees of sentences come from: from dependencies, by levels; or from brackets. With
 * TZ_TREES_TAGS, the word of a leaf is decided like a head child's. So a decision depends on words
 * and tags alone, and all trees of a sentence can be summed over. Such a model sees at most one
 * sister and one ancestor. */
typedef enum tz_tree_source {
    TZ_TREES_FLAT,
    TZ_TREES_PREP,
    TZ_TREES_VERB,
    TZ_TREES_BRACKETS,
    TZ_TREES_TAGS,
    TZ_TREE_SOURCES
} tz_tree_source;

/* The source of trees by levels, and the levels of a source other than brackets. */
tz_tree_source tz_tree_source_of(tz_levels levels);
tz_levels tz_tree_source_levels(tz_tree_source source);

typedef struct tz_context_count {
    uint64_t context;
    uint32_t count[2]; /* dropped, kept; not both 0 */
} tz_context_count;

typedef struct tz_deletions {
    tz_tree_source source;
    tz_sight sight;
    double threshold; /* words that are more likely kept are kept; 0..1 */
    size_t contexts;
    tz_context_count *context; /* ascending */
    /* private: context[start[b]..start[b + 1] - 1] have the first bits b */
    unsigned bits;
    uint32_t *start;
} tz_deletions;

/* Makes a model of counts, with threshold 1/2. counts->own must be set just for TZ_TREES_TAGS.
 * TZ_NO_MEMORY. Cost: sorting the contexts. */
tz_status tz_deletions_new(const tz_deletion_counts *counts, tz_tree_source source,
                           tz_deletions **ret_model);
void tz_deletions_free(tz_deletions *model);

/* The probabilities that a child is dropped and kept: both above 0, with sum 1. */
void tz_deletions_probability(const tz_deletions *model, const tz_outward *tree,
                              const tz_decision *decision, double ret_probability[2]);
/* The score of keeping the word of a kept leaf: with TZ_TREES_TAGS the log of a probability unless
 * the leaf is a head child; else 0. */
double tz_deletions_own(const tz_deletions *model, const tz_outward *tree, uint32_t leaf);

/* ---- model_file.c ---------------------------------------------------------------------------- */

/* Do these bytes begin like a model's? */
bool tz_deletions_bytes(const void *bytes, size_t size);
/* Reads a model from the bytes of a file, called `name` in messages. TZ_IO: they are no such model,
 * or of another version, or damaged; TZ_NO_MEMORY. */
tz_status tz_deletions_read(const char *name, const void *bytes, size_t size,
                            tz_deletions **ret_model, tz_error *opt_error);
/* Replaces the file atomically (replace.h). TZ_IO, TZ_NO_MEMORY. */
tz_status tz_deletions_save(const tz_deletions *model, const char *path, tz_error *opt_error);

/* private: fills in `bits` and `start`. TZ_NO_MEMORY. */
tz_status tz_deletions_index(tz_deletions *model);

#endif
