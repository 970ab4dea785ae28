/* open.c - rule sets and semirings as a user names them. SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "rules/read/reader.h"

/* ---- Rule sets ----------------------------------------------------------------------------- */

static const char *builtin_name(const void *list, size_t index) {
    (void)list;
    const tz_rules *rules = tz_rules_builtin(index);
    return rules != NULL ? tz_rules_name(rules) : NULL;
}

/* The rule file on standard input; a byte more than is allowed, so that the reader can tell. */
static int read_rules(const char *command, tz_rules **ret_rules) {
    tz_error error = {TZ_OK, ""};
    char *text = malloc(TZ_MAX_FILE + 1);
    if (text == NULL)
        return tz_failed(command, TZ_NO_MEMORY, NULL);
    errno = 0;
    size_t size = fread(text, 1, TZ_MAX_FILE + 1, stdin);
    tz_status status = ferror(stdin) ? tz_fail(&error, TZ_IO, "-: %s", strerror(errno))
                                     : tz_rules_parse("-", text, size, ret_rules, &error);
    free(text);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

enum { GALLERY = sizeof "gallery/" - 1, NAME_SIZE = 64 };

/* Without the folder, which all have in common. */
static const char *gallery_name(const void *list, size_t index) {
    (void)list;
    const char *name = tz_gallery_name(index);
    return name != NULL ? name + GALLERY : NULL;
}

static int read_gallery(const char *command, const char *name, tz_rules **ret_rules) {
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_gallery_read(name, ret_rules, &error);
    if (status == TZ_OK)
        return 0;
    if (status != TZ_BAD_ARGUMENT)
        return tz_failed(command, status, &error);
    const char *near = tz_nearest(name + GALLERY, gallery_name, NULL);
    const char *list = "'trapeze rules list' lists them, and there is no such file";
    if (near != NULL)
        return tz_usage_error(command, "%s; did you mean 'gallery/%s'? (%s)", error.message, near,
                              list);
    return tz_usage_error(command, "%s (%s)", error.message, list);
}

/* What may not be meant in the rule file that is called so. */
static void warn_of(const char *command, const char *name, const tz_rules *rules) {
    unsigned line, column;
    const char *text;
    for (size_t w = 0; (text = tz_rules_warning(rules, w, &line, &column)) != NULL; w++)
        tz_message(command, "%s:%u:%u: warning: %s", name, line, column, text);
}

static int open_rules(const char *command, const char *name, tz_rules **ret_rules) {
    struct stat about;
    *ret_rules = NULL;
    if (strcmp(name, "-") == 0)
        return read_rules(command, ret_rules);
    bool there = stat(name, &about) == 0;
    if (!there && strncmp(name, "gallery/", GALLERY) == 0)
        return read_gallery(command, name, ret_rules);
    if (strpbrk(name, "/.") != NULL || (there && !S_ISDIR(about.st_mode))) {
        tz_error error = {TZ_OK, ""};
        tz_status status = tz_rules_read(name, ret_rules, &error);
        if (status == TZ_OK)
            return 0;
        char stem[NAME_SIZE];
        snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
        if (!there && tz_rules_find(stem) != NULL)
            return tz_usage_error(command, "%s; the built-in rule set is called '%s'",
                                  error.message, stem);
        return tz_failed(command, status, &error);
    }
    const tz_rules *rules = tz_rules_find(name);
    if (rules == NULL) {
        const char *near = tz_nearest(name, builtin_name, NULL);
        const char *list = "'trapeze rules list' lists the built-in rule sets; a rule file is "
                           "told by a '/' or '.' in its name";
        if (near != NULL)
            return tz_usage_error(command, "no rule set is called '%s'; did you mean '%s'? (%s)",
                                  name, near, list);
        return tz_usage_error(command, "no rule set is called '%s' (%s)", name, list);
    }
    *ret_rules = (tz_rules *)rules; /* tz_rules_free leaves it alone */
    return 0;
}

int tz_open_rules(const char *command, const char *name, bool quiet, tz_rules **ret_rules) {
    int status = open_rules(command, name, ret_rules);
    if (status == 0 && !quiet)
        warn_of(command, name, *ret_rules);
    return status;
}

/* ---- Semirings ----------------------------------------------------------------------------- */

static const char *semiring_form(const void *list, size_t index) {
    (void)list;
    return tz_semiring_form(index);
}

static bool ends_with(const char *text, const char *ending) {
    const size_t size = strlen(text), end = strlen(ending);
    return size > end && strcmp(text + size - end, ending) == 0;
}

bool tz_is_semiring_file(const char *text) {
    return ends_with(text, ".semiring");
}

bool tz_is_plugin_file(const char *text) {
    return ends_with(text, ".so");
}

int tz_open_semiring(const char *command, const char *text, tz_precision precision,
                     tz_semiring **ret_semiring) {
    tz_error error = {TZ_OK, ""};
    if (tz_is_semiring_file(text) || tz_is_plugin_file(text)) {
        tz_status status = (tz_is_plugin_file(text) ? tz_semiring_load
                                                    : tz_semiring_read)(text, ret_semiring, &error);
        return status == TZ_OK ? 0 : tz_failed(command, status, &error);
    }
    if (tz_semiring_new(text, precision, ret_semiring, &error) == TZ_OK)
        return 0;
    if (error.status == TZ_NO_MEMORY) {
        tz_message(command, "%s", error.message);
        return TZ_EXIT_INPUT;
    }
    const char *near = tz_nearest(text, semiring_form, NULL);
    size_t name = strcspn(text, " \t(");
    /* Where the name is right, only the message helps. */
    if (near == NULL || (strcspn(near, "(") == name && strncmp(near, text, name) == 0))
        return tz_usage_error(command, "%s", error.message);
    return tz_usage_error(command, "%s; did you mean '%s'?", error.message, near);
}
