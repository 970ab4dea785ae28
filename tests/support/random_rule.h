/* random_rule.h - one rule of a random rule file. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RANDOM_RULE_H
#define TZ_TESTS_SUPPORT_RANDOM_RULE_H

#include "random_parts.h"

typedef struct rule {
    scope scope;
    unsigned conclusion;
    expression of[TZ_MAX_RANK]; /* indices of the conclusion */
    line premises, weights, condition;
    bool uses[MOST];      /* which weights */
    bool gives[INPUTS];   /* which inputs */
    bool asks[RELATIONS]; /* which relations */
} rule;

/* A rule for item `conclusion`; recursive: of items that come before it in the file's measure. */
void draw_rule(generator *g, unsigned conclusion, bool recursive, rule *ret);
/* One that multiplies the premises of `old`; it may conclude something else. */
void draw_alike(generator *g, unsigned conclusion, const rule *old, rule *ret);
/* Writes it, and notes what it uses. */
void add_rule(generator *g, rules_text *to, rule *r, unsigned number);
/* NAME[EXPRESSION,...] */
void put_term(line *to, const declared *d, expression *index);

#endif
