/* read_sized.h - reading a rule file for tests; include after cmocka.h. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_TESTS_READ_SIZED_H
#define TZ_TESTS_READ_SIZED_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "rules/compile/compile.h"

/* Reads text of this size from a block that ends where it ends, so that reading on is noticed. Free
 * rules->arena in any case. */
static inline tz_status read_sized(const char *text, size_t size, tz_rules *rules,
                                   tz_error *error) {
    char *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    *rules = (tz_rules){.arena = tz_arena_new()};
    *error = (tz_error){TZ_OK, ""};
    assert_non_null(rules->arena);
    tz_status status = tz_read_rules("test.rules", exact, size, rules, error);
    free(exact);
    return status;
}

#endif
