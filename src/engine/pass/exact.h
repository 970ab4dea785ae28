/* exact.h - did elements stay in the range where they are exact? SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_EXACT_H
#define TZ_ENGINE_PASS_EXACT_H

#include "engine/engine.h"

/* After a pass: the first lane with a value beyond tz_semiring.exact, or chart->lanes. Cost: a look
 * at every item. */
size_t tz_inexact_lane(const tz_chart *chart, tz_pass pass);

#endif
