/* tracer.h - a derivation on its way. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_TRACER_H
#define TZ_ENGINE_ASK_TRACE_TRACER_H

#include "engine/ask/expand.h"
#include "engine/ask/trace/small.h"
#include "engine/plan/trace_plan.h"

/* An item still to do. Of its pairs, those past the plan's may be anything. */
typedef struct tz_pending {
    int64_t pair[TZ_TRACE_PAIRS];
    uint32_t kind;
} tz_pending;

static inline tz_pending tz_pending_item(unsigned kind, const int32_t *index) {
    tz_pending item = {.kind = kind};
    for (unsigned q = 0; q < TZ_MAX_RANK; q += 2)
        item.pair[q / 2] = tz_pair(index[q], q + 1 < TZ_MAX_RANK ? index[q + 1] : 0);
    return item;
}

/* A derivation on its way. There is room for what one item more adds. */
typedef struct tz_tracer {
    tz_chart *chart;
    size_t lane, behind;     /* behind: so many bytes its elements stand behind those of lane 0 */
    tz_pending *pending;     /* end of the stack */
    const tz_buffer *bottom; /* where the stack begins */
    /* Ends of the lists. Index values past those of the plan's pairs are 0 from the start: nothing
     * but zeros is ever written there. */
    tz_node *node;
    tz_use *use;
    tz_status status; /* why there is no instance; TZ_OK: there is none */
} tz_tracer;

/* Expands the item on top of the stack, its first premise, and so on, then the next one on the
 * stack, `count` at most and as long as they are leaves or of small kinds; returns how many it
 * did. The stack is not empty. */
size_t tz_trace_small(tz_tracer *tracer, const tz_trace_kind *kinds, size_t count);

/* Takes an item off the stack and adds its best instance, found the general way; false if there is
 * none. */
bool tz_trace_scan(tz_tracer *t);

/* Adds an instance of an item: a node unless it is a fold, premises, uses. */
void tz_trace_add(tz_tracer *t, unsigned kind, const int32_t *index, const tz_instance *instance);

#endif
