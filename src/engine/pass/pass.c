/* pass.c - inside, outside and the weight pass: every step of every kind, stage by stage.
 *
 * Inside goes through groups, stages and kinds in the compiler's order; outside goes through all of
 * it backwards with the derived steps (Goodman 1999, sections 2 and 4). The weight pass, the
 * outside of the weights, has no order. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/direction.h"
#include "engine/chart/facts.h"
#include "engine/layout/address.h"
#include "engine/layout/newer.h"
#include "engine/layout/space.h"
#include "engine/pass/blocks.h"
#include "engine/pass/bundle.h"
#include "engine/pass/close.h"
#include "engine/pass/contract.h"
#include "engine/pass/first_write.h"
#include "engine/pass/kept.h"
#include "engine/pass/loops.h"
#include "engine/pass/pass.h"
#include "engine/pass/ready.h"
#include "engine/pass/repeat.h"
#include "engine/pass/stages.h"
#include "engine/pass/tile.h"
#include "kernels/flags.h"

enum {
    MOST_BLOCKS = 1 << 17, /* in memory for one pass: 90 MB at most */
    SCHEDULED = 1 << 10    /* products that take as long as to schedule a step at a stage */
};

/* Where a pass writes. */
static const tz_space target[TZ_PASSES] = {TZ_AT_INSIDE,
                                           TZ_AT_OUTSIDE,
                                           TZ_AT_WEIGHT_OUTSIDE,
                                           TZ_AT_TANGENTS + TZ_AT_INSIDE,
                                           TZ_AT_TANGENTS + TZ_AT_OUTSIDE,
                                           TZ_AT_TANGENTS + TZ_AT_WEIGHT_OUTSIDE};

/* ---- Running -------------------------------------------------------------------------------- */

/* Clears what the pass does not write first; true if that is all there is. All cells, where another
 * schedule has left something there and this one relies on row ends, or is new; and all memory,
 * what the cells of longer problems will take included, where what is in it may be no number:
 * nobody has written it, or elements of another kind, or out of range. Outside, the goal is given.
 * New items have been cleared by whoever asks for them, and the others are there.
 * last: what wrote it, or NULL. */
