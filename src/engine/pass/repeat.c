/* repeat.c - see repeat.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/pass/repeat.h"

void tz_repeat_begin(tz_repeat *repeat, tz_schedule *schedule) {
    schedule->closed = schedule->tasks;
    repeat->turn = tz_schedule_here(schedule);
    if (repeat->spills != schedule->spills)
        repeat->times = 0;
    repeat->spills = schedule->spills;
}

/* ---- Alike? --------------------------------------------------------------------------------- */

/* How many splits more b has. False where blocks like these do not change with their number in one
 * way. */
static bool more_splits(const tz_block *a, const tz_block *b, ptrdiff_t *ret) {
    *ret = (ptrdiff_t)b->splits - (ptrdiff_t)a->splits;
    return *ret == 0 || (a->lows + a->highs == 0 && a->bundle == 1 && a->inners > 0 &&
                         a->splits >= TZ_MANY_SPLITS && b->splits >= TZ_MANY_SPLITS);
}

/* All but how many splits they have, and where target and operands stand. */
static bool same_block(const tz_block *a, const tz_block *b) {
    return a->run == b->run && a->width == b->width && a->lanes == b->lanes &&
           a->row_end == b->row_end && a->inners == b->inners && a->outers == b->outers &&
           a->lows == b->lows && a->highs == b->highs && a->bundle == b->bundle &&
           a->skew == b->skew && a->first_write == b->first_write && a->padded == b->padded &&
           a->bundle_splits == b->bundle_splits && a->member == b->member &&
           a->widening == b->widening;
}

static bool same_operand(const tz_operand *a, const tz_operand *b) {
    return a->split == b->split && a->run == b->run && a->member == b->member;
}

/* So many times `move`; or, times 0, sets it. */
static bool moved(ptrdiff_t apart, size_t times, ptrdiff_t *move) {
    if (times == 0)
        *move = apart;
    return times == 0 || apart == *move * (ptrdiff_t)times;
}

size_t tz_moves_of(const tz_schedule *s, const tz_task *task) {
    const tz_block *block = (const tz_block *)s->block.data + task->first;
    size_t moves = 2 * task->count;
    for (size_t b = 0; b < task->count; b++)
        moves += block[b].inners + block[b].outers;
    return moves;
}

/* Does a task, in so many loops of a turn, say the same in both turns, which are `times` apart?
 * Loops in them have moves of their own. times 0: one apart, and how much loops grow is not known
 * yet. */
static bool same_task(const tz_schedule *s, const tz_task *a, const tz_task *b, unsigned within,
                      size_t times) {
    const ptrdiff_t *move = s->move.data;
    const int64_t apart = (int64_t)b->times - (int64_t)a->times;
    if ((a->times == 0) != (b->times == 0) ||
        (times > 0 && a->times > 0 && apart != a->grow[within] * (int64_t)times))
        return false;
    return a->uneven == b->uneven &&
           (a->times == 0 || memcmp(a->grow, b->grow, within * sizeof *a->grow) == 0) &&
           a->step == NULL && b->step == NULL && a->closure == NULL && b->closure == NULL &&
           a->known == NULL && b->known == NULL && a->presence == b->presence &&
           a->count == b->count && a->body == b->body &&
           (a->times == 0 ||
            memcmp(move + a->move, move + b->move, tz_moves_of(s, a) * sizeof *move) == 0);
}

/* Are the tasks of the turn at hand like those of the one that is kept? `at`: see alike. */
static bool same_tasks(const tz_schedule *s, const tz_repeat *r, size_t at, size_t times) {
    const size_t tasks = r->turn.tasks - at;
    size_t end[TZ_MAX_NEST]; /* of the loops that a task is in */
    unsigned within = 0;
    for (size_t t = 0; t < tasks; t++) {
        const tz_task *a = (const tz_task *)s->task.data + at + t;
        const tz_task *b = (const tz_task *)s->task.data + r->turn.tasks + t;
        while (within > 0 && end[within - 1] == t)
            within--;
        if (a->first - r->base.blocks != b->first - r->turn.blocks ||
            !same_task(s, a, b, within, times))
            return false;
        if (a->times > 0 && within == TZ_MAX_NEST)
            return false;
        if (a->times > 0)
            end[within++] = t + 1 + a->body;
    }
    return true;
}

