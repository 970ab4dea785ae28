/* address.c - where items stand in a chart, for the lengths that are bound.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/engine.h"

/* The smallest box around the coordinates of all lanes. */
static void bound_box(const tz_chart *chart, const tz_kind *kind, tz_box *box) {
    unsigned lengths = chart->plan->rules->lengths;
    *box = (tz_box){.empty = true};
    for (size_t lane = 0; lane < chart->lanes; lane++) {
        if (chart->uniform && lane > 0)
            break;
        int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
        bool empty = false;
        for (unsigned c = 0; c < kind->rank; c++) {
            tz_range_value(&kind->coordinate_range[c], lengths, tz_lane_length(chart, lane), 0,
                           NULL, &low[c], &high[c]);
            empty |= low[c] > high[c];
        }
        if (empty)
            continue;
        for (unsigned c = 0; c < kind->rank; c++) {
            if (box->empty || low[c] < box->low[c])
                box->low[c] = low[c];
            if (box->empty || high[c] > box->high[c])
                box->high[c] = high[c];
        }
        box->empty = false;
    }
}

static tz_status place_boxes(tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    size_t items = 0, limit = PTRDIFF_MAX / chart->plan->size / chart->lanes;
    for (unsigned k = 0; k < rules->kinds; k++) {
        const tz_kind *kind = &rules->kind[k];
        tz_box *box = &chart->box[k];
        bound_box(chart, kind, box);
        size_t size = box->empty ? 0 : 1;
        for (unsigned c = kind->rank; c-- > 0 && !box->empty;) {
            box->stride[c] = (ptrdiff_t)size;
            if (__builtin_mul_overflow(size, (size_t)(box->high[c] - box->low[c] + 1), &size))
                return TZ_TOO_LARGE;
        }
        box->offset = items;
        box->size = size;
        if (__builtin_add_overflow(items, size, &items) || items > limit)
            return TZ_TOO_LARGE;
    }
    chart->items = items;
    return TZ_OK;
}

static void place_term(tz_chart *chart, const tz_bound_term *term, unsigned columns) {
    if (term->what == TZ_WEIGHT)
        return;
    const tz_box *box = &chart->box[term->which];
    tz_address *address = &chart->address[term->address];
    unsigned lengths = chart->plan->rules->lengths;
    address->base = (ptrdiff_t)box->offset;
    memset(address->length, 0, sizeof address->length);
    memset(address->column, 0, columns * sizeof *address->column);
    for (unsigned c = 0; c < term->rank; c++) {
        const tz_form *form = &term->coordinate[c];
        ptrdiff_t stride = box->stride[c];
        address->base += (form->constant - (ptrdiff_t)box->low[c]) * stride;
        for (unsigned l = 0; l < lengths; l++)
            address->length[l] += form->length[l] * stride;
        for (unsigned v = 0; v < columns; v++)
            address->column[v] += form->column[v] * stride;
    }
}

static void place_steps(tz_chart *chart, const tz_bound_step *step, unsigned steps) {
    for (unsigned s = 0; s < steps; s++) {
        unsigned columns = (unsigned)step[s].nest->givens + step[s].nest->loops;
        place_term(chart, &step[s].target, columns);
        for (unsigned t = 0; t < step[s].terms; t++)
            place_term(chart, &step[s].term[t], columns);
    }
}

tz_status tz_chart_layout(tz_chart *chart) {
    const tz_plan *plan = chart->plan;
    tz_status status = place_boxes(chart);
    if (status != TZ_OK)
        return status;
    place_steps(chart, plan->inside, plan->rules->steps);
    place_steps(chart, plan->outside, plan->rules->outside_steps);
    place_steps(chart, plan->trace, plan->rules->steps);
    return TZ_OK;
}

ptrdiff_t tz_cell_offset(const tz_chart *chart, unsigned kind, const int64_t *index) {
    const tz_kind *k = &chart->plan->rules->kind[kind];
    const tz_box *box = &chart->box[kind];
    if (box->empty)
        return -1;
    ptrdiff_t offset = (ptrdiff_t)box->offset;
    for (unsigned c = 0; c < k->rank; c++) {
        int64_t value = tz_form_value(&k->coordinate[c], 0, NULL, k->rank, index);
        if (value < box->low[c] || value > box->high[c])
            return -1;
        offset += (ptrdiff_t)(value - box->low[c]) * box->stride[c];
    }
    return offset;
}