static bool begin(tz_chart *chart, const tz_schedule *schedule, const tz_schedule *last, bool new) {
    const tz_space to = target[schedule->pass];
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
            tz_keep_items(chart, target[s->pass],
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

/* cleared: what is not written is zero. Then, as soon as a narrow element has left its range, the
 * rest is left undone: it would be computed again. */
static tz_status run(tz_chart *chart, const tz_schedule *schedule, bool cleared) {
    tz_task *task = schedule->task.data;
    running r = {.chart = chart,
                 .schedule = schedule,
                 .flagged = cleared && chart->algebra == &chart->plan->narrow};
    tz_status status = schedule->tasks > 0 ? run_tasks(&r, task, task + schedule->tasks) : TZ_OK;
    return status == TZ_OK ? look(&r) : status;
}

/* ---- Scheduling ----------------------------------------------------------------------------- */

typedef struct maker {
    tz_chart *chart;
    tz_schedule *schedule;
    const tz_schedule *last; /* what wrote to the target before; NULL if that is unknown */
    bool spilled;            /* a part has been run and forgotten */
    bool cleared;            /* before that: see run */
} maker;

/* Runs what there is so far, to make room. What follows adds to rows that are clear. */
static tz_status spill(maker *m) {
    tz_schedule *schedule = m->schedule;
    tz_status status = m->spilled ? TZ_OK : tz_first_write_end(schedule, m->chart);
    if (status != TZ_OK)
        return status;
    if (!m->spilled)
        m->cleared = begin(m->chart, schedule, m->last, true);
    m->spilled = true;
    status = tz_schedule_seal(schedule);
    if (status == TZ_OK)
        status = run(m->chart, schedule, m->cleared);
    tz_schedule_back(schedule, &(tz_schedule_mark){0});
    schedule->closed = 0;
    schedule->spills++;
    tz_first_write_none(schedule, m->chart);
    return status;
}

/* Stages one after the other. */
typedef struct stage_range {
    int64_t low, high;
} stage_range;

static int64_t stages_in(const stage_range *range) {
    return range->low <= range->high ? range->high - range->low + 1 : 0;
}

/* Adds those of the pass's steps first..first+steps-1 that are given `level` components of a stage;
 * range: of the stages, where steps can be bundled, or NULL. */
static tz_status add(maker *m, unsigned first, unsigned steps, unsigned level, const int64_t *stage,
                     const stage_range *range) {
    tz_schedule *schedule = m->schedule;
    const tz_plan *plan = m->chart->plan;
    tz_pass pass = tz_pass_primal(schedule->pass);
    bool outside = pass == TZ_PASS_OUTSIDE;
    const tz_bound_step *step = outside ? plan->outside : plan->weight_pass;
    if (schedule->pass == TZ_PASS_INSIDE) {
        step = tz_inside_steps(plan, schedule->newer, first, &steps);
        first = 0;
    } else if (tz_pass_tangents(schedule->pass)) {
        const uint32_t *tangent = plan->tangent_first[pass];
        step = plan->tangent[pass];
        steps = tangent[first + steps] - tangent[first];
        first = tangent[first];
    }
    step += first;
    /* New items of a stage are few, so little is shared; where the order of sums is free, whole
     * ones take fewer blocks. */
    if (schedule->newer != NULL && (m->chart->algebra->semiring->laws & TZ_EXACT) != 0)
        range = NULL;
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < steps && status == TZ_OK; i++) {
        if (step[i].stages != level || tz_is_within(&step[i], tz_pass_tangents(schedule->pass)))
            continue;
        if (step[i].bundles && range != NULL && tz_can_be_blocks(m->chart, &step[i]))
            status = tz_schedule_bundle(schedule, m->chart, &step[i], stage[0],
                                        outside ? range->high : range->low,
                                        outside ? range->low : range->high);
        else
            status = tz_schedule_step(schedule, m->chart, &step[i], stage);
        if (status == TZ_OK && tz_stops(m->chart, SCHEDULED))
            status = TZ_STOPPED;
        if (status == TZ_OK && schedule->blocks > MOST_BLOCKS && !schedule->leaping)
            status = spill(m);
    }
    return status;
}

/* When all that is given at the stage has been added. */
static tz_status add_closure(maker *m, const tz_group *group, const int64_t *stage) {
    tz_task *task;
    tz_status status = tz_schedule_task(m->schedule, &task);
    if (status != TZ_OK)
        return status;
    *task = (tz_task){.closure = group};
    memcpy(task->stage, stage, group->stages * sizeof *stage);
    return TZ_OK;
}

/* When all of the kind's items at the stage has been added. */
static tz_status add_known(maker *m, const tz_kind *kind, const int64_t *stage) {
    const tz_rules *rules = m->chart->plan->rules;
    tz_task *task;
    if (!m->schedule->known || kind >= rules->kind + rules->items)
        return TZ_OK;
    tz_status status = tz_schedule_task(m->schedule, &task);
    if (status != TZ_OK)
        return status;
    *task = (tz_task){.known = kind};
    memcpy(task->stage, stage, kind->stages * sizeof *stage);
    return TZ_OK;
}

/* A group on its way. */
typedef struct grouping {
    maker *m;
    const tz_group *group;
    bool outside;
    int64_t stage[TZ_MAX_RANK + 1]; /* one more, for loops that a compiler unrolls */
} grouping;

/* Adds the steps of the kind at a place of the order which are given so many components. */
static tz_status add_steps(const grouping *g, unsigned at, unsigned level,
                           const stage_range *range) {
    const tz_kind *kind = &g->m->chart->plan->rules->kind[g->group->kind[at]];
    return g->outside ? add(g->m, kind->outside, kind->outsides, level, g->stage, range)
                      : add(g->m, kind->inside, kind->insides, level, g->stage, range);
}

/* A kind at a stage. The kinds of a closure are complete once it is solved. */
static tz_status add_kind(const grouping *g, unsigned at, const stage_range *range) {
    const tz_group *group = g->group;
    const tz_rules *rules = g->m->chart->plan->rules;
    const unsigned first = group->closed, end = first + group->closeds;
    const bool closed = at >= first && at < end;
    const bool solved = closed && at == (g->outside ? first : end - 1);
    tz_status status = add_steps(g, at, rules->kind[group->kind[at]].stages, range);
    if (status == TZ_OK && solved)
        status = add_closure(g->m, group, g->stage);
    for (unsigned k = solved ? first : at; k < (solved ? end : at + !closed); k++)
        if (status == TZ_OK)
            status = add_known(g->m, &rules->kind[group->kind[k]], g->stage);
    return status;
}

/* The range of a component of a part's stages, in all lanes. */
static stage_range range_of(const grouping *g, tz_part part, unsigned level) {
    const tz_chart *chart = g->m->chart;
    const tz_plan *plan = chart->plan;
    stage_range r = {INT64_MAX, INT64_MIN};
    if (g->m->schedule->newer != NULL) {
        tz_stages_widen_newer(chart, g->group, part, level, &r.low, &r.high);
        return r;
    }
    tz_stages_widen(plan->rules, g->group, part, level, chart->bound.longest, &r.low, &r.high);
    for (size_t lane = 0; lane < chart->lanes && !chart->bound.same_lengths && !plan->growing;
         lane++)
        tz_stages_widen(plan->rules, g->group, part, level, tz_lane_length(chart, lane), &r.low,
                        &r.high);
    return r;
}

static tz_status add_parts(grouping *g, tz_part of, unsigned level, const stage_range *range);

/* The stages of a part, one after the other. */
typedef struct staging {
    grouping *g;
    tz_part part;
    unsigned level;
    stage_range range;
} staging;

static tz_status add_stage(void *user, int64_t stage) {
    const staging *of = user;
    of->g->stage[of->level] = stage;
    return add_parts(of->g, of->part, of->level + 1, of->level == 0 ? &of->range : NULL);
}

/* Kinds that share the loops before this level, whose stages so far are set. */
static tz_status add_parts(grouping *g, tz_part of, unsigned level, const stage_range *range) {
    const tz_rules *rules = g->m->chart->plan->rules;
    tz_status status = TZ_OK;
    while (of.first < of.end && status == TZ_OK && level <= TZ_MAX_RANK) {
        const tz_part part = tz_part_at(g->group, of.first, of.end, level, g->outside);
        *(g->outside ? &of.end : &of.first) = g->outside ? part.first : part.end;
        if (tz_is_kind(rules, g->group, part, level)) {
            status = add_kind(g, part.first, range);
            continue;
        }
        for (unsigned i = 0; level > 0 && i < part.end - part.first && status == TZ_OK; i++)
            status = add_steps(g, g->outside ? part.end - 1 - i : part.first + i, level, NULL);
        staging of_part = {g, part, level, range_of(g, part, level)};
        if (status == TZ_OK)
            status = tz_repeat(g->m->schedule, g->m->chart,
                               &(tz_loop){g->outside ? of_part.range.high : of_part.range.low,
                                          stages_in(&of_part.range), g->outside ? -1 : 1, level,
                                          add_stage, &of_part});
    }
    return status;
}

static tz_status add_group(maker *m, const tz_group *group, bool outside) {
    grouping g = {.m = m, .group = group, .outside = outside};
    return add_parts(&g, (tz_part){0, group->kinds}, 0, NULL);
}

/* Schedules the pass and runs it. */
static tz_status make_and_run(tz_chart *chart, tz_schedule *schedule, tz_pass pass) {
    const tz_plan *plan = chart->plan;
    const tz_rules *rules = plan->rules;
    maker m = {.chart = chart, .schedule = schedule};
    if (chart->passes.last[target[pass]] != schedule)
        m.last = chart->passes.last[target[pass]];
    for (unsigned s = 0; s < TZ_SPACES; s++)
        if (s == target[pass] || chart->passes.last[s] == schedule)
            chart->passes.last[s] = NULL;
    tz_schedule_start(schedule, chart, pass);
    tz_status status = tz_first_write_start(schedule, chart);
    if (schedule->newer != NULL && status == TZ_OK)
        tz_first_write_none(schedule, chart);
    tz_pass primal = tz_pass_primal(pass);
    for (unsigned g = 0; g < rules->groups && status == TZ_OK && primal != TZ_PASS_WEIGHTS; g++)
        status = primal == TZ_PASS_INSIDE
                     ? add_group(&m, &rules->group[g], false)
                     : add_group(&m, &rules->group[rules->groups - 1u - g], true);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK && primal == TZ_PASS_WEIGHTS; w++)
        if (!chart->layout.weight_box[w].absent)
            status = add(&m, rules->weight[w].outside, rules->weight[w].outsides, 0, NULL, NULL);
    if (status != TZ_OK)
        return status;
    status = m.spilled ? TZ_OK : tz_first_write_end(schedule, chart);
    if (status != TZ_OK)
        return status;
    status = tz_schedule_seal(schedule);
    if (status != TZ_OK)
        return status;
    /* Where stages or loops depend on each lane's length, another group's would be others. */
    schedule->complete = !m.spilled && (chart->bound.same_lengths || plan->growing);
    if (!m.spilled)
        m.cleared = begin(chart, schedule, m.last, true);
    return run(chart, schedule, m.cleared);
}

void tz_pass_spoiled(tz_chart *chart, tz_pass pass) {
    chart->passes.last[target[pass]] = NULL;
}

tz_status tz_compute_pass(tz_chart *chart, tz_pass pass) {
    tz_status status = tz_space_reserve(chart, target[pass]);
    if (status == TZ_OK && pass == TZ_PASS_TANGENTS)
        status = tz_scale_weights_by_direction(chart);
    if (status != TZ_OK)
        return status;
    tz_schedule *schedule = tz_schedule_find(chart, pass);
    if (schedule == NULL)
        return TZ_NO_MEMORY;
    if (!tz_schedule_fits(schedule, chart, pass))
        return make_and_run(chart, schedule, pass);
    bool cleared = begin(chart, schedule, chart->passes.last[target[pass]], false);
    return run(chart, schedule, cleared);
}
