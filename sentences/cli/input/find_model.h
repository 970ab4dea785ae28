/* find_model.h - finds the model to use without -m, and loads models. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_SENTENCES_CLI_INPUT_FIND_MODEL_H
#define TZ_SENTENCES_CLI_INPUT_FIND_MODEL_H

#include "sentences/learn/analyse.h"

/* The first of these that is there: what the environment variable TRAPEZE_MODEL names (which must
 * be there), english.model beside the program (the build tree), ../share/trapeze/english.model from
 * there, english.model where the program was to be installed. 0, and a path for free(); or the
 * exit code after a message. */
int tz_find_model(const char *command, char **ret_path);

/* The models of a file for these stages (1 << tz_stage), as far as they are there; those of `must`
 * are. 0, or the exit code after a message. */
int tz_load_models(const char *command, const char *path, unsigned stages, unsigned must,
                   unsigned threads, tz_analyser **ret_analyser);

#endif
