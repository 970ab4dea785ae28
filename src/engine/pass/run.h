/* run.h - runs passes over a chart. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_RUN_H
#define TZ_ENGINE_PASS_RUN_H

#include "engine/engine.h"

/* Runs a pass; if it leaves the range of narrow elements, again with better scales or wide
 * elements. */
tz_status tz_run_pass(tz_chart *chart, tz_pass pass);
/* Computes inside only for new items (chart->passes.newer), once. *ret_fits: no narrow element left
 * its range. */
tz_status tz_run_newer(tz_chart *chart, bool *ret_fits);
/* The last pass that the chart's state holds. */
tz_pass tz_last_pass(const tz_chart *chart);
/* Runs all passes up to `last` again with wide elements. If that fails, the problems stay bound,
 * unless lifting the weights again failed. */
tz_status tz_repeat_wide(tz_chart *chart, tz_pass last);
/* Runs all passes of tangents, after outside, if they have not been run yet. TZ_LAW. */
tz_status tz_make_tangents(tz_chart *chart);

#endif
