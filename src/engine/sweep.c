/* sweep.c - inside and outside: every step of every kind, stage by stage.
 *
 * Inside goes through groups, stages and kinds in the compiler's order; outside goes through all of
 * it backwards with the derived steps (Goodman 1999, sections 2 and 4). SPDX-License-Identifier:
 * MIT */
#include <string.h>

#include "engine/engine.h"

typedef struct stages {
    unsigned count;
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    int64_t at[TZ_MAX_RANK];
} stages;

/* Widens the ranges of stages by those of a kind for some lanes; false if the kind is empty. */
static void widen(const tz_chart *chart, const tz_kind *kind, size_t lane, size_t lanes,
                  stages *ret, bool *started) {
    unsigned lengths = chart->plan->rules->lengths;
    for (size_t l = lane; l < lane + lanes; l++) {
        int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
        bool empty = false;
        for (unsigned s = 0; s < ret->count; s++) {
            tz_range_value(&kind->stage_range[s], lengths, tz_lane_length(chart, l), 0, NULL,
                           &low[s], &high[s]);
            empty |= low[s] > high[s];
        }
        if (empty)
            continue;
        for (unsigned s = 0; s < ret->count; s++) {
            ret->low[s] = *started && ret->low[s] < low[s] ? ret->low[s] : low[s];
            ret->high[s] = *started && ret->high[s] > high[s] ? ret->high[s] : high[s];
        }
        *started = true;
    }
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

static tz_status contract_tile(tz_chart *chart, const tz_tile *tile, void *user) {
    (void)user;
    const tz_plan *plan = chart->plan;
    tz_operands operands;
    tz_status status = tz_tile_operands(chart, tile, &operands);
    if (status != TZ_OK)
        return status;
    if (plan->contract != NULL)
        plan->contract(plan->semiring, &operands.block);
    else
        tz_plain_contract(plan, &operands.block, chart->pair.data);
    return TZ_OK;
}

static tz_status sweep_group(tz_chart *chart, const tz_group *group, bool outside) {
    const tz_plan *plan = chart->plan;
    const tz_rules *rules = plan->rules;
    stages s = {.count = group->stages};
    bool started = false;
    for (unsigned k = 0; k < group->kinds; k++)
        widen(chart, &rules->kind[group->kind[k]], 0, chart->lanes, &s, &started);
    if (!started)
        return TZ_OK;
    for (unsigned c = 0; c < s.count; c++)
        s.at[c] = outside ? s.high[c] : s.low[c];
    do {
        for (unsigned i = 0; i < group->kinds; i++) {
            unsigned k = group->kind[outside ? group->kinds - 1 - i : i];
            const tz_kind *kind = &rules->kind[k];
            const tz_bound_step *step =
                outside ? plan->outside + kind->outside : plan->inside + kind->inside;
            unsigned steps = outside ? kind->outsides : kind->insides;
            for (unsigned t = 0; t < steps; t++) {
                tz_status status =
                    tz_step_tiles(chart, &step[t], s.at, 0, chart->lanes, contract_tile, NULL);
                if (status != TZ_OK)
                    return status;
            }
        }
    } while (next_stage(&s, outside));
    return TZ_OK;
}

tz_status tz_step_all_tiles(tz_chart *chart, const tz_bound_step *step, size_t lane, size_t lanes,
                            tz_tile_sink sink, void *user) {
    const tz_rules *rules = chart->plan->rules;
    const tz_kind *kind = &rules->kind[step->target.which];
    stages s = {.count = rules->group[kind->group].stages};
    bool started = false;
    widen(chart, kind, lane, lanes, &s, &started);
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

/* Makes every value zero. */
static tz_status clear(tz_chart *chart, tz_buffer *buffer) {
    const tz_plan *plan = chart->plan;
    size_t count = chart->items * chart->lanes, size = plan->size;
    tz_status status = tz_buffer_reserve(buffer, count, size);
    if (status != TZ_OK || count == 0)
        return status;
    char *data = buffer->data;
    memcpy(data, plan->zero, size);
    for (size_t done = size; done < count * size;) {
        size_t more = done < count * size - done ? done : count * size - done;
        memcpy(data + done, data, more);
        done += more;
    }
    return TZ_OK;
}

tz_status tz_inside(tz_chart *chart) {
    if (chart->state < TZ_BOUND)
        return TZ_BAD_ARGUMENT;
    const tz_rules *rules = chart->plan->rules;
    tz_status status = clear(chart, &chart->inside);
    for (unsigned g = 0; g < rules->groups && status == TZ_OK; g++)
        status = sweep_group(chart, &rules->group[g], false);
    chart->state = status == TZ_OK ? TZ_INSIDE_DONE : TZ_BOUND;
    return status;
}

tz_status tz_outside(tz_chart *chart) {
    if (chart->state < TZ_INSIDE_DONE)
        return TZ_BAD_ARGUMENT;
    const tz_plan *plan = chart->plan;
    tz_status status = clear(chart, &chart->outside);
    if (status != TZ_OK)
        return status;
    for (size_t lane = 0; lane < chart->lanes; lane++) {
        ptrdiff_t goal = tz_goal_offset(chart, lane);
        if (goal >= 0)
            memcpy(tz_outside_cell(chart, goal, lane), plan->one, plan->size);
    }
    for (unsigned g = plan->rules->groups; g-- > 0 && status == TZ_OK;)
        status = sweep_group(chart, &plan->rules->group[g], true);
    chart->state = status == TZ_OK ? TZ_OUTSIDE_DONE : TZ_INSIDE_DONE;
    return status;
}
