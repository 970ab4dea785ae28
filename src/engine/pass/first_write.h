/* first_write.h - finds the rows that need not be cleared before a pass. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_ENGINE_PASS_FIRST_WRITE_H
#define TZ_ENGINE_PASS_FIRST_WRITE_H

#include "engine/pass/schedule.h"

/* Which rows must be cleared: nothing is known; is the block, the next, the first to write its row,
 * and all of it (offset: of its target, in cells); the next task is a step, at a stage; what
 * nothing has written. */
tz_status tz_first_write_start(tz_schedule *schedule, const tz_chart *chart);
bool tz_first_write_block(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                          const tz_block *block, ptrdiff_t offset);
void tz_first_write_task(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                         int64_t stage);
tz_status tz_first_write_end(tz_schedule *schedule, const tz_chart *chart);
/* Forgets what has been said of rows since so many (schedule->rows_touched) had been touched. */
void tz_first_write_back(tz_schedule *schedule, size_t touched);
/* From here on all rows have been written. */
void tz_first_write_none(tz_schedule *schedule, const tz_chart *chart);

#endif
