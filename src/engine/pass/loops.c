/* loops.c - see loops.h. SPDX-License-Identifier: MIT */
#include "engine/pass/loops.h"

/* ---- From turn to turn ------------------------------------------------------------------------
 */

size_t tz_moves_of(const tz_schedule *s, const tz_task *task) {
    const tz_block *block = (const tz_block *)s->block.data + task->first;
    size_t moves = 2 * task->count;
    for (size_t b = 0; b < task->count; b++)
        moves += block[b].inners + block[b].outers;
    return moves;
}

void tz_move_blocks(tz_block *block, size_t count, const ptrdiff_t *move, ptrdiff_t times) {
    for (size_t b = 0; b < count; b++) {
        block[b].splits += (size_t)(*move++ * times);
        block[b].target = (char *)block[b].target + *move++ * times;
        tz_operand *operand = (tz_operand *)(uintptr_t)block[b].inner; /* outer ones follow them */
        for (unsigned o = 0; o < block[b].inners + block[b].outers; o++)
            operand[o].base = (const char *)operand[o].base + *move++ * times;
    }
}

static void grow_loops(tz_task *task, const tz_task *end, unsigned within, ptrdiff_t turns) {
    for (; task < end; task += 1 + task->body) {
        if (task->times == 0)
            continue;
        task->times += (size_t)(task->grow[within] * (int64_t)turns);
        grow_loops(task + 1, task + 1 + task->body, within + 1, turns);
    }
}

void tz_grow_loops(tz_task *loop, ptrdiff_t turns) {
    if (loop->uneven)
        grow_loops(loop + 1, loop + 1 + loop->body, 0, turns);
}

/* ---- Recurrences ---------------------------------------------------------------------------- */

/* Has it other numbers of turns in other turns of the loops that it is in? */
static bool is_growing(const tz_task *loop) {
    bool any = false;
    for (unsigned n = 0; n < TZ_MAX_NEST; n++)
        any |= loop->grow[n] != 0;
    return any;
}

/* The only block of a loop as a recurrence along a row, if it is one. */
static bool make_recurrence(const tz_schedule *s, const tz_task *loop) {
    const ptrdiff_t *move = (const ptrdiff_t *)s->move.data + loop->move;
    const ptrdiff_t size = (ptrdiff_t)s->algebra->size;
    tz_block *block = (tz_block *)s->block.data + loop->first;
    const unsigned operands = block->inners + block->outers;
    if (operands == 0)
        return false;
    tz_operand *operand =
        (tz_operand *)s->operand.data + (block->inner - (const tz_operand *)s->operand.data);
    if (s->algebra->contract == NULL || !s->algebra->kernels->placed || loop[1].presence ||
        block->width != 1 || block->splits != 1 || block->lows + block->highs > 0 ||
        block->bundle != 1 || operands > 3 || loop->times > UINT32_MAX || move[0] != 0 ||
        move[1] % size != 0 || is_growing(loop))
        return false;
    bool handed = false;
    for (unsigned o = 0; o < operands; o++) {
        if (move[2 + o] % size != 0)
            return false;
        handed |= move[2 + o] == move[1] &&
                  (const char *)operand[o].base + move[1] == (const char *)block->target;
    }
    if (!handed)
        return false;
    block->member = move[1] / size;
    for (unsigned o = 0; o < operands; o++)
        operand[o].member = move[2 + o] / size;
    block->places = loop->times;
    block->row_end = 0;
    return true;
}

/* ---- Joined --------------------------------------------------------------------------------- */

/* Tasks *from .. end-1, of one level, to *to and what follows. */
static void join(tz_schedule *s, size_t *from, size_t end, size_t *to) {
    tz_task *task = s->task.data;
    size_t begin = *to; /* of tasks that may take more blocks */
    while (*from < end) {
        tz_task next = task[(*from)++];
        if (next.times > 0) {
            const size_t loop = (*to)++;
            task[loop] = next;
            join(s, from, *from + next.body, to);
            task[loop].body = *to - loop - 1;
            if (next.count > 1 || task[loop].body > 1 || !tz_is_list(&task[loop + 1]) ||
                !make_recurrence(s, &task[loop])) {
                begin = *to;
                continue;
            }
            next = task[loop + 1];
            *to = loop;
        }
        tz_task *last = *to > begin ? &task[*to - 1] : NULL;
        if (last != NULL && tz_is_list(&next) && tz_is_list(last) &&
            last->presence == next.presence)
            last->count += next.count;
        else
            task[(*to)++] = next;
    }
}

void tz_join_tasks(tz_schedule *schedule) {
    size_t from = 0, to = 0;
    if (schedule->tasks > 0)
        join(schedule, &from, schedule->tasks, &to);
    schedule->tasks = to;
}
