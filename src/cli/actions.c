/* actions.c - commands behind commands: `trapeze rules show`. SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char *action_name(const void *list, size_t index) {
    const tz_actions *a = list;
    return index < a->actions ? a->action[index].name : NULL;
}

void tz_print_actions(const tz_actions *a, FILE *file) {
    char what[32];
    snprintf(what, sizeof what, "%s", a->what);
    for (char *c = what; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    fprintf(file, "Usage: %s %s [OPTION]... [ARGUMENT]...\n%s\n", a->command, what, a->about);
    int column = 0;
    for (size_t i = 0; i < a->actions; i++) {
        int size = (int)strlen(a->action[i].name);
        column = size > column ? size : column;
    }
    for (size_t i = 0; i < a->actions; i++)
        fprintf(file, "  %-*s  %s\n", column, a->action[i].name, a->action[i].summary);
    fprintf(file, "\n'%s %s --help' explains one.\n%s", a->command, what,
            a->notes != NULL ? a->notes : "");
}

/* What can be said instead: "list, show or check". */
static void list_names(const tz_actions *a, char *list, size_t size) {
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < a->actions && used < size; i++) {
        const char *between = i + 2 < a->actions ? ", " : i + 1 < a->actions ? " or " : "";
        used += (size_t)snprintf(list + used, size - used, "%s%s", a->action[i].name, between);
    }
}

int tz_run_action(const tz_actions *a, int argc, char **argv) {
    bool complete = tz_complete_asked(argc, argv);
    if (complete && argc <= 3) {
        tz_complete_actions(a, argc == 3 ? argv[2] : "");
        return tz_flush_results(a->command);
    }
    if (complete) { /* handed on: `rules --complete show -` is `rules show --complete -` */
        char *option = argv[1];
        argv[1] = argv[2];
        argv[2] = option;
    }
    const char *name = argc > 1 ? argv[1] : NULL;
    for (size_t i = 0; name != NULL && i < a->actions; i++)
        if (strcmp(name, a->action[i].name) == 0)
            return a->action[i].run(argc - 1, argv + 1);
    if (complete)
        return 0;
    char names[256];
    list_names(a, names, sizeof names);
    if (name == NULL)
        return tz_usage_error(a->command, "say which %s: %s", a->what, names);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        tz_print_actions(a, stdout);
        return tz_flush_results(a->command);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("trapeze %s\n", tz_version());
        return tz_flush_results(a->command);
    }
    const char *near = tz_nearest(name, action_name, a);
    if (name[0] == '-')
        return tz_usage_error(a->command, "unknown option '%s' (the %s comes first)", name,
                              a->what);
    const tz_actions *below = a->opt_below;
    for (size_t i = 0; below != NULL && i < below->actions; i++)
        if (strcmp(name, below->action[i].name) == 0)
            return tz_usage_error(a->command, "unknown %s '%s'; did you mean '%s %s'?", a->what,
                                  name, below->command, name);
    if (near != NULL)
        return tz_usage_error(a->command, "unknown %s '%s'; did you mean '%s'?", a->what, name,
                              near);
    return tz_usage_error(a->command, "unknown %s '%s': %s", a->what, name, names);
}
