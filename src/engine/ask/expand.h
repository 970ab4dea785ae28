/* expand.h - enumerates the instances of an item, with the element of each product and its parts.
 *
 * The one enumeration behind k best, samples, limits, and best derivations that no semiring traces.
 * Instances come in strips (kernels/strips.h) along the last loop of a step, where each operand
 * stands at a fixed stride, so that a strip's products are one block (tz_block) for the semiring.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_EXPAND_H
#define TZ_ENGINE_ASK_EXPAND_H

#include "engine/ask/strips.h"
#include "engine/chart/entries.h"

/* An instance of a step that concludes an item. */
typedef struct tz_instance {
    const tz_strip *strip; /* one of TZ_LISTED; NULL: there is no instance */
    int64_t turn;
    uint64_t at[TZ_STRIP_NUMBERS]; /* the numbers that the strip's forms take */
    size_t entry[TZ_MAX_SPARSE];   /* which entry of each sparse weight */
} tz_instance;

typedef struct tz_expansion {
    /* Part of a strip: `count` instances, from `at` on turn by turn. */
    tz_instance at;
    size_t count;
    const void *element; /* [count] products, in the chart's elements and the item's scale */

    tz_chart *chart;
    size_t lane;
    const tz_strip *next, *end;     /* of the item's strips */
    int64_t column[TZ_MAX_COLUMNS]; /* the item's indices, then those of entries */
    tz_entry_walk entries;
    tz_strip_loops loops;
    int64_t high; /* the strip's last turn */
    bool in_strip;
} tz_expansion;

/* Prepares for expanding items of a lane: its strips, room, entries in order. Once for the problems
 * bound, as long as no other lane is asked for. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_expand_prepare(tz_chart *chart, size_t lane);
/* Starts the instances of a kind (an item or a fold), after tz_inside. index: in the kind's
 * domain. */
void tz_expand_start(tz_expansion *e, tz_chart *chart, size_t lane, unsigned kind,
                     const int32_t *index);
/* The next strip; false past the last. Its elements are overwritten by the next call for this
 * chart, as are the first two of chart->pair. Strips come by step, entries and loops: a fixed
 * order, but tz_instance_before decides ties. */
bool tz_expand_next(tz_expansion *e);
/* Instance x of the strip; only as many numbers and entries as the strip has are written. */
static inline void tz_expanded(const tz_expansion *e, size_t x, tz_instance *ret) {
    const tz_strip *strip = ret->strip = e->at.strip;
    ret->turn = e->at.turn + (int64_t)x;
    for (unsigned q = 0; q < strip->width; q++)
        ret->at[q] = e->at.at[q];
    for (unsigned w = 0; w < strip->sparse; w++)
        ret->entry[w] = e->at.entry[w];
}

/* ---- What an instance of the lane that is prepared is made of -------------------------------- */

const tz_bound_step *tz_instance_step(const tz_chart *chart, const tz_instance *instance);
/* Does a come before b in the order of ties: by rule, then by the values of its variables in order
 * of appearance? Both are instances of one item. */
bool tz_instance_before(const tz_chart *chart, size_t lane, const tz_instance *a,
                        const tz_instance *b);
/* Index values of a premise, 0 past its rank: [TZ_MAX_RANK]. */
void tz_instance_premise(const tz_chart *chart, const tz_instance *instance, unsigned premise,
                         int32_t *ret_index);
/* The use of weight number w of the strip; its score if it is an entry's, else 0. */
tz_use tz_instance_use(const tz_chart *chart, size_t lane, const tz_instance *instance, unsigned w);
/* Does every instance of the strip have the same uses? */
bool tz_instance_steady(const tz_chart *chart, const tz_instance *instance);
/* The element of an operand, in the chart's elements and scale; `room` if it has no place. */
const void *tz_instance_operand(tz_chart *chart, size_t lane, const tz_instance *instance,
                                unsigned operand, void *room);

#endif
