/* close.c - the closure of a group at one stage: its steps `within`, tile by tile, make the arcs,
 * which are solved lane by lane. SPDX-License-Identifier: MIT */
#include "engine/pass/close.h"

#include <string.h>

#include "engine/closure/solve.h"
#include "engine/layout/newer.h"
#include "engine/layout/space.h"
#include "engine/pass/contract.h"
#include "engine/pass/tile.h"

typedef struct closing {
    size_t lane;
    bool forwards; /* inside */
    bool derived;  /* inside values are there, and those that are zero take no part */
} closing;

/* A node for a term of the inside step, at the columns of the loops. */
static tz_status add_node(tz_chart *chart, const closing *c, const tz_tile *tile,
                          const tz_bound_term *term, ptrdiff_t cell, size_t split, size_t x) {
    const tz_bound_step *step = tile->step;
    const unsigned columns = (unsigned)step->nest->givens + step->nest->loops;
    int64_t column[TZ_MAX_COLUMNS];
    memcpy(column, tile->column, sizeof column);
    if (step->step->has_split)
        column[columns - 1u - step->step->has_run] = tile->split + (int64_t)split;
    if (step->step->has_run)
        column[columns - 1u] = tile->run + (int64_t)x;
    tz_arc_node node = {.cell = cell, .kind = term->which};
    for (unsigned q = 0; q < term->rank; q++)
        node.index[q] = (int32_t)tz_form_value(&term->index[q], chart->plan->rules->lengths,
                                               tz_lane_length(chart, c->lane), columns, column);
    return tz_arcs_add_node(chart, c->lane, &node);
}

/* Cells of an operand in the inside space: those of the first split and column, and from one to the
 * next. */
typedef struct cells {
    ptrdiff_t first, split, run;
} cells;

static cells cells_of(const tz_chart *chart, const tz_operand *operand) {
    const char *space = chart->space[TZ_AT_INSIDE].data, *base = operand->base;
    const ptrdiff_t lanes = (ptrdiff_t)chart->lanes;
    return (cells){(base - space) / (ptrdiff_t)chart->algebra->size / lanes, operand->split / lanes,
                   operand->run / lanes};
}

static ptrdiff_t cell_at(const cells *c, size_t split, size_t x) {
    return c->first + (ptrdiff_t)split * c->split + (ptrdiff_t)x * c->run;
}

static const char *element_at(const tz_chart *chart, const tz_operand *operand, size_t split,
                              size_t x) {
    ptrdiff_t offset = (ptrdiff_t)split * operand->split + (ptrdiff_t)x * operand->run;
    return (const char *)operand->base + offset * (ptrdiff_t)chart->algebra->size;
}

/* The product of all operands but one, in the order in which blocks multiply them. */
static void multiply(tz_chart *chart, const tz_block *block, const tz_operand *but, size_t split,
                     size_t x, void *ret) {
    const tz_semiring *s = chart->algebra->semiring;
    memcpy(ret, chart->algebra->one, chart->algebra->size);
    for (unsigned o = 0; o < block->inners + block->outers; o++) {
        const tz_operand *operand =
            o < block->inners ? &block->inner[o] : &block->outer[o - block->inners];
        if (operand != but)
            s->times(s, ret, ret, element_at(chart, operand, split, x));
    }
}

/* The operand of a term. */
static const tz_operand *operand_of(const tz_operands *operands, const tz_bound_step *step,
                                    unsigned term) {
    const bool inner = step->term[term].inner;
    unsigned at = 0;
    for (unsigned t = 0; t < term; t++)
        at += step->term[t].inner == inner;
    return inner ? &operands->inner[at] : &operands->outer[at];
}

static tz_status add_arcs(tz_chart *chart, const tz_tile *tile, void *user) {
    const closing *c = user;
    const tz_bound_step *step = tile->step;
    const unsigned source = step->step->within - 1u;
    char *product = chart->pair.data;
    tz_operands operands;
    tz_status status = tz_tile_operands(chart, tile, &operands);
    if (status != TZ_OK)
        return status;
    const tz_block *block = &operands.block;
    const bool edges = block->lows + block->highs > 0;
    const tz_operand *from_operand = operand_of(&operands, step, source);
    const cells sources = cells_of(chart, from_operand),
                targets = cells_of(chart, &(tz_operand){.base = block->target, .run = block->run});
    for (size_t x = 0; x < block->width; x++)
        for (size_t split = 0; split < block->splits; split++) {
            if (edges && !tz_takes_part(block, (ptrdiff_t)split, (ptrdiff_t)x))
                continue;
            const char *element = element_at(chart, from_operand, split, x);
            if (c->derived && tz_is_zero(chart, element))
                continue;
            multiply(chart, block, from_operand, split, x, product);
            if (tz_is_zero(chart, product))
                continue;
            const ptrdiff_t from = cell_at(&sources, split, x), to = cell_at(&targets, split, x);
            if (tz_arcs_known(chart, from) == 0)
                status = add_node(chart, c, tile, &step->term[source], from, split, x);
            if (status == TZ_OK && tz_arcs_known(chart, to) == 0)
                status = add_node(chart, c, tile, &step->target, to, split, x);
            if (status == TZ_OK) {
                const uint32_t tail = tz_arcs_known(chart, from) - 1,
                               head = tz_arcs_known(chart, to) - 1;
                status = tz_arcs_add(chart, c->forwards ? tail : head, c->forwards ? head : tail,
                                     product);
            }
            if (status != TZ_OK)
                return status;
        }
    return TZ_OK;
}

tz_status tz_close(tz_chart *chart, const tz_group *group, const int64_t *stage, tz_pass pass) {
    const tz_rules *rules = chart->plan->rules;
    const bool forwards = tz_pass_primal(pass) == TZ_PASS_INSIDE;
    const tz_space space =
        tz_space_of(forwards ? TZ_AT_INSIDE : TZ_AT_OUTSIDE, tz_pass_tangents(pass));
    closing c = {.forwards = forwards, .derived = pass != TZ_PASS_INSIDE};
    tz_status status = TZ_OK;
    for (; c.lane < chart->lanes && status == TZ_OK; c.lane++) {
        status = tz_arcs_start(chart);
        for (unsigned k = 0; k < group->closeds && status == TZ_OK; k++) {
            const tz_kind *kind = &rules->kind[group->kind[group->closed + k]];
            unsigned steps = kind->insides;
            const tz_bound_step *step = tz_inside_steps(
                chart->plan, forwards ? chart->passes.newer : NULL, kind->inside, &steps);
            for (unsigned s = 0; s < steps && status == TZ_OK; s++)
                if (step[s].step->within > 0)
                    status = tz_step_tiles(chart, &step[s], stage, c.lane, 1, add_arcs, &c);
        }
        if (status == TZ_OK)
            status = tz_arcs_solve(chart, space, c.lane, tz_solve);
    }
    return status;
}
