/* value.h - how the goal's value changes. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_VALUE_H
#define TZ_ENGINE_ASK_VALUE_H

#include "engine/engine.h"

/* After tz_make_tangents, for a lane that has a derivation: the derivative of log Z. */
double tz_goal_change(const tz_chart *chart, size_t lane);

#endif
