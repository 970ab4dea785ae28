/* parts.c - which kinds of a group share which loops over stages.
 *
 * At one value of the first component of their stages, only some kinds of a group still depend on
 * each other. Those need a loop over the next component, with functions of their own, which may be
 * simpler; the others are computed at once, before it or after. So it goes on from component to
 * component (loop distribution: Allen & Kennedy 1987, "Automatic translation of Fortran programs to
 * vector form", procedure codegen). A step comes as far out as the premises that it waits for.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "rules/compile/reach.h"
#include "rules/compile/stage_search.h"
#include "rules/polyhedra/prove.h"

typedef struct parting {
    tz_draft *draft;
    uint16_t *kind; /* the order so far */
    uint8_t *joined;
    unsigned kinds, most; /* most: components of a stage */
    uint8_t join;         /* the loops that the next kind shares with the one before it */
} parting;

static tz_status place(parting *p, tz_stage_search *s, unsigned level, unsigned levels);

/* What the functions of this component leave open: the edges whose ends may have the same value. */
static tz_status pass_level(tz_stage_search *s, unsigned level) {
    tz_status status = TZ_OK;
    for (unsigned e = 0; e < s->edges && status == TZ_OK; e++) {
        tz_stage_edge *edge = &s->edge[e];
        tz_form form;
        int64_t least = 0;
        if (edge->done ||
            !tz_stage_difference(edge->step, edge->premise,
                                 &s->draft->kind[s->kind[edge->from]].stage[level],
                                 &s->draft->kind[s->kind[edge->to]].stage[level], &form))
            continue;
        tz_lp lp = tz_system_minimum(&edge->system, &form, &least);
        if (lp == TZ_LP_NO_MEMORY)
            return TZ_NO_MEMORY;
        edge->done = lp == TZ_LP_EMPTY || (lp == TZ_LP_OPTIMUM && least > 0);
        if (edge->done)
            *edge->ready = (uint8_t)(level + 1);
        else
            status = tz_system_add(&edge->system, &form, TZ_EQ);
    }
    return status;
}

/* Kinds that still depend on each other, given all components before this one. */
static tz_status loop(parting *p, const tz_stage_search *s, const bool *member, unsigned level,
                      unsigned levels) {
    int position[TZ_MAX_KINDS];
    tz_status status = TZ_OK;
    tz_stage_search *part = calloc(1, sizeof *part);
    tz_stage_edge *edge = calloc(s->edges + 1u, sizeof *edge);
    if (part == NULL || edge == NULL) {
        free(part);
        free(edge);
        return TZ_NO_MEMORY;
    }
    part->draft = p->draft;
    part->edge = edge;
    for (unsigned k = 0; k < s->kinds; k++) {
        position[k] = member[k] ? (int)part->kinds : -1;
        if (member[k])
            part->kind[part->kinds++] = s->kind[k];
    }
    unsigned rank = 1;
    for (unsigned k = 0; k < part->kinds; k++)
        rank =
            p->draft->kind[part->kind[k]].rank > rank ? p->draft->kind[part->kind[k]].rank : rank;
    for (unsigned e = 0; e < s->edges && status == TZ_OK; e++) {
        const tz_stage_edge *from = &s->edge[e];
        if (from->done || !member[from->from] || !member[from->to])
            continue;
        tz_stage_edge *to = &edge[part->edges];
        *to = *from;
        to->from = (unsigned)position[from->from];
        to->to = (unsigned)position[from->to];
        to->memo = NULL;
        to->system = (tz_system){0};
        status = tz_system_copy(&to->system, &from->system);
        part->edges += status == TZ_OK;
    }
    unsigned needed = levels;
    if (status == TZ_OK)
        status = tz_find_functions(part, level, rank, &needed);
    if (status == TZ_OK)
        levels = needed;
    else if (status == TZ_NONE && level < levels) /* those of the whole group will do */
        status = TZ_OK;
    if (status == TZ_OK)
        status = pass_level(part, level);
    if (status == TZ_OK)
        status = place(p, part, level + 1, levels);
    for (unsigned e = 0; e < part->edges; e++)
        tz_system_free(&edge[e].system);
    for (unsigned k = 0; k < part->kinds; k++)
        free(part->list[k]);
    free(edge);
    free(part);
    return status;
}

/* Kinds that share the loops over the components before `level`. */
static tz_status place(parting *p, tz_stage_search *s, unsigned level, unsigned levels) {
    bool member[TZ_MAX_KINDS], placed[TZ_MAX_KINDS] = {false};
    tz_reach reach;
    tz_status status = tz_reach_init(&reach, s->kinds);
    if (status != TZ_OK)
        return status;
    for (unsigned e = 0; e < s->edges; e++)
        if (!s->edge[e].done)
            tz_reach_add(&reach, s->edge[e].from, s->edge[e].to);
    tz_reach_close(&reach);
    for (unsigned left = s->kinds; left > 0 && status == TZ_OK;) {
        const unsigned k = tz_next_component(&reach, placed, member);
        if (left < s->kinds)
            p->join = (uint8_t)level;
        for (unsigned a = 0; a < s->kinds; a++)
            left -= member[a];
        for (unsigned e = 0; e < s->edges; e++)
            if (!s->edge[e].done && member[s->edge[e].to] && !member[s->edge[e].from])
                *s->edge[e].ready = (uint8_t)level;
        if (tz_reaches(&reach, k, k)) {
            status = loop(p, s, member, level, levels);
            continue;
        }
        p->kind[p->kinds] = s->kind[k];
        p->joined[p->kinds++] = p->join;
        p->draft->kind[s->kind[k]].stages = (uint8_t)level;
        p->most = level > p->most ? level : p->most;
    }
    tz_reach_free(&reach);
    return status;
}

tz_status tz_part_group(tz_stage_search *s, unsigned levels, uint16_t *ret_kind,
                        uint8_t *ret_joined, uint8_t *ret_stages) {
    parting p = {.draft = s->draft, .kind = ret_kind, .joined = ret_joined};
    tz_status status = pass_level(s, 0);
    if (status == TZ_OK)
        status = place(&p, s, 1, levels);
    *ret_stages = (uint8_t)p.most;
    return status;
}
