/* optimise.h - rule sets of lower degree with the same structures, found by search.
 *
 * A rule set is rewritten in steps that keep its derivations one for one: fold, unfold, speculation
 * (Eisner & Blatz 2007, "Program transformations for optimization of parsing algorithms and other
 * weighted logic programs"; with search: Vieira, Cotterell & Eisner 2021, 2022), and accumulation.
 * The result is a rule file. Code outside this room checks that it means the same as the original:
 * tz_compare_structures, and values under some semirings.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_OPTIMISE_OPTIMISE_H
#define TZ_RULES_OPTIMISE_OPTIMISE_H

#include "base/text.h"
#include "rules/table.h"

enum { TZ_OPTIMISE_RULES = 256 }; /* most rules of a result */

typedef struct tz_optimise_progress {
    size_t programs;    /* looked at */
    const char *degree; /* of the best one */
} tz_optimise_progress;

typedef struct tz_optimising {
    unsigned rules;  /* most rules of a result, up to TZ_OPTIMISE_RULES */
    size_t programs; /* most programs to look at */
    double seconds;  /* most time; where it ends the search, results depend on the machine */
    bool same;       /* also list results with the same highest degree and fewer rules of that
                        degree */
    void (*opt_progress)(void *user, const tz_optimise_progress *progress);
    void *user;
} tz_optimising;

/* The results of a search. */
typedef struct tz_optimised tz_optimised;

/* A feature of the rules that cannot be rewritten, such as "side conditions"; NULL: there is
 * none. */
const char *tz_optimise_without(const tz_rules *rules);
/* Searches. Rules that cannot safely be rewritten stay as they are. TZ_LAW: tz_optimise_without
 * names something. TZ_NO_MEMORY. */
tz_status tz_optimise(const tz_rules *rules, const tz_optimising *how, tz_optimised **ret);
void tz_optimised_free(tz_optimised *optimised);

/* The number of results. They are sorted by their highest degree, then by the number of rules that
 * have it, then by the number of steps. */
size_t tz_optimised_count(const tz_optimised *optimised);
/* Is a result of lower degree than the rules? It is if its highest degree is lower; or if each of
 * its degrees is at most some degree of the rules, and the rules have one that is at most none of
 * its own: n^2 T is lower than n^2 T + n T^2. */
bool tz_optimised_is_lower(const tz_optimised *optimised, size_t which);
/* The highest degree of a rule, the sum over all lengths; and the number of steps. */
unsigned tz_optimised_highest(const tz_optimised *optimised, size_t which);
unsigned tz_optimised_depth(const tz_optimised *optimised, size_t which);
/* The number of programs looked at; *ret_late: the clock ended the search. */
size_t tz_optimised_programs(const tz_optimised *optimised, bool *ret_late);
/* "n^5 T^3": how the numbers of instances of the rules grow, as they are written. */
void tz_optimised_degree_before(const tz_optimised *optimised, char *ret_text, size_t size);
void tz_optimised_degree(const tz_optimised *optimised, size_t which, char *ret_text, size_t size);
/* The steps done, a line each. */
const char *tz_optimised_steps(const tz_optimised *optimised, size_t which);
/* Appends the rule file. TZ_NO_MEMORY; TZ_TOO_LARGE: something in it cannot be written. */
tz_status tz_optimised_write(tz_optimised *optimised, size_t which, tz_text *text);

#endif
