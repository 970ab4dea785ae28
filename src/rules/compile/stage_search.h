/* stage_search.h - stages as functions of indices: the candidates, and the search for a choice that
 * orders a group of kinds. For stages.c alone. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_STAGE_SEARCH_H
#define TZ_RULES_COMPILE_STAGE_SEARCH_H

#include "rules/compile/draft.h"

typedef struct tz_stage_candidate {
    tz_form form; /* over the kind's indices */
    int cost;
} tz_stage_candidate;

/* A premise of a kind in the same group as the conclusion. */
typedef struct tz_stage_edge {
    const tz_draft_step *step;
    const tz_term *premise;
    unsigned from, to; /* positions of their kinds in the group */
    tz_system system;
    uint8_t *ready; /* of the step's terms, the premise's */
    int16_t *memo;  /* least difference of stages, by candidates from * to */
    bool done;      /* strictly increases already */
} tz_stage_edge;

typedef struct tz_stage_search {
    tz_draft *draft;
    unsigned kinds;
    uint16_t kind[TZ_MAX_KINDS];
    tz_stage_candidate *list[TZ_MAX_KINDS];
    unsigned listed[TZ_MAX_KINDS];
    tz_stage_edge *edge;
    unsigned edges, proofs;
    uint64_t visits;
    /* What may be tried: kinds of one rank with the same function; with constants of their own;
     * with lengths. */
    bool same_form, offsets, lengths;
    int16_t offset[TZ_MAX_KINDS];
    uint16_t order[TZ_MAX_KINDS]; /* found: kinds inside one stage */
    const tz_draft_step *bent;    /* a step that would make a closure not linear; or NULL */
} tz_stage_search;

/* Finds functions for the components level, level + 1, ... of their stages, at most `most`
 * components in all; *ret_levels are needed. TZ_NONE if there are none, or too many were tried. */
tz_status tz_find_functions(tz_stage_search *s, unsigned level, unsigned most,
                            unsigned *ret_levels);
/* Which kinds of a group share which loops over stages: its order, `joined`, the stages of its
 * kinds, and of which its edges' premises are complete. Functions for `levels` components have been
 * found. The edges are of no use any more. */
tz_status tz_part_group(tz_stage_search *s, unsigned levels, uint16_t *ret_kind,
                        uint8_t *ret_joined, uint8_t *ret_stages);
/* The first kind of the group with the rank of the one at `at`. */
unsigned tz_stage_leader(const tz_stage_search *s, unsigned at);
/* Backtracks over the functions of all kinds for the components level..levels - 1 of their stages,
 * and sets these and s->order. TZ_NONE if none will do, or too many were tried. */
tz_status tz_search_stage(tz_stage_search *s, unsigned level, unsigned levels);

#endif
