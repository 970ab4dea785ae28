/* best.c - the best derivation, found again from the values: no back-pointers.
 * SPDX-License-Identifier: MIT */
#include "engine/ask/trace/best.h"
#include "base/modes.h"
#include "engine/ask/strips.h"
#include "engine/ask/trace/item.h"
#include "engine/ask/trace/name.h"
#include "engine/ask/trace/uses.h"
#include "engine/chart/facts.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"

/* The nodes, unless `nodes` is NULL, and uses of the best derivation of a kind's cell, after
 * tz_inside; *ret_cell: where its element stands. */
static tz_status trace_from(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                            tz_buffer *nodes, tz_traced *ret_traced, ptrdiff_t *ret_cell) {
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        at[q] = index[q];
    ptrdiff_t cell = *ret_cell = tz_cell_offset(chart, kind, at);
    if (cell < 0 || tz_is_zero(chart, tz_cell(chart, TZ_AT_INSIDE, cell, problem)))
        return TZ_NONE;
    tz_status status = tz_strips_prepare(chart, TZ_TRACED, problem);
    if (status != TZ_OK)
        return status;
    *ret_traced = (tz_traced){&chart->trace.pending, nodes, &chart->trace.uses, 0, 0};
    return tz_trace_item(chart, problem, kind, index, ret_traced);
}

/* The best derivation of a kind's cell, after tz_inside. */
static tz_status derive_from(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                             const tz_derivation **ret_derivation) {
    const tz_plan *plan = chart->plan;
    tz_traced traced;
    ptrdiff_t cell;
    tz_status status = trace_from(chart, problem, kind, index, &chart->trace.nodes, &traced, &cell);
    if (status == TZ_OK && traced.uses > 0)
        status = tz_sort_uses(chart, problem, &traced, &chart->trace.sorting, &chart->trace.sorted,
                              &chart->trace.by_node);
    if (status != TZ_OK)
        return status;
    chart->trace.best = (tz_derivation){
        .score = plan->wide.value(plan->wide.semiring, tz_cell(chart, TZ_AT_INSIDE, cell, problem)),
        .uses = traced.uses,
        .nodes = traced.nodes,
        .use = traced.uses > 0 ? chart->trace.sorted.data : NULL,
        .node = chart->trace.nodes.data,
        .by_node = traced.uses > 0 ? chart->trace.by_node.data : NULL};
    *ret_derivation = &chart->trace.best;
    return TZ_OK;
}

/* What both ask of the chart. */
static tz_status check_traceable(const tz_chart *chart, size_t problem) {
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    return chart->plan->wide.semiring->laws & TZ_PATH ? TZ_OK : TZ_LAW;
}

/* The goal's index values, [TZ_MAX_RANK]. */
static tz_status find_goal(const tz_chart *chart, size_t problem, int32_t *ret_index) {
    const tz_rules *rules = chart->plan->rules;
    tz_status status = check_traceable(chart, problem);
    if (status != TZ_OK)
        return status;
    for (unsigned q = 0; q < rules->kind[rules->goal.which].rank; q++)
        ret_index[q] = (int32_t)tz_form_value(&rules->goal.index[q], rules->lengths,
                                              tz_lane_length(chart, problem), 0, NULL);
    return tz_goal_missing(chart, problem) ? TZ_NONE : TZ_OK;
}

tz_status tz_trace_best(tz_chart *chart, size_t problem, const tz_derivation **ret_derivation) {
    int32_t index[TZ_MAX_RANK] = {0};
    *ret_derivation = NULL;
    tz_status status = find_goal(chart, problem, index);
    if (status != TZ_OK)
        return status;
    return derive_from(chart, problem, chart->plan->rules->goal.which, index, ret_derivation);
}

tz_status tz_trace_uses(tz_chart *chart, size_t problem, const tz_use **ret_use, size_t *ret_uses) {
    int32_t index[TZ_MAX_RANK] = {0};
    tz_traced traced;
    ptrdiff_t cell;
    tz_status status = find_goal(chart, problem, index);
    if (status == TZ_OK)
        status =
            trace_from(chart, problem, chart->plan->rules->goal.which, index, NULL, &traced, &cell);
    if (status != TZ_OK)
        return status;
    *ret_use = chart->trace.uses.data;
    *ret_uses = traced.uses;
    return TZ_OK;
}

tz_status tz_trace_best_item(tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                             const tz_derivation **ret_derivation) {
    *ret_derivation = NULL;
    tz_status status = check_traceable(chart, problem);
    if (status != TZ_OK)
        return status;
    const tz_rules *rules = chart->plan->rules;
    if (item >= rules->items)
        return TZ_BAD_ARGUMENT;
    const tz_kind *kind = &rules->kind[item];
    int64_t at[TZ_MAX_RANK] = {0};
    int32_t whole[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < kind->rank; q++)
        at[q] = whole[q] = index[q];
    if (!tz_domain_holds(&kind->domain, rules->lengths, tz_lane_length(chart, problem), kind->rank,
                         at))
        return TZ_NONE;
    return derive_from(chart, problem, (unsigned)item, whole, ret_derivation);
}

/* With the uses as the caller knows them. */
static tz_status name_best(tz_chart *chart, size_t problem, tz_status status) {
    return status == TZ_OK
               ? tz_name_uses(chart, problem, &chart->trace.best, chart->trace.sorted.data,
                              chart->trace.by_node.data, &chart->trace.positions)
               : status;
}

tz_status tz_best(tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                  const tz_derivation **ret_derivation) {
    TZ_DEFAULT_MODES;
    return name_best(chart, problem,
                     item == TZ_GOAL
                         ? tz_trace_best(chart, problem, ret_derivation)
                         : tz_trace_best_item(chart, problem, item, index, ret_derivation));
}

tz_status tz_best_uses(tz_chart *chart, size_t problem, const tz_use **ret_use, size_t *ret_uses) {
    TZ_DEFAULT_MODES;
    *ret_use = NULL;
    *ret_uses = 0;
    tz_status status = tz_trace_uses(chart, problem, ret_use, ret_uses);
    if (status == TZ_OK) {
        tz_score_uses(chart, problem, chart->trace.uses.data, *ret_uses);
        status = tz_name_cells(chart, problem, *ret_use, *ret_uses, &chart->trace.sorted, ret_use);
    }
    if (status != TZ_OK) {
        *ret_use = NULL;
        *ret_uses = 0;
    }
    return status;
}

void tz_trace_free(tz_trace_memory *t) {
    TZ_FREE_BUFFERS(&t->nodes, &t->uses, &t->pending, &t->sorted, &t->sorting, &t->by_node,
                    &t->positions, &t->products);
}
