/* blocks.c - the loops of a step, cut into blocks for the longest lengths bound.
 *
 * Lanes share the blocks where the rules allow it: what is not valid for a shorter lane multiplies
 * that lane's zeros (tz_step.shared_lengths). SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/pass/blocks.h"
#include "engine/pass/first_write.h"
#include "engine/pass/repeat.h"
#include "engine/pass/row_end.h"

typedef struct builder {
    tz_schedule *schedule; /* NULL: only asked whether there is a block */
    const tz_chart *chart;
    const tz_bound_step *step;
    unsigned outer; /* loops before split and run */
    unsigned at;    /* those that have their column */
    tz_tile tile;   /* its column holds the givens and loops */
    bool found;
} builder;

tz_status tz_schedule_tile(tz_schedule *schedule, const tz_chart *chart, tz_tile *tile) {
    const tz_bound_step *step = tile->step;
    bool has_split = step->step->has_split, has_run = step->step->has_run;
    unsigned lengths = chart->plan->rules->lengths, edges = tile->lows + tile->highs;
    unsigned columns = (unsigned)step->nest->givens + step->nest->loops;
    unsigned split = columns - 1u - has_run, run = columns - 1u;
    if (has_split)
        tile->column[split] = tile->split;
    if (has_run)
        tile->column[run] = tile->run;

    tz_status status = tz_buffer_grow(&schedule->block, schedule->blocks + 1, sizeof(tz_block));
    if (status == TZ_OK)
        status = tz_buffer_grow(&schedule->operand, schedule->operands + step->terms,
                                sizeof(tz_operand));
    if (status == TZ_OK)
        status = tz_buffer_grow(&schedule->edge, schedule->edges + edges, sizeof(tz_edge));
    if (status == TZ_OK)
        status = tz_buffer_grow(&schedule->made, schedule->blocks + 1, sizeof step);
    const bool presence = tz_is_presence(chart->plan->rules, step->step);
    tz_task *task = schedule->tasks > schedule->closed
                        ? (tz_task *)schedule->task.data + schedule->tasks - 1
                        : NULL;
    if (status == TZ_OK && (task == NULL || !tz_is_list(task) || task->presence != presence)) {
        status = tz_schedule_task(schedule, &task);
        if (status == TZ_OK)
            *task = (tz_task){.presence = presence, .first = schedule->blocks};
    }
    if (status != TZ_OK)
        return status;
    task->count++;
    ((const tz_bound_step **)schedule->made.data)[schedule->blocks] = step;
    ptrdiff_t lanes = (ptrdiff_t)chart->lanes;
    const tz_address *at = &chart->layout.address[step->target.address];
    tz_block *block = (tz_block *)schedule->block.data + schedule->blocks++;
    ptrdiff_t target = tz_address_value(at, lengths, chart->bound.longest, columns, tile->column);
    *block = (tz_block){
        .target = tz_cell(chart, tz_target_space(step), target, 0),
        .run = has_run ? at->column[run] * lanes : lanes,
        .splits = tile->splits,
        .width = tile->width,
        .lanes = chart->lanes,
        .lows = tile->lows,
        .highs = tile->highs,
        .bundle = 1,
        .padded = tile->padded,
    };
    schedule->padded |= block->padded;
    block->first_write = tz_first_write_block(schedule, chart, step, block, target);
    block->row_end = tz_row_end(chart, step, block, target);
    tz_edge *edge = (tz_edge *)schedule->edge.data + schedule->edges;
    memcpy(edge, tile->low, tile->lows * sizeof *edge);
    memcpy(edge + tile->lows, tile->high, tile->highs * sizeof *edge);
    schedule->edges += edges;
    for (int inner = 1; inner >= 0; inner--)
        for (unsigned t = 0; t < step->terms; t++) {
            const tz_bound_term *term = &step->term[t];
            if (term->inner != (inner == 1))
                continue;
            at = &chart->layout.address[term->address];
            *(inner ? &block->inners : &block->outers) += 1;
            ((tz_operand *)schedule->operand.data)[schedule->operands++] = (tz_operand){
                .base = tz_cell(
                    chart, tz_term_space(term),
                    tz_address_value(at, lengths, chart->bound.longest, columns, tile->column), 0),
                .split = has_split ? at->column[split] * lanes : 0,
                .run = has_run ? at->column[run] * lanes : lanes,
            };
        }
    return TZ_OK;
}

static tz_status add_block(builder *b) {
    b->found = true;
    return b->schedule == NULL ? TZ_OK : tz_schedule_tile(b->schedule, b->chart, &b->tile);
}

/* ---- Loops ---------------------------------------------------------------------------------- */

/* The run at a split. */
static tz_status take_split(void *user, int64_t split) {
    builder *b = user;
    const tz_nest *nest = b->step->nest;
    tz_tile *tile = &b->tile;
    const unsigned outer = nest->givens + b->outer;
    int64_t from, to;
    tile->column[outer] = tile->split = split;
    tz_range_value(&nest->range[b->outer + 1], b->chart->plan->rules->lengths,
                   b->chart->bound.longest, outer + 1, tile->column, &from, &to);
    if (from > to)
        return TZ_OK;
    tile->run = from;
    tile->width = (size_t)(to - from + 1);
    return add_block(b);
}

