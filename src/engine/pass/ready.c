/* ready.c - see ready.h.
 *
 * What a semiring makes of a block is its own, but for addresses the same wherever the block
 * stands. So what is ready for one turn of a loop is that for the next when it is changed, word for
 * word, by the difference of the two. A list that reads its blocks again when it is run is
 * `attached` to them: they move along. One that would be made ready in another way for the next
 * turn is `bare`: its blocks are computed as they are.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/pass/loops.h"
#include "engine/pass/ready.h"

typedef struct maker {
    tz_schedule *schedule;
    size_t count;             /* ready so far */
    tz_buffer block, operand; /* of the next turn */
    tz_buffer next, again;    /* what these have become, at one place and at another */
    size_t changes;
} maker;

/* Adds a list of blocks to what is ready. */
static tz_status prepare(const tz_schedule *s, const tz_block *block, size_t count, tz_buffer *to,
                         size_t first, size_t *ret_end) {
    *ret_end = first;
    for (size_t b = 0; b < count; b++) {
        tz_status status = tz_buffer_grow(to, *ret_end + TZ_MAX_READY, sizeof(tz_ready));
        if (status != TZ_OK)
            return status;
        tz_ready *list = (tz_ready *)to->data + first;
        *ret_end =
            first + s->algebra->prepare(s->algebra->semiring, &block[b], list, *ret_end - first);
    }
    return TZ_OK;
}

/* A copy of blocks one turn on, at place 0 or 1. */
static tz_status copy_moved(maker *m, const tz_block *block, size_t count, const ptrdiff_t *move,
                            size_t operands, size_t place, tz_block **ret) {
    tz_status status = tz_buffer_reserve(&m->block, 2 * count, sizeof(tz_block));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&m->operand, 2 * operands + 1, sizeof(tz_operand));
    if (status != TZ_OK)
        return status;
    *ret = (tz_block *)m->block.data + place * count;
    tz_operand *operand = (tz_operand *)m->operand.data + place * operands;
    memcpy(*ret, block, count * sizeof *block);
    for (size_t b = 0; b < count; b++) {
        (*ret)[b].inner = operand;
        (*ret)[b].outer = operand + block[b].inners;
        memcpy(operand, block[b].inner, block[b].inners * sizeof *operand);
        memcpy(operand + block[b].inners, block[b].outer, block[b].outers * sizeof *operand);
        operand += block[b].inners + block[b].outers;
    }
    tz_move_blocks(*ret, count, move, 1);
    return TZ_OK;
}

/* Does it depend on where blocks are in memory what a list becomes, and not on their contents
 * alone? The list of the next turn is in m->next, to *ret_end, if not. */
static tz_status is_attached(maker *m, const tz_task *list, const ptrdiff_t *move, size_t operands,
                             bool *ret, size_t *ret_end) {
    const tz_block *block = (const tz_block *)m->schedule->block.data + list->first;
    size_t end[2] = {0, 0};
    for (size_t place = 0; place < 2; place++) {
        tz_block *moved;
        tz_status status = copy_moved(m, block, list->count, move, operands, place, &moved);
        if (status == TZ_OK)
            status = prepare(m->schedule, moved, list->count, place == 0 ? &m->again : &m->next, 0,
                             &end[place]);
        if (status != TZ_OK)
            return status;
    }
    *ret_end = end[1];
    *ret = end[0] != end[1] ||
           (end[0] > 0 && memcmp(m->next.data, m->again.data, end[0] * sizeof(tz_ready)) != 0);
    return TZ_OK;
}

/* How a list changes from turn to turn, given the moves of its blocks. */
static tz_status find_change(maker *m, tz_task *list, const ptrdiff_t *move, size_t operands) {
    tz_schedule *s = m->schedule;
    tz_block *block = (tz_block *)s->block.data + list->first;
    const size_t count = list->ready_end - list->ready;
    bool attached;
    size_t end;
    tz_status status = tz_buffer_grow(&s->change, (m->changes + count) * 8, sizeof(uint64_t));
    if (status == TZ_OK)
        status = is_attached(m, list, move, operands, &attached, &end);
    if (status == TZ_OK && attached) {
        tz_move_blocks(block, list->count, move, 1);
        status = prepare(s, block, list->count, &m->next, 0, &end);
        tz_move_blocks(block, list->count, move, -1);
    }
    if (status != TZ_OK)
        return status;
    list->bare |= end != count;
    list->attached |= attached || list->bare;
    const tz_ready *next = m->next.data, *ready = (const tz_ready *)s->ready.data + list->ready;
    uint64_t *change = (uint64_t *)s->change.data + m->changes * 8;
    for (size_t i = 0; i < count; i++) {
        uint64_t from[8], to[8];
        memcpy(from, &ready[i], sizeof from);
        memcpy(to, list->bare ? &ready[i] : &next[i], sizeof to);
        for (unsigned w = 0; w < 8; w++)
            change[i * 8 + w] = to[w] - from[w];
        if (!list->bare && ready[i].run != next[i].run)
            list->bare = list->attached = true;
    }
    m->changes += count;
    return TZ_OK;
}

/* The changes of a loop, whose lists are ready. */
static tz_status make_loop(maker *m, tz_task *loop) {
    const ptrdiff_t *move = (const ptrdiff_t *)m->schedule->move.data + loop->move;
    tz_status status = TZ_OK;
    loop->change = m->changes;
    for (tz_task *task = loop + 1; task <= loop + loop->body && status == TZ_OK; task++) {
        if (!tz_is_list(task))
            continue;
        const size_t moves = tz_moves_of(m->schedule, task);
        task->attached |= task->presence;
        if (!task->presence)
            status = find_change(m, task, move, moves - 2 * task->count);
        move += moves;
    }
    return status;
}

static tz_status make_tasks(maker *m, tz_task *task, const tz_task *end) {
    tz_schedule *s = m->schedule;
    tz_status status = TZ_OK;
    while (task < end && status == TZ_OK) {
        task->ready = m->count;
        if (task->times > 0)
            status = make_tasks(m, task + 1, task + 1 + task->body);
        else if (tz_is_list(task) && !task->presence)
            status = prepare(s, (const tz_block *)s->block.data + task->first, task->count,
                             &s->ready, m->count, &m->count);
        task->ready_end = m->count;
        if (task->times > 0 && status == TZ_OK)
            status = make_loop(m, task);
        task += 1 + (task->times > 0 ? task->body : 0);
    }
    return status;
}

/* Is a list among these tasks attached? Sets it for loops. */
static bool attach_loops(tz_task *task, const tz_task *end) {
    bool any = false;
    for (; task < end; task += 1 + task->body) {
        if (task->times > 0)
            task->attached = attach_loops(task + 1, task + 1 + task->body);
        any |= task->attached;
    }
    return any;
}

tz_status tz_make_ready(tz_schedule *schedule) {
    maker m = {.schedule = schedule};
    tz_task *task = schedule->task.data;
    if (schedule->tasks == 0)
        return TZ_OK;
    tz_status status = make_tasks(&m, task, task + schedule->tasks);
    attach_loops(task, task + schedule->tasks);
    tz_buffer_free(&m.block);
    tz_buffer_free(&m.operand);
    tz_buffer_free(&m.next);
    tz_buffer_free(&m.again);
    return status;
}
