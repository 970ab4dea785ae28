/* ties.h - conditions that tie the entries of a step's sparse weights. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_ENGINE_PLAN_TIES_H
#define TZ_ENGINE_PLAN_TIES_H

#include "engine/plan/plan.h"

/* Sorts the conditions of a step with sparse weights: sets bound->ties. TZ_NO_MEMORY. */
tz_status tz_bind_ties(tz_plan *plan, tz_bound_step *bound);

#endif
