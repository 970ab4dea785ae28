/* instances_by_trial.h - the instances of one rule by trial: assignments of integers to its
 * variables that satisfy every domain and the condition. Serves enumerate.c only, and shares no
 * code with the compiler. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_POLYHEDRA_INSTANCES_BY_TRIAL_H
#define TZ_RULES_POLYHEDRA_INSTANCES_BY_TRIAL_H

#include "rules/table.h"

enum { TZ_LONGEST = 1 << 20 }; /* of the lengths that these functions take */

/* constant + sum of coefficient[v] * (variable v): relation. */
typedef struct tz_clause {
    int64_t constant;
    int64_t coefficient[TZ_MAX_VARIABLES];
    uint32_t variables; /* a bit for each whose coefficient is not 0; all where there is none */
    tz_relation relation;
} tz_clause;

/* All that makes an instance of a rule, for given lengths. */
typedef struct tz_clauses {
    const tz_rule *rule;
    unsigned rank; /* the first clauses equate the conclusion's indices with those asked for */
    size_t count;
    tz_clause *at;
    tz_clause *conclusion; /* [rank] the conclusion's indices */
} tz_clauses;

/* TZ_TOO_LARGE where numbers leave the range that can be searched; TZ_NO_MEMORY. Free *ret whatever
 * the result. */
tz_status tz_clauses_make(const tz_rules *rules, const int32_t *lengths, const tz_rule *rule,
                          tz_clauses *ret);
void tz_clauses_free(tz_clauses *clauses);

/* value: one per variable of the rule. Anything but TZ_OK ends the search with that status. */
typedef tz_status (*tz_instance)(void *user, const tz_rule *rule, const int32_t *value);

/* Calls `found` for every instance whose conclusion has these indices: first variable slowest,
 * values ascending. *trials counts down the values that may still be tried; TZ_TOO_LARGE when it
 * reaches 0 or a variable's range cannot be told. */
tz_status tz_clauses_solve(tz_clauses *clauses, const int32_t *index, size_t *trials,
                           tz_instance found, void *user);

/* Do the domains of a term without variables hold? */
bool tz_term_declared(const tz_rules *rules, const int32_t *lengths, const tz_term *term);

#endif
