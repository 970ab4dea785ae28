/* repeat.c - see repeat.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/layout/space.h"
#include "engine/pass/first_write.h"
#include "engine/pass/loops.h"
#include "engine/pass/repeat.h"
#include "engine/pass/row_end.h"

/* A loop that is being scheduled. */
typedef struct repeat {
    tz_schedule_mark base, turn; /* where the turn that is kept begins, and the one at hand */
    size_t spills;               /* of the schedule, when that was */
    size_t times;                /* turns like it so far; 0: there is none */
    size_t move;                 /* times > 1: how far its blocks move: see tz_task */
    size_t absences, absent[TZ_MAX_RANK + 1]; /* of the schedule, before the turn at hand */
} repeat;

static void begin_turn(repeat *r, tz_schedule *s) {
    s->closed = s->tasks;
    r->turn = tz_schedule_here(s);
    if (r->spills != s->spills)
        r->times = 0;
    r->spills = s->spills;
    s->absences = r->absences;
    memcpy(r->absent, s->absent, sizeof r->absent);
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
static bool same_tasks(const tz_schedule *s, const repeat *r, size_t at, size_t times) {
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
static bool alike(const tz_schedule *s, const repeat *r, size_t at, size_t times, ptrdiff_t *move) {
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
static tz_status make_loop(repeat *r, tz_schedule *s, size_t moves) {
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

static tz_status end_turn(repeat *r, tz_schedule *s) {
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
    if (status == TZ_OK)
        status = tz_buffer_grow(&s->made, s->blocks + 1, sizeof(tz_bound_step *));
    if (status != TZ_OK)
        return status;
    tz_block *to = (tz_block *)s->block.data + s->blocks++;
    tz_operand *operand = (tz_operand *)s->operand.data + s->operands;
    *to = ((const tz_block *)s->block.data)[from];
    const tz_bound_step **made = s->made.data;
    made[s->blocks - 1] = made[from];
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

static tz_status finish(const repeat *r, tz_schedule *s) {
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

/* ---- Turns that are passed over ----------------------------------------------------------------
 */

/* Loops of fewer are not worth it. */
enum { LEAST_TURNS = 5 };

static void move_targets(const tz_schedule *s, const tz_task *loop, ptrdiff_t times) {
    const ptrdiff_t *move = (const ptrdiff_t *)s->move.data + loop->move;
    tz_block *block = (tz_block *)s->block.data + loop->first;
    for (size_t b = 0; b < loop->count; move += 2 + block[b].inners + block[b].outers, b++)
        block[b].target = (char *)block[b].target + move[1] * times;
}

/* Says of the tasks' blocks that they are written, as if they had been added where they are; false
 * if they would have been others. */
static bool write_tasks(tz_schedule *s, const tz_chart *chart, tz_task *task, const tz_task *end);

static bool write_list(tz_schedule *s, const tz_chart *chart, const tz_task *list) {
    const tz_block *block = s->block.data;
    const tz_bound_step *const *made = s->made.data;
    const ptrdiff_t size = (ptrdiff_t)(s->algebra->size * s->lanes);
    bool same = true;
    for (size_t b = list->first; b < list->first + list->count && same; b++) {
        const char *base = tz_cell(chart, tz_target_space(made[b]), 0, 0);
        const ptrdiff_t cell = ((const char *)block[b].target - base) / size;
        const tz_area a =
            tz_area_of(chart, made[b]->target.what == TZ_WEIGHT, made[b]->target.which);
        /* The last turn may still turn out to be another, and these then leave the box. */
        same = cell >= (ptrdiff_t)a.box->offset && (size_t)cell - a.box->offset < a.box->size &&
               tz_first_write_block(s, chart, made[b], &block[b], cell) == block[b].first_write &&
               tz_row_end(chart, made[b], &block[b], cell) == block[b].row_end;
    }
    return same;
}

static bool write_turns(tz_schedule *s, const tz_chart *chart, tz_task *loop, size_t first,
                        size_t end) {
    bool same = true;
    move_targets(s, loop, (ptrdiff_t)first);
    tz_grow_loops(loop, (ptrdiff_t)first);
    for (size_t t = first; t < end; t++) {
        same = same && write_tasks(s, chart, loop + 1, loop + 1 + loop->body);
        move_targets(s, loop, 1);
        tz_grow_loops(loop, 1);
    }
    move_targets(s, loop, -(ptrdiff_t)end);
    tz_grow_loops(loop, -(ptrdiff_t)end);
    return same;
}

static bool write_tasks(tz_schedule *s, const tz_chart *chart, tz_task *task, const tz_task *end) {
    bool same = true;
    for (; task < end && same; task += 1 + task->body)
        same = task->times > 0 ? write_turns(s, chart, task, 0, task->times)
                               : write_list(s, chart, task);
    return same;
}

/* Goes to the last turn of a loop of two turns, if that is like them and those between are then,
 * too: *at becomes that turn. */
static tz_status leap(repeat *r, tz_schedule *s, const tz_chart *chart, const tz_loop *loop,
                      int64_t *at) {
    const size_t passed = (size_t)(loop->turns - 2 - *at), touched = s->rows_touched;
    tz_status status = TZ_OK;
    bool same =
        write_turns(s, chart, (tz_task *)s->task.data + r->base.tasks, r->times, r->times + passed);
    if (same) {
        const bool leaping = s->leaping;
        s->leaping = true;
        begin_turn(r, s);
        status = loop->turn(loop->user, tz_loop_value(loop, loop->turns - 1));
        s->leaping = leaping;
        same = status == TZ_OK && alike(s, r, r->base.tasks + 1, r->times + passed,
                                        (ptrdiff_t *)s->move.data + r->move);
        tz_schedule_back(s, &r->turn);
        s->closed = s->tasks;
    }
    if (same) {
        r->times += passed + 1;
        ((tz_task *)s->task.data)[r->base.tasks].times = r->times;
        *at = loop->turns - 1;
    }
    if (!same)
        tz_first_write_back(s, touched);
    return status;
}

/* Have all steps blocks in the turns to be passed over that have some at the turn at hand, and no
 * others? By convexity the former do if the last turn is like it. */
static bool none_appears(const repeat *r, const tz_schedule *s, const tz_chart *chart,
                         const tz_loop *loop, int64_t at) {
    for (unsigned d = loop->level + 2u; d <= TZ_MAX_RANK; d++)
        if (s->absent[d] != r->absent[d])
            return false;
    const int64_t next = tz_loop_value(loop, at + 1), last = tz_loop_value(loop, loop->turns - 1);
    for (size_t a = r->absences; a < s->absences; a++) {
        const tz_absence *absence = (const tz_absence *)s->absence.data + a;
        int64_t low = next < last ? next : last, high = next < last ? last : next;
        tz_domain_clip(&absence->nest->entry, chart->plan->rules->lengths, chart->bound.longest,
                       loop->level, absence->stage, &low, &high);
        if (absence->nest->givens != loop->level + 1u || low <= high)
            return false;
    }
    return true;
}

/* Is what is between two turns and the last known by them? Bundles depend on the stage's number;
 * loops that grow have turns of their own. */
static bool may_leap(const repeat *r, const tz_schedule *s, const tz_chart *chart,
                     const tz_loop *loop, int64_t at, size_t bundled) {
    return r->times == 2 && chart->plan->convex && s->bundled == bundled &&
           !((const tz_task *)s->task.data)[r->base.tasks].uneven &&
           none_appears(r, s, chart, loop, at);
}

tz_status tz_repeat(tz_schedule *s, const tz_chart *chart, const tz_loop *loop) {
    const size_t bundled = s->bundled;
    repeat r = {.absences = s->absences};
    tz_status status = TZ_OK;
    for (int64_t t = 0; t < loop->turns && status == TZ_OK; t++) {
        begin_turn(&r, s);
        status = loop->turn(loop->user, tz_loop_value(loop, t));
        if (status == TZ_OK)
            status = end_turn(&r, s);
        s->closed = s->tasks;
        if (status == TZ_OK && loop->turns - t >= LEAST_TURNS &&
            may_leap(&r, s, chart, loop, t, bundled))
            status = leap(&r, s, chart, loop, &t);
    }
    return status == TZ_OK ? finish(&r, s) : status;
}
