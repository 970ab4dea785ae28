/* implied.h - conditions that go without saying. SPDX-License-Identifier: MIT */
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
/* Do the entries of two steps contradict each other? */
bool tz_exclude(const tz_bound_step *a, const tz_bound_step *b);

#endif