/* Is the turn at hand like the one that is kept, `times` turns on? times 0: one turn on, and sets
 * the moves. `at`: of the first task of the turn that is kept, a loop's own apart. */
static bool alike(const tz_schedule *s, const tz_repeat *r, size_t at, size_t times,
                  ptrdiff_t *move) {
    const size_t blocks = r->turn.blocks - r->base.blocks, tasks = r->turn.tasks - at;
    if (s->blocks - r->turn.blocks != blocks || s->tasks - r->turn.tasks != tasks ||
        s->operands - r->turn.operands != r->turn.operands - r->base.operands ||
        s->edges - r->turn.edges != r->turn.edges - r->base.edges)
        return false;
    const tz_block *block = (const tz_block *)s->block.data;
    if (!same_tasks(s, r, at, times))
        return false;
    const tz_edge *edge = s->edge.data;
    for (size_t e = 0; e < r->turn.edges - r->base.edges; e++)
        if (edge[r->base.edges + e].at != edge[r->turn.edges + e].at ||
            edge[r->base.edges + e].step != edge[r->turn.edges + e].step)
            return false;
    const tz_operand *operand = s->operand.data;
    const tz_operand *a = operand != NULL ? operand + r->base.operands : NULL;
    const tz_operand *b = operand != NULL ? operand + r->turn.operands : NULL;
    for (size_t i = 0; i < blocks; i++) {
        const tz_block *x = block + r->base.blocks + i, *y = block + r->turn.blocks + i;
        ptrdiff_t more;
        if (!same_block(x, y) || !more_splits(x, y, &more) || !moved(more, times, move++) ||
            !moved((const char *)y->target - (const char *)x->target, times, move++))
            return false;
        for (unsigned o = 0; o < x->inners + x->outers; o++, a++, b++)
            if (!same_operand(a, b) ||
                !moved((const char *)b->base - (const char *)a->base, times, move++))
                return false;
    }
    return true;
}

/* ---- Turns ---------------------------------------------------------------------------------- */

/* How much the loops of a turn grow to become those of the next one, which are like them; whether
 * any does. */
static bool find_growth(tz_task *task, const tz_task *end, const tz_task *next, unsigned within) {
    bool uneven = false;
    for (; task < end && within < TZ_MAX_NEST; next += 1 + task->body, task += 1 + task->body) {
        if (task->times == 0)
            continue;
        task->grow[within] = (int64_t)next->times - (int64_t)task->times;
        uneven |= task->grow[within] != 0;
        uneven |= find_growth(task + 1, task + 1 + task->body, next + 1, within + 1);
    }
    return uneven;
}

/* Makes a loop of the turn that is kept: its own task comes before the others. */
static tz_status make_loop(tz_repeat *r, tz_schedule *s, size_t moves) {
    tz_task *task;
    const size_t body = r->turn.tasks - r->base.tasks;
    task = (tz_task *)s->task.data;
    const bool uneven =
        find_growth(task + r->base.tasks, task + r->turn.tasks, task + r->turn.tasks, 0);
    tz_schedule_back(s, &r->turn);
    tz_status status = tz_schedule_task(s, &task);
    if (status != TZ_OK)
        return status;
    task = (tz_task *)s->task.data + r->base.tasks;
    memmove(task + 1, task, body * sizeof *task);
    *task = (tz_task){.first = r->base.blocks,
                      .count = r->turn.blocks - r->base.blocks,
                      .times = 2,
                      .body = body,
                      .move = r->move,
                      .uneven = uneven};
    r->times = 2;
    /* The moves stand where those of loops in the turn at hand were. */
    s->moves = r->move + moves;
    return TZ_OK;
}

