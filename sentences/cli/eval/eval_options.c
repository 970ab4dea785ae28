/* eval_options.c - what evaluations share: options and reports. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "sentences/cli/eval/eval.h"

const tz_eval_settings tz_eval_default = {
    .format = TZ_REPORT_TABLE, .resampling = {.resamples = 10000, .seed = 1, .threads = 1}};

const tz_option tz_eval_option[TZ_EVAL_OPTIONS] = {
    {"format", 'f', "table|tsv|json", "table, tsv or json (table)",
     TZ_CHOICE_AT(tz_eval_settings, format, TZ_REPORT_TABLE)},
    {"resamples", 0, "N", "samples for intervals and tests (10000)",
     TZ_NUMBER_AT(tz_eval_settings, resampling.resamples, 1, 10000000)},
    {"seed", 0, "S", "seed of the samples (1)",
     TZ_NUMBER_AT(tz_eval_settings, resampling.seed, 0, INT32_MAX)},
    {"threads", 0, "N", "threads (1); the figures are the same",
     TZ_NUMBER_AT(tz_eval_settings, resampling.threads, 1, 256)},
};

int tz_eval_files(const tz_options *o, const char *system, bool twice, const char *const *more,
                  size_t mores, const char *file[3]) {
    enum { MOST = 128 };
    const char *all[MOST];
    size_t files = (size_t)o->operands;
    for (size_t f = 0; f < 3; f++)
        file[f] = f < files ? o->operand[f] : NULL;
    if (files < 2)
        return tz_usage_error(o->command, "two files are needed: GOLD and %s", system);
    memcpy(all, file, 3 * sizeof *file);
    for (size_t m = 0; m < mores && m < MOST - 3; m++)
        all[3 + m] = more[m];
    int exit = tz_one_standard_input(o->command, all, 3 + mores);
    if (exit == 0 && twice && file[2] && strcmp(file[0], "-") == 0)
        return tz_usage_error(o->command, "GOLD is read twice, and so cannot be standard input");
    return exit;
}

int tz_eval_report(const char *name, const tz_report *report, const tz_eval_settings *settings) {
    tz_text text = {0};
    tz_status status = tz_report_print(report, settings->format, &text);
    if (status == TZ_OK)
        tz_text_write(&text, stdout); /* the dispatcher sees if it failed */
    else
        tz_message(name, "%s", tz_status_name(status));
    tz_text_free(&text);
    return status == TZ_OK ? 0 : TZ_EXIT_INPUT;
}
