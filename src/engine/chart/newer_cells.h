/* newer_cells.h - the cells of a chart that has grown. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_NEWER_CELLS_H
#define TZ_ENGINE_CHART_NEWER_CELLS_H

#include "engine/layout/newer.h"

/* Lifts the new cells of dense weights, all lanes being of the same lengths. TZ_BAD_SCORE: some
 * row has, or may have, a score that is not allowed. Sets chart->scaling.misfit. */
tz_status tz_lift_newer(tz_chart *chart, const tz_newer *newer);
/* Makes all items zero that do not stay; and those that are new for lengths `to`, if there are such
 * lengths. */
void tz_clear_newer(tz_chart *chart, const tz_newer *newer, const int32_t *opt_to);

#endif
