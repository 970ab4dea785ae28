/* main.c - `trapeze SUBCOMMAND ...`: one table (TZ_SUBCOMMANDS), one dispatch.
 * SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/replace.h"
#include "cli/cli.h"

typedef struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommand;

#define THERE(name, summary)    {#name, summary, tz_cli_##name},
#define LEFT_OUT(name, summary) {#name, summary, NULL},
#ifdef TZ_SENTENCES
#define OF_TOOLKIT THERE
#else
#define OF_TOOLKIT LEFT_OUT
#endif

static const subcommand subcommands[] = {
    TZ_SUBCOMMANDS(THERE) TZ_SENTENCE_SUBCOMMANDS(OF_TOOLKIT) /* what is left out stands last */
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static const char *subcommand_name(const void *list, size_t index) {
    (void)list;
    bool there = index < SUBCOMMANDS && subcommands[index].run != NULL;
    return there ? subcommands[index].name : NULL;
}

static void print_help(FILE *file) {
    fprintf(file, "Usage: trapeze SUBCOMMAND [OPTION]... [ARGUMENT]...\n"
                  "Weighted deduction: rules in the notation of papers, under any semiring.\n\n");
    for (size_t i = 0; subcommand_name(NULL, i) != NULL; i++)
        fprintf(file, "  %-10s%s\n", subcommands[i].name, subcommands[i].summary);
    fprintf(file, "\n'trapeze SUBCOMMAND --help' explains one; 'trapeze --version' shows the "
                  "version.\nExit codes: 0, 1 (bad input), 2 (bad usage).\n");
}

int main(int argc, char **argv) {
    /* A closed pipe is a write error with a message, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    tz_replace_clean_on(SIGINT);
    tz_replace_clean_on(SIGTERM);
    tz_replace_clean_on(SIGHUP);
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
        if (strcmp(name, subcommands[i].name) != 0)
            continue;
        if (subcommands[i].run == NULL)
            return tz_usage_error("trapeze",
                                  "'%s' is part of the sentence toolkit, which this build leaves "
                                  "out; configure it with -Dsentences=enabled",
                                  name);
        char command[32];
        snprintf(command, sizeof command, "trapeze %s", name);
        int status = subcommands[i].run(argc - 1, argv + 1);
        return status != 0 ? status : tz_flush_results(command);
    }
    const char *what = name[0] == '-' ? "option" : "subcommand";
    const char *near = tz_nearest(name, subcommand_name, NULL);
    if (near != NULL)
        return tz_usage_error("trapeze", "unknown %s '%s'; did you mean '%s'?", what, name, near);
    return tz_usage_error("trapeze", "unknown %s '%s'", what, name);
}
