/* eval.h - the evaluations of `trapeze eval`, and the parts that they share.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_EVAL_EVAL_H
#define TZ_SENTENCES_CLI_EVAL_EVAL_H

#include "cli/cli.h"
#include "sentences/eval/report.h"

/* argv[0] is "tagger", "parser", "words", "lm", "compression", "compressor", "alignment", "trees",
 * "text". They return the exit code. */
int tz_cli_eval_treebank(int argc, char **argv);
int tz_cli_eval_words(int argc, char **argv);
int tz_cli_eval_text(int argc, char **argv);
int tz_cli_eval_lm(int argc, char **argv);
int tz_cli_eval_compression(int argc, char **argv);
int tz_cli_eval_compressor(int argc, char **argv);
int tz_cli_eval_alignment(int argc, char **argv);
int tz_cli_eval_trees(int argc, char **argv);

/* ---- eval_options.c -------------------------------------------------------------------------- */

typedef struct tz_eval_settings {
    tz_report_format format;
    tz_resampling resampling;
} tz_eval_settings;

extern const tz_eval_settings tz_eval_default;

/* The options of all reports. */
enum { TZ_EVAL_OPTIONS = 4 };
extern const tz_option tz_eval_option[TZ_EVAL_OPTIONS];

/* Prints a report. Returns 0, or the exit code after a message. */
int tz_eval_report(const char *command, const tz_report *report, const tz_eval_settings *settings);

/* Gets the operands GOLD SYSTEM [SYSTEM2] into file[0..2], NULL where missing. Returns 0, or a
 * usage error, whose message calls the second operand `system`. At most one of them and of
 * more[0..mores-1] may be standard input; twice: not GOLD, which is read twice. */
int tz_eval_files(const tz_options *options, const char *system, bool twice,
                  const char *const *more, size_t mores, const char *file[3]);

#endif
