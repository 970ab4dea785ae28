/* blocks.h - makes a step the blocks of a schedule. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_BLOCKS_H
#define TZ_ENGINE_PASS_BLOCKS_H

#include "engine/pass/schedule.h"
#include "engine/pass/tile.h"

/* Adds a step at a stage of its target; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_schedule_step(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                           const int64_t *stage);
/* Adds one tile. */
tz_status tz_schedule_tile(tz_schedule *schedule, const tz_chart *chart, tz_tile *tile);

#endif
