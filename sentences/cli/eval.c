/* eval.c - `trapeze eval`: what was found against what is right. SPDX-License-Identifier: MIT */
#include <string.h>

#include "sentences/cli/eval.h"

static const char command[] = "trapeze eval";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} evaluations[] = {
    {"tagger", tz_cli_eval_treebank},
    {"parser", tz_cli_eval_treebank},
    {"compression", tz_cli_eval_compression},
    {"compressor", tz_cli_eval_compressor},
    {"lm", tz_cli_eval_lm},
    {"alignment", tz_cli_eval_alignment},
    {"trees", tz_cli_eval_trees},
};
enum { EVALUATIONS = sizeof evaluations / sizeof *evaluations };

static const char *evaluation_name(const void *list, size_t index) {
    (void)list;
    return index < EVALUATIONS ? evaluations[index].name : NULL;
}

int tz_cli_eval(int argc, char **argv) {
    tz_options o = {
        .command = command,
        .synopsis = "tagger|parser|compression|alignment|trees GOLD SYSTEM [SYSTEM2] |\n"
                    "       compressor GOLD | lm -m MODEL [FILE]",
        .about =
            "Compare what was found with what is right: tags (UPOS, XPOS) or heads and labels\n"
            "of CoNLL-U files, compressions in JSON Lines or text, links between words, trees in\n"
            "brackets; or measure how well a language model predicts text.\n",
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
        return tz_usage_error(command, "say what to evaluate: tagger, parser, compression, "
                                       "compressor, lm, alignment or trees");
    }
    const char *near = tz_nearest(o.value, evaluation_name, NULL);
    return tz_usage_error(
        command, "tagger, parser, compression, compressor, lm, alignment or trees, not '%s'%s%s%s",
        o.value, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}
