/* schedule.h - a pass over a chart as a list of blocks, ready to be computed.
 *
 * Which blocks a pass consists of depends on the rules and the lengths, not on the scores; finding
 * them takes longer than computing one of a short sentence. So a chart keeps the schedules of the
 * lengths it has seen, with the addresses of operands already in them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_SCHEDULE_H
#define TZ_ENGINE_PASS_SCHEDULE_H

#include "engine/engine.h"

/* Blocks first..first+count-1, or ready..ready_end-1 where the semiring makes them ready; those of
 * presences are no sums, and apart from others. Or, where a step is given, what it is to be cut
 * into as it runs; or the closure of a group; or what facts say of the items of a kind. */
typedef struct tz_task {
    const tz_bound_step *step;
    const tz_group *closure;
    const tz_kind *known;
    bool presence;
    size_t first, count, ready, ready_end;
    int64_t stage[TZ_MAX_RANK];
} tz_task;

/* Cells of the pass's target space, to be cleared before it. */
typedef struct tz_cell_range {
    size_t first, count;
} tz_cell_range;

struct tz_schedule {
    tz_schedule *next;
    /* What it was made for. */
    tz_pass pass;
    const tz_algebra *algebra;
    size_t lanes;
    bool same_lengths;
    bool known; /* facts speak of items */
    uint8_t shared_lengths;
    int32_t longest[TZ_MAX_LENGTHS];

    /* Inner and outer operands of a block stand one after the other, and so do its edges. */
    tz_buffer task, block, operand, edge, ready;
    size_t tasks, blocks, operands, edges;
    /* Cells that are cleared before the pass, the rows of the target space, and each kind's first
     * one, see first_write.c. */
    tz_buffer unwritten, row, first_row;
    size_t unwritten_ranges;
    bool padded;   /* it relies on row ends that are zero */
    bool complete; /* if not, it was too long to be kept, and what is left of it is of no use */
};

/* Empty schedule for what is bound. */
void tz_schedule_start(tz_schedule *schedule, const tz_chart *chart, tz_pass pass);
/* Adds a task; TZ_NO_MEMORY. */
tz_status tz_schedule_task(tz_schedule *schedule, tz_task **ret);
/* After the last block was added: points the blocks to their operands, and makes them ready.
 * TZ_NO_MEMORY. */
tz_status tz_schedule_seal(tz_schedule *schedule);
void tz_schedule_free(tz_schedule *schedule);

/* Do all lanes share the step's blocks, with every operand where it stays? */
static inline bool tz_can_be_blocks(const tz_chart *chart, const tz_bound_step *step) {
    bool can = step->step->sparse == 0 &&
               (chart->bound.same_lengths ||
                (tz_share_loops(chart, step) && step->growing && chart->plan->growing));
    for (unsigned t = 0; t < step->terms && can; t++)
        can = step->term[t].what != TZ_WEIGHT ||
              !chart->layout.weight_box[step->term[t].which].absent;
    return can;
}

#endif
