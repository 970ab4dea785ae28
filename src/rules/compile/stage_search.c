/* stage_search.c - see stage_search.h. A first component is chosen; the next has to order only what
 * can share it. What a choice does to a premise is proved for all instances and all lengths.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/compile/stage_search.h"

#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/prove.h"

enum {
    UNKNOWN = INT16_MIN, /* the memo holds no answer yet */
    UNBOUNDED = INT16_MIN + 1,
    NEVER = INT16_MAX,    /* the edge has no instance */
    MAX_PROOFS = 5000,    /* for each number of components, so that none is starved */
    MAX_VISITS = 5000000, /* of edges, likewise */
    MAX_MEMO = 1 << 25    /* bytes */
};

/* ---- Proofs ---------------------------------------------------------------------------------- */

bool tz_stage_difference(const tz_draft_step *step, const tz_term *premise, const tz_form *from,
                         const tz_form *to, tz_form *ret) {
    tz_form low, high;
    if (!tz_form_compose(&low, from, premise->index, TZ_MAX_RANK) ||
        !tz_form_compose(&high, to, step->target.index, TZ_MAX_RANK))
        return false;
    ret->constant = high.constant - low.constant;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        ret->length[l] = (int16_t)(high.length[l] - low.length[l]);
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        ret->column[c] = (int16_t)(high.column[c] - low.column[c]);
    return true;
}

/* Least increase of the stage along the edge, over all instances for all lengths. */
static tz_status least_increase(tz_stage_search *s, tz_stage_edge *e, unsigned from, unsigned to,
                                int16_t *ret) {
    int16_t *memo = &e->memo[(size_t)from * s->listed[e->to] + to];
    if (*memo == UNKNOWN) {
        tz_form form;
        int64_t least;
        *memo = UNBOUNDED;
        if (s->proofs++ < MAX_PROOFS &&
            tz_stage_difference(e->step, e->premise, &s->list[e->from][from].form,
                                &s->list[e->to][to].form, &form)) {
            tz_lp lp = tz_system_minimum(&e->system, &form, &least);
            if (lp == TZ_LP_NO_MEMORY)
                return TZ_NO_MEMORY;
            if (lp == TZ_LP_EMPTY)
                *memo = NEVER;
            else if (lp == TZ_LP_OPTIMUM && least > -1000)
                *memo = (int16_t)(least < 1000 ? least : 1000);
        }
    }
    *ret = *memo;
    return TZ_OK;
}

/* Constants for the kinds that make every edge's increase >= 0 (Bellman & Ford). */
static bool find_offsets(tz_stage_search *s, const int16_t *increase) {
    memset(s->offset, 0, sizeof s->offset);
    if (!s->offsets)
        return true;
    for (unsigned round = 0; round <= s->kinds; round++) {
        bool changed = false;
        for (unsigned e = 0; e < s->edges; e++) {
            const tz_stage_edge *edge = &s->edge[e];
            if (edge->done || increase[e] == NEVER)
                continue;
            int least = s->offset[edge->from] - increase[e];
            if (s->offset[edge->to] < least) {
                s->offset[edge->to] = (int16_t)least;
                changed = true;
            }
        }
        if (!changed)
            return true;
    }
    return false;
}

static bool within_closure(const tz_stage_search *s, const tz_stage_edge *e) {
    return tz_is_closure(s->draft, s->kind[e->from]) && tz_is_closure(s->draft, s->kind[e->to]);
}

/* The kinds of a closure are placed together, as the first of them. */
static unsigned placed_as(const tz_stage_search *s, unsigned at) {
    unsigned first = 0;
    if (!tz_is_closure(s->draft, s->kind[at]))
        return at;
    while (!tz_is_closure(s->draft, s->kind[first]))
        first++;
    return first;
}

/* Orders the kinds so that the edges that may stay in a stage go forwards, or within a closure;
 * false if they cannot. */
static bool order_kinds(tz_stage_search *s, const bool *stays) {
    unsigned waits[TZ_MAX_KINDS] = {0}, as[TZ_MAX_KINDS], count = 0;
    bool placed[TZ_MAX_KINDS] = {false};
    s->visits += (uint64_t)s->kinds * s->edges;
    for (unsigned k = 0; k < s->kinds; k++)
        as[k] = placed_as(s, k);
    for (unsigned e = 0; e < s->edges; e++)
        waits[as[s->edge[e].to]] += stays[e] && !within_closure(s, &s->edge[e]);
    while (count < s->kinds) {
        unsigned k = 0;
        while (k < s->kinds && (placed[as[k]] || waits[as[k]] > 0))
            k++;
        if (k == s->kinds)
            return false;
        k = as[k];
        placed[k] = true;
        for (unsigned o = k; o < s->kinds; o++)
            if (as[o] == k)
                s->order[count++] = s->kind[o];
        for (unsigned e = 0; e < s->edges; e++)
            waits[as[s->edge[e].to]] -=
                stays[e] && as[s->edge[e].from] == k && as[s->edge[e].to] != k;
    }
    return true;
}

