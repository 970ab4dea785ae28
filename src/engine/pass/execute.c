/* execute.c - see execute.h. SPDX-License-Identifier: MIT */
#include "engine/pass/execute.h"

#include <string.h>

#include "engine/chart/facts.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"
#include "engine/pass/close.h"
#include "engine/pass/contract.h"
#include "engine/pass/loops.h"
#include "engine/pass/ready.h"
#include "engine/pass/tile.h"
#include "kernels/flags.h"

const tz_space tz_pass_target[TZ_PASSES] = {TZ_AT_INSIDE,
                                            TZ_AT_OUTSIDE,
                                            TZ_AT_WEIGHT_OUTSIDE,
                                            TZ_AT_TANGENTS + TZ_AT_INSIDE,
                                            TZ_AT_TANGENTS + TZ_AT_OUTSIDE,
                                            TZ_AT_TANGENTS + TZ_AT_WEIGHT_OUTSIDE};

bool tz_schedule_begin(tz_chart *chart, const tz_schedule *schedule, const tz_schedule *last,
                       bool new) {
    const tz_space to = tz_pass_target[schedule->pass];
    const tz_algebra *algebra = chart->algebra;
    const tz_cell_range *unwritten = schedule->unwritten.data;
    bool all = true;
    chart->passes.last[to] = schedule;
    if (schedule->newer != NULL)
        return false;
    if (last == NULL || last->algebra != schedule->algebra)
        tz_fill(algebra, chart->space[to].data, algebra->zero,
                chart->space[to].size / algebra->size);
    else if (last != schedule && (schedule->padded || new))
        tz_space_clear(chart, to);
    else {
        all = false;
        for (size_t i = 0; i < schedule->unwritten_ranges; i++)
            tz_fill(algebra, tz_cell(chart, to, (ptrdiff_t)unwritten[i].first, 0), algebra->zero,
                    unwritten[i].count * chart->lanes);
    }
    for (size_t lane = 0; lane < chart->lanes && schedule->pass == TZ_PASS_OUTSIDE; lane++) {
        ptrdiff_t goal = tz_goal_offset(chart, lane);
        if (goal >= 0)
            memcpy(tz_cell(chart, TZ_AT_OUTSIDE, goal, lane), chart->algebra->one,
                   chart->algebra->size);
    }
    return all;
}

/* A pass on its way. */
typedef struct running {
    tz_chart *chart;
    const tz_schedule *schedule;
    bool flagged;    /* it ends where a flag is raised */
    bool ended;      /* so it has */
    size_t since;    /* what has been computed since the last look */
    double products; /* likewise, where the chart is watched */
} running;

/* Blocks, or what is ready, between two looks at the flags and at the watch. */
enum { BETWEEN = 256 };

/* Looks at flags and watch. */
static tz_status look(running *r) {
    const double products = r->products;
    r->since = 0;
    r->products = 0;
    r->ended = r->flagged && tz_flags_raised();
    return tz_stops(r->chart, products) ? TZ_STOPPED : TZ_OK;
}

/* After `count` blocks, or what they are when ready, of a list of so many products. */
static inline tz_status after(running *r, size_t count, double products) {
    r->since += count;
    r->products += products;
    return r->since >= BETWEEN || r->products > tz_look_cost ? look(r) : TZ_OK;
}

/* Products of a list, where the chart is watched. */
static double products_of(const running *r, const tz_task *list) {
    const tz_block *block = (const tz_block *)r->schedule->block.data + list->first;
    double products = 0;
    for (size_t b = 0; r->chart->watching.watch != NULL && b < list->count; b++) {
        const double width =
            (double)block[b].width + (double)block[b].bundle * (double)block[b].widening / 2;
        products += width * (double)block[b].lanes * (double)block[b].bundle *
                    (double)(block[b].places > 0 ? block[b].places : 1) *
                    (double)(block[b].bundle > 1 ? block[b].bundle_splits : block[b].splits);
    }
    return products;
}

/* How many of the `count` parts of a list lie between two looks. */
static size_t pace_of(double products, size_t count) {
    const double most = products > 0 ? tz_look_cost * (double)count / products : BETWEEN;
    return most < 1 ? 1 : most > BETWEEN ? BETWEEN : (size_t)most;
}

static tz_status run_ready(running *r, const tz_task *list) {
    const tz_ready *ready = (const tz_ready *)r->schedule->ready.data + list->ready;
    const tz_ready *end = (const tz_ready *)r->schedule->ready.data + list->ready_end;
    const size_t count = (size_t)(end - ready);
    const double products = products_of(r, list);
    const size_t most = pace_of(products, count);
    tz_status status = TZ_OK;
    while (ready < end && !r->ended && status == TZ_OK) {
        const tz_ready *from = ready, *stop = (size_t)(end - ready) > most ? ready + most : end;
        while (ready < stop)
            ready = ready->run(ready);
        const size_t done = (size_t)(ready - from);
        status = after(r, done, products * (double)done / (double)count);
    }
    return status;
}

