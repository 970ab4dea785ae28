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
#include "rules/compile/stage_search.h"
#include "rules/message.h"
#include "rules/polyhedra/prove.h"

enum {
    MANY_INDICES = 6, /* of so many, functions mention FEW_INDICES at most: else too many */
    FEW_INDICES = 3,
    SOON = 3, /* lengths at which cycles are looked for before the search, and after it */
    LATE = 16
};

/* ---- Candidates ------------------------------------------------------------------------------ */

static int by_cost(const void *a, const void *b) {
    const tz_stage_candidate *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : memcmp(&y->form.column, &x->form.column, sizeof x->form.column);
}

/* Differences that the domain proves >= 0 come first: they are the widths of spans, and stages made
 * of them leave the longest runs. */
static tz_status list_candidates(tz_stage_search *s, unsigned at) {
    const tz_kind *kind = &s->draft->kind[s->kind[at]];
    unsigned lengths = s->draft->rules->lengths, forms = 1;
    for (unsigned q = 0; q < kind->rank; q++)
        forms *= 3;
    unsigned variants = s->lengths ? 1 + 2 * lengths : 1;
    tz_stage_candidate *list = calloc((size_t)forms * variants, sizeof *list);
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
            tz_stage_candidate *c = &list[s->listed[at]++];
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

/* ---- The group ------------------------------------------------------------------------------- */

static tz_status collect_edges(tz_stage_search *s) {
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
        tz_draft_step *step = &draft->step[i];
        if (position[step->target.which] < 0)
            continue;
        step->ready = tz_arena_array(draft->arena, step->terms + 1u, sizeof *step->ready);
        if (step->ready == NULL)
            return TZ_NO_MEMORY;
        for (unsigned t = 0; t < step->terms; t++) {
            if (step->term[t].what != TZ_INSIDE || position[step->term[t].which] < 0)
                continue;
            tz_stage_edge *edge = &s->edge[s->edges];
            *edge = (tz_stage_edge){.step = step,
                                    .premise = &step->term[t],
                                    .ready = &step->ready[t],
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

static tz_status no_order(tz_draft *draft, const tz_stage_search *s) {
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

tz_status tz_find_functions(tz_stage_search *s, unsigned level, unsigned most,
                            unsigned *ret_levels) {
    bool any_follows = false;
    for (unsigned k = 0; k < s->kinds; k++)
        any_follows |= tz_stage_leader(s, k) != k;
    tz_status status = TZ_NONE;
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
        for (*ret_levels = level + 1; *ret_levels <= most && status == TZ_NONE; ++*ret_levels) {
            s->proofs = 0;
            s->visits = 0;
            status = tz_search_stage(s, level, *ret_levels);
        }
    }
    --*ret_levels;
    return status;
}

/* Is the group to be solved for as a whole? */
static bool has_closure(const tz_stage_search *s) {
    bool any = false;
    for (unsigned k = 0; k < s->kinds; k++)
        any |= tz_is_closure(s->draft, s->kind[k]);
    return any;
}

/* All kinds share all loops. */
static void share_all(tz_stage_search *s, unsigned levels, const uint16_t *order, uint16_t *kind,
                      uint8_t *joined) {
    for (unsigned k = 0; k < s->kinds; k++) {
        kind[k] = order[k];
        joined[k] = k > 0 ? (uint8_t)levels : 0;
        s->draft->kind[order[k]].stages = (uint8_t)levels;
    }
    for (unsigned e = 0; e < s->edges; e++)
        *s->edge[e].ready = (uint8_t)levels;
}

static uint8_t at_least_one(uint8_t stages, uint8_t most) {
    return stages > 0 || most == 0 ? stages : 1;
}

uint8_t tz_stages_given(const tz_draft *draft, const tz_draft_step *step, unsigned t) {
    if (step->term[t].what == TZ_WEIGHT)
        return 0;
    return at_least_one(step->ready[t], draft->kind[step->term[t].which].stages);
}

/* The first loop is shared by all steps of a group: rows of all are made stage by stage. */
static void give_stages(tz_draft *draft, const tz_stage_search *s, bool all) {
    for (unsigned i = 0; i < draft->steps; i++) {
        tz_draft_step *step = &draft->step[i];
        const tz_kind *kind = &draft->kind[step->target.which];
        bool within = false;
        for (unsigned k = 0; k < s->kinds; k++)
            within |= s->kind[k] == step->target.which;
        if (!within)
            continue;
        step->stages = all ? kind->stages : 0;
        for (unsigned t = 0; t < step->terms; t++)
            step->stages = step->ready[t] > step->stages ? step->ready[t] : step->stages;
        step->stages = at_least_one(step->stages, kind->stages);
    }
}

static tz_status find_stages(tz_draft *draft, tz_group *group, tz_stage_search *s) {
    tz_status status = collect_edges(s);
    if (status != TZ_OK)
        return status;
    group->kinds = (uint16_t)s->kinds;
    uint16_t *kind = tz_arena_array(draft->arena, s->kinds, sizeof *kind);
    uint8_t *joined = tz_arena_array(draft->arena, s->kinds, sizeof *joined);
    if (kind == NULL || joined == NULL)
        return TZ_NO_MEMORY;
    group->kind = kind;
    group->joined = joined;
    if (s->edges == 0) {
        share_all(s, 0, s->kind, kind, joined);
        give_stages(draft, s, true);
        return TZ_OK;
    }
    status = tz_find_cycle(draft, s->kind, s->kinds, 0, SOON);
    if (status != TZ_OK)
        return status;
    unsigned rank = 1, levels;
    for (unsigned k = 0; k < s->kinds; k++)
        if (draft->kind[s->kind[k]].rank > rank)
            rank = draft->kind[s->kind[k]].rank;
    status = tz_find_functions(s, 0, rank, &levels);
    if (status == TZ_NONE) {
        status = tz_find_cycle(draft, s->kind, s->kinds, SOON + 1, LATE);
        return status == TZ_OK ? no_order(draft, s) : status;
    }
    if (status != TZ_OK)
        return status;
    group->stages = (uint8_t)levels;
    if (has_closure(s))
        share_all(s, levels, s->order, kind, joined);
    else
        status = tz_part_group(s, levels, kind, joined, &group->stages);
    give_stages(draft, s, has_closure(s));
    return status;
}

tz_status tz_find_stages(tz_draft *draft, tz_group *group, const uint16_t *kind, unsigned kinds) {
    tz_stage_search *s = calloc(1, sizeof *s);
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