/* Requires that the edge stays in the stage at hand. */
static tz_status stay(const tz_stage_search *s, const tz_stage_edge *e, const unsigned *choice,
                      tz_system *system) {
    tz_form form;
    if (!tz_stage_difference(e->step, e->premise, &s->list[e->from][choice[e->from]].form,
                             &s->list[e->to][choice[e->to]].form, &form))
        return TZ_OK;
    form.constant += s->offset[e->to] - s->offset[e->from];
    return tz_system_add(system, &form, TZ_EQ);
}

/* A closure is a linear system: have rules at most one premise of it at the stage of the
 * conclusion? TZ_OK or TZ_NONE. */
static tz_status is_linear(tz_stage_search *s, const unsigned *choice, const bool *stays) {
    tz_status status = TZ_OK;
    for (unsigned e = 0; e < s->edges && status == TZ_OK; e++)
        for (unsigned o = e + 1; o < s->edges && status == TZ_OK; o++) {
            const tz_stage_edge *one = &s->edge[e], *other = &s->edge[o];
            tz_system system;
            if (!stays[e] || !stays[o] || one->step != other->step || !within_closure(s, one) ||
                !within_closure(s, other))
                continue;
            status = tz_system_copy(&system, &one->system);
            if (status != TZ_OK)
                return status;
            status = stay(s, one, choice, &system);
            if (status == TZ_OK)
                status = stay(s, other, choice, &system);
            if (status == TZ_OK)
                status = tz_system_tidy(&system);
            tz_system_free(&system);
            if (status == TZ_OK)
                s->bent = one->step;
            status = status == TZ_OK ? TZ_NONE : status == TZ_NONE ? TZ_OK : status;
        }
    return status;
}

/* ---- Search ---------------------------------------------------------------------------------- */

static void set_stage(tz_stage_search *s, unsigned level, const unsigned *choice) {
    for (unsigned k = 0; k < s->kinds; k++) {
        tz_form *stage = &s->draft->kind[s->kind[k]].stage[level];
        *stage = s->list[k][choice[k]].form;
        stage->constant += s->offset[k];
    }
}

/* All kinds have a function for this level: does it, with what may follow, order everything?
 * TZ_OK, TZ_NONE or an error. */
static tz_status try_choice(tz_stage_search *s, unsigned level, unsigned levels,
                            const unsigned *choice) {
    tz_status status = TZ_NO_MEMORY;
    s->visits += 50ull * s->edges;
    int16_t *increase = calloc(s->edges, sizeof *increase);
    bool *stays = calloc(s->edges, sizeof *stays);
    tz_stage_search *below = NULL;
    if (increase == NULL || stays == NULL)
        goto done;
    for (unsigned e = 0; e < s->edges; e++)
        if (!s->edge[e].done) {
            tz_stage_edge *edge = &s->edge[e];
            status = least_increase(s, edge, choice[edge->from], choice[edge->to], &increase[e]);
            if (status != TZ_OK)
                goto done;
        }
    status = TZ_NONE;
    if (!find_offsets(s, increase))
        goto done;
    bool progress = false;
    for (unsigned e = 0; e < s->edges; e++) {
        const tz_stage_edge *edge = &s->edge[e];
        if (edge->done)
            continue;
        stays[e] =
            increase[e] != NEVER && increase[e] + s->offset[edge->to] - s->offset[edge->from] <= 0;
        progress |= !stays[e];
    }
    if (level + 1 == levels) {
        if (order_kinds(s, stays))
            status = is_linear(s, choice, stays);
        if (status == TZ_OK)
            set_stage(s, level, choice);
        goto done;
    }
    if (!progress)
        goto done;
    /* The next component has to order only what can share this one. */
    status = TZ_NO_MEMORY;
    below = malloc(sizeof *below);
    if (below == NULL)
        goto done;
    *below = *s;
    below->edge = calloc(s->edges, sizeof *below->edge);
    if (below->edge == NULL)
        goto done;
    status = TZ_OK;
    for (unsigned e = 0; status == TZ_OK && e < s->edges; e++) {
        tz_stage_edge *edge = &s->edge[e], *rest = &below->edge[e];
        *rest = *edge;
        rest->memo = NULL;
        rest->system = (tz_system){0};
        rest->done = edge->done || !stays[e];
        if (rest->done)
            continue;
        status = tz_system_copy(&rest->system, &edge->system);
        if (status == TZ_OK)
            status = stay(s, edge, choice, &rest->system);
    }
    if (status == TZ_OK)
        status = tz_search_stage(below, level + 1, levels);
    s->proofs = below->proofs;
    s->visits = below->visits;
    s->bent = below->bent;
    if (status == TZ_OK) {
        memcpy(s->order, below->order, sizeof s->order);
        set_stage(s, level, choice);
    }
    for (unsigned e = 0; e < s->edges; e++)
        tz_system_free(&below->edge[e].system);
    free(below->edge);
done:
    free(below);
    free(increase);
    free(stays);
    return status;
}

