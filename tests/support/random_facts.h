/* random_facts.h - facts about random cells and items. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RANDOM_FACTS_H
#define TZ_TESTS_SUPPORT_RANDOM_FACTS_H

#include "problem.h"

typedef struct random_facts {
    tz_cells cells[3];
    tz_fact fact[2];
} random_facts;

/* Two cells or items are forbidden, and one of these or another is required: those of the best
 * derivation, most often. The problem's facts, where it has so many cells. */
void random_facts_draw(const tz_rules *rules, random_problem *problem, random_facts *own,
                       random_state *random);
/* Leaves out the required one where the plan cannot be asked: it has no marks, or derivations can
 * use it twice. */
void random_facts_askable(const tz_plan *plan, const tz_semiring *semiring, tz_problem *problem);

#endif
