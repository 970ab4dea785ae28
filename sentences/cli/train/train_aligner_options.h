/* train_aligner_options.h - the command line of `trapeze train aligner`. SPDX-License-Identifier:
 * MIT
 */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_ALIGNER_OPTIONS_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_ALIGNER_OPTIONS_H

#include "sentences/align/em/em.h"

typedef struct tz_train_aligner_settings {
    tz_em_settings em;
    const char *output, *const *file;
    const char *opt_document, *opt_abstract; /* instead of files: both or neither */
    const char *opt_table, *opt_state;
    const char *opt_trees, *opt_parser, *opt_wordnet;
    size_t files;
    long iterations, words, extract; /* sentences, or 0 */
    bool text, quiet, keep_going, resume;
} tz_train_aligner_settings;

/* Reads the command line. False: the command must end with *ret_exit, after a message or --help. */
bool tz_train_aligner_read_options(const char *command, int argc, char **argv,
                                   tz_train_aligner_settings *ret_settings, int *ret_exit);

#endif
