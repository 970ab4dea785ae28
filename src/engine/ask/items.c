/* items.c - a number for every item of a name: values, and what derivations that use it amount to.
 *
 * An item is used as often as its inside value is multiplied by its outside value: both are taken
 * with wide elements, so that their product leaves no range. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/modes.h"
#include "engine/ask/items.h"
#include "engine/ask/value.h"
#include "engine/chart/facts.h"
#include "engine/chart/scale.h"
#include "engine/layout/address.h"

typedef enum kind_of_number { VALUE, THROUGH, SHARE } kind_of_number;

/* What is asked: numbers of one kind's items in one lane. */
typedef struct question {
    tz_chart *chart;
    size_t lane;
    unsigned item;
    kind_of_number number;
    double scale;           /* of the goal */
    char *whole;            /* the goal's element, wide; */
    char *inside, *outside; /* room for two more */
} question;

/* The number of the item whose cell this is. */
static double number_of(const question *q, ptrdiff_t offset, const int64_t *index) {
    const tz_chart *chart = q->chart;
    const tz_algebra *wide = &chart->plan->wide;
    const tz_semiring *s = wide->semiring;
    double scale = tz_kind_scale(chart, q->lane, q->item, index);
    tz_widen(chart, tz_cell(chart, TZ_AT_INSIDE, offset, q->lane), scale, q->inside);
    if (q->number != VALUE) {
        tz_widen(chart, tz_cell(chart, TZ_AT_OUTSIDE, offset, q->lane), q->scale - scale,
                 q->outside);
        s->times(s, q->inside, q->inside, q->outside);
    }
    /* A required item's own mark is inside and outside. */
    size_t twice = q->number == VALUE ? 0 : tz_item_facts(chart, q->lane, q->item, index, true);
    tz_unmark(chart, q->lane, wide, twice, q->inside);
    if (q->number == SHARE)
        return s->share(s, q->inside, q->whole);
    return wide->value(s, q->inside) + (q->number == VALUE
                                            ? tz_kind_centre(chart, q->lane, q->item, index)
                                            : tz_goal_centre(chart, q->lane));
}

/* Writes all cells of the shape; `none` where there is no such item. */
static tz_status write_all(const question *q, double none, const tz_output *output) {
    const tz_rules *rules = q->chart->plan->rules;
    const tz_kind *kind = &rules->kind[q->item];
    const int32_t *length = tz_lane_length(q->chart, q->lane);
    tz_shape shape;
    tz_status status = tz_rules_shape(rules, TZ_ITEM + q->item, length, &shape);
    if (status != TZ_OK)
        return status;
    int32_t position[TZ_MAX_RANK] = {0};
    for (unsigned d = 0; d < shape.rank; d++)
        if (shape.extent[d] == 0)
            return TZ_OK;
    for (unsigned d = 1; d > 0;) {
        int64_t index[TZ_MAX_RANK];
        ptrdiff_t at = 0, offset = -1;
        for (unsigned r = 0; r < shape.rank; r++) {
            index[r] = (int64_t)position[r] + shape.origin[r];
            at += position[r] * output->stride[r];
        }
        if (tz_domain_holds(&kind->domain, rules->lengths, length, shape.rank, index))
            offset = tz_cell_offset(q->chart, q->item, index);
        output->data[at] = offset < 0 ? none : number_of(q, offset, index);
        for (d = shape.rank; d > 0 && ++position[d - 1] == shape.extent[d - 1]; d--)
            position[d - 1] = 0;
    }
    return TZ_OK;
}

static tz_status answer(tz_chart *chart, size_t problem, size_t item, kind_of_number number,
                        const tz_output *output) {
    const tz_algebra *wide = &chart->plan->wide;
    const tz_semiring *s = wide->semiring;
    if (chart->state < (number == VALUE ? TZ_INSIDE_DONE : TZ_OUTSIDE_DONE) ||
        problem >= chart->lanes || item >= chart->plan->rules->items)
        return TZ_BAD_ARGUMENT;
    if (number != VALUE && tz_goal_missing(chart, problem))
        return TZ_NONE;
    char *room = chart->pair.data;
    question q = {.chart = chart,
                  .lane = problem,
                  .item = (unsigned)item,
                  .number = number,
                  .whole = room + 2 * wide->size,
                  .inside = room,
                  .outside = room + wide->size};
    if (number != VALUE) {
        q.scale = tz_goal_scale(chart, problem);
        tz_widen(chart, tz_cell(chart, TZ_AT_INSIDE, tz_goal_offset(chart, problem), problem),
                 q.scale, q.whole);
        tz_unmark(chart, problem, wide, 0, q.whole);
    }
    return write_all(&q, number == SHARE ? 0 : wide->value(s, wide->zero), output);
}

tz_status tz_items(tz_chart *chart, size_t problem, size_t item, const tz_output *output) {
    TZ_DEFAULT_MODES;
    return answer(chart, problem, item, VALUE, output);
}

tz_status tz_items_through(tz_chart *chart, size_t problem, size_t item, const tz_output *output) {
    return answer(chart, problem, item, THROUGH, output);
}

tz_status tz_items_marginals(tz_chart *chart, size_t problem, size_t item,
                             const tz_output *output) {
    return answer(chart, problem, item, SHARE, output);
}
