/* address.h - boxes of cells and addresses of operands, for the lengths that are bound.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_ADDRESS_H
#define TZ_ENGINE_LAYOUT_ADDRESS_H

#include "engine/engine.h"

/* Makes boxes and addresses for the bound lengths. TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_chart_layout(tz_chart *chart);
/* The same for bound lengths within the room of the present layout, which stays. shape: of each
 * weight for these lengths. */
void tz_chart_lengthen(tz_chart *chart, const tz_shape *shape);
/* How many problems of these lengths are best evaluated side by side: as many as fill a vector of
 * the widest instruction set, since then every item is a vector. But only one where the items of so
 * many would hardly stay in a second-level cache of 2 MB (eisner: from n = 128 on), since a long
 * sentence fills vectors with neighbouring items just as well; and where a weight of so many would
 * have no place. *ret_cells: about how many cells items have. *often: are items read again and
 * again? -1: not known; it is found from these lengths if it matters. */
size_t tz_best_lanes(const tz_plan *plan, const int32_t *length, int *often, double *ret_cells);
/* Offset of a kind's cell, or -1 outside its box. */
ptrdiff_t tz_cell_offset(const tz_chart *chart, unsigned kind, const int64_t *index);
/* Offset of a lane's goal, or -1 outside its domain. */
ptrdiff_t tz_goal_offset(const tz_chart *chart, size_t lane);
void tz_layout_free(tz_layout *l);

#endif
