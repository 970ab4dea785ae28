/* law.h - what laws about charts are checked on: every rule set, with problems that may be given
 * all there is, and what each of them answers alone in a chart of its own.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_LAW_H
#define TZ_TESTS_SUPPORT_LAW_H

#include "answers.h"
#include "asked.h"

enum { MOST_POOL = 34 };

/* Problems of a rule set under a semiring. */
typedef struct pool {
    const tz_rules *rules;
    const char *text; /* the rule file, where nobody else has it; or NULL */
    tz_semiring *semiring;
    tz_precision precision;
    tz_plan *plan, *decoder; /* decoder: for minimum risk, or NULL */
    bool equal;              /* all have the same lengths */
    size_t count;
    asked own[MOST_POOL];
    tz_problem problem[MOST_POOL];
    answers right[MOST_POOL];
} pool;

/* Problems of lengths that a test has time for, equal or not, of small scores and large ones, some
 * with facts, and their answers; false where there is nothing to ask. */
bool pool_make(const tz_rules *rules, const char *opt_text, const char *semiring,
               tz_precision precision, bool equal, size_t count, random_state *random, pool *ret);
void pool_free(pool *pool);

/* Answers to the questions of a set (bits), in the order of the questions or backwards. */
void pool_read(const pool *pool, size_t problem, tz_chart *chart, size_t lane, tz_chart *decoder,
               unsigned questions, bool backwards, answers *ret);
/* Are these the bits that the problem answers alone? Else says what differs; `where` is the end of
 * the sentence. */
bool pool_same(const pool *pool, size_t problem, const answers *got, unsigned questions,
               const char *where);
/* Says that something about a problem differs, and what it is of. */
void pool_complain(const pool *pool, size_t problem, const char *what, const char *where);

/* Questions of a random set, the more dear ones more seldom. */
unsigned any_questions(random_state *random);

/* Visits the built-in rule sets, those charged for a resource, the gallery, tests/rules/good, and
 * so many random ones, some of which have closures; with sanitizers fewer of the former. text: of
 * random ones, else NULL. */
typedef void (*rules_visit)(void *user, const tz_rules *rules, const char *text);
void each_rule_set(unsigned randoms, random_state *random, rules_visit visit, void *user);
/* A semiring that the rule set can be asked under, by turns; its text. */
const char *any_semiring(const tz_rules *rules, random_state *random);

#endif
