/* newer_cells.h - the cells of a chart that has grown. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_NEWER_CELLS_H
#define TZ_ENGINE_CHART_NEWER_CELLS_H

#include "engine/layout/newer.h"

/* Neighbouring rows of new cells of a weight: neighbours in a row are `apart` cells apart. */
typedef struct tz_new_rows {
    unsigned weight;
    int64_t move[TZ_MAX_RANK];
    ptrdiff_t apart;
    size_t first, count;
} tz_new_rows;

typedef struct tz_new_row {
    int64_t index[TZ_MAX_RANK]; /* of the first cell */
    uint32_t count;
    bool hole; /* one cell, which is in no domain */
    ptrdiff_t cell;
} tz_new_row;

/* The cells that weights have for some lengths but lack for shorter ones. They depend on the
 * lengths and the layout, not on the scores, so a chart keeps them for the next time. */
typedef struct tz_new_cells {
    struct tz_new_cells *next;
    struct tz_new_cells *after; /* what was asked for next, the last time */
    /* What it was made for. */
    const tz_newer *newer;
    size_t lanes;
    int32_t old[TZ_MAX_LENGTHS], length[TZ_MAX_LENGTHS], room[TZ_MAX_LENGTHS];

    tz_shape *shape; /* [weights] for these lengths */
    tz_buffer shapes, rows, row;
    size_t groups, count; /* of rows */
} tz_new_cells;

/* The cells that are new for these lengths, the same in all lanes, where those for the old lengths
 * are there; `newer` has been set to the old ones. The pointer is valid until the next call.
 * TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_new_cells_find(tz_chart *chart, const tz_newer *newer, const int32_t *old,
                            const int32_t *length, const tz_new_cells **ret);
void tz_new_cells_free_all(tz_chart *chart);
/* Lifts the new cells of dense weights. TZ_BAD_SCORE: some score is not allowed. Sets
 * chart->scaling.misfit. */
tz_status tz_lift_newer(tz_chart *chart, const tz_new_cells *cells);
/* Makes all items zero that do not stay, and those that are new for lengths opt_to, if given. */
void tz_clear_newer(tz_chart *chart, const tz_newer *newer, const int32_t *opt_to);

#endif
