/* rules_text.h - rule sets from their text. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RULES_TEXT_H
#define TZ_TESTS_SUPPORT_RULES_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "rules/read/reader.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

/* Compiled, to be freed. */
static inline tz_rules *parse_rules(const char *text) {
    tz_error error;
    tz_rules *rules;
    if (tz_rules_parse("test", text, strlen(text), &rules, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return rules;
}

/* Reads text of this size, without compiling it, from a block that ends where it ends, so that
 * reading on is noticed. Free rules->arena in any case. */
static inline tz_status read_sized(const char *text, size_t size, tz_rules *rules,
                                   tz_error *error) {
    char *exact = need(malloc(size > 0 ? size : 1));
    memcpy(exact, text, size);
    *rules = (tz_rules){.arena = tz_arena_new()};
    *error = (tz_error){TZ_OK, ""};
    assert_non_null(rules->arena);
    tz_status status = tz_read_rules("test.rules", exact, size, rules, error);
    free(exact);
    return status;
}

/* The same of text without a mistake. */
static inline void read_good_rules(const char *text, tz_rules *rules) {
    tz_error error;
    if (read_sized(text, strlen(text), rules, &error) != TZ_OK)
        fail_msg("%s", error.message);
}

/* The text of a rule file of the project, to be freed. */
static inline char *rule_file(const char *name, size_t *ret_size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/rules/%s.rules", TZ_SOURCE_ROOT, name);
    return read_file(path, ret_size);
}

#endif
