/* pass.c - inside, outside and the weight pass: every step of every kind, stage by stage.
 *
 * Inside goes through groups, stages and kinds in the compiler's order; outside goes through all of
 * it backwards with the derived steps (Goodman 1999, sections 2 and 4). The weight pass, the
 * outside of the weights, has no order. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/direction.h"
#include "engine/layout/newer.h"
#include "engine/layout/space.h"
#include "engine/pass/blocks.h"
#include "engine/pass/bundle.h"
#include "engine/pass/close.h"
#include "engine/pass/execute.h"
#include "engine/pass/first_write.h"
#include "engine/pass/kept.h"
#include "engine/pass/pass.h"
#include "engine/pass/repeat.h"
#include "engine/pass/stages.h"

enum {
    MOST_BLOCKS = 1 << 17, /* in memory for one pass: 90 MB at most */
    SCHEDULED = 1 << 10    /* products that take as long as to schedule a step at a stage */
};

typedef struct maker {
    tz_chart *chart;
    tz_schedule *schedule;
    const tz_schedule *last; /* what wrote to the target before; NULL if that is unknown */
    bool spilled;            /* a part has been run and forgotten */
    bool cleared;            /* before that: see execute.h */
} maker;

/* Runs what there is so far, to make room. What follows adds to rows that are clear. */
static tz_status spill(maker *m) {
    tz_schedule *schedule = m->schedule;
    tz_status status = m->spilled ? TZ_OK : tz_first_write_end(schedule, m->chart);
    if (status != TZ_OK)
        return status;
    if (!m->spilled)
        m->cleared = tz_schedule_begin(m->chart, schedule, m->last, true);
    m->spilled = true;
    status = tz_schedule_seal(schedule);
    if (status == TZ_OK)
        status = tz_schedule_run(m->chart, schedule, m->cleared);
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
    if (chart->passes.last[tz_pass_target[pass]] != schedule)
        m.last = chart->passes.last[tz_pass_target[pass]];
    for (unsigned s = 0; s < TZ_SPACES; s++)
        if (s == tz_pass_target[pass] || chart->passes.last[s] == schedule)
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
        m.cleared = tz_schedule_begin(chart, schedule, m.last, true);
    return tz_schedule_run(chart, schedule, m.cleared);
}

void tz_pass_spoiled(tz_chart *chart, tz_pass pass) {
    chart->passes.last[tz_pass_target[pass]] = NULL;
}

tz_status tz_compute_pass(tz_chart *chart, tz_pass pass) {
    /* Numbers that leave their range must be seen in each pass. */
    chart->closure.known.made = false;
    tz_status status = tz_space_reserve(chart, tz_pass_target[pass]);
    if (status == TZ_OK && pass == TZ_PASS_TANGENTS)
        status = tz_scale_weights_by_direction(chart);
    if (status != TZ_OK)
        return status;
    tz_schedule *schedule = tz_schedule_find(chart, pass);
    if (schedule == NULL)
        return TZ_NO_MEMORY;
    if (!tz_schedule_fits(schedule, chart, pass))
        return make_and_run(chart, schedule, pass);
    bool cleared =
        tz_schedule_begin(chart, schedule, chart->passes.last[tz_pass_target[pass]], false);
    return tz_schedule_run(chart, schedule, cleared);
}
