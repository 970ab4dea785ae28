/* cli.h - the subcommands of `trapeze`, and the parts that they share.
 *
 * Results go to stdout, messages to stderr. Exit codes: 0, TZ_EXIT_INPUT (the input is wrong, or
 * reading or writing failed), TZ_EXIT_USAGE (the command line is wrong).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_CLI_H
#define TZ_CLI_CLI_H

#include <stddef.h>
#include <stdio.h>

#include <trapeze/trapeze.h>

#include "base/near.h"

enum { TZ_EXIT_INPUT = 1, TZ_EXIT_USAGE = 2 };

/* Every subcommand, in the order of --help: OF(NAME, SUMMARY) for each,
 *
 *     int tz_cli_NAME(int argc, char **argv);
 *
 * whose argv[0] is NAME and which returns the exit code. */
#define TZ_SUBCOMMANDS(OF)                                                                         \
    OF(run, "solve problems: values, best derivations, marginals")                                 \
    OF(rules, "list, show and check rule sets")                                                    \
    OF(grammar, "read, check, parse with and sample from context-free grammars")                   \
    OF(automaton, "sum over, search, sample from and compose weighted automata")                   \
    OF(semirings, "list, show, check and compile semirings")                                       \
    OF(bench, "measure speed: rule sets, semirings, lengths")                                      \
    OF(draw, "draw a result or a CoNLL-U file as arc diagram or proof tree")
/* The subcommands of the sentence toolkit, which a build can leave out. */
#define TZ_SENTENCE_SUBCOMMANDS(OF)                                                                \
    OF(train, "learn taggers, parsers, compressors and language models")                           \
    OF(tag, "find the part of speech of every word")                                               \
    OF(parse, "find the head of every word")                                                       \
    OF(compress, "leave words out of sentences")                                                   \
    OF(align, "find which words of an abstract come from where in its document")                   \
    OF(pairs, "tag and parse pairs of a sentence and its compression")                             \
    OF(trees, "make trees of constituents from dependencies, clean those in brackets")             \
    OF(model, "show what a model file holds, pack several into one")                               \
    OF(eval, "compare what was found with what is right")

#define TZ_DECLARE(name, summary) int tz_cli_##name(int argc, char **argv);
TZ_SUBCOMMANDS(TZ_DECLARE)
TZ_SENTENCE_SUBCOMMANDS(TZ_DECLARE)
#undef TZ_DECLARE

/* ---- Messages ------------------------------------------------------------------------------ */

