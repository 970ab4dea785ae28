/* rules.c - `trapeze rules list|show|check|optimise`. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/replace.h"
#include "cli/cli.h"
#include "cli/rules/check.h"
#include "cli/rules/optimise.h"
#include "cli/rules/rules.h"
#include "rules/show/show.h"

/* What stands in front of the first of . ; : and a blank, or NAME's first cite. */
static void print_gist(const tz_rules *rules) {
    const char *c = rules->comment;
    for (; *c && !(strchr(".;:", *c) && (c[1] == ' ' || c[1] == '\n' || c[1] == '\0')); c++)
        putchar(*c == '\n' ? ' ' : *c);
    if (c == rules->comment && rules->cites > 0)
        fputs(rules->cite[0], stdout);
}

enum { NAME = 28, TIME = 24 }; /* columns */

/* Cuts a long sum behind a term: "n |word| + n K + ...". */
static void shorten(char *time) {
    size_t end = strlen(time);
    if (end <= TIME)
        return;
    for (size_t c = 0; c <= TIME - 6; c++)
        if (c == 0 || strncmp(time + c, " + ", 3) == 0)
            end = c;
    strcpy(time + end, end > 0 ? " + ..." : "...");
}

static int list_one(const char *command, const char *name, const tz_rules *rules) {
    char time[256];
    tz_status status = tz_rules_degree(rules, false, time, sizeof time);
    if (status != TZ_OK) {
        tz_message(command, "%s: %s", name, tz_status_name(status));
        return TZ_EXIT_INPUT;
    }
    shorten(time);
    printf("%-*s  %-*s  ", NAME, name, TIME, time);
    print_gist(rules);
    putchar('\n');
    return 0;
}

static int list_gallery(const char *command) {
    const char *name;
    int failed = 0;
    for (size_t g = 0; (name = tz_gallery_name(g)) && !failed; g++) {
        tz_rules *rules;
        tz_error error = {TZ_OK, ""};
        tz_status status = tz_gallery_read(name, &rules, &error);
        failed =
            status == TZ_OK ? list_one(command, name, rules) : tz_failed(command, status, &error);
        tz_rules_free(rules);
    }
    return failed;
}

static int list(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze rules list",
        .synopsis = "",
        .about = "Lists the built-in rule sets and the gallery: name, time in the lengths (`rules\n"
                 "check` has the whole of a long one), what it derives.\n",
        TZ_WORDS(argc, argv),
    };
    if (!tz_take_options(&options, NULL, NULL))
        return options.status;
    const tz_rules *rules;
    int failed = 0;
    for (size_t r = 0; (rules = tz_rules_builtin(r)) && !failed; r++)
        failed = list_one(options.command, rules->name, rules);
    return failed ? failed : list_gallery(options.command);
}

/* The rule set of this name; with the amount of a resource in every item, unless that is NULL. */
static int open_charged(const char *command, const char *name, const char *opt_resource,
                        tz_rules **ret) {
    tz_rules *rules;
    tz_error error = {TZ_OK, ""};
    int failed = tz_open_rules(command, name, false, ret);
    if (failed != 0 || opt_resource == NULL)
        return failed;
    rules = *ret;
    tz_status status = tz_rules_charge(rules, opt_resource, ret, &error);
    tz_rules_free(rules);
    if (status == TZ_OK)
        return 0;
    tz_message(command, "%s", error.message[0] ? error.message : tz_status_name(status));
    return status == TZ_BAD_ARGUMENT ? TZ_EXIT_USAGE : TZ_EXIT_INPUT;
}

/* ---- show ------------------------------------------------------------------------------------ */

static tz_status (*const shows[])(const tz_rules *rules,
                                  FILE *file) = {[TZ_FIGURES_TEXT] = tz_show_text,
                                                 [TZ_FIGURES_LATEX] = tz_show_latex,
                                                 [TZ_FIGURES_DOT] = tz_show_dot};

typedef struct show_choice {
    const char *name, *output, *resource; /* name: of the rule set; output: NULL: stdout */
    int format;                           /* tz_figures */
} show_choice;

