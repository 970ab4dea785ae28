/* strips.h - the strips of a chart's items, for the lengths that are bound.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_STRIPS_H
#define TZ_ENGINE_ASK_STRIPS_H

#include "engine/engine.h"
#include "engine/plan/strips.h"

/* tz_strip_plan for what is bound. */
struct tz_strip_chart {
    const struct tz_strip_plan *plan;
    uint64_t version; /* of the layout that kinds and strides fit */
    const tz_algebra *algebra;
    const void *inside, *weight;
    int32_t length[TZ_MAX_LENGTHS]; /* where filled: the lengths for which the members below are */
    bool filled;
    tz_strip_kind *kind; /* [kinds] not direct where some weight has no place */
    tz_strip *strip;
    uint64_t *word;
    tz_strip_form *form;
};

/* Sets chart->trace.strips[which] up for a lane, where the plan has them. TZ_NO_MEMORY. */
tz_status tz_strips_prepare(tz_chart *chart, tz_strips which, size_t lane);
void tz_strip_chart_free(tz_chart *chart);

/* An item's indices as the numbers that forms take: [2 * TZ_STRIP_PAIRS]. */
static inline void tz_item_numbers(const struct tz_strip_chart *strips, const int32_t *index,
                                   uint64_t *ret) {
    const unsigned pairs = strips->plan->pairs;
    uint64_t pair[TZ_STRIP_PAIRS];
    tz_pairs_of(index, pairs, pair);
    for (unsigned p = 0; p < pairs; p++)
        tz_pair_split(pair[p], ret + 2 * p);
}

/* For a lane for which TZ_LISTED is prepared: is the item's only instance an axiom without
 * weights? */
bool tz_item_is_leaf(const tz_chart *chart, unsigned kind, const int32_t *index);

#endif
