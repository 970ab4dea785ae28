/* stages.c - the order inside a group of kinds that depend on each other.
 *
 * Every kind gets a stage: a tuple of affine functions of its indices, compared lexicographically,
 * proved by linear programming never to decrease from premise to conclusion for any lengths. Where
 * a stage can be equal, an order of kinds decides. The search tries few components before many and
 * simple functions before others; a greedy first component is enough (Feautrier 1992, "Some
 * efficient solutions to the affine scheduling problem, part II", theorem on the greedy algorithm).
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/compile/cycle.h"
#include "rules/compile/draft.h"
#include "rules/message.h"
#include "rules/polyhedra/prove.h"

enum {
    UNKNOWN = INT16_MIN, /* the memo holds no answer yet */
    UNBOUNDED = INT16_MIN + 1,
    NEVER = INT16_MAX,    /* the edge has no instance */
    MAX_PROOFS = 5000,    /* for each number of components, so that none is starved */
    MAX_VISITS = 5000000, /* of edges, likewise */
    MAX_MEMO = 1 << 25,   /* bytes */
    MANY_INDICES = 6,     /* of so many, functions mention FEW_INDICES at most: else too many */
    FEW_INDICES = 3,
    SOON = 3, /* lengths at which cycles are looked for before the search, and after it */
    LATE = 16
};

typedef struct candidate {
    tz_form form; /* over the kind's indices */
    int cost;
} candidate;

/* A premise of a kind in the same group as the conclusion. */
typedef struct edge {
    const tz_draft_step *step;
    const tz_term *premise;
    unsigned from, to; /* positions of their kinds in the group */
    tz_system system;
    int16_t *memo; /* least difference of stages, by candidates from * to */
    bool done;     /* strictly increases already */
} edge;

typedef struct search {
    tz_draft *draft;
    unsigned kinds;
    uint16_t kind[TZ_MAX_KINDS];
    candidate *list[TZ_MAX_KINDS];
    unsigned listed[TZ_MAX_KINDS];
    edge *edge;
    unsigned edges, proofs;
    uint64_t visits;
    /* What may be tried: kinds of one rank with the same function; with constants of their own;
     * with lengths. */
    bool same_form, offsets, lengths;
    int16_t offset[TZ_MAX_KINDS];
    uint16_t order[TZ_MAX_KINDS]; /* found: kinds inside one stage */
    const tz_draft_step *bent;    /* of a closure, it would not be linear; or NULL */
} search;

/* ---- Candidates ------------------------------------------------------------------------------ */

static int by_cost(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : memcmp(&y->form.column, &x->form.column, sizeof x->form.column);
}

/* Differences that the domain proves >= 0 come first: they are the widths of spans, and stages made
 * of them leave the longest runs. */
