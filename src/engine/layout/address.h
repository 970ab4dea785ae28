/* address.h - boxes of cells and addresses of operands, for what is bound.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_ADDRESS_H
#define TZ_ENGINE_LAYOUT_ADDRESS_H

#include "engine/engine.h"

/* Boxes and addresses for the bound lengths. */
tz_status tz_chart_layout(tz_chart *chart);
/* The same for bound lengths within the room of the layout there is, which stays; shape: of each
 * weight for these. */
void tz_chart_lengthen(tz_chart *chart, const tz_shape *shape);
/* How many problems of these lengths are best evaluated side by side: as many as fill a vector of
 * the widest instruction set, for then every item is one. But one alone where the items of so many
 * would hardly stay in a second-level cache of 2 MB (eisner: from n = 128 on), for a long sentence
 * fills vectors with neighbouring items just as well; and where a weight of so many would have no
 * place. And about how many cells items have. *often: are items read again and again, -1: it is to
 * be found, from these lengths, if it matters. */
size_t tz_best_lanes(const tz_plan *plan, const int32_t *length, int *often, double *ret_cells);
/* Offset of a kind's cell, or -1 outside its box. */
ptrdiff_t tz_cell_offset(const tz_chart *chart, unsigned kind, const int64_t *index);
/* Where the goal of a lane stands, or -1 if it is outside its domain. */
ptrdiff_t tz_goal_offset(const tz_chart *chart, size_t lane);
void tz_layout_free(tz_layout *l);

#endif
