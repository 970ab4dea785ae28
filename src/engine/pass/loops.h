/* loops.h - the loops of a schedule, once it is made. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_LOOPS_H
#define TZ_ENGINE_PASS_LOOPS_H

#include "engine/pass/schedule.h"

/* When all is scheduled and blocks have their operands: joins tasks that follow each other into one
 * where possible, and makes loops that are recurrences along a row blocks. */
void tz_join_tasks(tz_schedule *schedule);

/* How many moves the blocks of a loop or list have in a loop. */
size_t tz_moves_of(const tz_schedule *schedule, const tz_task *task);
/* Moves `count` blocks by move[0 ..] `times` times: of each its splits, its target, then its
 * operands. */
void tz_move_blocks(tz_block *block, size_t count, const ptrdiff_t *move, ptrdiff_t times);
/* Lets the loops in a loop's body grow by so many of its turns. */
void tz_grow_loops(tz_task *loop, ptrdiff_t turns);

#endif
