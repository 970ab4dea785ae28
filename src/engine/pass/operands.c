/* operands.c - what the terms of a tile read: items and weights where they stand; weights that have
 * no place are gathered from the caller's arrays and lifted, so that a contract sees elements at
 * fixed strides.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/direction.h"
#include "engine/chart/entries.h"
#include "engine/chart/weights.h"
#include "engine/pass/contract.h"
#include "engine/pass/tile.h"

enum { SCRATCH = 1 << 18 /* bytes */ };

/* Positions 0..width-1 of the run that lie inside the weight's domain, given the columns before it,
 * whose value in constraints and strides along the run are those of the last column. */
typedef struct reach {
    size_t first, count;
} reach;

static reach clip(const tz_chart *chart, const tz_bound_term *term, size_t lane,
                  const int64_t *column, unsigned columns, bool has_run, size_t width) {
    unsigned lengths = chart->plan->rules->lengths;
    const int32_t *length = tz_lane_length(chart, lane);
    int64_t low = 0, high = (int64_t)width - 1;
    for (uint32_t c = 0; c < term->constraints && low <= high; c++) {
        const tz_constraint *constraint = &term->constraint[c];
        int64_t v = tz_form_value(&constraint->form, lengths, length, columns, column);
        int64_t slope = has_run ? constraint->form.column[columns - 1] : 0;
        if (constraint->relation == TZ_NE)
            continue; /* by zero_hole */
        if (slope == 0) {
            if (constraint->relation == TZ_GE ? v < 0 : v != 0)
                high = -1;
            continue;
        }
        /* v + slope t >= 0, and <= 0 as well for an equation. */
        int64_t at_least = slope > 0 ? tz_ceil_div(-v, slope) : INT64_MIN;
        int64_t at_most = slope < 0 ? tz_floor_div(v, -slope) : INT64_MAX;
        if (constraint->relation == TZ_EQ) {
            at_least = tz_ceil_div(-v, slope);
            at_most = tz_floor_div(-v, slope);
        }
        low = at_least > low ? at_least : low;
        high = at_most < high ? at_most : high;
    }
    return low <= high ? (reach){(size_t)low, (size_t)(high - low + 1)} : (reach){0, 0};
}

/* Writes zero where an `!=` of the weight's domain fails. */
static void zero_holes(const tz_chart *chart, const tz_bound_term *term, size_t lane,
                       const int64_t *column, unsigned columns, bool has_run, size_t width,
                       char *to, size_t stride) {
    const tz_algebra *algebra = chart->algebra;
    for (uint32_t c = 0; c < term->constraints; c++) {
        const tz_constraint *constraint = &term->constraint[c];
        if (constraint->relation != TZ_NE)
            continue;
        int64_t v = tz_form_value(&constraint->form, chart->plan->rules->lengths,
                                  tz_lane_length(chart, lane), columns, column);
        int64_t slope = has_run ? constraint->form.column[columns - 1] : 0;
        if (slope == 0 && v == 0)
            for (size_t x = 0; x < width; x++)
                memcpy(to + x * stride * algebra->size, algebra->zero, algebra->size);
        if (slope != 0 && v % slope == 0 && -v / slope >= 0 && -v / slope < (int64_t)width)
            memcpy(to + (size_t)(-v / slope) * stride * algebra->size, algebra->zero,
                   algebra->size);
    }
}

/* The elements of a dense weight for one lane along a run of `width`, `stride` elements apart. */
static void gather_run(tz_chart *chart, const tz_bound_term *term, size_t lane,
                       const int64_t *column, unsigned columns, bool has_run, size_t width,
                       char *to, size_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const tz_lane_scores *scores = tz_lane_weight(chart, lane, term->which);
    reach reach = clip(chart, term, lane, column, columns, has_run, width);
    size_t outside[2][2] = {{0, reach.first}, {reach.first + reach.count, width}};
    for (unsigned part = 0; part < 2; part++)
        for (size_t x = outside[part][0]; x < outside[part][1]; x++)
            memcpy(to + x * stride * algebra->size, algebra->zero, algebra->size);
    if (reach.count == 0)
        return;
    ptrdiff_t offset = 0, step = 0;
    int64_t index[TZ_MAX_RANK], move[TZ_MAX_RANK];
    for (unsigned q = 0; q < term->rank; q++) {
        move[q] = has_run ? term->index[q].column[columns - 1] : 0;
        index[q] = tz_form_value(&term->index[q], chart->plan->rules->lengths,
                                 tz_lane_length(chart, lane), columns, column) +
                   (int64_t)reach.first * move[q];
        offset += (ptrdiff_t)(index[q] - scores->origin[q]) * scores->scores.stride[q];
        step += (ptrdiff_t)move[q] * scores->scores.stride[q];
    }
    tz_lift_row(chart, lane, term->which, index, move, &scores->scores, offset, step, reach.count,
                to + reach.first * stride * algebra->size, (ptrdiff_t)stride);
    zero_holes(chart, term, lane, column, columns, has_run, width, to, stride);
    if (term->tangent) {
        char *first = to + reach.first * stride * algebra->size;
        tz_scale_by_direction(chart, lane, term->which, index, move, offset, reach.count, first,
                              first, (ptrdiff_t)stride);
    }
}

/* The tangent of a sparse weight's entry. */
static void gather_tangent(tz_chart *chart, const tz_bound_term *term, size_t lane, size_t entry,
                           void *to) {
    const tz_scores *scores = &tz_lane_weight(chart, lane, term->which)->scores;
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < term->rank; q++)
        index[q] = scores->index[entry * term->rank + q];
    tz_lift_cell(chart, lane, term->which, index, entry, to, to);
}

