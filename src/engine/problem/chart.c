/* chart.c - a chart, with what each room keeps in it. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/modes.h"
#include "engine/ask/kbest/room.h"
#include "engine/ask/strips.h"
#include "engine/chart/score_maps.h"
#include "engine/layout/indices.h"
#include "engine/layout/newer.h"
#include "engine/pass/kept.h"
#include "engine/problem/spread.h"

tz_status tz_chart_new(const tz_plan *plan, tz_chart **ret_chart) {
    *ret_chart = NULL;
    if (plan == NULL)
        return TZ_BAD_ARGUMENT;
    tz_chart *chart = calloc(1, sizeof *chart);
    if (chart == NULL)
        return TZ_NO_MEMORY;
    chart->plan = plan;
    chart->algebra = plan->has_narrow ? &plan->narrow : &plan->wide;
    chart->layout.box = calloc(plan->rules->kinds + 1u, sizeof *chart->layout.box);
    chart->layout.weight_box = calloc(plan->rules->weights + 1u, sizeof *chart->layout.weight_box);
    chart->layout.shape = calloc(plan->rules->weights + 1u, sizeof *chart->layout.shape);
    chart->bound.score_layout =
        calloc(plan->rules->weights + 1u, sizeof *chart->bound.score_layout);
    chart->layout.address = calloc(plan->addresses + 1, sizeof *chart->layout.address);
    chart->scaling.first_form =
        calloc(plan->rules->weights + 1u, TZ_FORMS * sizeof *chart->scaling.first_form);
    if (chart->layout.box == NULL || chart->layout.weight_box == NULL ||
        chart->layout.address == NULL || chart->scaling.first_form == NULL ||
        chart->layout.shape == NULL || chart->bound.score_layout == NULL ||
        tz_buffer_reserve(&chart->pair, TZ_CHAINS + 1, plan->wide.size) != TZ_OK ||
        tz_strip_chart_new(chart) != TZ_OK) {
        tz_chart_free(chart);
        return TZ_NO_MEMORY;
    }
    *ret_chart = chart;
    return TZ_OK;
}

void tz_chart_watch(tz_chart *chart, tz_watch *opt_watch) {
    TZ_DEFAULT_MODES;
    chart->watching = tz_watching_of(opt_watch, true, NULL);
}

void tz_chart_free(tz_chart *chart) {
    if (chart == NULL)
        return;
    tz_schedules_free(chart);
    tz_newer_free_all(chart);
    tz_score_map_free_all(chart);
    tz_strip_chart_free(chart);
    tz_chart_free(chart->structures.chart);
    tz_plan_free(chart->structures.plan);
    tz_semiring_free(chart->structures.semiring);
    tz_kbest_discard(chart->spare);
    tz_given_free(&chart->given);
    tz_indices_free(&chart->entries.known);
    for (unsigned s = 0; s < TZ_SPACES; s++)
        tz_buffer_free(&chart->space[s]);
    tz_buffer *buffer[] = {&chart->structures.scores,
                           &chart->structures.sorted,
                           &chart->structures.facts,
                           &chart->structures.cells,
                           &chart->structures.most,
                           &chart->structures.data,
                           &chart->passes.scratch,
                           &chart->marginals.gathered,
                           &chart->pair,
                           &chart->passes.ranges,
                           &chart->trace.nodes,
                           &chart->trace.uses,
                           &chart->trace.pending,
                           &chart->bound.lengths_memory,
                           &chart->bound.scores_memory,
                           &chart->scaling.memory,
                           &chart->trace.sorted,
                           &chart->trace.sorting,
                           &chart->trace.positions,
                           &chart->bound.facts_memory,
                           &chart->bound.lane_facts_memory,
                           &chart->bound.items_memory,
                           &chart->risk,
                           &chart->trace.products,
                           &chart->bound.inputs_memory,
                           &chart->marginals.cell,
                           &chart->marginals.table,
                           &chart->marginals.map,
                           &chart->marginals.to,
                           &chart->marginals.asked,
                           &chart->marginals.goal,
                           &chart->marginals.widened,
                           &chart->bound.padded_memory,
                           &chart->bound.padding,
                           &chart->entries.element,
                           &chart->entries.place,
                           &chart->entries.uses,
                           &chart->entries.finder,
                           &chart->entries.sorted,
                           &chart->entries.kept,
                           &chart->entries.move,
                           &chart->entries.choice,
                           &chart->entries.keyed,
                           &chart->entries.record,
                           &chart->entries.hash,
                           &chart->entries.block,
                           &chart->entries.operand,
                           &chart->closure.node,
                           &chart->closure.arc,
                           &chart->closure.product,
                           &chart->closure.number,
                           &chart->closure.value,
                           &chart->closure.work,
                           &chart->closure.matrix};
    for (size_t b = 0; b < sizeof buffer / sizeof *buffer; b++)
        tz_buffer_free(buffer[b]);
    free(chart->scaling.first_form);
    free(chart->layout.box);
    free(chart->layout.weight_box);
    free(chart->layout.shape);
    free(chart->bound.score_layout);
    free(chart->layout.address);
    free(chart);
}
