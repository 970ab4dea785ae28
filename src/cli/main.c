/* main.c - `trapeze SUBCOMMAND ...`: one table (TZ_SUBCOMMANDS), one dispatch.
 * SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/replace.h"
#include "cli/cli.h"
#include "ranks/ranks.h"

static int help(int argc, char **argv);

#define THERE(name, summary) {#name, summary, tz_cli_##name},
#define NAME(name, summary)  #name,
#ifdef TZ_SENTENCES
#define OF_TOOLKIT(OF) TZ_SENTENCE_SUBCOMMANDS(OF)
#define LEFT_OUT(OF)
#else
#define OF_TOOLKIT(OF)
#define LEFT_OUT(OF) TZ_SENTENCE_SUBCOMMANDS(OF)
#endif

static const tz_action subcommands[] = {
    TZ_SUBCOMMANDS(THERE) OF_TOOLKIT(THERE){"help", "explain one of these", help}};
static const char *const left_out[] = {LEFT_OUT(NAME) NULL};

static const tz_actions trapeze = {
    .command = "trapeze",
    .what = "subcommand",
    .about = "Weighted deduction: rules in the notation of papers, under any semiring.\n",
    .notes = "To begin: `trapeze rules show eisner`, `echo 'Some text.' | trapeze parse`.\n"
             "'man trapeze-SUBCOMMAND' tells more; 'trapeze --version' shows the version.\n"
             "Exit codes: 0, 1 (bad input), 2 (bad usage).\n",
    .action = subcommands,
    .actions = sizeof subcommands / sizeof *subcommands,
    .opt_below = &tz_rules_actions,
};

/* Subcommands whose work several ranks share (ranks.h); of the others rank 0 does all. */
static const char *const shared[] = {"run", "train", "tag", "parse", "compress", "align", NULL};

static bool is_shared(const char *name) {
    size_t i = 0;
    while (shared[i] != NULL && strcmp(shared[i], name) != 0)
        i++;
    return shared[i] != NULL;
}

static int run(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && left_out[i] != NULL; i++)
        if (strcmp(argv[1], left_out[i]) == 0)
            return tz_usage_error("trapeze",
                                  "'%s' is part of the sentence toolkit, which this build leaves "
                                  "out; configure it with -Dsentences=enabled",
                                  argv[1]);
    return tz_run_action(&trapeze, argc, argv);
}

/* `trapeze help rules show` is `trapeze rules show --help`. */
static int help(int argc, char **argv) {
    enum { WORDS = 2 };
    static char name[] = "trapeze", option[] = "--help";
    char *line[WORDS + 3] = {name};
    if (tz_complete_asked(argc, argv))
        return run(argc, argv);
    if (argc - 1 > WORDS)
        return tz_usage_error("trapeze help",
                              "a subcommand and an action of it at most: '%s' is "
                              "too many",
                              argv[WORDS + 1]);
    /* Of `help` itself, and of an option, the list of subcommands tells what there is. */
    int words = argc > 1 && argv[1][0] != '-' && strcmp(argv[1], argv[0]) != 0 ? argc - 1 : 0;
    for (int w = 1; w <= words; w++)
        line[w] = argv[w];
    line[words + 1] = option;
    return run(words + 2, line);
}

static void tell_of_rank(const char *message) {
    tz_message("trapeze", "%s", message);
}

int main(int argc, char **argv) {
    /* Who reads results has had enough: that ends the program, quietly, with the signal's status.
     */
    signal(SIGPIPE, SIG_DFL);
    tz_replace_clean_on(SIGPIPE);
    tz_replace_clean_on(SIGINT);
    tz_replace_clean_on(SIGTERM);
    tz_replace_clean_on(SIGHUP);
    if (argc < 2) {
        tz_print_actions(&trapeze, stderr);
        return TZ_EXIT_USAGE;
    }
    char command[32] = "trapeze";
    if (argv[1][0] != '-')
        snprintf(command, sizeof command, "trapeze %s", argv[1]);
    tz_error error = {TZ_OK, ""};
    if (tz_ranks_begin(&error) != TZ_OK)
        return tz_failed(command, TZ_IO, &error);
    int status = tz_rank() == 0 || is_shared(argv[1]) ? run(argc, argv) : 0;
    status = status != 0 ? status : tz_flush_results(command);
    return tz_ranks_end(status, tell_of_rank);
}
