/* places.h - where the cells of a weight stand, as linear functions of their indices.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_PLACES_H
#define TZ_ENGINE_LAYOUT_PLACES_H

#include "engine/engine.h"
#include "engine/layout/rows.h"

/* The shape of a lane's weight. */
tz_shape tz_lane_shape(const tz_chart *chart, size_t lane, unsigned weight);
/* The cells of a shape; SIZE_MAX if there are more. */
size_t tz_shape_cells(const tz_shape *shape);

/* Where the cells of a weight stand: base + the sum of index[q] * move[q]. */
typedef struct tz_places {
    ptrdiff_t base, move[TZ_MAX_RANK];
} tz_places;

/* Their places in the spaces of weights; and in an array of the shape, row-major where strides are
 * not given. */
tz_places tz_places_of_cells(const tz_chart *chart, unsigned weight);
tz_places tz_places_in(const tz_shape *shape, const ptrdiff_t *opt_stride);
/* Strides of an array for the numbers of a weight's cells, of this shape, and how many places it
 * has. It is row-major, but rows of a view with many cells may lie closer (rules/box.h): positions
 * that are no cells then share places of others. TZ_TOO_LARGE. */
tz_status tz_array_strides(const tz_rules *rules, const tz_weight *weight, const int32_t *length,
                           const tz_shape *shape, ptrdiff_t *ret_stride, size_t *ret_count);
/* Where a row begins, and its step. */
ptrdiff_t tz_row_place(const tz_places *places, const tz_rows *rows, ptrdiff_t *ret_step);

#endif
