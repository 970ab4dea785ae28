/* late.h - in which order tracing finds uses. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_LATE_H
#define TZ_ENGINE_PLAN_LATE_H

#include "engine/plan/plan.h"

/* Sets plan->late, after plan->trace. TZ_NO_MEMORY. */
tz_status tz_find_late(tz_plan *plan);

#endif
