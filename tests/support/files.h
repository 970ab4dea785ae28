/* files.h - files as tests read and list them. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_FILES_H
#define TZ_TESTS_SUPPORT_FILES_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/whole.h"
#include "tests/support/test.h"

/* The bytes of a file with a zero after them, to be freed. */
static inline char *read_file(const char *path, size_t *ret_size) {
    void *bytes;
    tz_error error;
    if (tz_whole_read(path, &bytes, ret_size, &error) != TZ_OK)
        fail_msg("%s", error.message);
    ((char *)bytes)[*ret_size] = '\0';
    return bytes;
}

/* For scandir. */
static inline int is_rule_file(const struct dirent *entry) {
    size_t size = strlen(entry->d_name);
    return size > 6 && strcmp(entry->d_name + size - 6, ".rules") == 0;
}

/* How many files there are in the current folder. */
static inline int entries_here(void) {
    FILE *list = popen("ls -A | wc -l", "r");
    int entries = -1;
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%d", &entries), 1);
    pclose(list);
    return entries;
}

#endif
