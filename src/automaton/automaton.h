/* automaton.h - the parts of an automaton. SPDX-License-Identifier: MIT */
#ifndef TZ_AUTOMATON_AUTOMATON_H
#define TZ_AUTOMATON_AUTOMATON_H

#include <trapeze/automaton.h>

#include "base/arena.h"
#include "base/table.h"

enum { TZ_MOST_ARCS = INT32_MAX / 4 };

struct tz_automaton {
    tz_arena *arena;
    tz_arc_weights weights;
    bool transducer;
    tz_name_table states, inputs, outputs; /* outputs: of transducers */
    const char *nothing[2]; /* as the symbol tables call it that is read, written; NULL: not said */
    tz_automaton_arc *arc;
    double *number; /* [arcs] their weights as they are shown */
    size_t arcs, arc_room, number_room;
    double *final, *final_number; /* [states] log weights; -INFINITY: not final */
    size_t final_room, final_number_room;
    int32_t start;
    double *begin, *end, *pair_score;
    int32_t *pair, *pair_arc;
    size_t vertices, pairs;
    tz_table by_ends; /* of pairs */
    tz_automaton_parts parts;
};

tz_automaton *tz_automaton_new(tz_arc_weights weights, bool transducer);

/* The state of a name, made if new, not final until set so; TZ_NO_NUMBER when memory is out. */
int32_t tz_automaton_state(tz_automaton *automaton, const char *name, size_t size);
/* Adds an arc; false when memory is out. */
bool tz_automaton_add(tz_automaton *automaton, const tz_automaton_arc *arc, double number);
/* A log weight as it is shown. */
double tz_automaton_number(tz_arc_weights weights, double score);

/* Makes the public parts. TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_automaton_finish(tz_automaton *automaton);

#endif
