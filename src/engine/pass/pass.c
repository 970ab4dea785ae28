/* pass.c - inside, outside and the weight pass: every step of every kind, stage by stage.
 *
 * Inside goes through groups, stages and kinds in the compiler's order; outside goes through all of
 * it backwards with the derived steps (Goodman 1999, sections 2 and 4). The weight pass, the
 * outside of the weights, has no order. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/interpret.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"
#include "engine/pass/pass.h"
#include "engine/pass/schedule.h"

enum {
    MOST_BLOCKS = 1 << 15, /* in memory for one pass */
    MOST_KEPT = 1 << 26    /* bytes of schedules in a chart */
};

/* Where a pass writes. */
static const tz_space target[TZ_PASSES] = {TZ_AT_INSIDE,
                                           TZ_AT_OUTSIDE,
                                           TZ_AT_WEIGHT_OUTSIDE,
                                           TZ_AT_TANGENTS + TZ_AT_INSIDE,
                                           TZ_AT_TANGENTS + TZ_AT_OUTSIDE,
                                           TZ_AT_TANGENTS + TZ_AT_WEIGHT_OUTSIDE};

typedef struct stages {
    unsigned count;
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    int64_t at[TZ_MAX_RANK];
} stages;

/* Widens the ranges of stages by those of a kind for these lengths. */
static void widen(const tz_chart *chart, const tz_kind *kind, const int32_t *length, stages *ret,
                  bool *started) {
    unsigned lengths = chart->plan->rules->lengths;
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    for (unsigned s = 0; s < ret->count; s++) {
        tz_range_value(&kind->stage_range[s], lengths, length, 0, NULL, &low[s], &high[s]);
        if (low[s] > high[s])
            return;
    }
    for (unsigned s = 0; s < ret->count; s++) {
        ret->low[s] = *started && ret->low[s] < low[s] ? ret->low[s] : low[s];
        ret->high[s] = *started && ret->high[s] > high[s] ? ret->high[s] : high[s];
    }
    *started = true;
}

/* Moves to the next stage, upwards or downwards; false past the last. */
static bool next_stage(stages *s, bool downwards) {
    for (unsigned c = s->count; c-- > 0;) {
        int64_t first = downwards ? s->high[c] : s->low[c];
        int64_t last = downwards ? s->low[c] : s->high[c];
        if (s->at[c] != last) {
            s->at[c] += downwards ? -1 : 1;
            return true;
        }
        s->at[c] = first;
    }
    return false;
}

/* ---- Running -------------------------------------------------------------------------------- */

void tz_contract(tz_chart *chart, const tz_block *block, size_t count) {
    const tz_algebra *algebra = chart->algebra;
    if (algebra->contract != NULL) {
        algebra->contract(algebra->semiring, block, count);
        return;
    }
    for (size_t b = 0; b < count; b++)
        tz_plain_contract(algebra, &block[b], chart->pair.data);
}

tz_status tz_contract_tile(tz_chart *chart, const tz_tile *tile, void *user) {
    (void)user;
    tz_operands operands;
    tz_status status = tz_tile_operands(chart, tile, &operands);
    if (status == TZ_OK)
        tz_contract(chart, &operands.block, 1);
    return status;
}

/* Clears what the pass does not write first. All cells, where another schedule has left something
 * there and this one relies on row ends, or is new; and all memory, what the cells of longer
 * problems will take included, where what is in it may be no number: nobody has written it, or
 * elements of another kind, or out of range. Outside, the goal is given. last: what wrote it, or
 * NULL. */
static void begin(tz_chart *chart, const tz_schedule *schedule, const tz_schedule *last, bool new) {
    const tz_space to = target[schedule->pass];
    const tz_algebra *algebra = chart->algebra;
    const tz_cell_range *unwritten = schedule->unwritten.data;
    chart->passes.last[to] = schedule;
    if (last == NULL || last->algebra != schedule->algebra)
        tz_fill(algebra, chart->space[to].data, algebra->zero,
                chart->space[to].size / algebra->size);
    else if (last != schedule && (schedule->padded || new))
        tz_space_clear(chart, to);
    else
        for (size_t i = 0; i < schedule->unwritten_ranges; i++)
            tz_fill(algebra, tz_cell(chart, to, (ptrdiff_t)unwritten[i].first, 0), algebra->zero,
                    unwritten[i].count * chart->lanes);
    for (size_t lane = 0; lane < chart->lanes && schedule->pass == TZ_PASS_OUTSIDE; lane++) {
        ptrdiff_t goal = tz_goal_offset(chart, lane);
        if (goal >= 0)
            memcpy(tz_cell(chart, TZ_AT_OUTSIDE, goal, lane), chart->algebra->one,
                   chart->algebra->size);
    }
}

