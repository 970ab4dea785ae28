/* equal.c - comparing compiled rule sets. SPDX-License-Identifier: MIT */
#include "tests/support/equal.h"

#include <string.h>

#include "rules/tell/describe.h"

static bool equal_struct(const tz_described *type, const void *a, const void *b);

static bool equal_texts(const char *const *a, const char *const *b) {
    return *a && *b ? strcmp(*a, *b) == 0 : *a == *b;
}

static bool equal_element(const tz_member *member, const void *a, const void *b) {
    switch (member->kind) {
    case TZ_SIGNED:
        return tz_member_signed(a, member->size) == tz_member_signed(b, member->size);
    case TZ_UNSIGNED:
        return tz_member_unsigned(a, member->size) == tz_member_unsigned(b, member->size);
    case TZ_FLAG:
        return *(const bool *)a == *(const bool *)b;
    case TZ_REAL:
        return *(const double *)a == *(const double *)b;
    case TZ_TEXT:
        return equal_texts(a, b);
    case TZ_STRUCT:
        return equal_struct(member->type, a, b);
    }
    return false;
}

/* Recursion is as deep as table.h nests. */
static bool equal_struct(const tz_described *type, const void *a, const void *b) {
    for (size_t m = 0; m < type->members; m++) {
        const tz_member *member = &type->member[m];
        size_t count, other;
        const char *left = tz_member_elements(member, a, &count);
        const char *right = tz_member_elements(member, b, &other);
        if (count != other)
            return false;
        for (size_t i = 0; i < count; i++)
            if (!equal_element(member, left + i * member->size, right + i * member->size))
                return false;
    }
    return true;
}

bool tz_rules_equal(const tz_rules *a, const tz_rules *b) {
    return equal_struct(&tz_describe_rules, a, b);
}
