/* eval.h - what `trapeze eval` evaluates, and what evaluations share.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_EVAL_EVAL_H
#define TZ_SENTENCES_CLI_EVAL_EVAL_H

#include "cli/cli.h"
#include "sentences/eval/report.h"

/* argv[0] is "tagger", "parser", "lm", "compression", "compressor", "alignment",
 * "trees", "text".
 * They return the exit code. */
int tz_cli_eval_treebank(int argc, char **argv);
int tz_cli_eval_text(int argc, char **argv);
int tz_cli_eval_lm(int argc, char **argv);
int tz_cli_eval_compression(int argc, char **argv);
int tz_cli_eval_compressor(int argc, char **argv);
int tz_cli_eval_alignment(int argc, char **argv);
int tz_cli_eval_trees(int argc, char **argv);

/* ---- eval_options.c -------------------------------------------------------------------------- */

/* Options of everything that makes a report, and where an evaluation's own begin. */
enum {
    TZ_EVAL_FORMAT,
    TZ_EVAL_RESAMPLES,
    TZ_EVAL_SEED,
    TZ_EVAL_THREADS,
    TZ_EVAL_OPTIONS,
};
#define TZ_EVAL_OPTION_TABLE                                                                       \
    [TZ_EVAL_FORMAT] = {"format", 'f', "table|tsv|json", "table, tsv or json (table)"},            \
    [TZ_EVAL_RESAMPLES] = {"resamples", 0, "N", "samples for intervals and tests (10000)"},        \
    [TZ_EVAL_SEED] = {"seed", 0, "S", "of the samples (1)"},                                       \
    [TZ_EVAL_THREADS] = {"threads", 0, "N", "threads (1); the figures are the same"}

typedef struct tz_eval_settings {
    tz_report_format format;
    tz_resampling resampling;
} tz_eval_settings;

extern const tz_eval_settings tz_eval_default;

/* Takes in one of the options above. Returns 0 or the exit code after a message. */
int tz_eval_set(const tz_options *options, int which, tz_eval_settings *settings);

/* Prints. Returns 0 or the exit code after a message. */
int tz_eval_report(const char *command, const tz_report *report, const tz_eval_settings *settings);

#endif
