/* cells.h - forms and cells of a trace, for the lengths that are bound.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_CELLS_H
#define TZ_ENGINE_ASK_TRACE_CELLS_H

#include "engine/engine.h"
#include "engine/plan/trace_plan.h"

/* tz_trace_plan for what is bound. */
struct tz_trace_chart {
    uint64_t version; /* of the layout that kinds and the cells' strides fit */
    bool filled;      /* all else fits the lengths and arrays that follow */
    int32_t length[TZ_MAX_LENGTHS];
    const void *inside, *weight;
    tz_trace_kind *kind;
    tz_trace_step *step;
    tz_small_step *small; /* [steps], where they are small */
    tz_linear *form;
    tz_trace_cell *cell;
};

/* chart->trace.cells for a new chart. */
tz_status tz_trace_chart_new(tz_chart *chart);
void tz_trace_chart_free(tz_chart *chart);
/* Sets it up for a lane of the chart. */
void tz_trace_prepare(tz_chart *chart, size_t lane);

/* Is there a direct step that gives the item one derivation and no more, an axiom? The lane has
 * been prepared. */
bool tz_trace_is_leaf(const tz_chart *chart, unsigned kind, const int32_t *index);

#endif
