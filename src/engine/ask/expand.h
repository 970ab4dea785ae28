/* expand.h - every instance of an item, with the element of its product and what it is made of.
 *
 * The one enumeration behind best derivations, k best and samples. Instances come in strips along
 * the last loop of a step, where each operand stands at a fixed stride, so that a strip's products
 * are one block (tz_block) for the semiring. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_EXPAND_H
#define TZ_ENGINE_ASK_EXPAND_H

#include "engine/chart/entries.h"

/* An instance of a step that concludes an item. */
typedef struct tz_instance {
    const tz_bound_step *step;      /* of plan->trace */
    int64_t column[TZ_MAX_COLUMNS]; /* the item's indices, those of sparse entries, the loops */
    size_t entry[TZ_MAX_SPARSE];    /* which entry of each sparse weight */
} tz_instance;

typedef struct tz_expansion {
    /* A strip: `count` instances, equal but for the last column, which grows by 1 from `at` on. */
    tz_instance at;
    size_t count;
    const void *element; /* [count] products, in the chart's elements and the item's scale */

    tz_chart *chart;
    size_t lane;
    const tz_bound_step *end;    /* of the item's steps */
    unsigned rank;               /* of the item */
    uint8_t order[TZ_MAX_TERMS]; /* of the step's terms, see tz_term_order */
    tz_nest outer;               /* the loops around the last one */
    tz_entry_walk entries;
    tz_walk walk; /* over these */
    int64_t high; /* of the last loop */
    bool in_strip;
} tz_expansion;

/* Room for strips, and entries in order; needed once for what is bound before it is expanded.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_expand_room(tz_chart *chart);
/* After tz_inside; index: of the kind (an item or a fold), which lies in its domain. */
void tz_expand_start(tz_expansion *e, tz_chart *chart, size_t lane, unsigned kind,
                     const int32_t *index);
/* The next strip; false past the last. Its elements are overwritten by the next call for this
 * chart, as are the first two of chart->pair. Strips come by step, entries and loops: a fixed
 * order, but tz_instance_before decides ties. */
bool tz_expand_next(tz_expansion *e);

/* Does a come before b in the order of ties: by rule, then by the values of its variables in order
 * of appearance? Both are instances of one item. */
bool tz_instance_before(const tz_chart *chart, size_t lane, const tz_instance *a,
                        const tz_instance *b);
/* Index values of a term of the instance's step, 0 past its rank. */
void tz_instance_index(const tz_chart *chart, size_t lane, const tz_instance *instance,
                       unsigned term, int32_t *ret_index);
/* The score of a term that is a weight. */
double tz_instance_score(const tz_chart *chart, size_t lane, const tz_instance *instance,
                         unsigned term);
/* Its element, in the chart's elements and scale. */
void tz_instance_weight(tz_chart *chart, size_t lane, const tz_instance *instance, unsigned term,
                        void *ret_element);

#endif
