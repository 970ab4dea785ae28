/* circle.h - best derivations of items that need one another. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_CIRCLE_H
#define TZ_ENGINE_ASK_TRACE_CIRCLE_H

#include "engine/ask/expand.h"

/* After tz_expand_prepare: does one of the best derivations of an item of a closure go round in a
 * circle? TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_circle_look(tz_chart *chart, size_t lane, unsigned kind, const int32_t *index,
                         bool *ret_circle);
/* If so: the first instance of the shortest way out of the circle. */
tz_instance tz_circle_leave(tz_chart *chart, size_t lane, unsigned kind, const int32_t *index);

#endif
