/* asked.h - random problems with all that may be given. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_ASKED_H
#define TZ_TESTS_SUPPORT_ASKED_H

#include "evaluate.h"
#include "random_facts.h"

enum { ASKED_INPUTS = 2 };

/* A problem with what entropy takes, a direction, and facts. It must stay where it is. */
typedef struct asked {
    random_problem p;
    double *more[(ASKED_INPUTS + 1) * MAX_WEIGHTS];
    tz_scores inputs[ASKED_INPUTS * MAX_WEIGHTS], direction[MAX_WEIGHTS];
    random_facts facts;
} asked;

void make_asked(const tz_rules *rules, const int32_t *lengths, score_source source,
                random_state *random, asked *ret);
void free_asked(const tz_rules *rules, asked *asked);
/* As random_facts_draw. */
void draw_facts(const tz_rules *rules, asked *asked, random_state *random);
/* The problem as this plan can be asked it, without the facts that it cannot: required ones where
 * its semiring has no marks, and where derivations can use their cells twice. */
tz_problem asked_under(const tz_plan *plan, const asked *asked);

#endif
