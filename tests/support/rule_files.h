/* rule_files.h - the rule sets of a folder, one after the other. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RULE_FILES_H
#define TZ_TESTS_SUPPORT_RULE_FILES_H

#include <stdlib.h>

#include "tests/support/files.h"
#include "trapeze/trapeze.h"

typedef struct rule_files {
    const char *folder;
    struct dirent **entry; /* in the order of the alphabet */
    int count, next;
} rule_files;

static inline rule_files rule_files_in(const char *folder) {
    rule_files files = {.folder = folder};
    files.count = scandir(folder, &files.entry, is_rule_file, alphasort);
    assert_true(files.count >= 19);
    return files;
}

/* The name of the file that was read last. */
static inline const char *file_of_rules(const rule_files *files) {
    return files->entry[files->next - 1]->d_name;
}

/* The next rule set, to be freed; NULL: there is none, and `files` holds nothing. */
static inline tz_rules *next_rules(rule_files *files) {
    char path[1024];
    tz_error error;
    tz_rules *rules;
    if (files->next > 0)
        free(files->entry[files->next - 1]);
    if (files->next == files->count) {
        free(files->entry);
        return NULL;
    }
    files->next++;
    snprintf(path, sizeof path, "%s/%s", files->folder, file_of_rules(files));
    if (tz_rules_read(path, &rules, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return rules;
}

#endif
