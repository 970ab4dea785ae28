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

/* A loop that is being scheduled. */
typedef struct tz_repeat {
    tz_schedule_mark base, turn; /* where the turn that is kept begins, and the one at hand */
    size_t spills;               /* of the schedule, when that was */
    size_t times;                /* turns like it so far; 0: there is none */
    size_t move;                 /* times > 1: how far its blocks move: see tz_task */
} tz_repeat;

/* Before a turn, and after it: forgets what the turn has added to the schedule where it is like the
 * turn before. TZ_NO_MEMORY. Loops may be nested. */
void tz_repeat_begin(tz_repeat *repeat, tz_schedule *schedule);
tz_status tz_repeat_end(tz_repeat *repeat, tz_schedule *schedule);

/* After the last turn. */
tz_status tz_repeat_finish(tz_repeat *repeat, tz_schedule *schedule);

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
