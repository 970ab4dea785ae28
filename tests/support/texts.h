/* texts.h - what a text holds. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TEXTS_H
#define TZ_TESTS_SUPPORT_TEXTS_H

#include <string.h>

#include "tests/support/test.h"

static inline void assert_contains(const char *text, const char *part) {
    assert_non_null(text);
    if (strstr(text, part) == NULL)
        fail_msg("expected %s\nin       %s", part, text);
}

static inline void assert_lacks(const char *text, const char *part) {
    if (strstr(text, part) != NULL)
        fail_msg("unexpected %s\nin         %s", part, text);
}

static inline size_t occurrences(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

#endif