static tz_status end_turn(tz_repeat *r, tz_schedule *s) {
    if (r->spills != s->spills || s->blocks == r->turn.blocks) {
        r->times = 0;
        r->spills = s->spills;
        return TZ_OK;
    }
    const size_t moves = 2 * (s->blocks - r->turn.blocks) + s->operands - r->turn.operands;
    if (r->times > 1) {
        if (alike(s, r, r->base.tasks + 1, r->times, (ptrdiff_t *)s->move.data + r->move)) {
            tz_schedule_back(s, &r->turn);
            ((tz_task *)s->task.data)[r->base.tasks].times = ++r->times;
            return TZ_OK;
        }
    } else if (r->times == 1) {
        tz_status status = tz_buffer_grow(&s->move, s->moves + moves, sizeof(ptrdiff_t));
        if (status != TZ_OK)
            return status;
        ptrdiff_t *move = (ptrdiff_t *)s->move.data;
        if (alike(s, r, r->base.tasks, 0, move + s->moves)) {
            r->move = r->turn.moves;
            memmove(move + r->move, move + s->moves, moves * sizeof *move);
            return make_loop(r, s, moves);
        }
    }
    r->base = r->turn;
    r->times = 1;
    return TZ_OK;
}

tz_status tz_repeat_end(tz_repeat *repeat, tz_schedule *schedule) {
    tz_status status = end_turn(repeat, schedule);
    schedule->closed = schedule->tasks;
    return status;
}

/* ---- Few turns ------------------------------------------------------------------------------ */

/* Of so few blocks a list is faster than a loop. */
enum { MOST_LISTED = 8 };

/* Adds a copy of the block at `from`, `times` times `move` on. */
static tz_status add_moved(tz_schedule *s, size_t from, size_t operands, size_t edges,
                           const ptrdiff_t *move, ptrdiff_t times) {
    const tz_block *block = (const tz_block *)s->block.data + from;
    const unsigned count = block->inners + block->outers, bounds = block->lows + block->highs;
    tz_status status = tz_buffer_grow(&s->block, s->blocks + 1, sizeof *block);
    if (status == TZ_OK)
        status = tz_buffer_grow(&s->operand, s->operands + count, sizeof(tz_operand));
    if (status == TZ_OK)
        status = tz_buffer_grow(&s->edge, s->edges + bounds, sizeof(tz_edge));
    if (status != TZ_OK)
        return status;
    tz_block *to = (tz_block *)s->block.data + s->blocks++;
    tz_operand *operand = (tz_operand *)s->operand.data + s->operands;
    *to = ((const tz_block *)s->block.data)[from];
    to->splits += (size_t)(*move++ * times);
    to->target = (char *)to->target + *move++ * times;
    for (unsigned o = 0; o < count; o++) {
        operand[o] = ((const tz_operand *)s->operand.data)[operands + o];
        operand[o].base = (const char *)operand[o].base + *move++ * times;
    }
    for (unsigned e = 0; e < bounds; e++)
        ((tz_edge *)s->edge.data)[s->edges + e] = ((const tz_edge *)s->edge.data)[edges + e];
    s->operands += count;
    s->edges += bounds;
    return TZ_OK;
}

tz_status tz_repeat_finish(tz_repeat *r, tz_schedule *s) {
    if (r->times < 2 || r->spills != s->spills || s->tasks != r->base.tasks + 2)
        return TZ_OK;
    tz_task *loop = (tz_task *)s->task.data + r->base.tasks;
    if (loop->count * r->times > MOST_LISTED || !tz_is_list(loop + 1))
        return TZ_OK;
    const size_t count = loop->count;
    tz_status status = TZ_OK;
    for (size_t t = 1; t < r->times; t++) {
        size_t operands = r->base.operands, edges = r->base.edges, move = r->move;
        for (size_t b = 0; b < count && status == TZ_OK; b++) {
            status = add_moved(s, r->base.blocks + b, operands, edges,
                               (const ptrdiff_t *)s->move.data + move, (ptrdiff_t)t);
            const tz_block *block = (const tz_block *)s->block.data + r->base.blocks + b;
            operands += block->inners + block->outers;
            edges += block->lows + block->highs;
            move += 2 + block->inners + block->outers;
        }
    }
    loop[0] = loop[1];
    loop->count = count * r->times;
    s->tasks--;
    s->moves = r->move;
    s->closed = s->tasks;
    return status;
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
