/* execute.h - runs the blocks and loops of a schedule.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_EXECUTE_H
#define TZ_ENGINE_PASS_EXECUTE_H

#include "engine/pass/schedule.h"

/* The space that each pass writes. */
extern const tz_space tz_pass_target[TZ_PASSES];

/* Clears what the pass does not write first; true if that is all there is. All cells, where another
 * schedule has left something there and this one relies on row ends, or is new; and all memory,
 * what the cells of longer problems will take included, where what is in it may be no number:
 * nobody has written it, or elements of another kind, or out of range. Outside, the goal is given.
 * New items have been cleared by whoever asks for them, and the others are there.
 * last: what wrote it, or NULL. */
bool tz_schedule_begin(tz_chart *chart, const tz_schedule *schedule, const tz_schedule *last,
                       bool new);
/* Runs the schedule. cleared: cells that it does not write are zero. As soon as a narrow element
 * has left its range, the rest is then left undone, since it would be computed again. */
tz_status tz_schedule_run(tz_chart *chart, const tz_schedule *schedule, bool cleared);

#endif
