/* newer.h - new items and cells where lengths have grown: those in a domain for the bound lengths
 * that were not in it for the lengths from which the chart has grown.
 *
 * A domain is a conjunction. A new item fails one of its conditions for the old lengths and
 * satisfies those before it. This is a conjunction again, so the loops over new items are those
 * over all items with some more bounds. There is a *piece* for each condition that mentions a
 * length that grows, mostly one. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_NEWER_H
#define TZ_ENGINE_LAYOUT_NEWER_H

#include "engine/engine.h"

/* A bound that depends on the old lengths, which stand in for the lengths of `source`. */
typedef struct tz_newer_bound {
    struct tz_newer_bound *next;
    tz_form *form;
    tz_form source;
} tz_newer_bound;

/* The pieces of one kind or weight. */
typedef struct tz_newer_nests {
    const tz_nest *nest;
    unsigned count;
} tz_newer_nests;

/* For the lengths that grow (bit l): see tz_newer_find. */
typedef struct tz_newer {
    struct tz_newer *next;
    uint8_t grown;
    bool possible; /* if not, nothing else is valid */
    /* Inside steps with only new items for targets, piece by piece; whole steps where items do not
     * stay. The pieces of step s are step[first[s] .. first[s + 1] - 1]. */
    tz_bound_step *step;
    uint32_t *first;
    tz_newer_nests *kind; /* [kinds] of those that stay: new cells; columns: coordinates */
    bool *stays;          /* [kinds] */
    /* [kinds] new items are at stages from `value` on, where the first component tells. */
    struct tz_newer_stage {
        bool known;
        tz_form from;
        int64_t value;
    } * stage;
    /* [weights] new cells that steps use, or all: tz_newer_uses nests, each in pieces */
    tz_newer_nests **weight;
    tz_newer_bound *bound;
    struct tz_arena *arena;
} tz_newer;

/* Finds what is new where these lengths grow; the chart keeps and owns it. Not possible where cells
 * do not stay in their places, or loops cannot tell new ones. TZ_NO_MEMORY. */
tz_status tz_newer_find(tz_chart *chart, uint8_t grown, tz_newer **ret);
/* Sets the old lengths. */
void tz_newer_set(tz_newer *newer, unsigned kinds, unsigned lengths, const int32_t *old);
void tz_newer_free_all(tz_chart *chart);

/* The number of nests of a weight: those that steps use; for a view all cells, so that they are
 * filled. */
static inline unsigned tz_newer_uses(const tz_weight *weight) {
    return weight->sparse ? 0 : weight->uses > 0 && weight->view == NULL ? weight->uses : 1;
}

/* The pieces of inside steps first..first+*count-1 of the plan; `newer`: NULL, or those with new
 * targets. */
static inline const tz_bound_step *tz_inside_steps(const tz_plan *plan, const tz_newer *newer,
                                                   unsigned first, unsigned *count) {
    if (newer == NULL)
        return plan->inside + first;
    *count = newer->first[first + *count] - newer->first[first];
    return newer->step + newer->first[first];
}

#endif
