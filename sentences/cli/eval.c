/* eval.c - `trapeze eval`: what was found against what is right. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "sentences/cli/eval.h"

static const char command[] = "trapeze eval";

/* ---- What evaluations share ------------------------------------------------------------------ */

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
        fwrite(text.data, 1, text.size, stdout); /* the dispatcher sees if it failed */
    else
        tz_message(name, "%s", tz_status_name(status));
    tz_text_free(&text);
    return status == TZ_OK ? 0 : TZ_EXIT_INPUT;
}

/* ---- The dispatcher -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} evaluations[] = {
    {"tagger", tz_cli_eval_treebank},
    {"parser", tz_cli_eval_treebank},
    {"compression", tz_cli_eval_compression},
    {"compressor", tz_cli_eval_compressor},
    {"lm", tz_cli_eval_lm},
};
enum { EVALUATIONS = sizeof evaluations / sizeof *evaluations };

static const char *evaluation_name(const void *list, size_t index) {
    (void)list;
    return index < EVALUATIONS ? evaluations[index].name : NULL;
}

int tz_cli_eval(int argc, char **argv) {
    tz_options o = {
        .command = command,
        .synopsis = "tagger|parser|compression GOLD SYSTEM [SYSTEM2] | compressor GOLD |\n"
                    "       lm -m MODEL [FILE]",
        .about =
            "Compare what was found with what is right: tags (UPOS, XPOS) or heads and labels\n"
            "of CoNLL-U files, compressions in JSON Lines or text; or measure how well a\n"
            "language model predicts text.\n",
        .notes = "'trapeze eval WHAT --help' explains one.\n\n"
                 "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .argc = argc,
        .argv = argv,
        .next = 1};
    for (size_t e = 0; argc > 1 && e < EVALUATIONS; e++)
        if (strcmp(argv[1], evaluations[e].name) == 0)
            return evaluations[e].run(argc - 1, argv + 1);
    int which = tz_next_option(&o);
    if (which == TZ_STOP)
        return o.status;
    if (which == TZ_END) {
        return tz_usage_error(
            command, "say what to evaluate: tagger, parser, compression, compressor or lm");
    }
    const char *near = tz_nearest(o.value, evaluation_name, NULL);
    return tz_usage_error(command, "tagger, parser, compression, compressor or lm, not '%s'%s%s%s",
                          o.value, near ? "; did you mean '" : "", near ? near : "",
                          near ? "'?" : "");
}
