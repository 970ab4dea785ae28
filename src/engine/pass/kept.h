/* kept.h - the schedules that a chart keeps. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_KEPT_H
#define TZ_ENGINE_PASS_KEPT_H

#include "engine/pass/schedule.h"

/* The schedule for the pass, moved to the head of the chart's list: one made before, or one to be
 * made, which takes the memory of the one not used for longest where there is much of it. NULL:
 * memory is out. */
tz_schedule *tz_schedule_find(tz_chart *chart, tz_pass pass);
/* Does the schedule serve this pass of the chart? */
bool tz_schedule_fits(const tz_schedule *schedule, const tz_chart *chart, tz_pass pass);
void tz_schedules_free(tz_chart *chart);
void tz_passes_free(tz_chart *chart);

#endif
