/* strips.h - the strips of a chart's items, for the lengths that are bound.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_STRIPS_H
#define TZ_ENGINE_ASK_STRIPS_H

#include "engine/engine.h"
#include "engine/plan/strips.h"

/* tz_strip_plan for what is bound. */
struct tz_strip_chart {
    uint64_t version; /* of the layout that kinds and strides fit */
    const void *inside, *weight;
    int32_t length[TZ_MAX_LENGTHS]; /* that all else fits, where filled */
    bool filled;
    tz_strip_kind *kind; /* [2 * kinds] not direct where some weight has no place */
    tz_strip *strip;
    uint64_t *word;
    tz_strip_form *form;
};

/* chart->trace.strips for a new chart. */
tz_status tz_strip_chart_new(tz_chart *chart);
void tz_strip_chart_free(tz_chart *chart);
/* Sets it up for a lane of the chart. */
void tz_strips_prepare(tz_chart *chart, size_t lane);

/* An item's indices as the numbers that forms take: [2 * TZ_STRIP_PAIRS]. */
static inline void tz_item_numbers(const tz_chart *chart, const int32_t *index, uint64_t *ret) {
    const unsigned pairs = chart->plan->strips->pairs;
    uint64_t pair[TZ_STRIP_PAIRS];
    tz_pairs_of(index, pairs, pair);
    for (unsigned p = 0; p < pairs; p++)
        tz_pair_split(pair[p], ret + 2 * p);
}

/* The lane being prepared: is the item an axiom's, with no weights, and no other instance's? */
bool tz_item_is_leaf(const tz_chart *chart, unsigned kind, const int32_t *index);

#endif
