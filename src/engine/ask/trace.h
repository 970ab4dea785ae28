/* trace.h - how best derivations are found again.
 *
 * The direct way: the instances of a step lie along one loop (or two) over the split, where each
 * operand stands at fixed strides, so the semiring looks through them at once. What that takes is
 * worked out when the plan is made (trace_plan.c) and when lengths are bound (trace_cells.c). The
 * general way (trace_scan.c) evaluates instance by instance: sparse weights, weights without a
 * place, more loops, index expressions of several variables, semirings without `find`.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_H
#define TZ_ENGINE_ASK_TRACE_H

#include "engine/ask/expand.h"
#include "engine/plan/trace_plan.h"

/* The same for what is bound. */
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

#define TZ_NO_TURN SIZE_MAX

/* An item still to do. */
typedef struct tz_pending {
    int64_t pair[TZ_TRACE_PAIRS];
    uint32_t kind;
} tz_pending;

/* A derivation on its way. There is room for what one item more adds. */
typedef struct tz_tracer {
    tz_chart *chart;
    size_t lane, behind;     /* behind: so many bytes its elements stand behind those of lane 0 */
    tz_pending *pending;     /* end of the stack */
    const tz_buffer *bottom; /* where the stack begins */
    tz_node *node;           /* ends of the lists */
    tz_use *use;
} tz_tracer;

/* A derivation as it is traced: nodes in preorder, uses in the same order, those of dense weights
 * without scores (tz_sort_uses fills them in). */
typedef struct tz_traced {
    tz_buffer *pending, *node, *use; /* memory for it */
    size_t nodes, uses;
} tz_traced;

/* The best derivation of a kind's cell that is not zero; the lane has been prepared. TZ_NONE where
 * times does not keep what `find` asks of it; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_trace_item(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        tz_traced *to);

/* Takes an item off the stack and adds its best instance, found the general way; false if there is
 * none. */
bool tz_trace_scan(tz_tracer *t);

/* Adds an instance of an item: a node unless it is a fold, premises, uses. */
void tz_trace_add(tz_tracer *t, unsigned kind, const int32_t *index, const tz_instance *instance);

/* The uses of a lane's derivation in the documented order, in *ret_sorted, with the scores of dense
 * weights filled in. sorting: memory to work in. */
tz_status tz_sort_uses(const tz_chart *chart, size_t lane, const tz_use *use, size_t count,
                       tz_buffer *sorting, tz_buffer *ret_sorted);

#endif