static bool is_gathered(const tz_chart *chart, const tz_bound_term *term) {
    return term->what == TZ_WEIGHT && chart->layout.weight_box[term->which].absent;
}

/* Elements of scratch that a tile takes for each position of its run, and besides. */
static void scratch_need(const tz_chart *chart, const tz_tile *tile, size_t *ret_run,
                         size_t *ret_fixed) {
    const tz_bound_step *bound = tile->step;
    size_t run = 0, fixed = bound->step->sparse;
    for (unsigned t = bound->step->sparse; t < bound->terms; t++) {
        const tz_bound_term *term = &bound->term[t];
        if (!is_gathered(chart, term))
            continue;
        size_t elements = (term->inner ? tile->splits : 1) * tile->lanes;
        *(term->still ? &fixed : &run) += elements;
    }
    *ret_run = run;
    *ret_fixed = fixed;
}

size_t tz_tile_width(const tz_chart *chart, const tz_tile *tile) {
    size_t run, fixed;
    scratch_need(chart, tile, &run, &fixed);
    size_t room = SCRATCH / chart->algebra->size;
    room = room > fixed ? room - fixed : 0;
    size_t width = run == 0 ? tile->width : room / run;
    return width == 0 ? 1 : width < tile->width ? width : tile->width;
}

tz_status tz_tile_operands(tz_chart *chart, const tz_tile *tile, tz_operands *ret) {
    size_t size = chart->algebra->size;
    const tz_bound_step *bound = tile->step;
    const tz_step *step = bound->step;
    unsigned columns = (unsigned)bound->nest->givens + bound->nest->loops;
    unsigned lengths = chart->plan->rules->lengths;
    const int32_t *length = tz_lane_length(chart, tile->lane);
    unsigned split = columns - 1u - step->has_run, run = columns - 1u;

    size_t per_run, fixed, need;
    scratch_need(chart, tile, &per_run, &fixed);
    if (__builtin_mul_overflow(per_run, tile->width, &need) ||
        __builtin_add_overflow(need, fixed, &need))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->passes.scratch, need, size);
    if (status != TZ_OK)
        return status;
    char *scratch = chart->passes.scratch.data;

    int64_t column[TZ_MAX_COLUMNS];
    memcpy(column, tile->column, sizeof column);
    if (step->has_split)
        column[split] = tile->split;
    if (step->has_run)
        column[run] = tile->run;

    ret->block = (tz_block){.splits = tile->splits,
                            .width = tile->width,
                            .lanes = tile->lanes,
                            .low = tile->low,
                            .high = tile->high,
                            .lows = tile->lows,
                            .highs = tile->highs,
                            .bundle = 1,
                            .inner = ret->inner,
                            .outer = ret->outer};
    unsigned inners = 0, outers = 0;
    for (unsigned t = 0; t < bound->terms; t++) {
        const tz_bound_term *term = &bound->term[t];
        tz_operand operand = {0};
        if (t < step->sparse && !term->tangent) {
            operand.base = tz_entry_element(chart, tile->lane, term->which, tile->entry[t]);
        } else if (t < step->sparse) {
            gather_tangent(chart, term, tile->lane, tile->entry[t], scratch);
            operand.base = scratch;
            scratch += size;
        } else if (!is_gathered(chart, term)) {
            const tz_address *address = &chart->layout.address[term->address];
            ptrdiff_t offset = tz_address_value(address, lengths, length, columns, column);
            operand.base = tz_cell(chart, tz_term_space(term), offset, tile->lane);
            operand.split = step->has_split ? address->column[split] * (ptrdiff_t)chart->lanes : 0;
            operand.run = step->has_run ? address->column[run] * (ptrdiff_t)chart->lanes : 0;
        } else {
            size_t width = term->still ? 1 : tile->width, splits = term->inner ? tile->splits : 1;
            operand.base = scratch;
            operand.run = term->still ? 0 : (ptrdiff_t)tile->lanes;
            operand.split = term->inner ? (ptrdiff_t)(width * tile->lanes) : 0;
            for (size_t s = 0; s < splits; s++) {
                if (step->has_split)
                    column[split] = tile->split + (int64_t)s;
                for (size_t lane = 0; lane < tile->lanes; lane++)
                    gather_run(chart, term, tile->lane + lane, column, columns,
                               step->has_run && !term->still, width, scratch + lane * size,
                               tile->lanes);
                scratch += width * tile->lanes * size;
            }
            if (step->has_split)
                column[split] = tile->split;
        }
        if (term->inner)
            ret->inner[inners++] = operand;
        else
            ret->outer[outers++] = operand;
    }
    const tz_address *target = &chart->layout.address[bound->target.address];
    ptrdiff_t offset = tz_address_value(target, lengths, length, columns, column);
    ret->block.target = tz_cell(chart, tz_target_space(bound), offset, tile->lane);
    ret->block.run = step->has_run ? target->column[run] * (ptrdiff_t)chart->lanes : 0;
    ret->block.inners = inners;
    ret->block.outers = outers;
    return TZ_OK;
}

tz_status tz_contract_tile(tz_chart *chart, const tz_tile *tile, void *user) {
    (void)user;
    tz_operands operands;
    tz_status status = tz_tile_operands(chart, tile, &operands);
    if (status == TZ_OK && tz_is_presence(chart->plan->rules, tile->step->step))
        tz_presence(chart, &operands.block);
    else if (status == TZ_OK)
        tz_contract(chart, &operands.block, 1);
    return status;
}
