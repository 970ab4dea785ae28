/* train_options.h - the command line for training from treebanks: tagger, parser, ...
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_OPTIONS_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_OPTIONS_H

#include "sentences/cli/train/train_pairs.h"
#include "sentences/train/train.h"

typedef struct tz_train_settings {
    const tz_task *task;
    const char *command, *rules, *file, *output, *dev;
    const char *state;
    const char *dictionary;         /* of the joint tagger, */
    const char *words;              /* of the splitter */
    int optimiser;                  /* adagrad, adam, lbfgs */
    double margin, rate, l2, least; /* below 0: not given */
    double prune;
    double adagrad_rate;                                       /* if it is not */
    long order, seed, epochs, patience, batch, threads, table; /* batch 0: not given */
    bool table_told, optimiser_told;
    bool resume;
    tz_training training; /* method and state, made of these */
    tz_encoding encoding;
    bool quiet, single_root, floats;
    tz_train_pairs pairs; /* of the compressor */
} tz_train_settings;

/* Sets the defaults: a table of 2^table rows, and this rate for adagrad. */
void tz_train_defaults(tz_train_settings *settings, long table, double adagrad_rate);
/* --state FILE and --resume: do they go together, and is no state overwritten? 0, or the exit code
 * after a message. */
int tz_train_check_state(const char *command, const char *opt_state, bool resume);
/* Reads the options of settings->task; some tasks have further ones. False: the command must end
 * with *ret_exit, after a message or --help. */
bool tz_train_read_options(tz_train_settings *settings, int argc, char **argv, const char *about,
                           int *ret_exit);

#endif
