/* compose.c - the composition of two automata.
 *
 * A state is a pair, and whether the second one has followed an arc of nothing since the last label
 * that both have: from then on the first one may follow none, so its own come first.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "automaton/automaton.h"
#include "base/fail.h"
#include "base/grow.h"
#include "base/modes.h"

typedef struct pair_state {
    int32_t of[2];
    bool waits; /* the first one may follow no arc that writes nothing */
} pair_state;

typedef struct maker {
    const tz_automaton *of[2];
    uint32_t *start[2]; /* [states + 1] of a state's arcs, in `arc` */
    int32_t *arc[2];    /* those of the second one by input, nothing first */
    int32_t *reads;     /* [outputs of the first one] the label of the second one; -2: none */
    pair_state *state;
    size_t states, room;
    tz_table table;
    tz_automaton_arc *made; /* `from` and `to` are of `state` */
    size_t arcs, arc_room;
} maker;

/* ---- What is given --------------------------------------------------------------------------- */

/* Arcs in the order of their states, or of their inputs; those alike in the order of `given`, or of
 * their numbers. */
static bool sort_arcs(const tz_automaton *a, bool by_input, const int32_t *given,
                      uint32_t **ret_start, int32_t **ret_arc) {
    const size_t keys = by_input ? a->inputs.count + 1 : a->states.count;
    uint32_t *start = *ret_start = calloc(keys + 2, sizeof *start);
    int32_t *arc = *ret_arc = malloc((a->arcs + 1) * sizeof *arc);
    if (start == NULL || arc == NULL)
        return false;
    for (size_t i = 0; i < a->arcs; i++)
        start[(by_input ? a->arc[i].input + 1 : a->arc[i].from) + 2]++;
    for (size_t k = 2; k < keys + 2; k++)
        start[k] += start[k - 1];
    for (size_t i = 0; i < a->arcs; i++) {
        const int32_t number = given != NULL ? given[i] : (int32_t)i;
        const tz_automaton_arc *of = &a->arc[number];
        arc[start[(by_input ? of->input + 1 : of->from) + 1]++] = number;
    }
    return true;
}

static tz_status start(maker *m) {
    const tz_name_table *written = m->of[0]->transducer ? &m->of[0]->outputs : &m->of[0]->inputs;
    uint32_t *unused = NULL;
    int32_t *by_input = NULL;
    const bool sorted = sort_arcs(m->of[0], false, NULL, &m->start[0], &m->arc[0]) &&
                        sort_arcs(m->of[1], true, NULL, &unused, &by_input) &&
                        sort_arcs(m->of[1], false, by_input, &m->start[1], &m->arc[1]);
    free(unused);
    free(by_input);
    m->reads = malloc((written->count + 1) * sizeof *m->reads);
    if (!sorted || m->reads == NULL)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < written->count; i++) {
        m->reads[i] =
            tz_name_table_find(&m->of[1]->inputs, written->name[i], strlen(written->name[i]));
        if (m->reads[i] == TZ_NO_NUMBER)
            m->reads[i] = -2;
    }
    return TZ_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

typedef struct wanted_state {
    const maker *maker;
    pair_state state;
} wanted_state;

static bool same_state(const void *what, int32_t number) {
    const wanted_state *w = what;
    const pair_state *s = &w->maker->state[number];
    return s->of[0] == w->state.of[0] && s->of[1] == w->state.of[1] && s->waits == w->state.waits;
}

static tz_status find_state(maker *m, int32_t first, int32_t second, bool waits, int32_t *ret) {
    const wanted_state w = {m, {{first, second}, waits}};
    const uint64_t hash = tz_hash_more(tz_hash_more(waits, (uint64_t)first), (uint64_t)second);
    *ret = tz_table_find(&m->table, hash, same_state, &w);
    if (*ret != TZ_NO_NUMBER)
        return TZ_OK;
    if (m->states >= TZ_MOST_ARCS)
        return TZ_TOO_LARGE;
    if (!tz_grow((void **)&m->state, &m->room, m->states + 1, sizeof *m->state) ||
        !tz_table_put(&m->table, hash, (int32_t)m->states))
        return TZ_NO_MEMORY;
    m->state[m->states] = w.state;
    *ret = (int32_t)m->states++;
    return TZ_OK;
}

