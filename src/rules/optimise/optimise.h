/* optimise.h - rule sets of lower degree with the same structures, found by search.
 *
 * A rule set is rewritten in steps that keep its derivations one for one: fold, unfold, speculation
 * (Eisner & Blatz 2007, "Program transformations for optimization of parsing algorithms and other
 * weighted logic programs"; with search: Vieira, Cotterell & Eisner 2021, 2022), and accumulation.
 * The result is a rule file. That it means the same as the original is checked by code outside this
 * room: tz_compare_structures, and values under some semirings.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_OPTIMISE_OPTIMISE_H
#define TZ_RULES_OPTIMISE_OPTIMISE_H

#include "base/text.h"
#include "rules/table.h"

enum { TZ_OPTIMISE_RULES = 256 }; /* that a result can have */

typedef struct tz_optimise_progress {
    size_t programs;    /* looked at */
    const char *degree; /* of the best one */
} tz_optimise_progress;

typedef struct tz_optimising {
    unsigned rules;  /* that a result may have, up to TZ_OPTIMISE_RULES */
    size_t programs; /* to look at */
    double seconds;  /* at most; where it ends the search, results depend on the machine */
    bool same;       /* list what has the same highest degree, too, and fewer rules that have it */
    void (*opt_progress)(void *user, const tz_optimise_progress *progress);
    void *user;
} tz_optimising;

/* What the search found. */
typedef struct tz_optimised tz_optimised;

/* What the rules have that cannot be rewritten, such as "side conditions"; NULL: nothing. */
const char *tz_optimise_without(const tz_rules *rules);
/* Searches. What cannot be rewritten without guessing stays as it is. TZ_LAW: tz_optimise_without
 * names something. TZ_NO_MEMORY. */
tz_status tz_optimise(const tz_rules *rules, const tz_optimising *how, tz_optimised **ret);
void tz_optimised_free(tz_optimised *optimised);

/* How many results there are. They are in order of their highest degree, then of how many rules
 * have it, then of the number of steps. */
size_t tz_optimised_count(const tz_optimised *optimised);
/* Is a result of lower degree than the rules: is its highest degree lower, or is each of its
 * degrees at most some degree of the rules, and one of theirs above all of its own? n^2 T is lower
 * than n^2 T + n T^2. */
bool tz_optimised_is_lower(const tz_optimised *optimised, size_t which);
/* The highest degree of a rule, the sum over all lengths; and the number of steps. */
unsigned tz_optimised_highest(const tz_optimised *optimised, size_t which);
unsigned tz_optimised_depth(const tz_optimised *optimised, size_t which);
/* How many programs were looked at; *ret_late: the clock ended the search. */
size_t tz_optimised_programs(const tz_optimised *optimised, bool *ret_late);
/* "n^5 T^3": how the numbers of instances of the rules grow, as they are written. */
void tz_optimised_degree_before(const tz_optimised *optimised, char *ret_text, size_t size);
void tz_optimised_degree(const tz_optimised *optimised, size_t which, char *ret_text, size_t size);
/* What was done, a line for each step. */
const char *tz_optimised_steps(const tz_optimised *optimised, size_t which);
/* Appends the rule file. TZ_NO_MEMORY; TZ_TOO_LARGE: something in it cannot be written. */
tz_status tz_optimised_write(tz_optimised *optimised, size_t which, tz_text *text);

#endif
