/* marginals.c - the semiring sum over all uses of each cell of a weight.
 *
 * Every instance of a step that uses the weight contributes  outside(target) * (product of terms).
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/engine.h"

typedef struct gather {
    unsigned weight;
    bool any;
    size_t lane;
    const tz_shape *shape;
    ptrdiff_t stride[TZ_MAX_RANK]; /* of the cells, row-major over the shape */
    char *cell;                    /* one element each */
} gather;

static const char *operand_at(const tz_operand *operand, size_t split, size_t x, size_t size) {
    return (const char *)operand->base +
           ((ptrdiff_t)split * operand->split + (ptrdiff_t)x * operand->run) * (ptrdiff_t)size;
}

/* The cell that a use of the weight falls into: base + split * per_split + x * per_run. */
typedef struct cell_address {
    ptrdiff_t base, per_split, per_run;
} cell_address;

static cell_address find_cells(const tz_chart *chart, const tz_tile *tile, const gather *g,
                               unsigned t) {
    const tz_bound_step *bound = tile->step;
    const tz_step *step = bound->step;
    const tz_bound_term *term = &bound->term[t];
    cell_address cells = {0, 0, 0};
    if (t < step->sparse) {
        cells.base = (ptrdiff_t)tile->entry[t];
        return cells;
    }
    unsigned columns = (unsigned)bound->nest->givens + bound->nest->loops;
    int64_t column[TZ_MAX_COLUMNS];
    memcpy(column, tile->column, sizeof column);
    if (step->has_split)
        column[columns - 1u - step->has_run] = tile->split;
    if (step->has_run)
        column[columns - 1] = tile->run;
    for (unsigned q = 0; q < term->rank; q++) {
        int64_t index = tz_form_value(&term->index[q], chart->plan->rules->lengths,
                                      tz_lane_length(chart, tile->lane), columns, column);
        cells.base += (ptrdiff_t)(index - g->shape->origin[q]) * g->stride[q];
        if (step->has_split)
            cells.per_split += term->index[q].column[columns - 1u - step->has_run] * g->stride[q];
        if (step->has_run)
            cells.per_run += term->index[q].column[columns - 1] * g->stride[q];
    }
    return cells;
}

static tz_status gather_tile(tz_chart *chart, const tz_tile *tile, void *user) {
    gather *g = user;
    const tz_plan *plan = chart->plan;
    const tz_semiring *s = plan->semiring;
    const tz_bound_step *bound = tile->step;
    size_t size = plan->size;
    tz_operands operands;
    tz_status status = tz_tile_operands(chart, tile, &operands);
    if (status != TZ_OK)
        return status;
    const tz_block *block = &operands.block;
    const char *inside = chart->inside.data;
    const char *target = (const char *)chart->outside.data + ((const char *)block->target - inside);
    char *product = chart->pair.data;
    for (unsigned t = 0; t < bound->terms; t++) {
        if (bound->term[t].what != TZ_WEIGHT || bound->term[t].which != g->weight)
            continue;
        cell_address cells = find_cells(chart, tile, g, t);
        for (size_t split = 0; split < tile->splits; split++)
            for (size_t x = 0; x < tile->width; x++) {
                memcpy(product, target + (ptrdiff_t)x * block->run * (ptrdiff_t)size, size);
                for (unsigned i = 0; i < block->inners; i++)
                    s->times(s, product, product, operand_at(&block->inner[i], split, x, size));
                for (unsigned o = 0; o < block->outers; o++)
                    s->times(s, product, product, operand_at(&block->outer[o], 0, x, size));
                char *cell = g->cell + (cells.base + (ptrdiff_t)split * cells.per_split +
                                        (ptrdiff_t)x * cells.per_run) *
                                           (ptrdiff_t)size;
                s->plus(s, cell, cell, product);
            }
    }
    return TZ_OK;
}

/* Fills chart->cells with one element per cell of the shape (sparse: per entry). */
static tz_status gather_weight(tz_chart *chart, size_t problem, unsigned weight,
                               const tz_shape *shape, size_t *ret_cells) {
    const tz_plan *plan = chart->plan;
    const tz_rules *rules = plan->rules;
    gather g = {.weight = weight, .lane = problem, .shape = shape};
    size_t cells = 1;
    if (shape->sparse)
        cells = tz_lane_weight(chart, problem, weight)->scores.entries;
    for (unsigned q = shape->rank; q-- > 0 && !shape->sparse;) {
        g.stride[q] = (ptrdiff_t)cells;
        if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells))
            return TZ_TOO_LARGE;
    }
    tz_status status = tz_buffer_reserve(&chart->cells, cells, plan->size);
    if (status != TZ_OK)
        return status;
    g.cell = chart->cells.data;
    for (size_t c = 0; c < cells; c++)
        memcpy(g.cell + c * plan->size, plan->zero, plan->size);
    for (unsigned t = 0; t < rules->steps && status == TZ_OK; t++) {
        const tz_bound_step *step = &plan->inside[t];
        bool uses = false;
        for (unsigned i = 0; i < step->terms; i++)
            uses |= step->term[i].what == TZ_WEIGHT && step->term[i].which == weight;
        if (uses)
            status = tz_step_all_tiles(chart, step, problem, 1, gather_tile, &g);
    }
    *ret_cells = cells;
    return status;
}

typedef enum kind_of_number { SHARE, VALUE } kind_of_number;

static tz_status write_cells(tz_chart *chart, size_t problem, size_t weight,
                             const tz_output *output, kind_of_number number) {
    const tz_plan *plan = chart->plan;
    if (chart->state != TZ_OUTSIDE_DONE || problem >= chart->lanes ||
        weight >= plan->rules->weights)
        return TZ_BAD_ARGUMENT;
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    if (goal < 0 || memcmp(tz_inside_cell(chart, goal, problem), plan->zero, plan->size) == 0)
        return TZ_NONE;
    tz_shape shape;
    tz_status status = tz_rules_shape(plan->rules, weight, tz_lane_length(chart, problem), &shape);
    size_t cells = 0;
    if (status == TZ_OK)
        status = gather_weight(chart, problem, (unsigned)weight, &shape, &cells);
    if (status != TZ_OK)
        return status;
    const void *whole = tz_inside_cell(chart, goal, problem);
    int32_t position[TZ_MAX_RANK] = {0};
    for (size_t c = 0; c < cells; c++) {
        const char *element = (const char *)chart->cells.data + c * plan->size;
        double result = number == SHARE ? plan->semiring->share(plan->semiring, element, whole)
                                        : plan->value(plan->semiring, element);
        ptrdiff_t offset = 0;
        if (shape.sparse)
            offset = (ptrdiff_t)c * (output->stride[0] != 0 ? output->stride[0] : 1);
        for (unsigned q = 0; q < shape.rank && !shape.sparse; q++)
            offset += position[q] * output->stride[q];
        output->data[offset] = result;
        for (unsigned q = shape.rank; q-- > 0 && ++position[q] == shape.extent[q];)
            position[q] = 0;
    }
    return TZ_OK;
}

tz_status tz_marginals(tz_chart *chart, size_t problem, size_t weight, const tz_output *output) {
    if (chart->plan->semiring->share == NULL)
        return TZ_LAW;
    return write_cells(chart, problem, weight, output, SHARE);
}

tz_status tz_through(tz_chart *chart, size_t problem, size_t weight, const tz_output *output) {
    return write_cells(chart, problem, weight, output, VALUE);
}
