/* compile.c - `trapeze rules compile`: a rule set as the compiler has it behind one of its passes,
 * for whoever works on it. SPDX-License-Identifier: MIT */
#include "cli/rules/rules.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/text_file.h"
#include "rules/compile/compile.h"
#include "rules/read/reader.h"
#include "rules/show/show.h"

static void print(const struct tz_draft *draft, void *user) {
    tz_show_draft(draft, user);
}

/* The text of a rule file; of another rule set, the one that says the same. To be freed. */
static int text_of(const char *command, const char *name, char **ret_text, size_t *ret_size) {
    struct stat about;
    tz_error error = {TZ_OK, ""};
    if (stat(name, &about) == 0 && S_ISREG(about.st_mode)) {
        tz_status status = tz_text_read(name, TZ_MAX_FILE, ret_text, ret_size, &error);
        return status == TZ_OK ? 0 : tz_failed(command, status, &error);
    }
    tz_rules *rules;
    int status = tz_open_rules(command, name, true, &rules);
    if (status != 0)
        return status;
    FILE *file = open_memstream(ret_text, ret_size);
    if (file != NULL)
        tz_show_text(rules, file);
    tz_rules_free(rules);
    return file != NULL && fclose(file) == 0 ? 0 : tz_failed(command, TZ_NO_MEMORY, NULL);
}

static int compile(const char *command, const char *name, size_t passes) {
    char *text = NULL;
    size_t size;
    int failed = text_of(command, name, &text, &size);
    if (failed)
        return failed;
    tz_rules rules = {.arena = tz_arena_new()};
    tz_error error = {TZ_OK, ""};
    tz_status status =
        rules.arena == NULL ? TZ_NO_MEMORY : tz_read_rules(name, text, size, &rules, &error);
    if (status == TZ_OK)
        status = tz_compile_until(name, &rules, passes, print, stdout, &error);
    free(text);
    tz_arena_free(rules.arena);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

typedef struct choice {
    const char *name;
    size_t passes;
} choice;

/* How many passes end with the one that is asked for. */
static int take_pass(tz_options *options, int option, void *user) {
    choice *choice = user;
    (void)option;
    for (size_t p = 0; tz_compile_pass(p) != NULL; p++) {
        if (strcmp(options->value, tz_compile_pass(p)) == 0) {
            choice->passes = p + 1;
            return 0;
        }
    }
    return tz_usage_error(options->command, "no pass is called '%s'; --help lists them",
                          options->value);
}

/* The passes, a line of the text each. */
static void list_passes(char *ret_text, size_t size) {
    size_t used = (size_t)snprintf(ret_text, size,
                                   "Columns of loops are called a0, a1, ...: the givens first, "
                                   "then the loops.\nPasses, in this order:\n");
    for (size_t p = 0; tz_compile_pass(p) != NULL && used < size; p++)
        used += (size_t)snprintf(ret_text + used, size - used, "  %s\n", tz_compile_pass(p));
}

int tz_rules_compile(int argc, char **argv) {
    static const tz_option option[] = {
        {"after", 0, "PASS", "stop after this pass (after the last)"},
    };
    char notes[1024];
    list_passes(notes, sizeof notes);
    tz_options options = {
        .command = "trapeze rules compile",
        .synopsis = "[OPTION]... RULES",
        .about = "Prints what the compiler makes of a rule set: kinds of items and folds with "
                 "their stages\n"
                 "and places, steps, the order, loops. It is for work on the compiler, and may "
                 "change.\n",
        .notes = notes,
        TZ_COMMAND_ROWS(option, argc, argv),
        TZ_RULES_OPERAND(choice),
    };
    choice choice = {.passes = SIZE_MAX};
    return tz_take_options(&options, take_pass, &choice)
               ? compile(options.command, choice.name, choice.passes)
               : options.status;
}