/* An arc from a state by arcs of the two, -1: one stays where it is. */
static tz_status add(maker *m, int32_t from, int32_t first, int32_t second) {
    const tz_automaton_arc *a = first >= 0 ? &m->of[0]->arc[first] : NULL;
    const tz_automaton_arc *b = second >= 0 ? &m->of[1]->arc[second] : NULL;
    const pair_state at = m->state[from];
    tz_automaton_arc made = {.from = from, .origin = {first, second}};
    made.input = a != NULL ? a->input : -1;
    made.output = b != NULL ? b->output : -1;
    made.score = (a != NULL ? a->score : 0) + (b != NULL ? b->score : 0);
    const tz_status status = find_state(m, a != NULL ? a->to : at.of[0],
                                        b != NULL ? b->to : at.of[1], a == NULL, &made.to);
    if (status != TZ_OK || m->arcs >= TZ_MOST_ARCS)
        return status != TZ_OK ? status : TZ_TOO_LARGE;
    if (!tz_grow((void **)&m->made, &m->arc_room, m->arcs + 1, sizeof *m->made))
        return TZ_NO_MEMORY;
    m->made[m->arcs++] = made;
    return TZ_OK;
}

/* The first of a state's arcs of the second one that reads this label, or a later one. */
static uint32_t first_reading(const maker *m, int32_t state, int32_t label) {
    uint32_t low = m->start[1][state], high = m->start[1][state + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->of[1]->arc[m->arc[1][middle]].input < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static tz_status add_reading(maker *m, int32_t from, int32_t first, int32_t label) {
    const int32_t state = m->state[from].of[1];
    tz_status status = TZ_OK;
    for (uint32_t i = first_reading(m, state, label); i < m->start[1][state + 1] && status == TZ_OK;
         i++) {
        const int32_t second = m->arc[1][i];
        if (m->of[1]->arc[second].input != label)
            break;
        status = add(m, from, first, second);
    }
    return status;
}

static tz_status add_arcs_from(maker *m, int32_t from) {
    const pair_state at = m->state[from];
    tz_status status = TZ_OK;
    for (uint32_t i = m->start[0][at.of[0]]; i < m->start[0][at.of[0] + 1] && status == TZ_OK;
         i++) {
        const int32_t first = m->arc[0][i], written = m->of[0]->arc[first].output;
        if (written >= 0)
            status =
                m->reads[written] >= 0 ? add_reading(m, from, first, m->reads[written]) : TZ_OK;
        else if (!at.waits)
            status = add(m, from, first, -1);
    }
    return status == TZ_OK ? add_reading(m, from, -1, -1) : status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static double final_of(const maker *m, size_t state) {
    const pair_state *s = &m->state[state];
    return m->of[0]->final[s->of[0]] + m->of[1]->final[s->of[1]];
}

/* Marks the states that lead to a final one. */
static bool find_leading(const maker *m, bool *leads) {
    uint32_t *first = calloc(m->states + 2, sizeof *first);
    int32_t *from = malloc((m->arcs + 1) * sizeof *from);
    int32_t *waiting = malloc((m->states + 1) * sizeof *waiting);
    const bool there = first != NULL && from != NULL && waiting != NULL;
    size_t count = 0;
    for (size_t i = 0; there && i < m->arcs; i++)
        first[m->made[i].to + 2]++;
    for (size_t s = 2; there && s < m->states + 2; s++)
        first[s] += first[s - 1];
    for (size_t i = 0; there && i < m->arcs; i++)
        from[first[m->made[i].to + 1]++] = m->made[i].from;
    for (size_t s = 0; there && s < m->states; s++)
        if ((leads[s] = final_of(m, s) > -INFINITY))
            waiting[count++] = (int32_t)s;
    while (there && count > 0) {
        const int32_t s = waiting[--count];
        for (uint32_t i = first[s]; i < first[s + 1]; i++)
            if (!leads[from[i]]) {
                leads[from[i]] = true;
                waiting[count++] = from[i];
            }
    }
    free(first);
    free(from);
    free(waiting);
    return there;
}

static bool copy_names(tz_automaton *to, tz_name_table *names, const tz_name_table *from,
                       const char *nothing) {
    if (nothing != NULL && (to->nothing[names == &to->outputs] =
                                tz_arena_text(to->arena, nothing, strlen(nothing))) == NULL)
        return false;
    for (size_t i = 0; i < from->count; i++)
        if (tz_name_table_add(names, to->arena, from->name[i], strlen(from->name[i])) ==
            TZ_NO_NUMBER)
            return false;
    return true;
}

/* The automaton of the states that lead on, and of the start; now[]: their numbers there. */
static bool copy(const maker *m, const bool *leads, int32_t *now, tz_automaton *ret) {
    const tz_automaton *last = m->of[1];
    bool made = copy_names(ret, &ret->inputs, &m->of[0]->inputs, m->of[0]->nothing[0]);
    if (ret->transducer)
        made = made &&
               copy_names(ret, &ret->outputs, last->transducer ? &last->outputs : &last->inputs,
                          last->nothing[last->transducer]);
    for (size_t s = 0; s < m->states && made; s++) {
        char name[24];
        now[s] = -1;
        if (!leads[s] && s > 0)
            continue;
        const int size = snprintf(name, sizeof name, "%zu", ret->states.count);
        now[s] = tz_automaton_state(ret, name, (size_t)size);
        made = now[s] != TZ_NO_NUMBER;
        if (made && final_of(m, s) > -INFINITY) {
            ret->final[now[s]] = final_of(m, s);
            ret->final_number[now[s]] = tz_automaton_number(ret->weights, final_of(m, s));
        }
    }
    for (size_t i = 0; i < m->arcs && made; i++) {
        tz_automaton_arc arc = m->made[i];
        if (!leads[arc.from] || !leads[arc.to])
            continue;
        arc.from = now[arc.from];
        arc.to = now[arc.to];
        if (!ret->transducer)
            arc.output = arc.input;
        made = tz_automaton_add(ret, &arc, tz_automaton_number(ret->weights, arc.score));
    }
    return made;
}

static tz_status make(maker *m, tz_automaton *ret) {
    int32_t begin;
    tz_status status = start(m);
    if (status == TZ_OK)
        status = find_state(m, m->of[0]->start, m->of[1]->start, false, &begin);
    for (size_t s = 0; s < m->states && status == TZ_OK; s++)
        status = add_arcs_from(m, (int32_t)s);
    if (status != TZ_OK)
        return status;
    bool *leads = calloc(m->states + 1, sizeof *leads);
    int32_t *now = malloc((m->states + 1) * sizeof *now);
    status = leads != NULL && now != NULL && find_leading(m, leads) && copy(m, leads, now, ret)
                 ? tz_automaton_finish(ret)
                 : TZ_NO_MEMORY;
    free(leads);
    free(now);
    return status;
}

tz_status tz_automaton_compose(const tz_automaton *first, const tz_automaton *second,
                               tz_automaton **ret, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    maker m = {.of = {first, second}};
    *ret = NULL;
    tz_automaton *a = tz_automaton_new(first->weights, first->transducer || second->transducer);
    tz_status status = a != NULL ? make(&m, a) : TZ_NO_MEMORY;
    for (unsigned i = 0; i < 2; i++) {
        free(m.start[i]);
        free(m.arc[i]);
    }
    free(m.reads);
    free(m.state);
    free(m.made);
    tz_table_free(&m.table);
    if (status == TZ_OK) {
        *ret = a;
        return TZ_OK;
    }
    tz_automaton_free(a);
    return tz_fail(opt_error, status,
                   status == TZ_TOO_LARGE
                       ? "the composition has more than 2^20 states, or too many "
                         "arcs: leave out what is not needed of one of the two"
                       : "%s",
                   tz_status_name(status));
}
