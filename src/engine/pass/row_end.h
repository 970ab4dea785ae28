/* row_end.h - rows of a chart, and the row ends between them. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_ROW_END_H
#define TZ_ENGINE_PASS_ROW_END_H

#include "engine/pass/tile.h"

/* A kind's or weight's domain and layout. */
typedef struct tz_area {
    const tz_domain *domain;
    const tz_form *coordinate;
    const tz_box *box;
    unsigned rank;
} tz_area;
tz_area tz_area_of(const tz_chart *chart, bool weights, unsigned which);
size_t tz_rows_of(const tz_area *a);
/* Does the kind have rows that its one stage tells apart, each with places of its own, and does it
 * have more of them for longer lengths? */
bool tz_has_rows(const tz_chart *chart, bool weights, const tz_area *a, unsigned which);
/* The cells low..high of the row that are declared for the longest lengths. */
void tz_row_range(const tz_chart *chart, const tz_area *a, int64_t row, int64_t *low,
                  int64_t *high);
/* How many elements after the block's target belong to its row, but to no cell. */
size_t tz_row_end(const tz_chart *chart, const tz_bound_step *step, const tz_block *block,
                  ptrdiff_t offset);
/* Is an operand of the tile zero wherever its edges leave out a column, while row ends are zero in
 * the space that it writes to, and can all of them be read there? */
bool tz_tile_padded(const tz_chart *chart, const tz_tile *tile);

#endif
