/* compose.h - steps of a plan from those of rules. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_COMPOSE_H
#define TZ_ENGINE_PLAN_COMPOSE_H

#include "engine/plan/plan.h"

/* Composes steps over their nests; trace: over the nests of their traces. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_compose_steps(tz_plan *plan, const tz_step *step, unsigned steps, bool trace,
                           tz_bound_step **ret);

#endif
