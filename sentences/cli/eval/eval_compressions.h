/* eval_compressions.h - what `trapeze eval compression` and `trapeze eval compressor` share:
 * references, models, and the report.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_EVAL_EVAL_COMPRESSIONS_H
#define TZ_SENTENCES_CLI_EVAL_EVAL_COMPRESSIONS_H

#include "sentences/cli/eval/eval.h"
#include "sentences/eval/by_model.h"
#include "sentences/eval/gold.h"

enum { TZ_EVAL_REFERENCES = 64, TZ_EVAL_MOST_BINS = 32 };

/* Options besides those of every report. */
enum { TZ_EVAL_COMPRESSIONS_OPTIONS = 2 };
extern const tz_option tz_eval_compressions_option[TZ_EVAL_COMPRESSIONS_OPTIONS];

typedef struct tz_eval_compressions {
    const char *command;
    tz_eval_settings settings;
    const char *file; /* GOLD */
    const char *reference[TZ_EVAL_REFERENCES];
    size_t references;
    long bin[TZ_EVAL_MOST_BINS]; /* sentences of at most so many words, ascending */
    size_t bins;
    tz_gold gold;
} tz_eval_compressions;

/* The functions return 0 or the exit code after a message. */

/* Reads GOLD and the further references into c->gold; free it with tz_gold_free. */
int tz_eval_compressions_read(tz_eval_compressions *c);

/* Reads the compressions of a file; in GOLD's memory. */
int tz_eval_compressions_outputs(tz_eval_compressions *c, const char *name, bool text,
                                 tz_compression **ret_output);

/* Loads the models of a file for the stages `must` (1 << tz_stage), and for the stages before these
 * as far as the file has them. */
int tz_eval_compressions_models(const tz_eval_compressions *c, const char *path, unsigned must,
                                tz_analyser **ret_analyser);

/* Gives the references, and output[s][c->gold.count] of all systems, the trees that the file's
 * taggers and parser find for their words. */
int tz_eval_compressions_parse(tz_eval_compressions *c, const char *path, size_t systems,
                               tz_compression *const *output);

/* Prints the report of one or two systems; output[s][c->gold.count]. */
int tz_eval_compressions_report(const tz_eval_compressions *c, size_t systems,
                                const char *const *name, const tz_compression *const *output);

#endif
