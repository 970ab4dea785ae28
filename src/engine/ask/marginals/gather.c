/* gather.c - the semiring sum over all uses of each cell of a weight that has no place in
 * a chart, being sparse or too large: instance by instance of every step that uses it.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/marginals/gather.h"
#include "engine/interpret.h"
#include "engine/pass/contract.h"
#include "engine/pass/tile.h"

typedef struct gather {
    unsigned weight;
    tz_space from, target; /* of outside values, and of the inside values that they stand for */
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
    const tz_semiring *s = chart->algebra->semiring;
    const tz_bound_step *bound = tile->step;
    size_t size = chart->algebra->size;
    tz_operands operands;
    tz_status status = tz_tile_operands(chart, tile, &operands);
    if (status != TZ_OK)
        return status;
    const tz_block *block = &operands.block;
    const char *target = (const char *)chart->space[g->from].data +
                         ((const char *)block->target - (char *)chart->space[g->target].data);
    const unsigned factors = block->inners + block->outers;
    char *product = chart->pair.data;
    for (unsigned t = 0; t < bound->terms; t++) {
        if (bound->term[t].what != TZ_WEIGHT || bound->term[t].which != g->weight)
            continue;
        cell_address cells = find_cells(chart, tile, g, t);
        for (size_t split = 0; split < tile->splits; split++)
            for (size_t x = 0; x < tile->width; x++) {
                if (!tz_takes_part(block, (ptrdiff_t)split, (ptrdiff_t)x))
                    continue;
                char *cell = g->cell + (cells.base + (ptrdiff_t)split * cells.per_split +
                                        (ptrdiff_t)x * cells.per_run) *
                                           (ptrdiff_t)size;
                memcpy(product, target + (ptrdiff_t)x * block->run * (ptrdiff_t)size, size);
                for (unsigned f = 0; f < factors; f++) {
                    const char *factor =
                        f < block->inners
                            ? operand_at(&block->inner[f], split, x, size)
                            : operand_at(&block->outer[f - block->inners], 0, x, size);
                    if (f + 1 < factors)
                        s->times(s, product, product, factor);
                    else
                        tz_plus_times(s, cell, product, factor);
                }
                if (factors == 0)
                    s->plus(s, cell, cell, product);
            }
    }
    return TZ_OK;
}

static tz_status gather_steps(tz_chart *chart, const tz_bound_step *step, size_t steps, gather *g) {
    tz_status status = TZ_OK;
    for (size_t t = 0; t < steps && status == TZ_OK; t++) {
        bool uses = false;
        for (unsigned i = 0; i < step[t].terms; i++)
            uses |= step[t].term[i].what == TZ_WEIGHT && step[t].term[i].which == g->weight;
        if (uses)
            status = tz_step_all_tiles(chart, &step[t], g->lane, 1, gather_tile, g);
    }
    return status;
}

tz_status tz_gather_weight(tz_chart *chart, size_t problem, unsigned weight, const tz_shape *shape,
                           bool tangents, size_t *ret_cells) {
    const tz_plan *plan = chart->plan;
    const tz_rules *rules = plan->rules;
    gather g = {.weight = weight,
                .lane = problem,
                .shape = shape,
                .from = TZ_AT_OUTSIDE,
                .target = TZ_AT_INSIDE};
    size_t cells = 1;
    if (shape->sparse)
        cells = tz_lane_weight(chart, problem, weight)->scores.entries;
    for (unsigned q = shape->rank; q-- > 0 && !shape->sparse;) {
        g.stride[q] = (ptrdiff_t)cells;
        if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells))
            return TZ_TOO_LARGE;
    }
    size_t room = cells;
    if (tangents && __builtin_mul_overflow(cells, (size_t)2, &room))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->marginals.gathered, room, chart->algebra->size);
    if (status != TZ_OK)
        return status;
    g.cell = chart->marginals.gathered.data;
    tz_fill(chart->algebra, g.cell, chart->algebra->zero, room);
    *ret_cells = cells;
    if (plan->plain) {
        status = tz_interpret_weight(chart, problem, weight, shape, false, g.cell);
        if (tangents && status == TZ_OK)
            status = tz_interpret_weight(chart, problem, weight, shape, true,
                                         g.cell + cells * chart->algebra->size);
        return status;
    }
    status = gather_steps(chart, plan->inside, rules->steps, &g);
    if (tangents && status == TZ_OK) {
        /* By the product rule: the target's outside value moves, or one of the terms. */
        const uint32_t *first = plan->tangent_first[TZ_PASS_INSIDE];
        g.cell += cells * chart->algebra->size;
        g.from = TZ_AT_TANGENTS + TZ_AT_OUTSIDE;
        status = gather_steps(chart, plan->inside, rules->steps, &g);
        g.from = TZ_AT_OUTSIDE;
        g.target = TZ_AT_TANGENTS + TZ_AT_INSIDE;
        if (status == TZ_OK)
            status = gather_steps(chart, plan->tangent[TZ_PASS_INSIDE], first[rules->steps], &g);
    }
    return status;
}
