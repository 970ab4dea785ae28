/* run.h - what a chart has computed, and what is computed of it. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_RUN_H
#define TZ_ENGINE_PASS_RUN_H

#include "engine/engine.h"

/* Runs a pass; where a narrow one leaves its range, again with better scales or wide elements. */
tz_status tz_run_pass(tz_chart *chart, tz_pass pass);
/* Inside of new items alone (chart->passes.newer), once; false: a narrow one left its range. */
tz_status tz_run_newer(tz_chart *chart, bool *ret_fits);
/* The last pass that the chart's state holds. */
tz_pass tz_last_pass(const tz_chart *chart);
/* All passes up to the one given, with wide elements. Where that fails, what is bound stays so,
 * unless the weights had to be lifted again and were not. */
tz_status tz_repeat_wide(tz_chart *chart, tz_pass last);
/* All passes of tangents, after outside, if they have not been run yet. TZ_LAW. */
tz_status tz_make_tangents(tz_chart *chart);

#endif
