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
    tz_tune tune;                         /* aim of the keep weight's tuning */
    bool tuned;                           /* --tune was given */
    bool all;                             /* also pairs whose compression reverses the meaning */
    /* private */
    const char *command;
    struct tz_sketch *grammar_table, *bigram_table;
    tz_corpus tests;
} tz_train_pairs;

/* Loads the tables and reads the pairs, also those of opt_dev and of the test file. Of each
 * sentence only its outline and its compression are kept. single_root: the compressions of `file`
 * get trees that have one root word. Pairs of `file` whose compression loses a negation, or asserts
 * what is denied, are left out (guards.h). Returns 0, or the exit code after a message. */
int tz_train_pairs_read(tz_train_pairs *pairs, const char *command, bool single_root, bool quiet,
                        const char *file, const char *opt_dev, tz_corpus *ret_corpus,
                        tz_corpus *ret_dev);
/* Tunes the keep weight by pairs->tune, where there are sentences for it, and prints how good the
 * model is. */
tz_status tz_train_pairs_finish(tz_train_pairs *pairs, tz_model *model, const tz_corpus *opt_dev,
                                bool quiet, tz_error *error);
/* Does nothing to a zeroed one. */
void tz_train_pairs_free(tz_train_pairs *pairs);

#endif
