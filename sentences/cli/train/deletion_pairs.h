/* deletion_pairs.h - trees of sentences and which of their words are kept, from a file.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_DELETION_PAIRS_H
#define TZ_SENTENCES_CLI_TRAIN_DELETION_PAIRS_H

#include "sentences/cli/input/treebank.h"
#include "sentences/deletions/model.h"
#include "sentences/trees/dependencies.h"

/* What is to be found out of a pair besides: nothing, or its rules (extract.h). */
typedef enum tz_extraction {
    TZ_EXTRACT_NOTHING,
    TZ_EXTRACT_KEPT,
    TZ_EXTRACT_ALIGNED
} tz_extraction;

typedef struct tz_deletion_options {
    tz_levels levels;         /* of trees from dependencies */
    tz_extraction extraction; /* by aligned trees: of those of the sentence and its compression */
    long words;               /* of a sentence, at most */
    long substitutions;       /* of words, from a sentence to its compression, at most */
} tz_deletion_options;

/* CoNLL-U whose MISC says Kept= of each kept word (kept.h), where the file begins with anything but
 * '{'; or JSON Lines with "tree", in brackets (brackets.h), and "keep" as records have it
 * (record.h), or "compression_tree", whose words are those that are kept, some of them changed;
 * "tokens", where they are there too, are the words of the tree. */
typedef struct tz_deletion_pairs {
    tz_treebank treebank;
    bool json;
    tz_deletion_options options;
    /* Counted: pairs read; left out, since nothing is kept, the sentence is longer, or the
     * compression has words that the sentence lacks. */
    size_t pairs, empty, longer, changed;
    tz_corpus corpus; /* private: the sentence read last */
} tz_deletion_pairs;

typedef struct tz_deletion_pair {
    tz_tree tree; /* borrowed until the next call */
    tz_outward outward;
    tz_extracted extracted; /* as was asked for */
    uint8_t *keep;          /* [words]; not all 0 */
} tz_deletion_pair;

/* NULL or "-" is standard input. Returns 0, or the exit code after a message. */
int tz_deletion_pairs_open(const char *command, const char *file,
                           const tz_deletion_options *options, tz_deletion_pairs *ret_pairs);
/* Before the first pair, of a file that can be read again: this rank's share of them, or where they
 * are `whole` all on rank 0. */
void tz_deletion_pairs_share(tz_deletion_pairs *pairs, bool whole);
void tz_deletion_pairs_close(tz_deletion_pairs *pairs);
/* What the trees of this file are made of. */
tz_tree_source tz_deletion_pairs_source(const tz_deletion_pairs *pairs);

/* The next pair, in the arena's memory. TZ_NONE after the last; TZ_IO with FILE:LINE;
 * TZ_NO_MEMORY. */
tz_status tz_deletion_pairs_next(tz_deletion_pairs *pairs, tz_arena *arena,
                                 tz_deletion_pair *ret_pair, tz_error *error);
/* The sentence of the pair read last, of a CoNLL-U file, becomes the caller's. */
tz_corpus tz_deletion_pairs_take(tz_deletion_pairs *pairs);

#endif
