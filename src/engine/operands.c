/* operands.c - what the terms of a tile read: items where they stand, weights gathered from the
 * caller's arrays and lifted, so that a contract sees elements at fixed strides.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/engine.h"

enum { PIECE = 256, SCRATCH = 1 << 18 /* bytes */ };

static double read_score(const tz_scores *scores, ptrdiff_t offset) {
    return scores->type == TZ_FLOAT ? (double)((const float *)scores->data)[offset]
                                    : ((const double *)scores->data)[offset];
}

double tz_lane_score(const tz_lane_scores *scores, unsigned rank, const int64_t *index) {
    ptrdiff_t offset = 0;
    for (unsigned q = 0; q < rank; q++)
        offset += (ptrdiff_t)(index[q] - scores->origin[q]) * scores->scores.stride[q];
    return read_score(&scores->scores, offset);
}

double tz_entry_score(const tz_lane_scores *scores, size_t entry) {
    return read_score(&scores->scores, (ptrdiff_t)entry * scores->scores.stride[0]);
}

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
    const tz_plan *plan = chart->plan;
    for (uint32_t c = 0; c < term->constraints; c++) {
        const tz_constraint *constraint = &term->constraint[c];
        if (constraint->relation != TZ_NE)
            continue;
        int64_t v = tz_form_value(&constraint->form, plan->rules->lengths,
                                  tz_lane_length(chart, lane), columns, column);
        int64_t slope = has_run ? constraint->form.column[columns - 1] : 0;
        if (slope == 0 && v == 0)
            for (size_t x = 0; x < width; x++)
                memcpy(to + x * stride * plan->size, plan->zero, plan->size);
        if (slope != 0 && v % slope == 0 && -v / slope >= 0 && -v / slope < (int64_t)width)
            memcpy(to + (size_t)(-v / slope) * stride * plan->size, plan->zero, plan->size);
    }
}

/* The elements of a dense weight for one lane along a run of `width`, `stride` elements apart. */
static void gather_run(const tz_chart *chart, const tz_bound_term *term, size_t lane,
                       const int64_t *column, unsigned columns, bool has_run, size_t width,
                       char *to, size_t stride) {
    const tz_plan *plan = chart->plan;
    const tz_lane_scores *scores = tz_lane_weight(chart, lane, term->which);
    reach reach = clip(chart, term, lane, column, columns, has_run, width);
    size_t outside[2][2] = {{0, reach.first}, {reach.first + reach.count, width}};
    for (unsigned part = 0; part < 2; part++)
        for (size_t x = outside[part][0]; x < outside[part][1]; x++)
            memcpy(to + x * stride * plan->size, plan->zero, plan->size);
    if (reach.count == 0)
        return;
    ptrdiff_t offset = 0, step = 0;
    for (unsigned q = 0; q < term->rank; q++) {
        int64_t index = tz_form_value(&term->index[q], plan->rules->lengths,
                                      tz_lane_length(chart, lane), columns, column);
        offset += (ptrdiff_t)(index - scores->origin[q]) * scores->scores.stride[q];
        if (has_run)
            step += term->index[q].column[columns - 1] * scores->scores.stride[q];
    }
    for (size_t done = 0; done < reach.count;) {
        double piece[PIECE];
        size_t n = reach.count - done < PIECE ? reach.count - done : PIECE;
        size_t x = reach.first + done;
        if (scores->scores.type == TZ_FLOAT) {
            const float *from = (const float *)scores->scores.data;
            for (size_t i = 0; i < n; i++)
                piece[i] = (double)from[offset + (ptrdiff_t)(x + i) * step];
        } else {
            const double *from = (const double *)scores->scores.data;
            for (size_t i = 0; i < n; i++)
                piece[i] = from[offset + (ptrdiff_t)(x + i) * step];
        }
        plan->lift(plan->semiring, to + x * stride * plan->size, stride, piece, n);
        done += n;
    }
    zero_holes(chart, term, lane, column, columns, has_run, width, to, stride);
}

