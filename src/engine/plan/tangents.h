/* tangents.h - steps of the passes of tangents. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_TANGENTS_H
#define TZ_ENGINE_PLAN_TANGENTS_H

#include "engine/plan/plan.h"

/* The steps of the passes of tangents, from those of the plan's passes; TZ_NO_MEMORY. */
tz_status tz_bind_tangents(tz_plan *plan);

#endif