static bool exhausted(const tz_stage_search *s) {
    return s->proofs >= MAX_PROOFS || s->visits >= MAX_VISITS;
}

/* The first kind of the group with the rank of the one at `at`. */
unsigned tz_stage_leader(const tz_stage_search *s, unsigned at) {
    unsigned k = 0;
    while (s->draft->kind[s->kind[k]].rank != s->draft->kind[s->kind[at]].rank)
        k++;
    return k;
}

/* Has the kind at `at` no choice of its own? */
static bool follows(const tz_stage_search *s, unsigned at) {
    return s->same_form && tz_stage_leader(s, at) != at;
}

static unsigned same_form(const tz_stage_search *s, unsigned at, const unsigned *choice) {
    unsigned first = tz_stage_leader(s, at), c = 0;
    while (!tz_form_equal(&s->list[at][c].form, &s->list[first][choice[first]].form))
        c++;
    return c;
}

/* Has the kind at `at`, with those that follow it, no edge left, so that any function will do? */
static bool is_idle(const tz_stage_search *s, unsigned at) {
    for (unsigned e = 0; e < s->edges; e++) {
        const tz_stage_edge *edge = &s->edge[e];
        unsigned from = follows(s, edge->from) ? tz_stage_leader(s, edge->from) : edge->from;
        unsigned to = follows(s, edge->to) ? tz_stage_leader(s, edge->to) : edge->to;
        if (!edge->done && (from == at || to == at))
            return false;
    }
    return true;
}

/* Can the kinds up to `at` be ordered inside one stage, as the last component asks? To find out
 * before the others have their functions spares most of the search. */
static tz_status check_order(tz_stage_search *s, const unsigned *choice, unsigned at, bool *stays,
                             bool *ret_fits) {
    bool any = false;
    for (unsigned e = 0; e < s->edges; e++) {
        tz_stage_edge *edge = &s->edge[e];
        int16_t increase = NEVER;
        stays[e] = false;
        if (edge->done || edge->from > at || edge->to > at)
            continue;
        tz_status status = least_increase(s, edge, choice[edge->from], choice[edge->to], &increase);
        if (status != TZ_OK)
            return status;
        stays[e] = increase != NEVER && increase <= 0;
        any |= stays[e] && (edge->from == at || edge->to == at);
    }
    *ret_fits = !any || order_kinds(s, stays);
    return TZ_OK;
}

/* Backtracks over the functions of all kinds. TZ_NONE if none will do. */
tz_status tz_search_stage(tz_stage_search *s, unsigned level, unsigned levels) {
    tz_status status = TZ_OK;
    unsigned choice[TZ_MAX_KINDS] = {0};
    size_t room = 0;
    for (unsigned e = 0; e < s->edges; e++)
        if (!s->edge[e].done)
            room += (size_t)s->listed[s->edge[e].from] * s->listed[s->edge[e].to];
    if (room > MAX_MEMO / sizeof(int16_t))
        return TZ_NONE;
    int16_t *memo = malloc(room * sizeof *memo + 1);
    bool *stays = malloc(s->edges * sizeof *stays + 1);
    if (memo == NULL || stays == NULL) {
        free(memo);
        free(stays);
        return TZ_NO_MEMORY;
    }
    for (size_t m = 0; m < room; m++)
        memo[m] = UNKNOWN;
    room = 0;
    for (unsigned e = 0; e < s->edges; e++)
        if (!s->edge[e].done) {
            s->edge[e].memo = memo + room;
            room += (size_t)s->listed[s->edge[e].from] * s->listed[s->edge[e].to];
        }
    unsigned at = 0;
    for (;;) {
        bool fits = true;
        s->visits += s->edges;
        for (unsigned e = 0; e < s->edges && fits && status == TZ_OK; e++) {
            tz_stage_edge *edge = &s->edge[e];
            if (edge->done || (edge->from > edge->to ? edge->from : edge->to) != at)
                continue;
            int16_t increase = UNBOUNDED;
            status = least_increase(s, edge, choice[edge->from], choice[edge->to], &increase);
            fits = increase != UNBOUNDED && (s->offsets || increase >= 0);
        }
        if (status == TZ_OK && fits && level + 1 == levels && !s->offsets)
            status = check_order(s, choice, at, stays, &fits);
        if (status != TZ_OK)
            break;
        if (fits && at + 1 < s->kinds) {
            at++;
            choice[at] = follows(s, at) ? same_form(s, at, choice) : 0;
            continue;
        }
        if (fits) {
            status = try_choice(s, level, levels, choice);
            if (status != TZ_NONE)
                break;
            status = TZ_OK;
        }
        while (at > 0 && (follows(s, at) || choice[at] + 1 == s->listed[at] || is_idle(s, at)))
            at--;
        if (++choice[at] >= s->listed[at] || exhausted(s)) {
            status = TZ_NONE;
            break;
        }
    }
    free(memo);
    free(stays);
    return status;
}
