/* states.c - names, arcs and final states added. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "automaton/automaton.h"
#include "base/grow.h"
#include "base/modes.h"

tz_automaton *tz_automaton_new(tz_arc_weights weights, bool transducer) {
    tz_automaton *a = calloc(1, sizeof *a);
    if (a != NULL && (a->arena = tz_arena_new()) == NULL) {
        free(a);
        return NULL;
    }
    if (a != NULL) {
        a->weights = weights;
        a->transducer = transducer;
    }
    return a;
}

int32_t tz_automaton_state(tz_automaton *a, const char *name, size_t size) {
    const size_t before = a->states.count;
    if (!tz_grow((void **)&a->final, &a->final_room, before + 1, sizeof *a->final) ||
        !tz_grow((void **)&a->final_number, &a->final_number_room, before + 1,
                 sizeof *a->final_number))
        return TZ_NO_NUMBER;
    const int32_t state = tz_name_table_add(&a->states, a->arena, name, size);
    if (state != TZ_NO_NUMBER && a->states.count > before) {
        a->final[state] = -INFINITY;
        a->final_number[state] = NAN; /* not said */
    }
    return state;
}

bool tz_automaton_add(tz_automaton *a, const tz_automaton_arc *arc, double number) {
    if (a->arcs >= TZ_MOST_ARCS ||
        !tz_grow((void **)&a->arc, &a->arc_room, a->arcs + 1, sizeof *a->arc) ||
        !tz_grow((void **)&a->number, &a->number_room, a->arcs + 1, sizeof *a->number))
        return false;
    a->arc[a->arcs] = *arc;
    a->number[a->arcs++] = number;
    return true;
}

double tz_automaton_number(tz_arc_weights weights, double score) {
    return weights == TZ_ARC_COSTS ? 0 - score : weights == TZ_ARC_LOGS ? score : exp(score);
}

tz_status tz_automaton_of_string(const char *const *label, size_t labels, tz_arc_weights weights,
                                 tz_automaton **ret) {
    TZ_DEFAULT_MODES;
    *ret = NULL;
    if (weights > TZ_ARC_PROBABILITIES)
        return TZ_BAD_ARGUMENT;
    if (labels >= TZ_MAX_LENGTH)
        return TZ_TOO_LARGE;
    const double one = tz_automaton_number(weights, 0);
    tz_automaton *a = tz_automaton_new(weights, false);
    bool made = a != NULL;
    for (size_t i = 0; i <= labels && made; i++) {
        char name[24];
        const int size = snprintf(name, sizeof name, "%zu", i);
        const int32_t state = tz_automaton_state(a, name, (size_t)size);
        tz_automaton_arc arc = {.from = state - 1, .to = state, .origin = {-1, -1}};
        made = state != TZ_NO_NUMBER;
        if (made && i > 0) {
            arc.input = arc.output =
                tz_name_table_add(&a->inputs, a->arena, label[i - 1], strlen(label[i - 1]));
            made = arc.input != TZ_NO_NUMBER && tz_automaton_add(a, &arc, one);
        }
    }
    if (made) {
        a->final[labels] = 0;
        a->final_number[labels] = one;
    }
    const tz_status status = made ? tz_automaton_finish(a) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        *ret = a;
    else
        tz_automaton_free(a);
    return status;
}

void tz_automaton_free(tz_automaton *a) {
    if (a == NULL)
        return;
    tz_name_table_free(&a->states);
    tz_name_table_free(&a->inputs);
    tz_name_table_free(&a->outputs);
    tz_table_free(&a->by_ends);
    void *const arrays[] = {a->arc, a->number,     a->final, a->final_number, a->begin,
                            a->end, a->pair_score, a->pair,  a->pair_arc};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    tz_arena_free(a->arena);
    free(a);
}

const tz_automaton_parts *tz_automaton_parts_of(const tz_automaton *a) {
    return &a->parts;
}