/* Elements of scratch that one position of the run takes, and that the tile takes besides. */
static void scratch_need(const tz_tile *tile, size_t *ret_run, size_t *ret_fixed) {
    const tz_bound_step *bound = tile->step;
    size_t run = 0, fixed = bound->step->sparse;
    for (unsigned t = bound->step->sparse; t < bound->terms; t++) {
        const tz_bound_term *term = &bound->term[t];
        if (term->what != TZ_WEIGHT)
            continue;
        size_t elements = (term->inner ? tile->splits : 1) * tile->lanes;
        *(term->still ? &fixed : &run) += elements;
    }
    *ret_run = run;
    *ret_fixed = fixed;
}

size_t tz_tile_width(const tz_chart *chart, const tz_tile *tile) {
    size_t run, fixed;
    scratch_need(tile, &run, &fixed);
    size_t room = SCRATCH / chart->plan->size;
    room = room > fixed ? room - fixed : 0;
    size_t width = run == 0 ? tile->width : room / run;
    return width == 0 ? 1 : width < tile->width ? width : tile->width;
}

tz_status tz_tile_operands(tz_chart *chart, const tz_tile *tile, tz_operands *ret) {
    const tz_plan *plan = chart->plan;
    const tz_bound_step *bound = tile->step;
    const tz_step *step = bound->step;
    unsigned columns = (unsigned)bound->nest->givens + bound->nest->loops;
    unsigned lengths = plan->rules->lengths;
    const int32_t *length = tz_lane_length(chart, tile->lane);
    unsigned split = columns - 1u - step->has_run, run = columns - 1u;

    size_t per_run, fixed, need;
    scratch_need(tile, &per_run, &fixed);
    if (__builtin_mul_overflow(per_run, tile->width, &need) ||
        __builtin_add_overflow(need, fixed, &need))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->scratch, need, plan->size);
    if (status != TZ_OK)
        return status;
    char *scratch = chart->scratch.data;

    int64_t column[TZ_MAX_COLUMNS];
    memcpy(column, tile->column, sizeof column);
    if (step->has_split)
        column[split] = tile->split;
    if (step->has_run)
        column[run] = tile->run;

    ret->block = (tz_block){.splits = tile->splits,
                            .width = tile->width,
                            .lanes = tile->lanes,
                            .inner = ret->inner,
                            .outer = ret->outer};
    unsigned inners = 0, outers = 0;
    for (unsigned t = 0; t < bound->terms; t++) {
        const tz_bound_term *term = &bound->term[t];
        tz_operand operand = {0};
        if (term->what != TZ_WEIGHT) {
            const tz_address *address = &chart->address[term->address];
            ptrdiff_t offset = tz_address_value(address, lengths, length, columns, column);
            operand.base = term->what == TZ_INSIDE ? tz_inside_cell(chart, offset, tile->lane)
                                                   : tz_outside_cell(chart, offset, tile->lane);
            operand.split = step->has_split ? address->column[split] * (ptrdiff_t)chart->lanes : 0;
            operand.run = step->has_run ? address->column[run] * (ptrdiff_t)chart->lanes : 0;
        } else if (t < step->sparse) {
            double score =
                tz_entry_score(tz_lane_weight(chart, tile->lane, term->which), tile->entry[t]);
            plan->lift(plan->semiring, scratch, 1, &score, 1);
            operand.base = scratch;
            scratch += plan->size;
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
                               step->has_run && !term->still, width, scratch + lane * plan->size,
                               tile->lanes);
                scratch += width * tile->lanes * plan->size;
            }
            if (step->has_split)
                column[split] = tile->split;
        }
        if (term->inner)
            ret->inner[inners++] = operand;
        else
            ret->outer[outers++] = operand;
    }
    const tz_address *target = &chart->address[bound->target.address];
    ptrdiff_t offset = tz_address_value(target, lengths, length, columns, column);
    ret->block.target = step->target.what == TZ_INSIDE ? tz_inside_cell(chart, offset, tile->lane)
                                                       : tz_outside_cell(chart, offset, tile->lane);
    ret->block.run = step->has_run ? target->column[run] * (ptrdiff_t)chart->lanes : 0;
    ret->block.inners = inners;
    ret->block.outers = outers;
    return TZ_OK;
}
