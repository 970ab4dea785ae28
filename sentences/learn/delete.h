/* delete.h - compresses parsed sentences by a grammar of deletions.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_DELETE_H
#define TZ_SENTENCES_LEARN_DELETE_H

#include "sentences/deletions/decode.h"
#include "sentences/learn/analyse.h"
#include "sentences/lm/lm.h"

typedef struct tz_deleter tz_deleter;

/* Makes one from the section of a pack, with the pack's bigrams if it has any; TZ_NONE: the pack
 * has no such section. threads: at least 1. TZ_IO: the section is damaged; TZ_NO_MEMORY. */
tz_status tz_deleter_new(const tz_pack *pack, unsigned threads, tz_deleter **ret_deleter,
                         tz_error *opt_error);
void tz_deleter_free(tz_deleter *deleter);
/* Reads a language model, an ARPA file (lm.h), in place of an earlier one. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_deleter_read_lm(tz_deleter *deleter, const char *path, tz_error *opt_error);
/* The language model read last, or NULL; owned by the deleter. */
const tz_lm *tz_deleter_lm(const tz_deleter *deleter);
/* Sets how words are chosen; the default is by marginals above the model's own threshold. A
 * threshold below 0 means the model's. The bigrams are always the pack's, and the language model is
 * the one read last. opt_parser: chooses from all trees that this parser scores, not from one tree;
 * borrowed. TZ_IO, with a message: bigrams have a weight but there are none; or there is a parser
 * but the grammar is not of trees by tags. */
tz_status tz_deleter_set(tz_deleter *deleter, const tz_deletion_how *how,
                         const tz_model *opt_parser, tz_error *opt_error);
/* What the grammar's trees are made of. */
tz_tree_source tz_deleter_source(const tz_deleter *deleter);

/* Gives sentences their compressions, of item->keep words where that is above 0. They have tags,
 * heads and labels, or trees of constituents where the grammar is of trees in brackets. A kept word
 * modifies the next kept one above it; for the likeliest choice over all trees, in the tree chosen
 * with it. TZ_IO: a word lacks its label, or there is no tree of constituents; or there are more
 * than TZ_ALL_TREES_WORDS words, where all trees are asked for; TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_delete(tz_deleter *deleter, tz_analysed *const *item, size_t count,
                    tz_error *opt_error);

#endif
