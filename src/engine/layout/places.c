/* places.c - see places.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/layout/places.h"
#include "rules/box.h"
#include "rules/view.h"

tz_shape tz_lane_shape(const tz_chart *chart, size_t lane, unsigned w) {
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
    const tz_weight *weight = &chart->plan->rules->weight[w];
    tz_shape shape = {.rank = weight->rank};
    /* Lengths that have been bound are right; arrays may be larger than they need. */
    tz_weight_shape(chart->plan->rules, weight, tz_lane_length(chart, lane), &shape);
    memcpy(shape.origin, bound->origin, sizeof shape.origin);
    memcpy(shape.extent, bound->extent, sizeof shape.extent);
    return shape;
}

size_t tz_shape_cells(const tz_shape *shape) {
    size_t cells = 1;
    for (unsigned q = 0; q < shape->rank; q++)
        if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells))
            return SIZE_MAX;
    return cells;
}

ptrdiff_t tz_row_place(const tz_places *p, const tz_rows *rows, ptrdiff_t *ret_step) {
    ptrdiff_t at = p->base;
    *ret_step = 0;
    for (unsigned q = 0; q < rows->rank; q++) {
        at += (ptrdiff_t)rows->index[q] * p->move[q];
        *ret_step += (ptrdiff_t)rows->move[q] * p->move[q];
    }
    return at;
}

tz_places tz_places_of_cells(const tz_chart *chart, unsigned w) {
    const tz_weight *weight = &chart->plan->rules->weight[w];
    const tz_box *box = &chart->layout.weight_box[w];
    tz_places p = {.base = (ptrdiff_t)box->offset};
    for (unsigned c = 0; c < weight->rank; c++) {
        const tz_form *form = &weight->coordinate[c];
        p.base += (form->constant - (ptrdiff_t)box->low[c]) * box->stride[c];
        for (unsigned q = 0; q < weight->rank; q++)
            p.move[q] += form->column[q] * box->stride[c];
    }
    return p;
}

tz_places tz_places_in(const tz_shape *shape, const ptrdiff_t *opt_stride) {
    tz_places p = {0};
    size_t cells = 1;
    for (unsigned q = shape->rank; q-- > 0; cells *= (size_t)shape->extent[q]) {
        p.move[q] = opt_stride != NULL ? opt_stride[q] : (ptrdiff_t)cells;
        p.base -= shape->origin[q] * p.move[q];
    }
    return p;
}

tz_status tz_array_strides(const tz_rules *rules, const tz_weight *weight, const int32_t *length,
                           const tz_shape *shape, ptrdiff_t *ret_stride, size_t *ret_count) {
    enum { MANY = 1 << 20 };
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    const bool many = tz_shape_cells(shape) > MANY;
    bool closer;
    *ret_count = 0;
    for (unsigned q = 0; q < shape->rank; q++) {
        ret_stride[q] = 1;
        low[q] = shape->origin[q];
        high[q] = low[q] + shape->extent[q] - 1;
    }
    if (tz_shape_cells(shape) == 0)
        return TZ_OK;
    const tz_box_range range = {shape->rank, low, high};
    return tz_box_strides(&range, weight->index_shear, many ? weight->index_shears : 0,
                          rules->lengths, length, 0, ret_stride, ret_count, &closer)
               ? TZ_OK
               : TZ_TOO_LARGE;
}
