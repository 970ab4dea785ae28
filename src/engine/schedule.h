/* schedule.h - a pass over a chart as a list of blocks, ready to be computed.
 *
 * Which blocks a pass consists of depends on the rules and the lengths, not on the scores; finding
 * them takes longer than computing one of a short sentence. So a chart keeps the schedules of the
 * lengths it has seen, with the addresses of operands already in them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_SCHEDULE_H
#define TZ_ENGINE_SCHEDULE_H

#include "engine/engine.h"

/* Blocks first..first+count-1; or, where a step is given, what it is to be cut into as it runs. */
typedef struct tz_task {
    const tz_bound_step *step;
    size_t first, count;
    int64_t stage[TZ_MAX_RANK];
} tz_task;

struct tz_schedule {
    tz_schedule *next;
    /* What it was made for. */
    tz_pass pass;
    const tz_algebra *algebra;
    size_t lanes;
    bool uniform;
    int32_t longest[TZ_MAX_LENGTHS];

    /* Inner and outer operands of a block stand one after the other, and so do its edges. */
    tz_buffer task, block, operand, edge;
    size_t tasks, blocks, operands, edges;
    bool complete; /* else it was too long to be kept, and what is left of it is of no use */
};

/* Empty schedule for what is bound. */
void tz_schedule_start(tz_schedule *schedule, const tz_chart *chart, tz_pass pass);
/* Adds a step with the target's stage given; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_schedule_step(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                           const int64_t *stage);
/* The same for a stackable step: at stage `at` of a sweep that goes from `first` to `last`. */
tz_status tz_schedule_stack(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                            int64_t at, int64_t first, int64_t last);
/* Adds one tile. */
tz_status tz_schedule_tile(tz_schedule *schedule, const tz_chart *chart, tz_tile *tile);
/* Points the blocks to their operands, after the last was added. */
void tz_schedule_seal(tz_schedule *schedule);
void tz_schedule_free(tz_schedule *schedule);

#endif
