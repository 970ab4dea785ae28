/* complete.c - what a word of a command line may become, for the shells.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

bool tz_complete_asked(int argc, char **argv) {
    return argc > 1 && strcmp(argv[1], "--complete") == 0;
}

/* ---- Candidates ------------------------------------------------------------------------------ */

/* A word that is being typed: so far `before` and `typed`, of which the first stays as it is. */
typedef struct word {
    const char *before, *typed;
    int before_size;
} word;

/* `name` in place of what is typed, if it begins so. What it means is told on one line. */
static void offer(const word *w, const char *name, size_t size, const char *about) {
    size_t typed = strlen(w->typed);
    if (typed > size || strncmp(name, w->typed, typed) != 0)
        return;
    printf("%.*s%.*s\t", w->before_size, w->before, (int)size, name);
    for (const char *c = about; *c != '\0'; c++)
        putchar(*c == '\n' ? ' ' : *c);
    putchar('\n');
}

static void offer_rules(const word *w) {
    const tz_rules *rules;
    for (size_t r = 0; (rules = tz_rules_builtin(r)) != NULL; r++)
        offer(w, tz_rules_name(rules), strlen(tz_rules_name(rules)), "built-in rules");
    const char *name;
    for (size_t g = 0; (name = tz_gallery_name(g)) != NULL; g++)
        offer(w, name, strlen(name), "rules of the gallery");
    puts(":files");
}

static void offer_semirings(const word *w) {
    const char *form;
    for (size_t s = 0; (form = tz_semiring_form(s)) != NULL; s++)
        offer(w, form, strlen(form), "semiring");
    puts(":files");
}

/* "text|latex|dot" */
static void offer_choices(const word *w, const char *choices) {
    for (const char *c = choices;; c++) {
        size_t size = strcspn(c, "|");
        offer(w, c, size, "");
        c += size;
        if (*c == '\0')
            return;
    }
}

static bool begins(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* What stands for `argument` in the usage may be. Of a list, A,B,..., the last is being typed. */
static void offer_values(word w, const char *argument) {
    size_t size = strlen(argument);
    const char *comma = strrchr(w.typed, ',');
    if (size > 4 && strcmp(argument + size - 4, ",...") == 0 && comma != NULL) {
        if (w.before_size == 0)
            w.before = w.typed;
        w.before_size += (int)(comma + 1 - w.typed);
        w.typed = comma + 1;
    }
    if (begins(argument, "RULES"))
        offer_rules(&w);
    else if (begins(argument, "SEMIRING"))
        offer_semirings(&w);
    else if (begins(argument, "FOLDER"))
        puts(":folders");
    else if (begins(argument, "FILE") || begins(argument, "MODEL"))
        puts(":files");
    else if (strchr(argument, '|') != NULL)
        offer_choices(&w, argument);
}

static void offer_option(const word *w, const tz_option *option) {
    char name[80];
    const char *about = option->help != NULL ? option->help : "";
    snprintf(name, sizeof name, "--%s", option->name);
    offer(w, name, strlen(name), about);
    snprintf(name, sizeof name, "-%c", option->letter);
    if (option->letter != 0)
        offer(w, name, strlen(name), about);
}

/* ---- Where in the command line --------------------------------------------------------------- */

/* The option that `argument` ends with and that takes the next argument; NULL: none does. */
static const tz_option *waiting(const tz_options *o, const char *argument) {
    const tz_option *option;
    if (argument[0] != '-' || argument[1] == '\0')
        return NULL;
    for (int index = 0; (option = tz_nth_option(o, index)) != NULL; index++) {
        if (option->argument == NULL)
            continue;
        if (argument[1] == '-' ? strcmp(argument + 2, option->name) == 0
                               : argument[strlen(argument) - 1] == option->letter)
            return option;
    }
    return NULL;
}

/* --NAME=VALUE: true, if there is such an option. */
static bool complete_value(const tz_options *o, const char *typed) {
    const char *equals = strchr(typed, '=');
    const tz_option *option;
    if (!begins(typed, "--") || equals == NULL)
        return false;
    size_t size = (size_t)(equals - typed) - 2;
    for (int index = 0; (option = tz_nth_option(o, index)) != NULL; index++) {
        if (option->argument == NULL || strlen(option->name) != size ||
            strncmp(option->name, typed + 2, size) != 0)
            continue;
        offer_values((word){typed, equals + 1, (int)size + 3}, option->argument);
        return true;
    }
    return false;
}

void tz_complete_options(const tz_options *o) {
    const word last = {"", o->argc > 2 ? o->argv[o->argc - 1] : "", 0};
    const tz_option *option = NULL;
    bool operands = false;
    for (int a = 2; a < o->argc - 1; a++) {
        bool value = option != NULL;
        option = value || operands ? NULL : waiting(o, o->argv[a]);
        operands = operands || (!value && strcmp(o->argv[a], "--") == 0);
    }
    if (option != NULL) {
        offer_values(last, option->argument);
    } else if (!operands && last.typed[0] == '-' && !complete_value(o, last.typed)) {
        for (int index = 0; (option = tz_nth_option(o, index)) != NULL; index++)
            offer_option(&last, option);
    } else if (operands || last.typed[0] != '-') {
        const char *blank = strrchr(o->synopsis, ' ');
        const char *word = blank != NULL ? blank + 1 : o->synopsis;
        bool named = begins(word, "RULES") || begins(word, "SEMIRING");
        if (word[0] != '\0')
            offer_values(last, named ? word : "FILE");
    }
}

void tz_complete_actions(const tz_actions *a, const char *typed) {
    const word w = {"", typed, 0};
    for (size_t i = 0; i < a->actions; i++)
        offer(&w, a->action[i].name, strlen(a->action[i].name), a->action[i].summary);
    if (typed[0] == '-') {
        offer(&w, "--help", strlen("--help"), "show what there is and exit");
        offer(&w, "--version", strlen("--version"), "show the version and exit");
    }
}
