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

/* A loop over the values first, first + step, .. of a column, or of component `level` of a stage;
 * TZ_MAX_RANK: of another column. */
typedef struct tz_loop {
    int64_t first, turns;
    int step; /* 1 or -1 */
    unsigned level;
    tz_status (*turn)(void *user, int64_t value);
    void *user;
} tz_loop;

static inline int64_t tz_loop_value(const tz_loop *loop, int64_t turn) {
    return loop->first + turn * loop->step;
}

/* Adds a loop to the schedule by its turns, which it asks for in order: one that is like the one
 * before is forgotten again. Where the plan's loops are convex it does not ask for those between
 * the second and the last, if these three are alike: what is linear in the turn is known by them.
 * Loops may be nested. TZ_NO_MEMORY, or what `turn` returns. */
tz_status tz_repeat(tz_schedule *schedule, const tz_chart *chart, const tz_loop *loop);

#endif
