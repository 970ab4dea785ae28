/* chart.c - a chart, with what each room keeps in it. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/modes.h"
#include "engine/ask/kbest/room.h"
#include "engine/ask/marginals/marginals.h"
#include "engine/ask/strips.h"
#include "engine/ask/trace/best.h"
#include "engine/chart/bind.h"
#include "engine/chart/entries.h"
#include "engine/chart/newer_cells.h"
#include "engine/chart/scale.h"
#include "engine/chart/score_maps.h"
#include "engine/closure/arcs.h"
#include "engine/layout/address.h"
#include "engine/layout/newer.h"
#include "engine/pass/kept.h"
#include "engine/problem/spread.h"
#include "engine/problem/structure.h"

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
        tz_buffer_reserve(&chart->pair, TZ_CHAINS + 2, plan->wide.size) != TZ_OK) {
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
    tz_passes_free(chart);
    tz_new_cells_free_all(chart);
    tz_newer_free_all(chart);
    tz_score_map_free_all(chart);
    tz_strip_chart_free(chart);
    tz_kbest_discard(chart->spare);
    tz_structures_free(&chart->structures);
    tz_given_free(&chart->given);
    tz_bound_free(&chart->bound);
    tz_layout_free(&chart->layout);
    tz_scaling_free(&chart->scaling);
    tz_entries_free(&chart->entries);
    tz_closure_free(&chart->closure);
    tz_marginals_free(&chart->marginals);
    tz_trace_free(&chart->trace);
    for (unsigned s = 0; s < TZ_SPACES; s++)
        tz_buffer_free(&chart->space[s]);
    TZ_FREE_BUFFERS(&chart->pair, &chart->risk);
    free(chart);
}
