/* implied.h - conditions that go without saying, and the order in which instances come.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_IMPLIED_H
#define TZ_ENGINE_PLAN_IMPLIED_H

#include "engine/plan/plan.h"

enum { TZ_MOST_KNOWN = 32 };

/* Forms that are >= 0. */
typedef struct tz_known {
    tz_form form[TZ_MOST_KNOWN];
    unsigned count;
} tz_known;

/* What is known of an item that a step over the nest has been asked for, and that its loops are not
 * empty. */
tz_known tz_known_of(const tz_kind *kind, const tz_nest *nest);
void tz_learn_constraint(tz_known *known, const tz_constraint *constraint);
/* Does it follow from two of what is known? */
bool tz_follows(const tz_known *known, const tz_form *form);

/* Has the step instances along loops alone, in the order of its rule's variables? */
bool tz_is_plain(const tz_bound_step *step);
/* Which steps of a kind have no instance where another one has; false where instances of all, step
 * by step, are not in the order that decides ties. Neither is asked of many steps. */
bool tz_list_alone(const tz_bound_step *steps, unsigned count, bool *ret_alone);

#endif
