/* views.h - maps cells of views to the cells of declared weights that they look up, see
 * rules/view.h. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_VIEWS_H
#define TZ_ENGINE_LAYOUT_VIEWS_H

#include "engine/layout/cells.h"
#include "engine/layout/rows.h"

/* Numbers of an array as a function of a view's indices: its position is base + column . index. */
typedef struct tz_view_part {
    const int32_t *number; /* of an input; NULL: the position is the number itself */
    ptrdiff_t base, column[TZ_MAX_RANK];
    ptrdiff_t stride; /* of the declared weight's array along this index */
    int32_t origin;
} tz_view_part;

/* Maps a view's indices to those of its declared weight, and to the place of that cell in an
 * array. */
typedef struct tz_view_map {
    const tz_rules *rules;
    const tz_weight *weight; /* the view */
    const int32_t *length;
    const tz_entry *sorted; /* of a sparse one: its entries; NULL: places are not asked for */
    size_t entries;
    ptrdiff_t stride; /* from entry to entry */
    tz_view_part part[TZ_MAX_RANK];
} tz_view_map;

/* Makes a map. length, numbers [inputs]: of the problem, checked; they and the sorted entries must
 * stay. opt_stride: of the array, one for each index of the declared weight; for a sparse one,
 * stride[0] from entry to entry; NULL: places are not asked for. TZ_TOO_LARGE. */
tz_status tz_view_map_make(const tz_rules *rules, const tz_weight *view, const int32_t *length,
                           const tz_input_numbers *numbers, const ptrdiff_t *opt_stride,
                           const tz_entry *opt_sorted, size_t entries, tz_view_map *ret);
/* The declared weight's indices. */
void tz_view_cell(const tz_view_map *map, const int64_t *index, int32_t *ret_index);

enum { TZ_VIEW_PIECE = 256 };

/* Visits cells of a view, some in a row at a time. */
typedef struct tz_view_rows {
    const tz_view_map *map;
    tz_rows rows;
    size_t done;
    /* Out: */
    int64_t index[TZ_MAX_RANK]; /* of the first cell; rows.move goes to the next */
    size_t count;
    bool even; /* places are first + x * apart, and not listed */
    ptrdiff_t first, apart;
    ptrdiff_t place[TZ_VIEW_PIECE]; /* TZ_NO_PLACE: no cell of the view, or no entry */
} tz_view_rows;

#define TZ_NO_PLACE PTRDIFF_MIN

/* Starts with the cells of a nest, such as the view's `cells`. */
void tz_view_start(tz_view_rows *rows, const tz_view_map *map, const tz_nest *cells);
bool tz_view_next(tz_view_rows *rows);
/* The place of cell x of the row. */
static inline ptrdiff_t tz_view_place(const tz_view_rows *rows, size_t x) {
    return rows->even ? rows->first + (ptrdiff_t)x * rows->apart : rows->place[x];
}

#endif
