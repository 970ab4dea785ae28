/* tracer.h - the state of tracing a derivation. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_TRACER_H
#define TZ_ENGINE_ASK_TRACE_TRACER_H

#include "engine/ask/expand.h"
#include "engine/ask/strips.h"

/* The state of tracing a derivation. */
typedef struct tz_tracer {
    tz_trail trail;
    tz_chart *chart;
    size_t lane;
    bool expands;     /* tz_expand_prepare is done */
    tz_status status; /* why no instance was found; TZ_OK: there is none */
} tz_tracer;

/* Takes an item off the stack and adds its best instance, found the general way; false if there is
 * none. */
bool tz_trace_scan(tz_tracer *t);

#endif
