/* schedule.h - a pass over a chart as a list of blocks, ready to be computed.
 *
 * Which blocks a pass consists of depends on the rules and the lengths, not on the scores; finding
 * them takes longer than computing one of a short sentence. So a chart keeps the schedules of the
 * lengths it has seen, with the addresses of operands already in them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_SCHEDULE_H
#define TZ_ENGINE_PASS_SCHEDULE_H

#include "engine/pass/pass.h"

/* Blocks first..first+count-1, or ready..ready_end-1 where the semiring makes them ready; or, where
 * a step is given, what it is to be cut into as it runs. */
typedef struct tz_task {
    const tz_bound_step *step;
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

/* Empty schedule for what is bound; TZ_NO_MEMORY. */
tz_status tz_schedule_start(tz_schedule *schedule, const tz_chart *chart, tz_pass pass);
/* Adds a step with the target's stage given; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_schedule_step(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                           const int64_t *stage);
/* The same for a step that bundles: at stage `at` of a pass that goes from `first` to `last`. */
tz_status tz_schedule_bundle(tz_schedule *schedule, const tz_chart *chart,
                             const tz_bound_step *step, int64_t at, int64_t first, int64_t last);
/* Adds one tile. */
tz_status tz_schedule_tile(tz_schedule *schedule, const tz_chart *chart, tz_tile *tile);
/* Do all lanes share the step's blocks, with every operand where it stays? */
bool tz_can_be_blocks(const tz_chart *chart, const tz_bound_step *step);

/* A kind's or weight's domain and layout. */
typedef struct tz_area {
    const tz_domain *domain;
    const tz_form *coordinate;
    const tz_box *box;
    unsigned rank;
} tz_area;
tz_area tz_area_of(const tz_chart *chart, bool weights, unsigned which);
size_t tz_rows_of(const tz_area *a);
/* Has the kind rows that can be told apart by its one stage, of which longer lengths have more? */
bool tz_has_rows(const tz_chart *chart, bool weights, const tz_area *a, unsigned which);
/* The cells low..high of the row that are declared for the longest lengths. */
void tz_row_range(const tz_chart *chart, const tz_area *a, int64_t row, int64_t *low,
                  int64_t *high);
/* How many elements after the block's target belong to its row, but to no cell. */
size_t tz_row_end(const tz_chart *chart, const tz_bound_step *step, const tz_block *block,
                  ptrdiff_t offset);
/* Is an operand of the tile zero wherever its edges leave out a column, while row ends are zero in
 * the space that it writes to, and can all of them be read there? */
bool tz_tile_padded(const tz_chart *chart, const tz_tile *tile);

/* Which rows must be cleared: nothing is known; is the block, the next, the first to write its row,
 * and all of it (offset: of its target); the next task is a step, at a stage; what
 * nothing has written. */
tz_status tz_first_write_start(tz_schedule *schedule, const tz_chart *chart);
bool tz_first_write_block(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                          const tz_block *block, ptrdiff_t offset);
void tz_first_write_task(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                         int64_t stage);
tz_status tz_first_write_end(tz_schedule *schedule, const tz_chart *chart);
/* From here on all rows have been written. */
void tz_first_write_none(tz_schedule *schedule, const tz_chart *chart);

/* After the last block was added: points the blocks to their operands, and makes them ready.
 * TZ_NO_MEMORY. */
tz_status tz_schedule_seal(tz_schedule *schedule);
void tz_schedule_free(tz_schedule *schedule);

#endif
