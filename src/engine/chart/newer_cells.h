/* newer_cells.h - the cells of a chart that has grown. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_NEWER_CELLS_H
#define TZ_ENGINE_CHART_NEWER_CELLS_H

#include "engine/layout/newer.h"

/* Lifts the new cells of dense weights, all lanes being of the same lengths. TZ_BAD_SCORE: some
 * row has, or may have, a score that is not allowed. Sets chart->scaling.misfit. */
tz_status tz_lift_newer(tz_chart *chart, const tz_newer *newer);
/* Makes items zero that are new for lengths `to`, and all items that do not stay. */
void tz_clear_newer(tz_chart *chart, const tz_newer *newer, const int32_t *to);

#endif
