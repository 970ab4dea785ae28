/* schedule.c - see schedule.h. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/pass/schedule.h"

void tz_schedule_start(tz_schedule *schedule, const tz_chart *chart, tz_pass pass) {
    schedule->pass = pass;
    schedule->algebra = chart->algebra;
    schedule->lanes = chart->lanes;
    schedule->same_lengths = chart->bound.same_lengths;
    schedule->known = chart->bound.items > 0;
    schedule->shared_lengths = chart->bound.shared_lengths;
    memcpy(schedule->longest, chart->bound.longest, sizeof schedule->longest);
    schedule->tasks = schedule->blocks = schedule->operands = schedule->edges = 0;
    schedule->unwritten_ranges = 0;
    schedule->complete = schedule->padded = false;
}

void tz_schedule_free(tz_schedule *schedule) {
    tz_buffer_free(&schedule->task);
    tz_buffer_free(&schedule->block);
    tz_buffer_free(&schedule->operand);
    tz_buffer_free(&schedule->edge);
    tz_buffer_free(&schedule->ready);
    tz_buffer_free(&schedule->unwritten);
    tz_buffer_free(&schedule->row);
    tz_buffer_free(&schedule->first_row);
    free(schedule);
}

static tz_status make_ready(tz_schedule *schedule) {
    const tz_algebra *algebra = schedule->algebra;
    const tz_block *block = schedule->block.data;
    tz_task *task = schedule->task.data;
    size_t count = 0;
    for (size_t t = 0; t < schedule->tasks; t++) {
        task[t].ready = count;
        for (size_t b = 0; b < task[t].count && !task[t].presence; b++) {
            tz_status status =
                tz_buffer_grow(&schedule->ready, count + TZ_MAX_READY, sizeof(tz_ready));
            if (status != TZ_OK)
                return status;
            tz_ready *list = (tz_ready *)schedule->ready.data + task[t].ready;
            count = task[t].ready + algebra->prepare(algebra->semiring, &block[task[t].first + b],
                                                     list, count - task[t].ready);
        }
        task[t].ready_end = count;
    }
    return TZ_OK;
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
    return schedule->algebra->prepare != NULL ? make_ready(schedule) : TZ_OK;
}

tz_status tz_schedule_task(tz_schedule *schedule, tz_task **ret) {
    tz_status status = tz_buffer_grow(&schedule->task, schedule->tasks + 1, sizeof(tz_task));
    if (status == TZ_OK)
        *ret = (tz_task *)schedule->task.data + schedule->tasks++;
    return status;
}
