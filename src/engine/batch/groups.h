/* groups.h - decides which problems of a batch are evaluated side by side. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_BATCH_GROUPS_H
#define TZ_ENGINE_BATCH_GROUPS_H

#include "engine/plan/plan.h"

/* A problem, and where it is in the batch. */
typedef struct tz_ordered {
    const tz_problem *problem;
    size_t at, lengths;
} tz_ordered;

/* Problems of the sorted order that are bound together: every step-th from the first on. The chart
 * is laid out for `lanes` lanes, which may be more than there are problems, and the lengths
 * `longest`. cost: about how long the group takes; layout: what laying a chart out so adds,
 * compared with other groups. */
typedef struct tz_grouped {
    size_t first, step, count, lanes;
    int32_t longest[TZ_MAX_LENGTHS];
    double cost, layout;
} tz_grouped;

/* How much cost of answered groups is worth another thread: some 100 microseconds, several times as
 * long as waking it takes. Tests set it to 0. */
extern double tz_thread_cost;

/* Sorts the problems, the longest first, and cuts them into groups of at most so many lanes (0: as
 * many as are best); kept: there will be more batches for the same charts. Writes at most `count`
 * groups, and the most lanes; TZ_NO_MEMORY. */
tz_status tz_make_groups(const tz_plan *plan, tz_ordered *order, size_t count, size_t lanes,
                         bool kept, tz_grouped *ret_groups, size_t *ret_count, size_t *ret_most);

#endif