/* `command` stands in front of every message: "trapeze run". Each writes one line. */
void tz_message(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the message, then where to find help; returns TZ_EXIT_USAGE. */
int tz_usage_error(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints the message of an error, or of the status where there is none; returns TZ_EXIT_INPUT. */
int tz_failed(const char *command, tz_status status, const tz_error *opt_error);
/* Why several processes (ranks/ranks.h) cannot read standard input. */
extern const char tz_no_input_of_ranks[];
/* Flushes stdout. Returns 0; or TZ_EXIT_INPUT after a message, where anything written to stdout has
 * been lost. */
int tz_flush_results(const char *command);

/* ---- Options ------------------------------------------------------------------------------- */

/* Rows of options leave out what they lack. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct tz_options;
/* Takes in an option, or an operand (TZ_OPERAND), of options->value; returns 0, or the exit code
 * after a message. */
typedef int tz_take_option(struct tz_options *options, int which, void *user);

/* Where and as what the value of an option is put into the settings that a command line fills: a
 * text; true or 1, for an option without a value; a whole or real number; for a list A|B|C, which
 * is the option's `argument`, `first` for A, the next number for B, ...; or a function takes it. */
typedef struct tz_option_place {
    enum {
        TZ_NO_PLACE,
        TZ_TEXT_PLACE,
        TZ_FLAG_PLACE,
        TZ_NUMBER_PLACE,
        TZ_CHOICE_PLACE,
        TZ_REAL_PLACE,
        TZ_FUNCTION_PLACE
    } kind;
    size_t at, size;
    long least, most; /* numbers; least: of the first choice */
    tz_take_option *take;
} tz_option_place;
#define TZ_TEXT_AT(type, member)                                                                   \
    { TZ_TEXT_PLACE, offsetof(type, member) }
#define TZ_FLAG_AT(type, member)                                                                   \
    { TZ_FLAG_PLACE, offsetof(type, member), sizeof((type *)0)->member }
#define TZ_NUMBER_AT(type, member, least, most)                                                    \
    { TZ_NUMBER_PLACE, offsetof(type, member), sizeof((type *)0)->member, least, most }
#define TZ_CHOICE_AT(type, member, first)                                                          \
    { TZ_CHOICE_PLACE, offsetof(type, member), sizeof((type *)0)->member, first }
#define TZ_REAL_AT(type, member, least, most)                                                      \
    { TZ_REAL_PLACE, offsetof(type, member), 0, least, most }
#define TZ_TAKEN_BY(function)                                                                      \
    { TZ_FUNCTION_PLACE, .take = function }

typedef struct tz_option {
    const char *name;     /* without the dashes */
    char letter;          /* of the short form, or 0 */
    const char *argument; /* its name in --help; NULL: the option takes none */
    const char *help;
    tz_option_place place; /* for tz_take_options */
    size_t given;          /* TZ_GIVEN_AT: the member set to true if the option is given; or 0 */
} tz_option;
#define TZ_GIVEN_AT(type, member) offsetof(type, member) + 1

/* Options that several commands have, whose settings are a part, `at`, of the command's. */
typedef struct tz_option_group {
    const tz_option *option;
    int options;
    size_t at;
} tz_option_group;
#define TZ_GROUP_AT(table, type, member)                                                           \
    { table, sizeof(table) / sizeof *(table), offsetof(type, member) }

enum { TZ_END = -1, TZ_OPERAND = -2, TZ_STOP = -3 };

/* The state of reading a command line. Options and operands may be mixed; `--` ends the options,
 * `-` is an operand; option names are not abbreviated. */
typedef struct tz_options {
    const char *command;  /* "trapeze run" */
    const char *synopsis; /* "-r RULES -s SEMIRING [OPTION]... [FILE]" */
    const char *about;    /* --help's text between synopsis and options, whole lines */
    const char *notes;    /* --help's text after the options, whole lines; or NULL */
    const tz_option *option;
    int options;
    tz_option_group more[3]; /* further options; all of them have places */
    int argc;
    char **argv;

    const char *written[4]; /* start as NULL: the files that options name to be written */
    int next, letter;       /* start at 0: the argument to read, and the short option inside it */
    bool operands_only;

    /* For tz_take_options: up to `most` operands are put into `operand`; 0: each is passed to
     * opt_take. */
    int most;
    const char *usual;          /* the default operand, "-"; NULL: none */
    const char *wanted;         /* the operands for messages: "one FILE at most" */
    const char *needed;         /* the message where there is none; NULL: none is needed */
    const size_t *to;           /* [most] the settings, texts, that they are also put into; or
                                   NULL */
    const char *const *operand; /* out: [operands], the first words of argv */
    int operands;

    const char *value; /* out: of the option, or the operand */
    int status;        /* out: the exit code that goes with TZ_STOP */
} tz_options;

/* Members of tz_options that most commands set: all rows of a table, or the first ones. */
#define TZ_COMMAND_ROWS(table, count_of_words, words)                                              \
    .option = (table), .options = sizeof(table) / sizeof *(table), TZ_WORDS(count_of_words, words)
#define TZ_COMMAND_LINE(table, count, count_of_words, words)                                       \
    .option = (table), .options = (count), TZ_WORDS(count_of_words, words)
#define TZ_WORDS(count, words) .argc = (count), .argv = (words)
/* The same for operands: wanted, needed, most, {to}. */
#define TZ_OPERANDS(what, lacking, count, ...)                                                     \
    .wanted = (what), .needed = (lacking), .most = (count), .to = (const size_t[])__VA_ARGS__

/* Returns the index of the next option; or TZ_OPERAND; or TZ_END after the last; or TZ_STOP when
 * the command must end with `status`, after --help, --version or a message.
 *
 * The options --output, --plot, --state and --table name files that are written. After the last
 * option, a file that cannot be written is refused; a file named twice, under whatever path, or
 * that is standard input, is a usage error: it would be lost. */
int tz_next_option(tz_options *options);

/* The option with this index, or NULL; the options that every command has come last. */
const tz_option *tz_nth_option(const tz_options *options, int index);

/* Puts options into their places in *user, and gives other options and operands to opt_take, one
 * after the other; NULL: there are none. Returns true after the last; false: the command must end
 * with options->status. */
bool tz_take_options(tz_options *options, tz_take_option *opt_take, void *user);
/* A tz_take_option for commands without arguments: refuses any. */
int tz_no_operand(tz_options *options, int which, void *user);
/* Takes the only operand; a second one is a usage error, whose message has `what`: "one FILE". */
int tz_only_operand(const tz_options *options, const char *what, const char **operand);
/* Checks that at most one of these files (NULL: none) is standard input; else a usage error. */
int tz_one_standard_input(const char *command, const char *const *file, size_t files);

/* Read an option's value as a whole number, or as a real number, in minimum..maximum; else a usage
 * error. */
int tz_option_number(const tz_options *options, int which, long minimum, long maximum,
                     long *ret_number);
int tz_option_real(const tz_options *options, int which, long minimum, long maximum,
                   double *ret_number);

/* Finds the position of an option's value in the list A|B|C that is its `argument`; else a usage
 * error. */
int tz_option_choice(const tz_options *options, int which, unsigned *ret_choice);
/* Reads an option's value as a list of names, with commas between them, and sets the bits of their
 * numbers; else a usage error. name_of gives NULL past the last. */
int tz_option_names(const tz_options *options, int which, const char *name_of(unsigned number),
                    unsigned *bits);

/* ---- Actions -------------------------------------------------------------------------------- */

typedef struct tz_action {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit code */
} tz_action;

/* The actions of a command, as `list` of `trapeze rules`. */
typedef struct tz_actions {
    const char *command; /* "trapeze rules" */
    const char *what;    /* the word for one: "action" */
    const char *about;   /* --help's text before their list, whole lines */
    const char *notes;   /* --help's text after the list, whole lines or "" */
    const tz_action *action;
    size_t actions;
    const struct tz_actions *opt_below; /* actions of one of these, which users may mistake for
                                           actions of this command */
} tz_actions;

/* Runs the action that argv[1] names, or answers --help, --version and --complete; returns the exit
 * code. */
int tz_run_action(const tz_actions *actions, int argc, char **argv);
void tz_print_actions(const tz_actions *actions, FILE *file);
/* The actions of `trapeze rules`. */
extern const tz_actions tz_rules_actions;
/* The action `trapeze semirings compile`. */
int tz_semirings_compile(int argc, char **argv);

/* ---- Completion ----------------------------------------------------------------------------- */

/* `trapeze --complete WORD...` tells shells (src/cli/shells) how to complete the last of the words
 * after `trapeze`, which is empty or partly typed. It prints candidates, one a line, each with a
 * tab and its meaning; and `:files` or `:folders` where their names are possible.
 *
 * Every command answers it: --complete is passed on, like the words after it, to the function of an
 * action. So the candidates come from the tables by which --help is printed and command lines are
 * read. */

/* Is argv[1] --complete? */
bool tz_complete_asked(int argc, char **argv);
/* Print the candidates for the words after --complete, which is argv[1]. */
void tz_complete_options(const tz_options *options);
void tz_complete_actions(const tz_actions *actions, const char *word);

/* ---- Arguments that several subcommands take ------------------------------------------------ */

/* The rule set that a user calls `name`: standard input for "-", a file where it contains '/' or
 * '.' or is the name of an existing one, else a built-in. Prints the warnings of a file, unless
 * quiet. Returns 0, or the exit code after a message. Free *ret_rules with tz_rules_free. */
int tz_open_rules(const char *command, const char *name, bool quiet, tz_rules **ret_rules);
/* Checks that the semiring's sum counts no structure of this rule file twice; not for --force.
 * Returns 0, or the exit code after a message; unless quiet, warns where this is not known. */
int tz_check_sum(const char *command, const char *name, const tz_rules *rules,
                 const tz_semiring *semiring, bool quiet);
/* Does the text name a file, NAME.semiring? */
bool tz_is_semiring_file(const char *text);
/* Does the text name a plug-in, NAME.so? */
bool tz_is_plugin_file(const char *text);
/* Opens the semiring of this text (tz_semiring_new) or file (tz_semiring_read, tz_semiring_load);
 * free it with tz_semiring_free. Returns 0, or the exit code after a message. */
int tz_open_semiring(const char *command, const char *text, tz_precision precision,
                     tz_semiring **ret_semiring);

#endif
