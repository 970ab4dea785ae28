/* pass.c - inside, outside and the weight pass: every step of every kind, stage by stage.
 *
 * Inside goes through groups, stages and kinds in the compiler's order; outside goes through all of
 * it backwards with the derived steps (Goodman 1999, sections 2 and 4). The weight pass, the
 * outside of the weights, has no order. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/direction.h"
#include "engine/chart/facts.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"
#include "engine/pass/blocks.h"
#include "engine/pass/bundle.h"
#include "engine/pass/close.h"
#include "engine/pass/contract.h"
#include "engine/pass/first_write.h"
#include "engine/pass/kept.h"
#include "engine/pass/pass.h"
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
 * last: what wrote it, or NULL. */
static bool begin(tz_chart *chart, const tz_schedule *schedule, const tz_schedule *last, bool new) {
    const tz_space to = target[schedule->pass];
    const tz_algebra *algebra = chart->algebra;
    const tz_cell_range *unwritten = schedule->unwritten.data;
    bool all = true;
    chart->passes.last[to] = schedule;
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

/* What is computed between two looks at the flags, at most. */
enum { READY = 256 };

/* Products of a task's blocks. */
static double products_of(const tz_schedule *schedule, const tz_task *task) {
    const tz_block *block = (const tz_block *)schedule->block.data + task->first;
    double products = 0;
    for (size_t b = 0; b < task->count; b++) {
        const double width =
            (double)block[b].width + (double)block[b].bundle * (double)block[b].widening / 2;
        products += width * (double)block[b].lanes * (double)block[b].bundle *
                    (double)(block[b].bundle > 1 ? block[b].bundle_splits : block[b].splits);
    }
    return products;
}

/* Where the chart is watched: products of each of the `count` parts that a task consists of, and
 * how many parts lie between two looks at the watch, *between at most. */
static double find_pace(const tz_chart *chart, const tz_schedule *schedule, const tz_task *task,
                        size_t count, size_t *between) {
    if (chart->watching.watch == NULL || count == 0)
        return 0;
    const double products = products_of(schedule, task) / (double)count;
    if (products * (double)*between > tz_look_cost)
        *between = products < tz_look_cost ? (size_t)(tz_look_cost / products) : 1;
    return products;
}

/* The blocks of a task. flagged: until a flag is raised. */
static tz_status run_ready(tz_chart *chart, const tz_schedule *schedule, const tz_task *task,
                           bool flagged) {
    const tz_ready *ready = (const tz_ready *)schedule->ready.data + task->ready;
    const tz_ready *end = (const tz_ready *)schedule->ready.data + task->ready_end;
    size_t most = READY;
    const double products = find_pace(chart, schedule, task, (size_t)(end - ready), &most);
    while (ready < end && !(flagged && tz_flags_raised())) {
        const tz_ready *from = ready, *look = end - ready > (ptrdiff_t)most ? ready + most : end;
        while (ready < look)
            ready = ready->run(ready);
        if (tz_stops(chart, products * (double)(ready - from)))
            return TZ_STOPPED;
    }
    return TZ_OK;
}

static tz_status run_blocks(tz_chart *chart, const tz_schedule *schedule, const tz_task *task) {
    size_t most = task->count;
    const double products = find_pace(chart, schedule, task, task->count, &most);
    for (size_t b = 0, n; b < task->count; b += n) {
        n = task->count - b < most ? task->count - b : most;
        tz_contract(chart, (const tz_block *)schedule->block.data + task->first + b, n);
        if (tz_stops(chart, products * (double)n))
            return TZ_STOPPED;
    }
    return TZ_OK;
}

/* cleared: what is not written is zero. Then, as soon as a narrow element has left its range, the
 * rest is left undone: it would be computed again. */
static tz_status run(tz_chart *chart, const tz_schedule *schedule, bool cleared) {
    const tz_task *task = schedule->task.data;
    const bool flagged = cleared && chart->algebra == &chart->plan->narrow;
    tz_status status = TZ_OK;
    for (size_t t = 0; t < schedule->tasks && status == TZ_OK && !(flagged && tz_flags_raised());
         t++)
        if (task[t].closure != NULL)
            status = tz_close(chart, task[t].closure, task[t].stage, schedule->pass);
        else if (task[t].known != NULL)
            tz_keep_items(chart, target[schedule->pass],
                          (unsigned)(task[t].known - chart->plan->rules->kind), task[t].stage, 0,
                          chart->lanes);
        else if (task[t].step != NULL)
            status = tz_entries_apart(chart, task[t].step)
                         ? tz_step_frames(chart, task[t].step, task[t].stage, 0, chart->lanes,
                                          tz_contract_entries, NULL)
                         : tz_step_tiles(chart, task[t].step, task[t].stage, 0, chart->lanes,
                                         tz_contract_tile, NULL);
        else if (task[t].presence)
            for (size_t b = 0; b < task[t].count; b++)
                tz_presence(chart, (const tz_block *)schedule->block.data + task[t].first + b);
        else
            status = chart->algebra->prepare != NULL ? run_ready(chart, schedule, &task[t], flagged)
                                                     : run_blocks(chart, schedule, &task[t]);
    return status;
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
    schedule->tasks = schedule->blocks = schedule->operands = schedule->edges = 0;
    tz_first_write_none(schedule, m->chart);
    return status;
}

/* Adds the pass's steps first..first+steps-1 at a stage; s: the stages it belongs to, for steps
 * that can be bundled, or NULL. */
static tz_status add(maker *m, unsigned first, unsigned steps, const int64_t *stage,
                     const tz_stages *s) {
    tz_schedule *schedule = m->schedule;
    const tz_plan *plan = m->chart->plan;
    tz_pass pass = tz_pass_primal(schedule->pass);
    bool outside = pass == TZ_PASS_OUTSIDE;
    const tz_bound_step *step = pass == TZ_PASS_INSIDE ? plan->inside
                                : outside              ? plan->outside
                                                       : plan->weight_pass;
    if (tz_pass_tangents(schedule->pass)) {
        const uint32_t *tangent = plan->tangent_first[pass];
        step = plan->tangent[pass];
        steps = tangent[first + steps] - tangent[first];
        first = tangent[first];
    }
    step += first;
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < steps && status == TZ_OK; i++) {
        if (tz_is_within(&step[i], tz_pass_tangents(schedule->pass)))
            continue;
        if (step[i].bundles && s != NULL && tz_can_be_blocks(m->chart, &step[i]))
            status = tz_schedule_bundle(schedule, m->chart, &step[i], stage[0],
                                        outside ? s->high[0] : s->low[0],
                                        outside ? s->low[0] : s->high[0]);
        else
            status = tz_schedule_step(schedule, m->chart, &step[i], stage);
        if (status == TZ_OK && tz_stops(m->chart, SCHEDULED))
            status = TZ_STOPPED;
        if (status == TZ_OK && schedule->blocks > MOST_BLOCKS)
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
    memcpy(task->stage, stage, rules->group[kind->group].stages * sizeof *stage);
    return TZ_OK;
}

static tz_status add_group(maker *m, const tz_group *group, bool outside) {
    const tz_chart *chart = m->chart;
    const tz_plan *plan = chart->plan;
    tz_stages s = {.count = group->stages};
    bool started = false;
    for (unsigned k = 0; k < group->kinds; k++) {
        const tz_kind *kind = &plan->rules->kind[group->kind[k]];
        tz_stages_widen(chart, kind, chart->bound.longest, &s, &started);
        for (size_t lane = 0; lane < chart->lanes && !chart->bound.same_lengths && !plan->growing;
             lane++)
            tz_stages_widen(chart, kind, tz_lane_length(chart, lane), &s, &started);
    }
    if (!started)
        return TZ_OK;
    for (unsigned c = 0; c < s.count; c++)
        s.at[c] = outside ? s.high[c] : s.low[c];
    const unsigned first = group->closed, end = first + group->closeds;
    do {
        for (unsigned i = 0; i < group->kinds; i++) {
            const unsigned at = outside ? group->kinds - 1 - i : i;
            const tz_kind *kind = &plan->rules->kind[group->kind[at]];
            tz_status status = outside ? add(m, kind->outside, kind->outsides, s.at, &s)
                                       : add(m, kind->inside, kind->insides, s.at, &s);
            /* The kinds of a closure are complete once it is solved. */
            const bool closed = at >= first && at < end;
            const bool solved = closed && at == (outside ? first : end - 1);
            if (status == TZ_OK && solved)
                status = add_closure(m, group, s.at);
            for (unsigned k = solved ? first : at; k < (solved ? end : at + !closed); k++)
                if (status == TZ_OK)
                    status = add_known(m, &plan->rules->kind[group->kind[k]], s.at);
            if (status != TZ_OK)
                return status;
        }
    } while (tz_stages_next(&s, outside));
    return TZ_OK;
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
    tz_pass primal = tz_pass_primal(pass);
    for (unsigned g = 0; g < rules->groups && status == TZ_OK && primal != TZ_PASS_WEIGHTS; g++)
        status = primal == TZ_PASS_INSIDE
                     ? add_group(&m, &rules->group[g], false)
                     : add_group(&m, &rules->group[rules->groups - 1u - g], true);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK && primal == TZ_PASS_WEIGHTS; w++)
        if (!chart->layout.weight_box[w].absent)
            status = add(&m, rules->weight[w].outside, rules->weight[w].outsides, NULL, NULL);
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
