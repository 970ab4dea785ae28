/* deletion_pairs.h - trees of sentences and which of their words are kept, from a file.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_DELETION_PAIRS_H
#define TZ_SENTENCES_CLI_TRAIN_DELETION_PAIRS_H

#include "sentences/cli/input/treebank.h"
#include "sentences/deletions/model.h"
#include "sentences/trees/dependencies.h"

/* What is extracted from a pair: nothing, or its rules (extract.h). */
typedef enum tz_extraction {
    TZ_EXTRACT_NOTHING,
    TZ_EXTRACT_KEPT,
    TZ_EXTRACT_ALIGNED
} tz_extraction;

typedef struct tz_deletion_options {
    tz_levels levels;         /* of trees from dependencies */
    tz_extraction extraction; /* ALIGNED: from the trees of the sentence and its compression */
    long words;               /* most words of a sentence */
    long substitutions;       /* most words changed from a sentence to its compression */
} tz_deletion_options;

/* A file that begins with '{' is JSON Lines; any other is CoNLL-U whose MISC says Kept= of each
 * kept word (kept.h). JSON Lines have "tree", in brackets (brackets.h), and "keep" as records have
 * it (record.h), or "compression_tree", whose words are the kept ones, some of them changed;
 * "tokens", if given, must be the words of the tree. */
typedef struct tz_deletion_pairs {
    tz_treebank treebank;
    bool json;
    tz_deletion_options options;
    /* Numbers of pairs read; and of pairs left out because nothing is kept, the sentence is too
     * long, or the compression has words that the sentence lacks. */
    size_t pairs, empty, longer, changed;
    tz_corpus corpus; /* private: the sentence read last */
} tz_deletion_pairs;

typedef struct tz_deletion_pair {
    tz_tree tree; /* borrowed until the next call */
    tz_outward outward;
    tz_extracted extracted; /* by options.extraction */
    uint8_t *keep;          /* [words]; not all 0 */
} tz_deletion_pair;

/* NULL or "-" is standard input. Returns 0, or the exit code after a message. */
int tz_deletion_pairs_open(const char *command, const char *file,
                           const tz_deletion_options *options, tz_deletion_pairs *ret_pairs);
/* Before the first pair, for a file that can be read again: reads only this rank's share of the
 * pairs; `whole`: rank 0 reads all. */
void tz_deletion_pairs_share(tz_deletion_pairs *pairs, bool whole);
void tz_deletion_pairs_close(tz_deletion_pairs *pairs);
/* What the trees of this file are made of. */
tz_tree_source tz_deletion_pairs_source(const tz_deletion_pairs *pairs);

/* The next pair, in the arena's memory. TZ_NONE after the last; TZ_IO with FILE:LINE;
 * TZ_NO_MEMORY. */
tz_status tz_deletion_pairs_next(tz_deletion_pairs *pairs, tz_arena *arena,
                                 tz_deletion_pair *ret_pair, tz_error *error);
/* Gives the caller the sentence of the pair read last from a CoNLL-U file. */
tz_corpus tz_deletion_pairs_take(tz_deletion_pairs *pairs);

#endif
