/* analyse.h - what the files of `trapeze tag`, `parse` and `compress` share.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_ANALYSE_ANALYSE_H
#define TZ_SENTENCES_CLI_ANALYSE_ANALYSE_H

#include "sentences/cli/analyse/write.h"
#include "sentences/cli/with_deletions.h"

typedef struct tz_analyse_settings {
    const char *command;
    tz_asked asked;
    unsigned stages; /* 1 << tz_stage: results to find even where the input has them */
    const char *model, *file, *scores; /* scores: a .npz file; NULL: the model's own */
    tz_input_format input;
    int format; /* a tz_format; -1: the usual one */
    tz_sentence_limits limits;
    tz_length length;
    tz_with with;
    long threads;
    bool keep_going, any_text;
    bool
        wary; /* the English model is used as a matter of course: what it is not for is looked at */
} tz_analyse_settings;

/* Reads the command line. 0, or TZ_STOP with *ret_exit. */
int tz_analyse_options(int argc, char **argv, tz_analyse_settings *settings, int *ret_exit);
/* Returns the exit code. */
int tz_analyse_run(const tz_analyse_settings *settings);

#endif
