/* train_pairs.h - what training a compressor needs besides what all training does.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_PAIRS_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_PAIRS_H

#include "cli/cli.h"
#include "sentences/features/outline/outline.h"
#include "sentences/learn/compress_measure.h"

typedef struct tz_train_pairs {
    const char *grammar, *bigrams, *test; /* files, or NULL */
    unsigned without;                     /* 1 << tz_family */
    tz_tune tune;                         /* to what how readily words are kept */
    bool tuned;                           /* which was said */
    bool all;                             /* also pairs that reverse what is said */
    /* private */
    const char *command;
    struct tz_sketch *grammar_table, *bigram_table;
    tz_corpus tests;
} tz_train_pairs;

/* Loads tables and reads pairs, those of opt_dev and for tests as well: of each sentence no more
 * than its outline and its compression is kept. single_root: the compressions of `file` get trees
 * that have one root word. Pairs of `file` whose compression loses a negation, or asserts what is
 * denied, are left out (guards.h). Returns 0, or the exit code after a message. */
int tz_train_pairs_read(tz_train_pairs *pairs, const char *command, bool single_root, bool quiet,
                        const char *file, const char *opt_dev, tz_corpus *ret_corpus,
                        tz_corpus *ret_dev);
/* Sets how readily words are kept, as pairs->tune says, where there are sentences to tell, and says
 * how good the model is. */
tz_status tz_train_pairs_finish(tz_train_pairs *pairs, tz_model *model, const tz_corpus *opt_dev,
                                bool quiet, tz_error *error);
/* Does nothing to a zeroed one. */
void tz_train_pairs_free(tz_train_pairs *pairs);

#endif
