/* repeat.h - keeps turns of a loop that are alike once.
 *
 * The turns of a loop, over stages or within a step, mostly give the same blocks, each moved by a
 * fixed distance from the turn before and with a fixed number of splits more; and inner loops with
 * a fixed number of turns more. A schedule keeps the blocks of one turn, how they change, and how
 * often: so its size depends on the number of steps, not of cells.
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

/* Adds a loop to the schedule by its turns, which it asks for in order; a turn that is like the one
 * before is forgotten again. Where the plan's loops are convex, it does not ask for turns between
 * the second and the last if the first, second and last are alike: values linear in the turn are
 * known by these. Loops may be nested. TZ_NO_MEMORY, or what `turn` returns. */
tz_status tz_repeat(tz_schedule *schedule, const tz_chart *chart, const tz_loop *loop);

#endif