static int write_shown(const char *command, const show_choice *choice, const tz_rules *rules) {
    tz_replace output;
    tz_error error = {TZ_OK, ""};
    if (choice->output == NULL || strcmp(choice->output, "-") == 0) {
        tz_status status = shows[choice->format](rules, stdout);
        return status == TZ_OK ? 0 : tz_failed(command, status, NULL);
    }
    tz_status status = tz_replace_open(choice->output, &output, &error);
    if (status == TZ_OK)
        status = shows[choice->format](rules, output.file);
    if (status == TZ_OK)
        status = tz_replace_commit(&output, &error);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

static int show(int argc, char **argv) {
    static const tz_option option[] = {
        {"format", 'f', "text|latex|dot",
         "text (the default), latex (a document for pdflatex) or dot\n"
         "(for Graphviz: a graph from premises to conclusions)",
         TZ_CHOICE_AT(show_choice, format, TZ_FIGURES_TEXT)},
        {"output", 'o', "FILE", "write to FILE instead of standard output",
         TZ_TEXT_AT(show_choice, output)},
        {"resource", 0, "NAME",
         "the rules that keep account of a resource: every item has the\n"
         "amount used as one more index, the last",
         TZ_TEXT_AT(show_choice, resource)},
    };
    tz_options options = {
        .command = "trapeze rules show",
        .synopsis = "[OPTION]... RULES",
        .about = "Prints a rule set as a paper does: declarations, then inference figures.\n",
        TZ_COMMAND_ROWS(option, argc, argv),
        TZ_RULES_OPERAND(show_choice),
    };
    show_choice choice = {.format = TZ_FIGURES_TEXT};
    tz_rules *rules = NULL;
    if (!tz_take_options(&options, NULL, &choice))
        return options.status;
    int status = open_charged(options.command, choice.name, choice.resource, &rules);
    if (status == 0)
        status = write_shown(options.command, &choice, rules);
    tz_rules_free(rules);
    return status;
}

/* ---- check ----------------------------------------------------------------------------------- */

enum { LENGTH = 5, LONGEST = 100 };

typedef struct check_choice {
    const char *name; /* of the rule set */
    long length;      /* -1: not given */
    tz_named_lengths named;
    const char *resource;
} check_choice;

static int take_number(const tz_options *options, int which, const char *part, void *user) {
    check_choice *choice = user;
    tz_options one = *options;
    one.value = part;
    if (choice->length >= 0)
        return tz_usage_error(options->command,
                              "--%s takes one number, and others by name, as in -n 5,h=0: '%s' is "
                              "too many",
                              options->option[which].name, part);
    return tz_option_number(&one, which, 0, LONGEST, &choice->length);
}

static int take_lengths(tz_options *options, int option, void *user) {
    check_choice *choice = user;
    choice->length = -1;
    choice->named.count = 0;
    return tz_take_lengths(options, option, &choice->named, take_number, choice);
}

/* How far the table goes: what is given for the length that runs, by number or by name. */
static int table_length(const char *command, const check_choice *choice, const tz_rules *rules,
                        long *ret_length) {
    const char *running = rules->length_name[tz_running_length(rules)];
    int32_t named = tz_named_length(&choice->named, running);
    *ret_length = named >= 0 ? named : choice->length >= 0 ? choice->length : LENGTH;
    if (named >= 0 && choice->length >= 0)
        return tz_usage_error(command, "--length gives %s twice: as %ld and as %s=%ld", running,
                              choice->length, running, (long)named);
    if (named > LONGEST)
        return tz_usage_error(command, "--length: %s goes up to %d, not %ld", running, LONGEST,
                              (long)named);
    return 0;
}

static int check(int argc, char **argv) {
    static const tz_option option[] = {
        {"length", 'n', "LENGTHS",
         "count derivations up to this length (5; at most 100); lengths\n"
         "given by name stay: -n 5, -n h=0, -n n=5,h=0",
         TZ_TAKEN_BY(take_lengths)},
        {"resource", 0, "NAME", "check the rules that keep account of a resource, see show",
         TZ_TEXT_AT(check_choice, resource)},
    };
    tz_options options = {
        .command = "trapeze rules check",
        .synopsis = "[OPTION]... RULES",
        .about = "Prints the evaluation order found for a rule set, what it costs, and how many\n"
                 "derivations there are; fails where the file declares otherwise.\n",
        .notes =
            "Derivations are counted under the count semiring and, up to length 5, one by one,\n"
            "which also tells whether each is a structure of its own and whether resources sum\n"
            "as declared. Lengths in lower case are equal, those in upper case 2, as for `count`\n"
            "lines. All combinations of small lengths are looked at, too, as far as a fraction\n"
            "of a second goes. Where these show more, there is a second table. Derivations of\n"
            "lengths up to 40 are drawn at random: a structure with several is printed.\n",
        TZ_COMMAND_ROWS(option, argc, argv),
        TZ_RULES_OPERAND(check_choice),
    };
    check_choice choice = {.length = -1};
    tz_rules *rules = NULL;
    long length;
    if (!tz_take_options(&options, NULL, &choice))
        return options.status;
    int status = open_charged(options.command, choice.name, choice.resource, &rules);
    if (status != 0)
        return status;
    status = tz_check_named_lengths(options.command, &choice.named, &rules, 1);
    if (status == 0)
        status = table_length(options.command, &choice, rules, &length);
    /* Lines of charged rules are those of no file. */
    if (status == 0)
        status = tz_check_declared(options.command, choice.resource == NULL ? choice.name : NULL,
                                   rules, (int32_t)length, &choice.named);
    tz_rules_free(rules);
    return status;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static const tz_action actions[] = {
    {"list", "the built-in rule sets", list},
    {"show", "a rule set as inference figures: text, LaTeX or Graphviz", show},
    {"check", "the evaluation order, cost and numbers of derivations", check},
    {"optimise", "rules of lower degree with the same structures", tz_rules_optimise},
    {"compile", "what the compiler makes of a rule set, pass by pass", tz_rules_compile},
};

const tz_actions tz_rules_actions = {
    .command = "trapeze rules",
    .what = "action",
    .about = "About the rules of dynamic programs, built-in ones or your own.\n",
    .notes =
        "RULES is a built-in rule set, as `list` names them; a file, whose name has a '/' or '.';\n"
        "or - for standard input. 'man trapeze-rules' (Rule files) shows how to write a rule\n"
        "file; what show prints as text is one.\n",
    .action = actions,
    .actions = sizeof actions / sizeof *actions,
};

int tz_cli_rules(int argc, char **argv) {
    return tz_run_action(&tz_rules_actions, argc, argv);
}
