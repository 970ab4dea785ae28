/* implied.h - conditions that follow from others, and the order in which instances come.
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

/* The forms known for an item of which a step over the nest is asked, and whose loops are not
 * empty. */
tz_known tz_known_of(const tz_kind *kind, const tz_nest *nest);
void tz_learn_constraint(tz_known *known, const tz_constraint *constraint);
/* Does form >= 0 follow from two of the known forms? */
bool tz_follows(const tz_known *known, const tz_form *form);

/* Do the step's instances lie along loops only, in the order of its rule's variables? */
bool tz_is_plain(const tz_bound_step *step);
/* Finds the steps of a kind that have no instance where another step has one. Returns false where
 * the instances of all, step by step, are not in the order that decides ties. Many steps are not
 * looked at. */
bool tz_list_alone(const tz_bound_step *steps, unsigned count, bool *ret_alone);

#endif
