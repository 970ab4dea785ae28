/* charge.h - a rule set charged for a resource, as the text of a rule file.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TRANSFORM_CHARGE_H
#define TZ_RULES_TRANSFORM_CHARGE_H

#include "base/arena.h"
#include "base/text.h"
#include "rules/read/read.h"
#include "rules/show/notation.h"
#include "rules/transform/amounts.h"

/* The state of writing the charged rule file. */
typedef struct tz_charging {
    const tz_rules *rules;
    unsigned resource;
    const tz_rules *apart;       /* see tz_charge_apart */
    const tz_amounts *amounts;   /* [items] */
    char total[TZ_MAX_NAME + 1]; /* the new length */
    char amount[8]; /* the new index; with a number after it, the amounts of premises */
    tz_error *opt_error;
    tz_status status;  /* of the first failure */
    tz_text text, *to; /* to: the text, or the part of a figure that is being written */
} tz_charging;

/* The charged rule set as a rule file. bounded: amounts have further bounds than 0 and the total.
 * *ret_text is empty on failure. Errors as for tz_rules_charge. */
tz_status tz_charge_text(const tz_rules *rules, const char *resource, bool bounded,
                         tz_text *ret_text, tz_error *opt_error);

/* ---- charge_text.c --------------------------------------------------------------------------- */

/* Writes all of it, once names and amounts are known. */
void tz_charge_write(tz_charging *charging);

/* Records the first failure: "NAME: message". */
void tz_charge_refuse(tz_charging *charging, tz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- charge_side.c --------------------------------------------------------------------------- */

/* A copy of the rules with other names of items: a new name for each item that some side condition
 * depends on, NULL for the others. It lives in the arena. TZ_NO_MEMORY. */
tz_status tz_charge_apart(const tz_rules *rules, tz_arena *arena, tz_rules *ret);
/* Adds the side conditions to the premises of a rule. */
void tz_charge_put_sides(const tz_rules *apart, const tz_rule *rule, tz_figure *to);
/* Adds all items of new names, and the rules that conclude them. */
void tz_charge_put_items(const tz_rules *apart, tz_text *to);
void tz_charge_put_rules(const tz_rules *apart, const tz_notation *to, tz_figure *figure);

#endif
