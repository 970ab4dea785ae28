/* eval_options.c - what evaluations share: options and reports. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "sentences/cli/eval/eval.h"

const tz_eval_settings tz_eval_default = {
    .format = TZ_REPORT_TABLE, .resampling = {.resamples = 10000, .seed = 1, .threads = 1}};

int tz_eval_set(const tz_options *o, int which, tz_eval_settings *settings) {
    long number = 0;
    int status = 0;
    switch (which) {
    case TZ_EVAL_FORMAT:
        if (!tz_report_format_find(o->value, &settings->format)) {
            status =
                tz_usage_error(o->command, "--format is table, tsv or json, not '%s'", o->value);
        }
        break;
    case TZ_EVAL_RESAMPLES:
        status = tz_option_number(o, which, 1, 10000000, &number);
        settings->resampling.resamples = (size_t)number;
        break;
    case TZ_EVAL_SEED:
        status = tz_option_number(o, which, 0, INT32_MAX, &number);
        settings->resampling.seed = (uint64_t)number;
        break;
    case TZ_EVAL_THREADS:
        status = tz_option_number(o, which, 1, 256, &number);
        settings->resampling.threads = (unsigned)number;
        break;
    }
    return status;
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
