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

/* When all is scheduled, and blocks have their operands: tasks that follow each other as one, where
 * they can be, and loops that are recurrences along a row as blocks. */
void tz_join_tasks(tz_schedule *schedule);

/* How many moves the blocks of a loop or list have in a loop. */
size_t tz_moves_of(const tz_schedule *schedule, const tz_task *task);
/* Moves `count` blocks by move[0 ..] `times` times: of each its splits, its target, then its
 * operands. */
void tz_move_blocks(tz_block *block, size_t count, const ptrdiff_t *move, ptrdiff_t times);
/* Lets the loops in a loop's body grow by so many of its turns. */
void tz_grow_loops(tz_task *loop, ptrdiff_t turns);

#endif
