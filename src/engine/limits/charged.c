/* charged.c - the charged rules: items hold the amount as an index, so the best derivation of every
 * amount is that of one item. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/ask/trace/best.h"
#include "engine/limits/limits.h"
#include "engine/problem/bind.h"

/* An interval of priced amounts as one of a side's resource. */
static void take_ends(const tz_limit_chart *c, const tz_limit_side *side, int64_t *low,
                      int64_t *high) {
    tz_limit_ends(c, c->side, low, high);
    tz_limit_ends(c, side, low, high);
}

const tz_limit_side *tz_charged_choose(const tz_limit_chart *c, int64_t low, int64_t high,
                                       int64_t *ret_most) {
    const tz_limit_side *best = NULL;
    *ret_most = INT64_MAX;
    for (unsigned s = 0; s < c->limiter->sides; s++) {
        const tz_limit_side *side = &c->limiter->side[s];
        int64_t first = low, last = high;
        take_ends(c, side, &first, &last);
        if (side->plan != NULL && last >= 0 && last <= TZ_MAX_LENGTH && last < *ret_most) {
            *ret_most = last;
            best = side;
        }
    }
    return best;
}

static tz_chart *chart_of(const tz_limit_chart *c, const tz_limit_side *side) {
    return c->charged[side - c->limiter->side];
}

/* The facts of the problem at hand: of items, they speak of every amount. */
static tz_status take_facts(tz_limit_chart *c, tz_problem *to) {
    const tz_rules *rules = c->limiter->rules;
    size_t count = 0;
    for (size_t f = 0; f < to->fact_count; f++)
        count += to->facts[f].count;
    tz_status status = tz_buffer_reserve(&c->facts, to->fact_count, sizeof(tz_fact));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&c->cells, count, sizeof(tz_cells));
    if (status != TZ_OK)
        return status;
    tz_fact *fact = c->facts.data;
    tz_cells *cells = c->cells.data;
    for (size_t f = 0; f < to->fact_count; f++) {
        fact[f] = to->facts[f];
        fact[f].cells = cells;
        for (size_t i = 0; i < fact[f].count; i++, cells++) {
            *cells = to->facts[f].cells[i];
            if (cells->weight >= TZ_ITEM)
                cells->index[rules->item[cells->weight - TZ_ITEM].rank] = TZ_ANY;
        }
    }
    to->facts = fact;
    return TZ_OK;
}

tz_status tz_charged_evaluate(tz_limit_chart *c, const tz_limit_side *side, int64_t low,
                              int64_t high) {
    const tz_rules *rules = c->limiter->rules;
    int32_t lengths[TZ_MAX_LENGTHS];
    take_ends(c, side, &low, &high);
    memcpy(lengths, c->problem->lengths, rules->lengths * sizeof *lengths);
    lengths[rules->lengths] = (int32_t)high; /* the most that may be used */
    tz_problem problem = *c->problem;
    problem.lengths = lengths;
    tz_status status = take_facts(c, &problem);
    if (status == TZ_OK)
        status = tz_bind_spread(chart_of(c, side), &problem, 1, NULL);
    return status == TZ_OK ? tz_inside(chart_of(c, side)) : status;
}

/* The goal's item with this priced amount, as the charged rules have it. */
static unsigned goal_of(const tz_limit_chart *c, const tz_limit_side *side, int64_t amount,
                        int32_t *ret_index) {
    size_t item = 0;
    unsigned rank = 0;
    int64_t last = amount;
    take_ends(c, side, &amount, &last);
    /* Lengths that have been bound are right. */
    tz_rules_goal(c->limiter->rules, c->problem->lengths, &item, &rank, ret_index);
    ret_index[rank] = (int32_t)last;
    return (unsigned)item;
}

double tz_charged_goal(const tz_limit_chart *c, const tz_limit_side *side, int64_t amount) {
    int32_t index[TZ_MAX_RANK];
    unsigned item = goal_of(c, side, amount, index);
    double value = -INFINITY;
    tz_item_value(chart_of(c, side), 0, item, index, false, &value);
    return value;
}

tz_status tz_charged_trace(tz_limit_chart *c, const tz_limit_side *side, int64_t amount,
                           tz_kept *to) {
    int32_t index[TZ_MAX_RANK];
    unsigned item = goal_of(c, side, amount, index);
    const tz_derivation *found;
    tz_status status = tz_trace_best_item(chart_of(c, side), 0, item, index, &found);
    return status == TZ_OK ? tz_limit_keep(c, found, to) : status;
}
