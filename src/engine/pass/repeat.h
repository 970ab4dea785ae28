/* repeat.h - what is alike in a schedule, kept once.
 *
 * The turns of a loop, over stages or within a step, mostly give the same blocks, each so far from
 * those of the turn before, with so many splits more; and loops of so many turns more. A schedule
 * keeps the blocks of one turn, how they change, and how often: so its size depends on the number
 * of steps, not on that of cells.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_REPEAT_H
#define TZ_ENGINE_PASS_REPEAT_H

#include "engine/pass/schedule.h"

/* Adds turns 0 .. turns-1 of a loop to the schedule, by `turn`, which is asked for them in order: a
 * turn that is like the one before is forgotten again. Where the plan's loops are convex it is not
 * asked for those between the second and the last, if these three are alike: what is linear in the
 * turn is known by them. Loops may be nested. TZ_NO_MEMORY, or what `turn` returns. */
typedef tz_status tz_turn(void *user, int64_t turn);
tz_status tz_repeat(tz_schedule *schedule, const tz_chart *chart, int64_t turns, tz_turn *turn,
                    void *user);

#endif
