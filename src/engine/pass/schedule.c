/* schedule.c - see schedule.h. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/pass/loops.h"
#include "engine/pass/ready.h"

void tz_schedule_start(tz_schedule *schedule, const tz_chart *chart, tz_pass pass) {
    schedule->pass = pass;
    schedule->algebra = chart->algebra;
    schedule->lanes = chart->lanes;
    schedule->same_lengths = chart->bound.same_lengths;
    schedule->known = chart->bound.items > 0;
    schedule->shared_lengths = chart->bound.shared_lengths;
    memcpy(schedule->longest, chart->bound.longest, sizeof schedule->longest);
    memcpy(schedule->room, chart->layout.room, sizeof schedule->room);
    memcpy(schedule->old, chart->passes.old, sizeof schedule->old);
    schedule->newer = chart->passes.newer;
    tz_schedule_back(schedule, &(tz_schedule_mark){0});
    schedule->closed = schedule->spills = schedule->bundled = 0;
    schedule->unwritten_ranges = schedule->rows_touched = 0;
    schedule->complete = schedule->padded = schedule->leaping = false;
    schedule->absences = 0;
    memset(schedule->absent, 0, sizeof schedule->absent);
}

void tz_schedule_free(tz_schedule *schedule) {
    tz_buffer_free(&schedule->task);
    tz_buffer_free(&schedule->block);
    tz_buffer_free(&schedule->operand);
    tz_buffer_free(&schedule->edge);
    tz_buffer_free(&schedule->move);
    tz_buffer_free(&schedule->ready);
    tz_buffer_free(&schedule->change);
    tz_buffer_free(&schedule->made);
    tz_buffer_free(&schedule->absence);
    tz_buffer_free(&schedule->unwritten);
    tz_buffer_free(&schedule->row);
    tz_buffer_free(&schedule->first_row);
    tz_buffer_free(&schedule->touched);
    free(schedule);
}

tz_status tz_schedule_seal(tz_schedule *schedule) {
    tz_block *block = schedule->block.data;
    const tz_operand *operand = schedule->operand.data;
    const tz_edge *edge = schedule->edge.data;
    for (size_t b = 0; b < schedule->blocks; b++) {
        block[b].low = edge;
        block[b].high = edge + block[b].lows;
        edge += block[b].lows + block[b].highs;
        block[b].inner = operand;
        block[b].outer = operand + block[b].inners;
        operand += block[b].inners + block[b].outers;
    }
    tz_join_tasks(schedule);
    return schedule->algebra->prepare != NULL ? tz_make_ready(schedule) : TZ_OK;
}

tz_status tz_schedule_task(tz_schedule *schedule, tz_task **ret) {
    tz_status status = tz_buffer_grow(&schedule->task, schedule->tasks + 1, sizeof(tz_task));
    if (status == TZ_OK)
        *ret = (tz_task *)schedule->task.data + schedule->tasks++;
    return status;
}
