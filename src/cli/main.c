/* main.c - `trapeze SUBCOMMAND ...`: one table, one dispatch. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

typedef struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommand;

static const subcommand subcommands[] = {
    {"run", "solve problems: values, best derivations, marginals", tz_cli_run},
    {"rules", "list, show and check rule sets", tz_cli_rules},
    {"bench", "measure speed: rule sets, semirings, lengths", tz_cli_bench},
    {"draw", "draw a result or a CoNLL-U file as arc diagram or proof tree", tz_cli_draw},
    {"train", "learn taggers, parsers, compressors and language models", tz_cli_train},
    {"tag", "find the part of speech of every word", tz_cli_tag},
    {"parse", "find the head of every word", tz_cli_parse},
    {"compress", "leave words out of sentences", tz_cli_compress},
    {"pairs", "tag and parse pairs of a sentence and its compression", tz_cli_pairs},
    {"model", "show what a model file holds, pack several into one", tz_cli_model},
    {"eval", "compare what was found with what is right", tz_cli_eval},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static const char *subcommand_name(const void *list, size_t index) {
    (void)list;
    return index < SUBCOMMANDS ? subcommands[index].name : NULL;
}

static void print_help(FILE *file) {
    fprintf(file, "Usage: trapeze SUBCOMMAND [OPTION]... [ARGUMENT]...\n"
                  "Weighted deduction: rules in the notation of papers, under any semiring.\n\n");
    for (size_t i = 0; i < SUBCOMMANDS; i++)
        fprintf(file, "  %-10s%s\n", subcommands[i].name, subcommands[i].summary);
    fprintf(file, "\n'trapeze SUBCOMMAND --help' explains one; 'trapeze --version' shows the "
                  "version.\nExit codes: 0, 1 (bad input), 2 (bad usage).\n");
}

int main(int argc, char **argv) {
    /* A closed pipe is a write error with a message, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        print_help(stderr);
        return TZ_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return tz_flush_results("trapeze");
    }
    if (strcmp(name, "--version") == 0) {
        printf("trapeze %s\n", tz_version());
        return tz_flush_results("trapeze");
    }
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        if (strcmp(name, subcommands[i].name) == 0) {
            char command[32];
            snprintf(command, sizeof command, "trapeze %s", name);
            int status = subcommands[i].run(argc - 1, argv + 1);
            return status != 0 ? status : tz_flush_results(command);
        }
    }
    const char *what = name[0] == '-' ? "option" : "subcommand";
    const char *near = tz_nearest(name, subcommand_name, NULL);
    if (near != NULL)
        return tz_usage_error("trapeze", "unknown %s '%s'; did you mean '%s'?", what, name, near);
    return tz_usage_error("trapeze", "unknown %s '%s'", what, name);
}