static tz_status list_candidates(search *s, unsigned at) {
    const tz_kind *kind = &s->draft->kind[s->kind[at]];
    unsigned lengths = s->draft->rules->lengths, forms = 1;
    for (unsigned q = 0; q < kind->rank; q++)
        forms *= 3;
    unsigned variants = s->lengths ? 1 + 2 * lengths : 1;
    candidate *list = calloc((size_t)forms * variants, sizeof *list);
    if (list == NULL)
        return TZ_NO_MEMORY;
    s->list[at] = list;
    tz_system system;
    tz_status status = tz_system_init(&system, lengths, 0, kind->rank);
    if (status == TZ_OK)
        status = tz_system_add_domain(&system, &kind->domain, NULL, 0);
    for (unsigned f = 0; status == TZ_OK && f < forms; f++) {
        tz_form form = {0};
        int plus = 0, minus = 0;
        for (unsigned q = 0, rest = f; q < kind->rank; q++, rest /= 3) {
            form.column[q] = (int16_t)(rest % 3 == 2 ? -1 : (int)(rest % 3));
            plus += form.column[q] > 0;
            minus += form.column[q] < 0;
        }
        if (kind->rank >= MANY_INDICES && plus + minus > FEW_INDICES)
            continue;
        int64_t least = -1;
        tz_lp lp =
            plus == 1 && minus == 1 ? tz_system_minimum(&system, &form, &least) : TZ_LP_UNBOUNDED;
        if (lp == TZ_LP_NO_MEMORY)
            status = TZ_NO_MEMORY;
        bool width = lp == TZ_LP_OPTIMUM && least >= 0;
        int cost = width ? 0 : plus + minus == 0 ? 90 : 10 * (plus + minus) + minus;
        for (unsigned v = 0; v < variants; v++) {
            candidate *c = &list[s->listed[at]++];
            c->form = form;
            c->cost = cost + (v > 0 ? 100 : 0);
            if (v > 0)
                c->form.length[(v - 1) / 2] = (v - 1) % 2 == 0 ? 1 : -1;
        }
    }
    tz_system_free(&system);
    qsort(list, s->listed[at], sizeof *list, by_cost);
    return status;
}

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
static tz_status least_increase(search *s, edge *e, unsigned from, unsigned to, int16_t *ret) {
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
static bool find_offsets(search *s, const int16_t *increase) {
    memset(s->offset, 0, sizeof s->offset);
    if (!s->offsets)
        return true;
    for (unsigned round = 0; round <= s->kinds; round++) {
        bool changed = false;
        for (unsigned e = 0; e < s->edges; e++) {
            const edge *edge = &s->edge[e];
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

static bool within_closure(const search *s, const edge *e) {
    return tz_is_closure(s->draft, s->kind[e->from]) && tz_is_closure(s->draft, s->kind[e->to]);
}

/* The kinds of a closure are placed together, as the first of them. */
static unsigned placed_as(const search *s, unsigned at) {
    unsigned first = 0;
    if (!tz_is_closure(s->draft, s->kind[at]))
        return at;
    while (!tz_is_closure(s->draft, s->kind[first]))
        first++;
    return first;
}

/* Orders the kinds so that the edges that may stay in a stage go forwards, or within a closure;
 * false if they cannot. */
static bool order_kinds(search *s, const bool *stays) {
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
static tz_status stay(const search *s, const edge *e, const unsigned *choice, tz_system *system) {
    tz_form form;
    if (!tz_stage_difference(e->step, e->premise, &s->list[e->from][choice[e->from]].form,
                             &s->list[e->to][choice[e->to]].form, &form))
        return TZ_OK;
    form.constant += s->offset[e->to] - s->offset[e->from];
    return tz_system_add(system, &form, TZ_EQ);
}

/* A closure is a linear system: have rules at most one premise of it at the stage of the
 * conclusion? TZ_OK or TZ_NONE. */
static tz_status is_linear(search *s, const unsigned *choice, const bool *stays) {
    tz_status status = TZ_OK;
    for (unsigned e = 0; e < s->edges && status == TZ_OK; e++)
        for (unsigned o = e + 1; o < s->edges && status == TZ_OK; o++) {
            const edge *one = &s->edge[e], *other = &s->edge[o];
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

static tz_status search_stage(search *s, unsigned level, unsigned levels);

static void set_stage(search *s, unsigned level, const unsigned *choice) {
    for (unsigned k = 0; k < s->kinds; k++) {
        tz_form *stage = &s->draft->kind[s->kind[k]].stage[level];
        *stage = s->list[k][choice[k]].form;
        stage->constant += s->offset[k];
    }
}

/* All kinds have a function for this level: does it, with what may follow, order everything?
 * TZ_OK, TZ_NONE or an error. */
static tz_status try_choice(search *s, unsigned level, unsigned levels, const unsigned *choice) {
    tz_status status = TZ_NO_MEMORY;
    s->visits += 50ull * s->edges;
    int16_t *increase = calloc(s->edges, sizeof *increase);
    bool *stays = calloc(s->edges, sizeof *stays);
    search *below = NULL;
    if (increase == NULL || stays == NULL)
        goto done;
    for (unsigned e = 0; e < s->edges; e++)
        if (!s->edge[e].done) {
            edge *edge = &s->edge[e];
            status = least_increase(s, edge, choice[edge->from], choice[edge->to], &increase[e]);
            if (status != TZ_OK)
                goto done;
        }
    status = TZ_NONE;
    if (!find_offsets(s, increase))
        goto done;
    bool progress = false;
    for (unsigned e = 0; e < s->edges; e++) {
        const edge *edge = &s->edge[e];
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
        edge *edge = &s->edge[e], *rest = &below->edge[e];
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
        status = search_stage(below, level + 1, levels);
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

static bool exhausted(const search *s) {
    return s->proofs >= MAX_PROOFS || s->visits >= MAX_VISITS;
}

/* The first kind of the group with the rank of the one at `at`. */
static unsigned leader(const search *s, unsigned at) {
    unsigned k = 0;
    while (s->draft->kind[s->kind[k]].rank != s->draft->kind[s->kind[at]].rank)
        k++;
    return k;
}

/* Has the kind at `at` no choice of its own? */
static bool follows(const search *s, unsigned at) {
    return s->same_form && leader(s, at) != at;
}

static unsigned same_form(const search *s, unsigned at, const unsigned *choice) {
    unsigned first = leader(s, at), c = 0;
    while (!tz_form_equal(&s->list[at][c].form, &s->list[first][choice[first]].form))
        c++;
    return c;
}

/* Has the kind at `at`, with those that follow it, no edge left, so that any function will do? */
static bool is_idle(const search *s, unsigned at) {
    for (unsigned e = 0; e < s->edges; e++) {
        const edge *edge = &s->edge[e];
        unsigned from = follows(s, edge->from) ? leader(s, edge->from) : edge->from;
        unsigned to = follows(s, edge->to) ? leader(s, edge->to) : edge->to;
        if (!edge->done && (from == at || to == at))
            return false;
    }
    return true;
}

/* Can the kinds up to `at` be ordered inside one stage, as the last component asks? To find out
 * before the others have their functions spares most of the search. */
static tz_status check_order(search *s, const unsigned *choice, unsigned at, bool *stays,
                             bool *ret_fits) {
    bool any = false;
    for (unsigned e = 0; e < s->edges; e++) {
        edge *edge = &s->edge[e];
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
static tz_status search_stage(search *s, unsigned level, unsigned levels) {
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
            edge *edge = &s->edge[e];
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

/* ---- The group --------------------------------------------------------------------------------
 */

static tz_status collect_edges(search *s) {
    tz_draft *draft = s->draft;
    int position[TZ_MAX_KINDS];
    unsigned room = 0;
    for (unsigned k = 0; k < draft->kinds; k++)
        position[k] = -1;
    for (unsigned k = 0; k < s->kinds; k++)
        position[s->kind[k]] = (int)k;
    for (unsigned i = 0; i < draft->steps; i++)
        room += draft->step[i].terms;
    s->edge = calloc(room + 1, sizeof *s->edge);
    if (s->edge == NULL)
        return TZ_NO_MEMORY;
    for (unsigned i = 0; i < draft->steps; i++) {
        const tz_draft_step *step = &draft->step[i];
        for (unsigned t = 0; t < step->terms && position[step->target.which] >= 0; t++) {
            if (step->term[t].what != TZ_INSIDE || position[step->term[t].which] < 0)
                continue;
            edge *edge = &s->edge[s->edges];
            *edge = (struct edge){.step = step,
                                  .premise = &step->term[t],
                                  .from = (unsigned)position[step->term[t].which],
                                  .to = (unsigned)position[step->target.which]};
            draft->at = &draft->rules->rule[step->rule];
            tz_status status = tz_step_hull(draft, step, &edge->system);
            if (status != TZ_OK && status != TZ_NONE)
                return status;
            s->edges += status == TZ_OK;
        }
    }
    return TZ_OK;
}

/* Appends `more` to a list in `text`, if it fits and is not the last entry already. */
static void list_more(char *text, size_t size, const char *more) {
    size_t used = strlen(text), length = strlen(more);
    bool last = used >= length && strcmp(text + used - length, more) == 0 &&
                (used == length || text[used - length - 1] == ' ');
    if (!last && used + length + 3 < size)
        snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", more);
}

static tz_status no_order(tz_draft *draft, const search *s) {
    const tz_rules *rules = draft->rules;
    char items[200] = "", names[400] = "";
    if (s->bent != NULL)
        return tz_bad_rules(
            draft->error, draft->file, rules->rule[s->bent->rule].line, 1,
            "rule \"%s\" can have two premises of a closure at the stage of its conclusion, and a "
            "closure is solved as linear equations: make a domain or an `if` exclude that",
            rules->rule[s->bent->rule].name);
    for (unsigned e = 0; e < s->edges; e++)
        list_more(names, sizeof names, rules->rule[s->edge[e].step->rule].name);
    for (unsigned k = 0; k < s->kinds; k++)
        if (s->kind[k] < rules->items)
            list_more(items, sizeof items, rules->item[s->kind[k]].name);
    return tz_bad_rules(
        draft->error, draft->file, rules->rule[s->edge[0].step->rule].line, 1,
        "no evaluation order was found for what depends on itself (%s) through the rules %s: give "
        "each of these items an index, or a sum or difference of indices, that no rule decreases "
        "from premise to conclusion",
        items, names);
}

static tz_status find_stages(tz_draft *draft, tz_group *group, search *s) {
    tz_status status = collect_edges(s);
    if (status != TZ_OK)
        return status;
    group->kinds = (uint16_t)s->kinds;
    uint16_t *kind = tz_arena_array(draft->arena, s->kinds, sizeof *kind);
    if (kind == NULL)
        return TZ_NO_MEMORY;
    group->kind = kind;
    memcpy(kind, s->kind, s->kinds * sizeof *kind);
    if (s->edges == 0)
        return TZ_OK;
    status = tz_find_cycle(draft, s->kind, s->kinds, 0, SOON);
    if (status != TZ_OK)
        return status;
    unsigned rank = 1;
    for (unsigned k = 0; k < s->kinds; k++)
        if (draft->kind[s->kind[k]].rank > rank)
            rank = draft->kind[s->kind[k]].rank;
    bool any_follows = false;
    for (unsigned k = 0; k < s->kinds; k++)
        any_follows |= leader(s, k) != k;
    status = TZ_NONE;
    for (unsigned phase = 0; phase < 4 && status == TZ_NONE; phase++) {
        s->same_form = phase == 0;
        if (phase == 1 && !any_follows)
            continue; /* as phase 0 */
        s->offsets = phase > 1;
        s->lengths = phase > 2;
        for (unsigned k = 0; k < s->kinds; k++) {
            free(s->list[k]);
            s->list[k] = NULL;
            s->listed[k] = 0;
            tz_status listed = list_candidates(s, k);
            if (listed != TZ_OK)
                return listed;
        }
        for (unsigned levels = 1; levels <= rank && status == TZ_NONE; levels++) {
            group->stages = (uint8_t)levels;
            s->proofs = 0;
            s->visits = 0;
            status = search_stage(s, 0, levels);
        }
    }
    if (status == TZ_OK)
        memcpy(kind, s->order, s->kinds * sizeof *kind);
    if (status == TZ_NONE) {
        status = tz_find_cycle(draft, s->kind, s->kinds, SOON + 1, LATE);
        if (status == TZ_OK)
            status = no_order(draft, s);
    }
    return status;
}

tz_status tz_find_stages(tz_draft *draft, tz_group *group, const uint16_t *kind, unsigned kinds) {
    search *s = calloc(1, sizeof *s);
    if (s == NULL)
        return TZ_NO_MEMORY;
    s->draft = draft;
    s->kinds = kinds;
    memcpy(s->kind, kind, kinds * sizeof *kind);
    tz_status status = find_stages(draft, group, s);
    for (unsigned e = 0; e < s->edges; e++)
        tz_system_free(&s->edge[e].system);
    free(s->edge);
    for (unsigned k = 0; k < kinds; k++)
        free(s->list[k]);
    free(s);
    return status;
}