static tz_status run_blocks(running *r, const tz_task *list) {
    const tz_block *block = (const tz_block *)r->schedule->block.data + list->first;
    const double products = products_of(r, list);
    const size_t most = pace_of(products, list->count);
    tz_status status = TZ_OK;
    for (size_t b = 0, n; b < list->count && !r->ended && status == TZ_OK; b += n) {
        n = list->count - b < most ? list->count - b : most;
        tz_contract(r->chart, block + b, n);
        status = after(r, n, products * (double)n / (double)list->count);
    }
    return status;
}

static tz_status run_tasks(running *r, tz_task *task, const tz_task *end);

/* Turns of a loop over one list that is ready, as those of a recurrence along a row are: returns
 * how many. */
static size_t run_turns(running *r, const tz_task *loop, tz_status *status) {
    const tz_schedule *s = r->schedule;
    const uint64_t *change = (const uint64_t *)s->change.data + loop->change * 8;
    tz_ready *ready = (tz_ready *)s->ready.data + loop->ready;
    const tz_ready *end = (const tz_ready *)s->ready.data + loop->ready_end;
    const size_t count = (size_t)(end - ready);
    const double products = products_of(r, loop + 1);
    size_t most = pace_of(products, count) / count, t = 0;
    most = most > 0 ? most : 1;
    while (t < loop->times && !r->ended && *status == TZ_OK) {
        const size_t from = t, stop = loop->times - t > most ? t + most : loop->times;
        for (; t < stop; t++) {
            for (const tz_ready *at = ready; at < end;)
                at = at->run(at);
            tz_move_ready(ready, end, change, 1);
        }
        *status = after(r, (stop - from) * count, products * (double)(stop - from));
    }
    return t;
}

/* A loop, whose blocks are then where they were. */
static tz_status run_loop(running *r, tz_task *loop) {
    const tz_schedule *s = r->schedule;
    const bool any = loop->ready < loop->ready_end;
    const bool attached = loop->attached || r->chart->algebra->prepare == NULL;
    const ptrdiff_t *move = (const ptrdiff_t *)s->move.data + loop->move;
    const uint64_t *change = any ? (const uint64_t *)s->change.data + loop->change * 8 : NULL;
    tz_block *block = (tz_block *)s->block.data + loop->first;
    tz_ready *ready = any ? (tz_ready *)s->ready.data + loop->ready : NULL;
    const tz_ready *end = any ? ready + (loop->ready_end - loop->ready) : NULL;
    tz_status status = TZ_OK;
    size_t t = 0;
    if (!attached && loop->body == 1 && tz_is_list(loop + 1) && ready < end)
        t = run_turns(r, loop, &status);
    else
        while (t < loop->times && !r->ended && status == TZ_OK) {
            status = run_tasks(r, loop + 1, loop + 1 + loop->body);
            t++;
            if (attached)
                tz_move_blocks(block, loop->count, move, 1);
            tz_move_ready(ready, end, change, 1);
            tz_grow_loops(loop, 1);
        }
    if (attached)
        tz_move_blocks(block, loop->count, move, -(ptrdiff_t)t);
    tz_move_ready(ready, end, change, -(uint64_t)t);
    tz_grow_loops(loop, -(ptrdiff_t)t);
    return status;
}

/* A step that is moved from entry to entry. */
static bool is_of_entries(const tz_chart *chart, const tz_task *task) {
    return task->times == 0 && task->closure == NULL && task->known == NULL && task->step != NULL &&
           tz_entries_apart(chart, task->step);
}

static tz_status run_tasks(running *r, tz_task *task, const tz_task *end) {
    tz_chart *chart = r->chart;
    const tz_schedule *s = r->schedule;
    tz_status status = TZ_OK;
    for (; task < end && !r->ended && status == TZ_OK; task += 1 + task->body)
        if (task->times > 0)
            status = run_loop(r, task);
        else if (task->closure != NULL)
            status = tz_close(chart, task->closure, task->stage, s->pass);
        else if (task->known != NULL)
            tz_keep_items(chart, tz_pass_target[s->pass],
                          (unsigned)(task->known - chart->plan->rules->kind), task->stage, 0,
                          chart->lanes);
        else if (is_of_entries(chart, task)) {
            size_t tasks = 1;
            while (task + tasks < end && is_of_entries(chart, task + tasks))
                tasks++;
            status = tz_contract_entries(chart, task, tasks);
            task += tasks - 1;
        } else if (task->step != NULL)
            status = tz_step_tiles(chart, task->step, task->stage, 0, chart->lanes,
                                   tz_contract_tile, NULL);
        else if (task->presence)
            for (size_t b = 0; b < task->count; b++)
                tz_presence(chart, (const tz_block *)s->block.data + task->first + b);
        else
            status = chart->algebra->prepare != NULL && !task->bare ? run_ready(r, task)
                                                                    : run_blocks(r, task);
    return status;
}

tz_status tz_schedule_run(tz_chart *chart, const tz_schedule *schedule, bool cleared) {
    tz_task *task = schedule->task.data;
    running r = {.chart = chart,
                 .schedule = schedule,
                 .flagged = cleared && chart->algebra == &chart->plan->narrow};
    tz_status status = schedule->tasks > 0 ? run_tasks(&r, task, task + schedule->tasks) : TZ_OK;
    return status == TZ_OK ? look(&r) : status;
}
