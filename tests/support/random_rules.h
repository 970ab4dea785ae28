/* random_rules.h - random rule files. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RANDOM_RULES_H
#define TZ_TESTS_SUPPORT_RANDOM_RULES_H

#include "amount.h"
#include "random.h"
#include "trapeze/trapeze.h"

enum { RULES_TEXT = 1 << 14 };

typedef struct rules_text {
    char at[RULES_TEXT];
    size_t size;
} rules_text;

/* Writes a rule file: one to three lengths, one to four items and weights of any rank, and rules
 * for each item. In most files the premises are smaller than the conclusion in one measure that the
 * whole file has in common, so that an order is likely; the rest is chance. Most rules are drawn
 * again until the reader thinks that they can apply, and so is the goal until something derives it,
 * but not all: what is refused is a test too. */
void make_random_rules(random_state *random, rules_text *ret);
/* The same, read; to be freed. NULL where it is refused. */
static inline tz_rules *read_random_rules(random_state *random, rules_text *ret) {
    tz_rules *rules = NULL;
    make_random_rules(random, ret);
    return tz_rules_parse("random.rules", ret->at, ret->size, &rules, NULL) == TZ_OK ? rules : NULL;
}
/* The same where some items, in circles mostly, are closures. */
void make_random_closures(random_state *random, rules_text *ret);

/* How many rule sets a test makes: `usual`, or what the environment variable TZ_RULE_SETS says. */
static inline unsigned random_rule_sets(unsigned usual) {
    const char *text = getenv("TZ_RULE_SETS");
    return text != NULL ? (unsigned)strtoul(text, NULL, 10) : usual;
}

#endif
