/* options.c - command lines: options, --help, operands.
 *
 * Why not getopt_long: it takes any unique beginning of a name for the name, so that a mistyped or
 * later option would silently mean another one. SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "base/replace.h"
#include "cli/cli.h"

enum { HELP_COLUMN = 30 };

static const tz_option common[] = {
    {"help", 'h', NULL, "show this text and exit"},
    {"version", 0, NULL, "show the version and exit"},
};
enum { COMMON = sizeof common / sizeof *common };

/* The option of this index, and in *ret_at where the command's settings have its own; COMMON's are
 * the last. */
static const tz_option *find(const tz_options *o, int *index, size_t *ret_at) {
    *ret_at = 0;
    if (*index < o->options)
        return &o->option[*index];
    *index -= o->options;
    for (size_t m = 0; m < sizeof o->more / sizeof *o->more; m++) {
        *ret_at = o->more[m].at;
        if (*index < o->more[m].options)
            return &o->more[m].option[*index];
        *index -= o->more[m].options;
    }
    return NULL;
}

const tz_option *tz_nth_option(const tz_options *o, int index) {
    size_t at;
    const tz_option *option = find(o, &index, &at);
    return option != NULL ? option : index < COMMON ? &common[index] : NULL;
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

/* Is its value a file, which is written? --table=BITS is none. */
static bool names_output(const tz_option *option, const char *name) {
    return strcmp(option->name, name) == 0 && (strncmp(option->argument, "FILE", 4) == 0 ||
                                               strncmp(option->argument, "MODEL", 5) == 0);
}

static int found(tz_options *o, int index) {
    size_t at;
    int last = index;
    const tz_option *option = find(o, &last, &at);
    for (size_t w = 0; option != NULL && w < WRITING; w++)
        if (names_output(option, writing[w]))
            o->written[w] = o->value;
    if (option != NULL)
        return index;
    if (last == 0)
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

/* TZ_END, if all files that are to be written can be, before anything is computed for them, and
 * none is an argument besides. */
static int end(tz_options *o) {
    struct stat file, in;
    for (size_t w = 0; w < WRITING; w++) {
        const char *name = o->written[w];
        tz_error error = {TZ_OK, ""};
        tz_status status =
            name != NULL && strcmp(name, "-") != 0 ? tz_replace_check(name, &error) : TZ_OK;
        if (status != TZ_OK)
            return stop(o, tz_failed(o->command, status, &error));
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

static int put_option(tz_options *o, int which, const tz_option_place *place, void *settings) {
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
    case TZ_REAL_PLACE:
        return tz_option_real(o, which, place->least, place->most, at);
    case TZ_FUNCTION_PLACE:
        return place->take(o, which, settings);
    default:
        status = tz_option_number(o, which, place->least, place->most, &number);
        if (status == 0)
            put_number(at, place->size, number);
    }
    return status;
}

/* The operand, which has been read, becomes the next of those at the beginning of argv. */
static int take_operand(tz_options *o) {
    if (o->operands == o->most)
        return o->most == 1 ? tz_usage_error(o->command, "%s, not '%s' and '%s'", o->wanted,
                                             o->argv[1], o->value)
                            : tz_usage_error(o->command, "'%s' is one too many", o->value);
    char *operand = o->argv[o->next - 1], **to = o->argv + 1 + o->operands++;
    memmove(to + 1, to, (size_t)(o->argv + o->next - 1 - to) * sizeof *to);
    *to = operand;
    o->operand = (const char *const *)o->argv + 1;
    return 0;
}

static int take_in(tz_options *o, int which, tz_take_option *opt_take, void *user) {
    size_t at = 0;
    int index = which;
    const tz_option *option = which >= 0 ? find(o, &index, &at) : NULL;
    const tz_option_place *place = option != NULL ? &option->place : NULL;
    char *settings = user;
    if (option != NULL && option->given > 0)
        *(bool *)(settings + at + option->given - 1) = true;
    if (place != NULL && place->kind != TZ_NO_PLACE)
        return put_option(o, which, place, settings + at);
    return which == TZ_OPERAND && o->most > 0
               ? take_operand(o)
               : (opt_take ? opt_take : tz_no_operand)(o, which, user);
}

bool tz_take_options(tz_options *o, tz_take_option *opt_take, void *user) {
    int which;
    o->status = 0;
    while (o->status == 0 && (which = tz_next_option(o)) != TZ_END) {
        if (which == TZ_STOP)
            return false;
        o->status = take_in(o, which, opt_take, user);
    }
    if (o->operands == 0 && o->usual != NULL) {
        o->operand = &o->usual;
        o->operands = 1;
    }
    for (int i = 0; o->to != NULL && i < o->operands; i++)
        *(const char **)((char *)user + o->to[i]) = o->operand[i];
    if (o->status == 0 && o->operands == 0 && o->needed != NULL)
        o->status = tz_usage_error(o->command, "%s", o->needed);
    return o->status == 0;
}

int tz_no_operand(tz_options *o, int which, void *user) {
    (void)which;
    (void)user;
    return tz_usage_error(o->command, "unexpected argument '%s'", o->value);
}

int tz_only_operand(const tz_options *o, const char *what, const char **operand) {
    if (*operand != NULL)
        return tz_usage_error(o->command, "%s, not '%s' and '%s'", what, *operand, o->value);
    *operand = o->value;
    return 0;
}

int tz_one_standard_input(const char *command, const char *const *file, size_t files) {
    int standard = 0;
    for (size_t f = 0; f < files; f++)
        standard += file[f] != NULL && strcmp(file[f], "-") == 0;
    return standard > 1 ? tz_usage_error(command, "only one file can be standard input") : 0;
}

int tz_option_number(const tz_options *o, int which, long minimum, long maximum, long *ret_number) {
    char *end;
    errno = 0;
    long number = strtol(o->value, &end, 10);
    if (!isdigit((unsigned char)o->value[0]) || *end != '\0' || errno != 0 || number < minimum ||
        number > maximum)
        return tz_usage_error(o->command, "--%s takes a whole number from %ld to %ld, not '%s'",
                              tz_nth_option(o, which)->name, minimum, maximum, o->value);
    *ret_number = number;
    return 0;
}

int tz_option_real(const tz_options *o, int which, long minimum, long maximum, double *ret_number) {
    size_t size = strlen(o->value);
    bool number = size < TZ_NUMBER_SIZE && tz_number_read(o->value, size, ret_number);
    return number && *ret_number >= (double)minimum && *ret_number <= (double)maximum
               ? 0
               : tz_usage_error(o->command, "--%s takes a number from %ld to %ld, not '%s'",
                                tz_nth_option(o, which)->name, minimum, maximum, o->value);
}

enum { LISTED = 32 }; /* names of a list */

/* A tz_nearest candidate. */
static const char *listed(const void *list, size_t index) {
    return ((const char *const *)list)[index];
}

/* "; did you mean 'NAME'?", where one of the list, which ends with NULL, is like the value. */
static const char *meant(const char *const *list, const char *value, char *text, size_t size) {
    const char *near = tz_nearest(value, listed, list);
    if (near != NULL)
        snprintf(text, size, "; did you mean '%s'?", near);
    else
        text[0] = '\0';
    return text;
}

int tz_option_choice(const tz_options *o, int which, unsigned *ret_choice) {
    const tz_option *option = tz_nth_option(o, which);
    char text[128], list[128], near[128];
    const char *name[LISTED + 1] = {NULL};
    size_t names = 0, used = 0;
    snprintf(text, sizeof text, "%s", option->argument);
    for (char *rest = text; names < LISTED && (name[names] = strsep(&rest, "|")) != NULL; names++)
        if (strcmp(o->value, name[names]) == 0) {
            *ret_choice = (unsigned)names;
            return 0;
        }
    for (size_t n = 0; n < names; n++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 n == 0          ? ""
                                 : n + 1 < names ? ", "
                                                 : " or ",
                                 name[n]);
    return tz_usage_error(o->command, "--%s is %s, not '%s'%s", option->name, list, o->value,
                          meant(name, o->value, near, sizeof near));
}

int tz_option_names(const tz_options *o, int which, const char *name_of(unsigned number),
                    unsigned *bits) {
    const char *name[LISTED + 1] = {NULL};
    for (unsigned n = 0; n < LISTED && (name[n] = name_of(n)) != NULL; n++)
        ;
    for (const char *at = o->value;; at++) {
        char word[128], near[128];
        size_t size = strcspn(at, ",");
        unsigned n = 0;
        snprintf(word, sizeof word, "%.*s", (int)(size < sizeof word ? size : 0), at);
        while (name[n] != NULL && strcmp(name[n], word) != 0)
            n++;
        if (name[n] == NULL)
            return tz_usage_error(o->command, "--%s: there is no '%s'%s; --help lists them",
                                  tz_nth_option(o, which)->name, word,
                                  meant(name, word, near, sizeof near));
        *bits |= 1u << n;
        at += size;
        if (*at == '\0')
            return 0;
    }
}
