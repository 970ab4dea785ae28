/* gather.c - the semiring sum over all uses of each cell of a weight that has no place in
 * a chart, being sparse or too large: instance by instance of every step that uses it.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/marginals/gather.h"
#include "engine/chart/entries.h"
#include "engine/interpret.h"
#include "engine/pass/contract.h"
#include "engine/pass/tile.h"

typedef struct gather {
    unsigned weight;
    tz_space from, target; /* of outside values, and of the inside values that they stand for */
    size_t lane, lanes;
    /* One element for each cell; of a sparse weight, as far from the first one as the entry's
     * element is from that of the first entry of all. */
    char *cell;
    const tz_shape *shape;         /* of a dense one */
    ptrdiff_t stride[TZ_MAX_RANK]; /* of its cells, row-major over the shape */
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
        cells.base = tz_entry_number(chart, tile->lane, term->which, tile->entry[t]);
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

/* The uses of a sparse weight in a step whose entries stand apart, term by term. */
static tz_status gather_entries(tz_chart *chart, const tz_bound_step *step, const gather *g) {
    tz_status status = TZ_OK;
    for (unsigned t = 0; t < step->step->sparse && status == TZ_OK; t++) {
        tz_entry_use use = {.term = t, .values = g->from, .cell = g->cell};
        if (step->term[t].which == g->weight)
            status = tz_gather_entries(chart, step, g->lane, g->lanes, &use);
    }
    return status;
}

static tz_status gather_steps(tz_chart *chart, const tz_bound_step *step, size_t steps, gather *g) {
    tz_status status = TZ_OK;
    for (size_t t = 0; t < steps && status == TZ_OK; t++) {
        bool uses = false;
        for (unsigned i = 0; i < step[t].terms; i++)
            uses |= step[t].term[i].what == TZ_WEIGHT && step[t].term[i].which == g->weight;
        if (uses && g->shape == NULL && tz_entries_apart(chart, &step[t]))
            status = gather_entries(chart, &step[t], g);
        else if (uses)
            status = tz_step_all_tiles(chart, &step[t], g->lane, g->lanes, false, gather_tile, g);
    }
    return status;
}

/* From what is set but for `from` and `target`; tangents: into the `cells` cells after the first.
 */
static tz_status gather_all(tz_chart *chart, gather *g, size_t cells, bool tangents) {
    const tz_plan *plan = chart->plan;
    g->from = TZ_AT_OUTSIDE;
    g->target = TZ_AT_INSIDE;
    tz_status status = gather_steps(chart, plan->inside, plan->rules->steps, g);
    if (tangents && status == TZ_OK) {
        /* By the product rule: the target's outside value moves, or one of the terms. */
        const uint32_t *first = plan->tangent_first[TZ_PASS_INSIDE];
        g->cell += cells * chart->algebra->size;
        g->from = TZ_AT_TANGENTS + TZ_AT_OUTSIDE;
        status = gather_steps(chart, plan->inside, plan->rules->steps, g);
        g->from = TZ_AT_OUTSIDE;
        g->target = TZ_AT_TANGENTS + TZ_AT_INSIDE;
        if (status == TZ_OK)
            status =
                gather_steps(chart, plan->tangent[TZ_PASS_INSIDE], first[plan->rules->steps], g);
    }
    return status;
}

static tz_status room(tz_buffer *buffer, const tz_chart *chart, size_t cells, bool tangents) {
    if (tangents && __builtin_mul_overflow(cells, (size_t)2, &cells))
        return TZ_TOO_LARGE;
    return tz_buffer_reserve(buffer, cells, chart->algebra->size);
}

/* Zeroes the sums of a weight's entries in all lanes. */
static void clear_entries(const tz_chart *chart, unsigned weight, char *sums) {
    const bool shared = tz_entries_shared(chart, weight);
    for (size_t lane = 0; lane < (shared ? 1 : chart->lanes); lane++) {
        const size_t entries = tz_lane_weight(chart, lane, weight)->scores.entries;
        tz_fill(chart->algebra,
                sums + tz_entry_number(chart, lane, weight, 0) * (ptrdiff_t)chart->algebra->size,
                chart->algebra->zero, shared ? entries * chart->lanes : entries);
    }
}

/* The uses of a sparse weight's entries in all lanes, once after each pass; then the lane's. */
static tz_status gather_sparse(tz_chart *chart, size_t problem, unsigned weight, bool tangents,
                               tz_cell_sums *ret) {
    const size_t all = chart->entries.count, size = chart->algebra->size;
    const bool may = chart->plan->tangent[TZ_PASS_INSIDE] != NULL;
    uint64_t *gathered = tz_entries_gathered(chart, weight);
    tz_status status = room(&chart->entries.uses, chart, all, may);
    if (status == TZ_OK && gathered[tangents] != chart->epoch) {
        gather g = {.weight = weight, .lanes = chart->lanes, .cell = chart->entries.uses.data};
        for (size_t part = 0; part <= tangents; part++)
            clear_entries(chart, weight, g.cell + part * all * size);
        status = gather_all(chart, &g, all, tangents);
        if (status == TZ_OK)
            gathered[0] = gathered[tangents] = chart->epoch;
    }
    ret->element = (const char *)chart->entries.uses.data +
                   tz_entry_number(chart, problem, weight, 0) * (ptrdiff_t)size;
    ret->tangent = ret->element + (tangents ? all * size : 0);
    ret->stride = tz_entries_shared(chart, weight) ? (ptrdiff_t)chart->lanes : 1;
    return status;
}

tz_status tz_gather_weight(tz_chart *chart, size_t problem, unsigned weight, const tz_shape *shape,
                           bool tangents, tz_cell_sums *ret_sums) {
    gather g = {.weight = weight, .lane = problem, .lanes = 1, .shape = shape};
    size_t cells = 1;
    if (shape->sparse)
        cells = tz_lane_weight(chart, problem, weight)->scores.entries;
    for (unsigned q = shape->rank; q-- > 0 && !shape->sparse;) {
        g.stride[q] = (ptrdiff_t)cells;
        if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells))
            return TZ_TOO_LARGE;
    }
    ret_sums->cells = cells;
    if (shape->sparse && !chart->plan->plain)
        return gather_sparse(chart, problem, weight, tangents, ret_sums);
    tz_status status = room(&chart->marginals.gathered, chart, cells, tangents);
    if (status != TZ_OK)
        return status;
    g.cell = chart->marginals.gathered.data;
    ret_sums->element = g.cell;
    ret_sums->tangent = g.cell + (tangents ? cells * chart->algebra->size : 0);
    ret_sums->stride = 1;
    tz_fill(chart->algebra, g.cell, chart->algebra->zero, tangents ? 2 * cells : cells);
    if (!chart->plan->plain)
        return gather_all(chart, &g, cells, tangents);
    status = tz_interpret_weight(chart, problem, weight, shape, false, g.cell);
    if (tangents && status == TZ_OK)
        status = tz_interpret_weight(chart, problem, weight, shape, true,
                                     g.cell + cells * chart->algebra->size);
    return status;
}