static void run_ready(const tz_ready *ready, const tz_ready *end) {
    while (ready < end)
        ready = ready->run(ready);
}

static tz_status run(tz_chart *chart, const tz_schedule *schedule) {
    const tz_task *task = schedule->task.data;
    tz_status status = TZ_OK;
    for (size_t t = 0; t < schedule->tasks && status == TZ_OK; t++)
        if (task[t].step != NULL)
            status = tz_step_tiles(chart, task[t].step, task[t].stage, 0, chart->lanes,
                                   tz_contract_tile, NULL);
        else if (chart->algebra->prepare != NULL)
            run_ready((const tz_ready *)schedule->ready.data + task[t].ready,
                      (const tz_ready *)schedule->ready.data + task[t].ready_end);
        else
            tz_contract(chart, (const tz_block *)schedule->block.data + task[t].first,
                        task[t].count);
    return status;
}

/* ---- Scheduling ----------------------------------------------------------------------------- */

typedef struct maker {
    tz_chart *chart;
    tz_schedule *schedule;
    const tz_schedule *last; /* what wrote to the target before; NULL if that is unknown */
    bool spilled;            /* a part has been run and forgotten */
} maker;

/* Runs what there is so far, to make room. What follows adds to rows that are clear. */
static tz_status spill(maker *m) {
    tz_schedule *schedule = m->schedule;
    tz_status status = m->spilled ? TZ_OK : tz_first_write_end(schedule, m->chart);
    if (status != TZ_OK)
        return status;
    if (!m->spilled)
        begin(m->chart, schedule, m->last, true);
    m->spilled = true;
    status = tz_schedule_seal(schedule);
    if (status == TZ_OK)
        status = run(m->chart, schedule);
    schedule->tasks = schedule->blocks = schedule->operands = schedule->edges = 0;
    tz_first_write_none(schedule, m->chart);
    return status;
}

/* Adds the pass's steps first..first+steps-1 at a stage; s: the stages it belongs to, for steps
 * that can be bundled, or NULL. */
static tz_status add(maker *m, unsigned first, unsigned steps, const int64_t *stage,
                     const stages *s) {
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
        if (step[i].bundles && s != NULL && tz_can_be_blocks(m->chart, &step[i]))
            status = tz_schedule_bundle(schedule, m->chart, &step[i], stage[0],
                                        outside ? s->high[0] : s->low[0],
                                        outside ? s->low[0] : s->high[0]);
        else
            status = tz_schedule_step(schedule, m->chart, &step[i], stage);
        if (status == TZ_OK && schedule->blocks > MOST_BLOCKS)
            status = spill(m);
    }
    return status;
}

static tz_status add_group(maker *m, const tz_group *group, bool outside) {
    const tz_chart *chart = m->chart;
    const tz_plan *plan = chart->plan;
    stages s = {.count = group->stages};
    bool started = false;
    for (unsigned k = 0; k < group->kinds; k++) {
        const tz_kind *kind = &plan->rules->kind[group->kind[k]];
        widen(chart, kind, chart->bound.longest, &s, &started);
        for (size_t lane = 0; lane < chart->lanes && !chart->bound.same_lengths && !plan->growing;
             lane++)
            widen(chart, kind, tz_lane_length(chart, lane), &s, &started);
    }
    if (!started)
        return TZ_OK;
    for (unsigned c = 0; c < s.count; c++)
        s.at[c] = outside ? s.high[c] : s.low[c];
    do {
        for (unsigned i = 0; i < group->kinds; i++) {
            const tz_kind *kind =
                &plan->rules->kind[group->kind[outside ? group->kinds - 1 - i : i]];
            tz_status status = outside ? add(m, kind->outside, kind->outsides, s.at, &s)
                                       : add(m, kind->inside, kind->insides, s.at, &s);
            if (status != TZ_OK)
                return status;
        }
    } while (next_stage(&s, outside));
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
    tz_status status = tz_schedule_start(schedule, chart, pass);
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
        begin(chart, schedule, m.last, true);
    return run(chart, schedule);
}

