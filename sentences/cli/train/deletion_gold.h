/* deletion_gold.h - measures a grammar of deletions on the pairs of a file, and reports it:
 * `trapeze train deletions --dev`. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_DELETION_GOLD_H
#define TZ_SENTENCES_CLI_TRAIN_DELETION_GOLD_H

#include "sentences/cli/train/deletion_pairs.h"
#include "sentences/learn/model.h"

typedef struct tz_deletion_gold_options {
    const char *command;
    tz_deletion_options pairs;  /* as for the training pairs */
    const tz_model *opt_parser; /* NULL: measures with one tree; else with all trees that it
                                   scores */
    unsigned threads;
    bool quiet;
} tz_deletion_gold_options;

/* Measures and reports; `what` names the pairs: "dev". tune: sets the model's threshold
 * (tz_deletions_measure). Returns 0, or the exit code after a message: trees of another kind than
 * the model's, no pairs, or errors in the file. */
int tz_deletion_gold_measure(const tz_deletion_gold_options *options, const char *file,
                             const char *what, bool tune, tz_deletions *model);

#endif
