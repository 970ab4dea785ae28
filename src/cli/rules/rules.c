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
        .notes = "",
        .argc = argc,
        .argv = argv,
    };
    if (!tz_take_options(&options, tz_no_operand, NULL))
        return options.status;
    const tz_rules *rules;
    int failed = 0;
    for (size_t r = 0; (rules = tz_rules_builtin(r)) && !failed; r++)
        failed = list_one(options.command, rules->name, rules);
    return failed ? failed : list_gallery(options.command);
}

int tz_rules_operand(tz_options *options, int (*take)(tz_options *options, int option, void *user),
                     void *user, const char **ret_name) {
    const char *name = NULL;
    for (int option; (option = tz_next_option(options)) != TZ_END;) {
        if (option == TZ_STOP)
            return options->status ? options->status : -1;
        if (option == TZ_OPERAND && name)
            return tz_usage_error(options->command, "one rule set at a time: '%s' is too many",
                                  options->value);
        if (option == TZ_OPERAND) {
            name = options->value;
            continue;
        }
        int status = take(options, option, user);
        if (status != 0)
            return status;
    }
    if (!name)
        return tz_usage_error(options->command, "which rule set? Name a built-in one or a file");
    *ret_name = name;
    return 0;
}

static int read_operand(tz_options *options,
                        int (*take)(tz_options *options, int option, void *user), void *user,
                        const char **ret_name, tz_rules **ret_rules) {
    int status = tz_rules_operand(options, take, user, ret_name);
    return status != 0 ? status : tz_open_rules(options->command, *ret_name, false, ret_rules);
}

/* The same rules with the amount of a resource in every item. */
static int charge(const char *command, const char *resource, tz_rules **rules) {
    tz_rules *charged;
    tz_error error = {TZ_OK, ""};
    if (resource == NULL)
        return 0;
    tz_status status = tz_rules_charge(*rules, resource, &charged, &error);
    tz_rules_free(*rules);
    *rules = charged;
    if (status == TZ_OK)
        return 0;
    tz_message(command, "%s", error.message[0] ? error.message : tz_status_name(status));
    return status == TZ_BAD_ARGUMENT ? TZ_EXIT_USAGE : TZ_EXIT_INPUT;
}

/* ---- show ------------------------------------------------------------------------------------ */

typedef struct format {
    const char *name;
    void (*show)(const tz_rules *rules, FILE *file);
} format;

static const format formats[] = {
    {"text", tz_show_text}, {"latex", tz_show_latex}, {"dot", tz_show_dot}};
enum { FORMATS = sizeof formats / sizeof *formats };

typedef struct show_choice {
    const format *format;
    const char *output; /* NULL: stdout */
    const char *resource;
} show_choice;

static int take_show_option(tz_options *options, int option, void *user) {
    show_choice *choice = user;
    if (option == 1) {
        choice->output = strcmp(options->value, "-") != 0 ? options->value : NULL;
        return 0;
    }
    if (option == 2) {
        choice->resource = options->value;
        return 0;
    }
    for (size_t f = 0; f < FORMATS; f++) {
        if (strcmp(options->value, formats[f].name) == 0) {
            choice->format = &formats[f];
            return 0;
        }
    }
    return tz_usage_error(options->command, "unknown format '%s': text, latex or dot",
                          options->value);
}

static int show(int argc, char **argv) {
    static const tz_option option[] = {
        {"format", 'f', "text|latex|dot",
         "text (the default), latex (a document for pdflatex) or dot\n"
         "(for Graphviz: which rules lead from which items to which)"},
        {"output", 'o', "FILE", "write to FILE instead of standard output"},
        {"resource", 0, "NAME",
         "the rules that keep account of a resource: every item has the\n"
         "amount used as one more index, the last"},
    };
    tz_options options = {
        .command = "trapeze rules show",
        .synopsis = "[OPTION]... RULES",
        .about = "Prints a rule set as a paper does: declarations, then inference figures.\n",
        .notes = "",
        TZ_COMMAND_LINE(option, sizeof option / sizeof *option, NULL, argc, argv)};
    show_choice choice = {.format = &formats[0]};
    tz_rules *rules = NULL;
    const char *name;
    int status = read_operand(&options, take_show_option, &choice, &name, &rules);
    if (status == 0)
        status = charge(options.command, choice.resource, &rules);
    if (status != 0)
        return status;
    if (!choice.output) {
        choice.format->show(rules, stdout);
        tz_rules_free(rules);
        return 0;
    }
    tz_replace output;
    tz_error error;
    tz_status written = tz_replace_open(choice.output, &output, &error);
    if (written == TZ_OK) {
        choice.format->show(rules, output.file);
        written = tz_replace_commit(&output, &error);
    }
    tz_rules_free(rules);
    return written == TZ_OK ? 0 : tz_failed(options.command, written, &error);
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

static int take_check_option(tz_options *options, int option, void *user) {
    check_choice *choice = user;
    if (option == 0) {
        choice->length = -1;
        choice->named.count = 0;
        return tz_take_lengths(options, option, &choice->named, take_number, choice);
    }
    choice->resource = options->value;
    return 0;
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
         "count derivations up to this length (5; at most 100), and with\n"
         "others as given by name: -n 5, -n h=0, -n n=5,h=0"},
        {"resource", 0, "NAME", "of the rules that keep account of a resource, see show"},
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
        TZ_COMMAND_LINE(option, sizeof option / sizeof *option, NULL, argc, argv)};
    check_choice choice = {.length = -1};
    tz_rules *rules = NULL;
    long length;
    int status = read_operand(&options, take_check_option, &choice, &choice.name, &rules);
    if (status == 0)
        status = charge(options.command, choice.resource, &rules);
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
    {"check", "its evaluation order, cost and numbers of derivations", check},
    {"optimise", "rules of lower degree with the same structures", tz_rules_optimise},
    {"compile", "what the compiler makes of it, pass by pass", tz_rules_compile},
};

const tz_actions tz_rules_actions = {
    .command = "trapeze rules",
    .what = "action",
    .about = "About the rules of dynamic programs, built-in ones or your own.\n",
    .notes =
        "RULES is a built-in rule set, as `list` names them; a file, whose name has a '/' or '.';\n"
        "or - for standard input. 'man trapeze-rules' (Rule files) shows how to write one, and\n"
        "what show prints as text is one.\n",
    .action = actions,
    .actions = sizeof actions / sizeof *actions,
};

int tz_cli_rules(int argc, char **argv) {
    int status = tz_run_action(&tz_rules_actions, argc, argv);
    return status < 0 ? 0 : status;
}
