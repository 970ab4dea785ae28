/* show.c - an automaton as text. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "automaton/automaton.h"
#include "base/modes.h"
#include "base/text.h"

static void put_weight(tz_text *text, const tz_automaton *a, double number) {
    if (number == tz_automaton_number(a->weights, 0)) { /* as if there were none */
        tz_text_put(text, "\n");
        return;
    }
    tz_text_put(text, "\t");
    if (isinf(number))
        tz_text_put(text, number > 0 ? "Infinity" : "-Infinity");
    else
        tz_text_number(text, number);
    tz_text_put(text, "\n");
}

static void put_name(tz_text *text, const char *name) {
    tz_text_put(text, "\t");
    tz_text_put(text, name);
}

static void put_arc(tz_text *text, const tz_automaton *a, size_t i) {
    const tz_automaton_arc *arc = &a->arc[i];
    tz_text_put(text, a->states.name[arc->from]);
    put_name(text, a->states.name[arc->to]);
    put_name(text, arc->input < 0 ? "<eps>" : a->inputs.name[arc->input]);
    if (a->transducer)
        put_name(text, arc->output < 0 ? "<eps>" : a->outputs.name[arc->output]);
    put_weight(text, a, a->number[i]);
}

static void put_final(tz_text *text, const tz_automaton *a, size_t state) {
    const double number = a->final_number[state];
    tz_text_put(text, a->states.name[state]);
    /* A start that leads nowhere is shown all the same. */
    put_weight(text, a, isnan(number) ? tz_automaton_number(a->weights, -INFINITY) : number);
}

size_t tz_automaton_show(const tz_automaton *a, char *ret_text, size_t size) {
    TZ_DEFAULT_MODES;
    tz_text text = {0};
    bool leads = false; /* has a line of the start come? */
    for (size_t i = 0; i < a->arcs; i++)
        if (a->arc[i].from == a->start) {
            put_arc(&text, a, i);
            leads = true;
        }
    if (!leads)
        put_final(&text, a, (size_t)a->start);
    for (size_t i = 0; i < a->arcs; i++)
        if (a->arc[i].from != a->start)
            put_arc(&text, a, i);
    for (size_t s = 0; s < a->states.count; s++)
        if (!isnan(a->final_number[s]) && (leads || (int32_t)s != a->start))
            put_final(&text, a, s);
    return tz_text_hand_out(&text, ret_text, size);
}
