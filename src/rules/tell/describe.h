/* describe.h - the members of table.h as data, for code that treats all alike: the generator prints
 * them, tests compare them (tests/support/equal.h). SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TELL_DESCRIBE_H
#define TZ_RULES_TELL_DESCRIBE_H

#include <stddef.h>

#include "rules/table.h"

typedef enum tz_member_kind {
    TZ_SIGNED,
    TZ_UNSIGNED,
    TZ_FLAG,
    TZ_REAL,
    TZ_TEXT,  /* zero-terminated, or NULL */
    TZ_STRUCT /* described by `type` */
} tz_member_kind;

typedef struct tz_member {
    const char *name, *c_type;
    tz_member_kind kind;
    size_t offset, size;             /* size of one element */
    size_t count;                    /* elements in place; 0: the member points to them, and ... */
    size_t count_offset, count_size; /* ... this unsigned member of the same struct counts them */
    const struct tz_described *type;
} tz_member;

typedef struct tz_described {
    const tz_member *member;
    size_t members;
} tz_described;

/* struct tz_rules, but for its arena. */
extern const tz_described tz_describe_rules;

/* The elements of a member of the struct at `base`, and how many there are. */
const void *tz_member_elements(const tz_member *member, const void *base, size_t *ret_count);

int64_t tz_member_signed(const void *at, size_t size);
uint64_t tz_member_unsigned(const void *at, size_t size);

#endif
