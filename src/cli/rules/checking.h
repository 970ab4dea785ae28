/* checking.h - the parts of `trapeze rules check`: check.c prints what was found, check_table.c
 * fills its tables, check_warn.c warns. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RULES_CHECKING_H
#define TZ_CLI_RULES_CHECKING_H

#include "ambiguity/draw.h"
#include "cli/lengths.h"
#include "cli/rules/counter.h"

enum {
    TZ_CHECK_LONGEST = TZ_SMALL_LENGTH, /* of the lengths that are enumerated; longer ones only */
    TZ_CHECK_FEW = 1000,                /* where there are so few derivations */
    TZ_CHECK_LABELS = 2,                /* of label sets */
    TZ_CHECK_MOST = 100000,             /* derivations enumerated */
};

typedef struct tz_checking {
    const char *command, *file; /* file: NULL, or what stands in front of lines and columns */
    const tz_rules *rules;
    const tz_named_lengths *named;
    const int32_t *chosen; /* of the lengths that do not run; NULL: equal to the one that does */
    bool as_declared;      /* these lengths are those that `count` speaks of */
    bool failed;           /* something is not as declared */
    bool broken;           /* the check itself could not go on */
    bool several;          /* a structure has several derivations, */
    int32_t at[TZ_MAX_LENGTHS]; /* for these lengths */
    int32_t reached;            /* the last length that was enumerated, or -1 */
    int32_t counted;            /* the last length that the engine counted, or -1 */
    size_t most;                /* derivations of any length that was enumerated */
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_counter counter;
    bool *used; /* [rules] in a derivation of lengths that were looked at */
    tz_exploring where;
    tz_explored explored;
    tz_drawn drawn;
} tz_checking;

/* Sets check->lengths where the running length is n: as `count` lines mean, label sets 2 and others
 * equal, but for those that are named or chosen. */
void tz_checking_set_lengths(tz_checking *check, int32_t n);
void tz_checking_broken(tz_checking *check, tz_status status, const tz_error *opt_error);
/* Reports that something is not as declared for check->lengths; the message tells how to mend
 * it. */
void tz_checking_fail(tz_checking *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Reports that some structure has several derivations for check->lengths; fails where that is not
 * declared. */
void tz_checking_several(tz_checking *check, size_t derivations, size_t structures);

/* The rows of lengths 0..length: by the engine, by enumeration, and as declared. */
void tz_check_table(tz_checking *check, int32_t length);

/* Two derivations of one structure, as proof trees. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_check_print_pair(const tz_rules *rules, const tz_pair *pair);

/* To stderr: rules that are in no derivation. */
void tz_check_warn(const tz_checking *check);

#endif
