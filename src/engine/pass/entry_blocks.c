/* entry_blocks.c - steps of sparse weights whose loops are the same for all entries: a tile is one
 * block at as many places as there are choices of entries.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/entries.h"
#include "engine/pass/contract.h"
#include "engine/pass/entry_record.h"
#include "engine/pass/schedule.h"

_Static_assert((int)TZ_MAX_TERMS < (int)TZ_MAX_OPERANDS, "a step's terms and the target's value");

bool tz_entries_apart(const tz_chart *chart, const tz_bound_step *step) {
    bool apart = step->ties != NULL && step->ties->apart;
    for (unsigned t = 0; t < step->terms && apart; t++) {
        const tz_bound_term *term = &step->term[t];
        apart = t < step->step->sparse
                    ? !term->tangent
                    : term->what != TZ_WEIGHT || !chart->layout.weight_box[term->which].absent;
    }
    return apart;
}

/* A block at the places of all entries. */
static tz_status contract(tz_chart *chart, const tz_tile *tile, const tz_block *block) {
    tz_entry_list list;
    tz_status status = tz_entry_list_start(&list, chart, tile);
    /* Rows that overlap are added to one after the other. */
    const bool joined = tile->step->ties->rows || block->run == 0;
    while (status == TZ_OK && list.count > 0) {
        status = tz_record_block(chart, block, &list, joined);
        if (status == TZ_OK)
            status = tz_entry_list_next(&list);
    }
    return status;
}

/* The frame's operands, which know their numbers in a choice. */
static tz_status frame_of(tz_chart *chart, const tz_tile *tile, tz_operands *ret) {
    const tz_bound_step *step = tile->step;
    tz_status status = tz_entries_sort(chart, step, tile->lane);
    if (status == TZ_OK)
        status = tz_tile_operands(chart, tile, ret);
    for (unsigned t = 0, inners = 0, outers = 0; t < step->terms && status == TZ_OK; t++)
        (step->term[t].inner ? &ret->inner[inners++] : &ret->outer[outers++])->member = t;
    ret->block.member = step->terms;
    return status;
}

static tz_status contract_entries(tz_chart *chart, const tz_tile *tile, void *user) {
    (void)user;
    tz_operands frame;
    tz_status status = frame_of(chart, tile, &frame);
    return status == TZ_OK ? contract(chart, tile, &frame.block) : status;
}

tz_status tz_contract_entries(tz_chart *chart, const tz_task *task, size_t tasks) {
    tz_entry_key key = {.step = task->step, .tasks = tasks, .lanes = chart->lanes};
    tz_status status;
    if (task->step->stages > 0)
        memcpy(key.stage, task->stage, task->step->stages * sizeof *task->stage);
    if (tz_replay_entries(chart, &key, &status))
        return status;
    for (size_t t = 0; t < tasks && status == TZ_OK; t++)
        status = tz_step_frames(chart, task[t].step, task[t].stage, 0, chart->lanes,
                                contract_entries, NULL);
    tz_record_end(chart, status);
    return status;
}

/* A sum over the target's items: what stands at them takes the target's place among the operands,
 * and products are added to the cells of entries. */
static tz_status gather_entries(tz_chart *chart, const tz_tile *tile, void *user) {
    const tz_entry_use *use = user;
    const tz_bound_step *step = tile->step;
    const tz_bound_term *used = &step->term[use->term];
    const char *values = chart->space[use->values].data;
    const char *items = chart->space[tz_target_space(step)].data;
    const ptrdiff_t first = tz_entry_number(chart, tile->lane, used->which, 0);
    tz_operands sum;
    tz_status status = frame_of(chart, tile, &sum);
    if (status != TZ_OK)
        return status;
    sum.outer[sum.block.outers++] =
        (tz_operand){.base = values + ((const char *)sum.block.target - items),
                     .run = sum.block.run,
                     .member = step->terms};
    sum.block.target = use->cell + first * (ptrdiff_t)chart->algebra->size;
    sum.block.run = 0;
    sum.block.member = use->term;
    return contract(chart, tile, &sum.block);
}

tz_status tz_gather_entries(tz_chart *chart, const tz_bound_step *step, size_t lane, size_t lanes,
                            const tz_entry_use *use) {
    const tz_entry_key key = {.step = step, .lane = lane, .lanes = lanes, .use = *use};
    tz_entry_use to = *use;
    tz_status status;
    if (tz_replay_entries(chart, &key, &status))
        return status;
    status = tz_step_all_tiles(chart, step, lane, lanes, true, gather_entries, &to);
    tz_record_end(chart, status);
    return status;
}
