/* find_model.h - finds the model to use without -m, and loads models. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_SENTENCES_CLI_INPUT_FIND_MODEL_H
#define TZ_SENTENCES_CLI_INPUT_FIND_MODEL_H

#include "sentences/learn/analyse.h"

/* Finds the first of these files that exists: the one that the environment variable TRAPEZE_MODEL
 * names (an error if it is missing), english.model beside the program (the build tree),
 * ../share/trapeze/english.model from there, english.model in the directory of installation.
 * Returns 0 and a path for free(), or the exit code after a message. */
int tz_find_model(const char *command, char **ret_path);

/* Loads the models of a file for these stages (1 << tz_stage), as far as it has them; it must have
 * those of `must`. Returns 0, or the exit code after a message. */
int tz_load_models(const char *command, const char *path, unsigned stages, unsigned must,
                   unsigned threads, tz_analyser **ret_analyser);

#endif
