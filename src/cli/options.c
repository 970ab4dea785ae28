/* options.c - what the subcommands share: messages, suggestions, options, rule sets, semirings.
 *
 * Why not getopt_long: it takes any unique beginning of a name for the name, so that a mistyped or
 * later option would silently mean another one. SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "cli/cli.h"
#include "ranks/ranks.h"
#include "rules/read/reader.h"

/* ---- Messages ------------------------------------------------------------------------------ */

static void say(const char *command, const char *format, va_list arguments) {
    /* One write, so that lines of several processes do not mix. Control characters, which file
     * names and input can contain, would reach the terminal. */
    char line[2048];
    int size = snprintf(line, sizeof line, "%s: ", command);
    vsnprintf(line + size, sizeof line - (size_t)size, format, arguments);
    for (char *c = line; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    if (tz_ranks_says(line + size))
        fprintf(stderr, "%s\n", line);
}

void tz_message(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(command, format, arguments);
    va_end(arguments);
}

int tz_usage_error(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(command, format, arguments);
    va_end(arguments);
    if (tz_rank() == 0)
        fprintf(stderr, "Try '%s --help'.\n", command);
    return TZ_EXIT_USAGE;
}

int tz_failed(const char *command, tz_status status, const tz_error *opt_error) {
    bool told = opt_error != NULL && opt_error->message[0] != '\0';
    tz_message(command, "%s", told ? opt_error->message : tz_status_name(status));
    return TZ_EXIT_INPUT;
}

const char tz_no_input_of_ranks[] = "standard input reaches one process alone: name a FILE";

int tz_flush_results(const char *command) {
    /* fflush alone forgets a failure of an earlier write. */
    bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return 0;
    tz_message(command, "cannot write the results: %s",
               errno != 0 ? strerror(errno) : "an earlier write failed");
    return TZ_EXIT_INPUT;
}

/* ---- Options ------------------------------------------------------------------------------- */

enum { HELP_COLUMN = 30 };

static const tz_option common[] = {
    {"help", 'h', NULL, "show this text and exit"},
    {"version", 0, NULL, "show the version and exit"},
};
enum { COMMON = sizeof common / sizeof *common };

const tz_option *tz_nth_option(const tz_options *o, int index) {
    if (index < o->options)
        return &o->option[index];
    return index < o->options + COMMON ? &common[index - o->options] : NULL;
}

static const char *option_name(const void *list, size_t index) {
    const tz_option *option = tz_nth_option(list, (int)index);
    return option != NULL ? option->name : NULL;
}

static void print_help(const tz_options *o) {
    static char whole[1 << 14]; /* written at once, so that tz_flush_results knows why it fails */
    const tz_option *option;
    setvbuf(stdout, whole, _IOFBF, sizeof whole);
    printf("Usage: %s %s\n%s\n", o->command, o->synopsis, o->about);
    for (int index = 0; (option = tz_nth_option(o, index)) != NULL; index++) {
        char left[80], letter[8] = "    ";
        if (option->letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name,
                 option->argument != NULL ? "=" : "",
                 option->argument != NULL ? option->argument : "");
        if (strlen(left) + 2 > HELP_COLUMN) /* no room beside it */
            printf("%s\n%*s", left, HELP_COLUMN, "");
        else
            printf("%-*s", HELP_COLUMN, left);
        for (const char *line = option->help;;) {
            int size = (int)strcspn(line, "\n");
            printf("%.*s\n", size, line);
            if (line[size] == '\0')
                break;
            line += size + 1;
            printf("%*s", HELP_COLUMN, "");
        }
    }
    if (o->notes != NULL && o->notes[0] != '\0')
        printf("\n%s", o->notes);
}

static int stop(tz_options *o, int status) {
    o->status = status;
    return TZ_STOP;
}

static const char *const writing[] = {"output", "plot", "state", "table"};
enum { WRITING = sizeof writing / sizeof *writing };

static int found(tz_options *o, int index) {
    for (size_t w = 0; index < o->options && w < WRITING; w++)
        if (strcmp(o->option[index].name, writing[w]) == 0)
            o->written[w] = o->value;
    if (index < o->options)
        return index;
    if (index == o->options)
        print_help(o);
    else
        printf("trapeze %s\n", tz_version());
    return stop(o, tz_flush_results(o->command));
}

static int long_option(tz_options *o, const char *text) {
    size_t size = strcspn(text, "=");
    const tz_option *option;
    int index = 0;
    while ((option = tz_nth_option(o, index)) != NULL &&
           !(strlen(option->name) == size && strncmp(option->name, text, size) == 0))
        index++;
    if (option == NULL) {
        char name[TZ_NEAR_MOST + 1];
        snprintf(name, sizeof name, "%.*s", (int)(size < TZ_NEAR_MOST ? size : TZ_NEAR_MOST), text);
        const char *near = tz_nearest(name, option_name, o);
        return stop(o, near != NULL ? tz_usage_error(o->command,
                                                     "unknown option '--%s'; did you mean '--%s'?",
                                                     name, near)
                                    : tz_usage_error(o->command, "unknown option '--%s'", name));
    }
    o->value = NULL;
    if (option->argument == NULL && text[size] == '=')
        return stop(o, tz_usage_error(o->command, "option '--%s' takes no value", option->name));
    if (option->argument != NULL && text[size] == '=')
        o->value = text + size + 1;
    else if (option->argument != NULL && o->next < o->argc)
        o->value = o->argv[o->next++];
    else if (option->argument != NULL)
        return stop(o, tz_usage_error(o->command, "option '--%s' needs a value: --%s=%s",
                                      option->name, option->name, option->argument));
    return found(o, index);
}

/* argv[next][letter]: several may stand in one argument, and a value may follow at once. */
static int short_option(tz_options *o) {
    const char *argument = o->argv[o->next];
    char letter = argument[o->letter++];
    const tz_option *option;
    int index = 0;
    while ((option = tz_nth_option(o, index)) != NULL && option->letter != letter)
        index++;
    const char *rest = argument + o->letter;
    if (option == NULL || option->argument != NULL || *rest == '\0') {
        o->next++;
        o->letter = 0;
    }
    if (option == NULL)
        return stop(o, tz_usage_error(o->command, "unknown option '-%c'", letter));
    o->value = NULL;
    if (option->argument != NULL && *rest != '\0')
        o->value = rest;
    else if (option->argument != NULL && o->next < o->argc)
        o->value = o->argv[o->next++];
    else if (option->argument != NULL)
        return stop(o, tz_usage_error(o->command, "option '-%c' needs a value: -%c %s", letter,
                                      letter, option->argument));
    return found(o, index);
}

/* Do both names lead to the same regular file? */
static bool same_file(const struct stat *one, const char *name) {
    struct stat other;
    return stat(name, &other) == 0 && S_ISREG(other.st_mode) && other.st_dev == one->st_dev &&
           other.st_ino == one->st_ino;
}

/* TZ_END, if no file that is to be written is an argument besides. */
static int end(tz_options *o) {
    struct stat file, in;
    for (size_t w = 0; w < WRITING; w++) {
        const char *name = o->written[w];
        if (name == NULL || stat(name, &file) != 0 || !S_ISREG(file.st_mode))
            continue;
        bool again =
            fstat(STDIN_FILENO, &in) == 0 && in.st_dev == file.st_dev && in.st_ino == file.st_ino;
        for (int a = 1; a < o->argc && !again; a++) {
            const char *argument = o->argv[a], *value = strchr(argument, '=');
            if (argument[0] == '-' && argument[1] != '-' && argument[1] != '\0')
                value = argument + 2;
            else if (argument[0] != '-' || value == NULL)
                value = argument;
            else
                value++;
            again = value != name && *value != '\0' && same_file(&file, value);
        }
        if (again)
            return stop(o, tz_usage_error(o->command,
                                          "'%s' is an input too and would be lost; give --%s "
                                          "another name",
                                          name, writing[w]));
    }
    return TZ_END;
}

int tz_next_option(tz_options *o) {
    if (o->next == 0 && tz_complete_asked(o->argc, o->argv)) {
        tz_complete_options(o);
        return stop(o, tz_flush_results(o->command));
    }
    if (o->next == 0)
        o->next = 1;
    if (o->letter > 0)
        return short_option(o);
    while (o->next < o->argc) {
        const char *argument = o->argv[o->next];
        if (o->operands_only || argument[0] != '-' || argument[1] == '\0') {
            o->value = argument;
            o->next++;
            return TZ_OPERAND;
        }
        if (argument[1] != '-') {
            o->letter = 1;
            return short_option(o);
        }
        o->next++;
        if (argument[2] != '\0')
            return long_option(o, argument + 2);
        o->operands_only = true;
    }
    return end(o);
}

static void put_number(void *at, size_t size, long number) {
    if (size == sizeof(bool))
        *(bool *)at = number != 0;
    else if (size == sizeof(int))
        *(int *)at = (int)number;
    else
        *(long *)at = number;
}

int tz_put_option(const tz_options *o, int which, const tz_option_place *place, void *settings) {
    void *at = (char *)settings + place->at;
    unsigned choice = 0;
    long number = 0;
    int status = 0;
    switch (place->kind) {
    case TZ_TEXT_PLACE:
        *(const char **)at = o->value;
        break;
    case TZ_FLAG_PLACE:
        put_number(at, place->size, 1);
        break;
    case TZ_CHOICE_PLACE:
        status = tz_option_choice(o, which, &choice);
        put_number(at, place->size, place->least + (long)choice);
        break;
    default:
        status = tz_option_number(o, which, place->least, place->most, &number);
        if (status == 0)
            put_number(at, place->size, number);
    }
    return status;
}

static const char **operand_at(const tz_options *o, size_t which, void *settings) {
    return (const char **)((char *)settings + o->operands.at[which]);
}

static int put_operand(const tz_options *o, void *settings) {
    size_t which = 0;
    while (which + 1 < o->operands.count && *operand_at(o, which, settings) != NULL)
        which++;
    return tz_only_operand(o, o->operands.what, operand_at(o, which, settings));
}

bool tz_take_options(tz_options *o, tz_take_option *opt_take, void *user) {
    int which;
    o->status = 0;
    while (o->status == 0 && (which = tz_next_option(o)) != TZ_END) {
        if (which == TZ_STOP)
            return false;
        if (which >= 0 && o->place != NULL && o->place[which].kind != TZ_NO_PLACE)
            o->status = tz_put_option(o, which, &o->place[which], user);
        else if (which == TZ_OPERAND && o->operands.what != NULL)
            o->status = put_operand(o, user);
        else if (opt_take != NULL)
            o->status = opt_take(o, which, user);
        else
            o->status = tz_usage_error(o->command, "unexpected argument '%s'", o->value);
    }
    if (o->status == 0 && o->operands.needed != NULL && *operand_at(o, 0, user) == NULL)
        o->status = tz_usage_error(o->command, "%s", o->operands.needed);
    return o->status == 0;
}

int tz_only_operand(const tz_options *o, const char *what, const char **operand) {
    if (*operand != NULL)
        return tz_usage_error(o->command, "%s, not '%s' and '%s'", what, *operand, o->value);
    *operand = o->value;
    return 0;
}

int tz_option_number(const tz_options *o, int which, long minimum, long maximum, long *ret_number) {
    char *end;
    errno = 0;
    long number = strtol(o->value, &end, 10);
    if (!isdigit((unsigned char)o->value[0]) || *end != '\0' || errno != 0 || number < minimum ||
        number > maximum)
        return tz_usage_error(o->command, "--%s takes a whole number from %ld to %ld, not '%s'",
                              o->option[which].name, minimum, maximum, o->value);
    *ret_number = number;
    return 0;
}

int tz_option_choice(const tz_options *o, int which, unsigned *ret_choice) {
    char list[128];
    size_t used = 0;
    *ret_choice = 0;
    for (const char *c = o->option[which].argument;; (*ret_choice)++) {
        size_t size = strcspn(c, "|");
        if (strlen(o->value) == size && strncmp(o->value, c, size) == 0)
            return 0;
        bool next = c[size] != '\0', last = next && strchr(c + size + 1, '|') == NULL;
        used += (size_t)snprintf(list + used, sizeof list - used, "%.*s%s", (int)size, c,
                                 last   ? " or "
                                 : next ? ", "
                                        : "");
        if (!next)
            break;
        c += size + 1;
    }
    *ret_choice = 0;
    return tz_usage_error(o->command, "--%s is %s, not '%s'", o->option[which].name, list,
                          o->value);
}
