/* eval_options.c - what evaluations share: options and reports. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "sentences/cli/eval/eval.h"

const tz_eval_settings tz_eval_default = {
    .format = TZ_REPORT_TABLE, .resampling = {.resamples = 10000, .seed = 1, .threads = 1}};

static const tz_option_place places[TZ_EVAL_OPTIONS] = {
    [TZ_EVAL_FORMAT] = TZ_CHOICE_AT(tz_eval_settings, format, TZ_REPORT_TABLE),
    [TZ_EVAL_RESAMPLES] = TZ_NUMBER_AT(tz_eval_settings, resampling.resamples, 1, 10000000),
    [TZ_EVAL_SEED] = TZ_NUMBER_AT(tz_eval_settings, resampling.seed, 0, INT32_MAX),
    [TZ_EVAL_THREADS] = TZ_NUMBER_AT(tz_eval_settings, resampling.threads, 1, 256),
};

int tz_eval_set(const tz_options *o, int which, tz_eval_settings *settings) {
    return tz_put_option(o, which, &places[which], settings);
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