/* All turns of a loop; until there is a block, where no more is asked. */
static tz_status each_turn(builder *b, int64_t low, int64_t high,
                           tz_status (*turn)(void *user, int64_t value), void *user) {
    const tz_loop loop = {low, high - low + 1, 1, TZ_MAX_RANK, turn, user};
    if (b->schedule != NULL)
        return tz_repeat(b->schedule, b->chart, &loop);
    tz_status status = TZ_OK;
    for (int64_t at = low; at <= high && !b->found && status == TZ_OK; at++)
        status = turn(user, at);
    return status;
}

/* The two innermost loops, with the columns before them set. */
static tz_status innermost(builder *b) {
    const tz_step *step = b->step->step;
    const tz_nest *nest = b->step->nest;
    tz_tile *tile = &b->tile;
    const int32_t *length = b->chart->bound.longest;
    unsigned lengths = b->chart->plan->rules->lengths, outer = nest->givens + b->outer;
    int64_t low = 0, high = 0;
    tile->lows = tile->highs = 0;
    tile->padded = false;
    tile->split = tile->run = 0;
    tile->splits = tile->width = 1;
    if (step->has_split || step->has_run)
        tz_range_value(&nest->range[b->outer], lengths, length, outer, tile->column, &low, &high);
    if (low > high)
        return TZ_OK;
    if (!step->has_split || !step->has_run) {
        *(step->has_run ? &tile->run : &tile->split) = low;
        *(step->has_run ? &tile->width : &tile->splits) = (size_t)(high - low + 1);
        return add_block(b);
    }
    if (!b->step->edged)
        return each_turn(b, low, high, take_split, b);
    if (!tz_tile_edges(nest, lengths, length, low, high, tile))
        return TZ_OK;
    tile->padded = tz_tile_padded(b->chart, tile);
    return add_block(b);
}

static tz_status loops_from(builder *b);

/* A turn of loop q. */
typedef struct looping {
    builder *b;
    unsigned q;
} looping;

static tz_status take_turn(void *user, int64_t value) {
    const looping *of = user;
    of->b->tile.column[of->b->step->nest->givens + of->q] = value;
    return loops_from(of->b);
}

/* The loops from the one at hand on. */
static tz_status loops_from(builder *b) {
    const tz_nest *nest = b->step->nest;
    if (b->at == b->outer)
        return innermost(b);
    const unsigned q = b->at++;
    int64_t low, high;
    tz_range_value(&nest->range[q], b->chart->plan->rules->lengths, b->chart->bound.longest,
                   nest->givens + q, b->tile.column, &low, &high);
    tz_status status = each_turn(b, low, high, take_turn, &(looping){b, q});
    b->at--;
    return status;
}

/* Notes that the step has no blocks at this stage. */
static tz_status note_absence(tz_schedule *schedule, const tz_bound_step *step,
                              const int64_t *stage) {
    tz_status status =
        tz_buffer_grow(&schedule->absence, schedule->absences + 1, sizeof(tz_absence));
    if (status != TZ_OK)
        return status;
    tz_absence *to = (tz_absence *)schedule->absence.data + schedule->absences++;
    *to = (tz_absence){.nest = step->nest};
    if (step->stages > 0)
        memcpy(to->stage, stage, step->stages * sizeof *stage);
    schedule->absent[step->stages]++;
    return TZ_OK;
}

tz_status tz_schedule_step(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                           const int64_t *stage) {
    const tz_nest *nest = step->nest;
    builder b = {.schedule = schedule,
                 .chart = chart,
                 .step = step,
                 .tile.step = step,
                 .outer = (unsigned)nest->loops - step->step->has_split - step->step->has_run};
    if (step->stages > 0)
        memcpy(b.tile.column, stage, step->stages * sizeof *stage);
    const bool here = tz_domain_holds(&nest->entry, chart->plan->rules->lengths,
                                      chart->bound.longest, nest->givens, b.tile.column);
    if (tz_can_be_blocks(chart, step))
        return here ? loops_from(&b) : note_absence(schedule, step, stage);
    b.schedule = NULL;
    if (step->step->sparse == 0 && (chart->bound.same_lengths || step->growing)) {
        tz_status status = here ? loops_from(&b) : TZ_OK;
        if (status != TZ_OK || !b.found)
            return status == TZ_OK ? note_absence(schedule, step, stage) : status;
    }
    tz_task *task;
    tz_status status = tz_schedule_task(schedule, &task);
    if (status != TZ_OK)
        return status;
    *task = (tz_task){.step = step};
    if (step->stages > 0)
        memcpy(task->stage, stage, step->stages * sizeof *stage);
    if (step->stages == 1)
        tz_first_write_task(schedule, chart, step, stage[0]);
    return TZ_OK;
}