static bool fits(const tz_schedule *s, const tz_chart *chart, tz_pass pass) {
    return s->complete && s->pass == pass && s->algebra == chart->algebra &&
           s->lanes == chart->lanes && s->same_lengths == chart->bound.same_lengths &&
           s->shared_lengths == chart->bound.shared_lengths &&
           memcmp(s->longest, chart->bound.longest, sizeof s->longest) == 0;
}

static size_t bytes_of(const tz_schedule *s) {
    return s->task.size + s->block.size + s->operand.size + s->edge.size + s->ready.size +
           s->unwritten.size + s->row.size;
}

/* The schedule for the pass, moved to the head of the chart's list: one made before, or one to be
 * made, which takes the memory of the one not used for longest where there is much of it. */
static tz_schedule *find(tz_chart *chart, tz_pass pass) {
    tz_schedule **link = &chart->passes.schedule, **last = link;
    size_t bytes = 0;
    for (; *link != NULL && !fits(*link, chart, pass); link = &(*link)->next) {
        bytes += bytes_of(*link);
        last = link;
    }
    if (*link == NULL && *last != NULL && (bytes > MOST_KEPT || !(*last)->complete))
        link = last;
    tz_schedule *found = *link;
    if (found == NULL)
        found = calloc(1, sizeof *found);
    else
        *link = found->next;
    if (found != NULL) {
        found->next = chart->passes.schedule;
        chart->passes.schedule = found;
    }
    return found;
}

void tz_schedules_free(tz_chart *chart) {
    memset(chart->passes.last, 0, sizeof chart->passes.last);
    while (chart->passes.schedule != NULL) {
        tz_schedule *next = chart->passes.schedule->next;
        tz_schedule_free(chart->passes.schedule);
        chart->passes.schedule = next;
    }
}

/* Schedules hold the addresses of spaces, and go where one has moved; what it held is lost. */
static void look_for_moved(tz_chart *chart) {
    bool moved = false;
    for (unsigned s = 0; s < TZ_SPACES; s++) {
        size_t before = chart->passes.size[s];
        chart->passes.size[s] = chart->space[s].size; /* spaces only grow */
        if (chart->passes.size[s] != before)
            chart->passes.last[s] = NULL;
        moved |= before > 0 && chart->passes.size[s] != before;
    }
    if (moved)
        tz_schedules_free(chart);
}

void tz_pass_spoiled(tz_chart *chart, tz_pass pass) {
    chart->passes.last[target[pass]] = NULL;
}

tz_status tz_compute_pass(tz_chart *chart, tz_pass pass) {
    if (chart->plan->plain)
        return tz_interpret(chart, pass);
    tz_status status = tz_space_reserve(chart, target[pass]);
    if (status == TZ_OK && pass == TZ_PASS_TANGENTS)
        status = tz_scale_weights_by_direction(chart);
    if (status != TZ_OK)
        return status;
    look_for_moved(chart);
    tz_schedule *schedule = find(chart, pass);
    if (schedule == NULL)
        return TZ_NO_MEMORY;
    if (!fits(schedule, chart, pass))
        return make_and_run(chart, schedule, pass);
    begin(chart, schedule, chart->passes.last[target[pass]], false);
    return run(chart, schedule);
}

tz_status tz_step_all_tiles(tz_chart *chart, const tz_bound_step *step, size_t lane, size_t lanes,
                            tz_tile_sink sink, void *user) {
    const tz_kind *kind = &chart->plan->rules->kind[step->target.which];
    stages s = {.count = step->stages};
    bool started = false;
    for (size_t l = lane; l < lane + lanes; l++)
        widen(chart, kind, tz_lane_length(chart, l), &s, &started);
    if (!started)
        return TZ_OK;
    memcpy(s.at, s.low, sizeof s.at);
    do {
        tz_status status = tz_step_tiles(chart, step, s.at, lane, lanes, sink, user);
        if (status != TZ_OK)
            return status;
    } while (next_stage(&s, false));
    return TZ_OK;
}
