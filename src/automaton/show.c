/* show.c - an automaton as text. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* What nothing is called: as the symbol table has it, or a name that no label has. */
typedef struct nothing {
    const char *name;
    char made[32];
} nothing;

static void name_nothing(nothing *ret, const tz_name_table *labels, const char *opt_said) {
    static const char *const usual[] = {"<eps>", "0"};
    ret->name = opt_said != NULL ? opt_said : usual[0];
    for (size_t i = 1; tz_name_table_find(labels, ret->name, strlen(ret->name)) != TZ_NO_NUMBER;
         i++) {
        snprintf(ret->made, sizeof ret->made, "<eps-%zu>", i);
        ret->name = i < sizeof usual / sizeof *usual ? usual[i] : ret->made;
    }
}

static void put_arc(tz_text *text, const tz_automaton *a, size_t i, const nothing nothing[2]) {
    const tz_automaton_arc *arc = &a->arc[i];
    tz_text_put(text, a->states.name[arc->from]);
    put_name(text, a->states.name[arc->to]);
    put_name(text, arc->input < 0 ? nothing[0].name : a->inputs.name[arc->input]);
    if (a->transducer)
        put_name(text, arc->output < 0 ? nothing[1].name : a->outputs.name[arc->output]);
    put_weight(text, a, a->number[i]);
}

static void put_final(tz_text *text, const tz_automaton *a, size_t state) {
    const double number = a->final_number[state];
    tz_text_put(text, a->states.name[state]);
    /* A start that leads nowhere is shown all the same. */
    put_weight(text, a, isnan(number) ? tz_automaton_number(a->weights, -INFINITY) : number);
}

/* The states before this one that no line has named yet are final, and get their line here, so that
 * those of the text have the same order. said: states that have been named; done: final ones. */
static void put_before(tz_text *text, const tz_automaton *a, int32_t state, int32_t *said,
                       bool *done) {
    for (; *said < state; ++*said) {
        put_final(text, a, (size_t)*said);
        done[*said] = true;
    }
}

size_t tz_automaton_show(const tz_automaton *a, char *ret_text, size_t size) {
    TZ_DEFAULT_MODES;
    tz_text text = {0};
    nothing nothing[2];
    bool *done = calloc(a->states.count + 1, sizeof *done);
    if (done == NULL)
        return 0;
    name_nothing(&nothing[0], &a->inputs, a->nothing[0]);
    name_nothing(&nothing[1], &a->outputs, a->nothing[1]);
    int32_t said = 0;
    if (a->arcs == 0)
        put_before(&text, a, a->start + 1, &said, done);
    for (size_t i = 0; i < a->arcs; i++) {
        const int32_t from = a->arc[i].from, to = a->arc[i].to;
        put_before(&text, a, from, &said, done);
        if (to > said + (from == said))
            put_before(&text, a, to, &said, done);
        said += from == said;
        said += to == said;
        put_arc(&text, a, i, nothing);
    }
    for (size_t s = 0; s < a->states.count; s++)
        if (!isnan(a->final_number[s]) && !done[s])
            put_final(&text, a, s);
    free(done);
    return tz_text_hand_out(&text, ret_text, size);
}
