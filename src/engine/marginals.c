/* marginals.c - the semiring sum over all uses of each cell of a weight.
 *
 * A use contributes  outside(target) * (product of the terms). For weights that have a place that
 * is a pass of its own (TZ_PASS_THROUGH), computed for all weights and lanes when it is first asked
 * for. Others are summed instance by instance.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/engine.h"

enum { PIECE = 256 };

typedef enum kind_of_number { SHARE, VALUE, TANGENT } kind_of_number;

/* What is asked: numbers of one weight of one lane, and how they come from elements. */
typedef struct question {
    tz_chart *chart;
    size_t lane;
    unsigned weight;
    tz_shape shape;
    kind_of_number number;
    const void *whole; /* the goal's element */
    double scale;      /* the goal's */
    double none;       /* the number of zero */
    double turned;     /* TANGENT: of log Z */
} question;

static double value_of(const question *q, const void *element) {
    const tz_algebra *wide = &q->chart->plan->wide;
    char *wider = (char *)q->chart->pair.data + 3 * wide->size;
    tz_widen(q->chart, element, q->scale, wider);
    tz_unmark(q->chart, q->lane, wide, wider);
    return wide->value(wide->semiring, wider);
}

static void shares_of(const question *q, const char *element, ptrdiff_t stride, size_t count,
                      double *ret, ptrdiff_t step) {
    const tz_algebra *algebra = q->chart->algebra;
    const tz_semiring *s = algebra->semiring;
    if (algebra->shares != NULL) {
        algebra->shares(s, ret, step, element, stride, count, q->whole);
        return;
    }
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        ret[i * step] = s->share(s, element + i * stride * (ptrdiff_t)algebra->size, q->whole);
}

/* The numbers of elements `stride` elements apart. tangent: TANGENT: the elements' own, likewise.
 */
static void write_numbers(const question *q, const char *element, const char *tangent,
                          ptrdiff_t stride, size_t count, double *ret, ptrdiff_t step) {
    ptrdiff_t size = (ptrdiff_t)q->chart->algebra->size;
    if (q->number == VALUE) {
        for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++) {
            const char *at = element + i * stride * size;
            ret[i * step] = tz_is_zero(q->chart, at) ? q->none : value_of(q, at);
        }
        return;
    }
    shares_of(q, q->number == TANGENT ? tangent : element, stride, count, ret, step);
    if (q->number == SHARE)
        return;
    /* (p / Z)' = p' / Z - (p / Z) (Z' / Z) */
    for (size_t done = 0, n; done < count; done += n) {
        double share[PIECE];
        n = count - done < PIECE ? count - done : PIECE;
        shares_of(q, element + (ptrdiff_t)done * stride * size, stride, n, share, 1);
        for (size_t i = 0; i < n; i++) {
            double *to = &ret[(ptrdiff_t)(done + i) * step];
            *to = *to - share[i] * q->turned + 0; /* no -0.0 */
        }
    }
}

/* ---- Weights that have a place ----------------------------------------------------------------
 */

static tz_shape shape_of(const tz_chart *chart, size_t lane, unsigned w) {
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
    const tz_weight *weight = &chart->plan->rules->weight[w];
    tz_shape shape = {.rank = weight->rank, .sparse = weight->sparse};
    memcpy(shape.origin, bound->origin, sizeof shape.origin);
    memcpy(shape.extent, bound->extent, sizeof shape.extent);
    return shape;
}

/* SIZE_MAX if there are more. */
static size_t shape_cells(const tz_shape *shape) {
    size_t cells = 1;
    for (unsigned q = 0; q < shape->rank; q++)
        if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells))
            return SIZE_MAX;
    return cells;
}

/* Where the cells of a weight stand: base + the sum of index[q] * move[q]. */
typedef struct places {
    ptrdiff_t base, move[TZ_MAX_RANK];
} places;

/* Where a row begins, and how it goes on. */
static ptrdiff_t row_place(const places *p, const tz_rows *rows, ptrdiff_t *ret_step) {
    ptrdiff_t at = p->base;
    *ret_step = 0;
    for (unsigned q = 0; q < rows->rank; q++) {
        at += (ptrdiff_t)rows->index[q] * p->move[q];
        *ret_step += (ptrdiff_t)rows->move[q] * p->move[q];
    }
    return at;
}

/* In the spaces of weights. */
static places places_of_cells(const tz_chart *chart, unsigned w) {
    const tz_weight *weight = &chart->plan->rules->weight[w];
    const tz_box *box = &chart->weight_box[w];
    places p = {.base = (ptrdiff_t)box->offset};
    for (unsigned c = 0; c < weight->rank; c++) {
        const tz_form *form = &weight->coordinate[c];
        p.base += (form->constant - (ptrdiff_t)box->low[c]) * box->stride[c];
        for (unsigned q = 0; q < weight->rank; q++)
            p.move[q] += form->column[q] * box->stride[c];
    }
    return p;
}

/* In an array of the shape, row-major where it has no strides of its own. */
static places places_in(const tz_shape *shape, const ptrdiff_t *opt_stride) {
    places p = {0};
    ptrdiff_t cells = 1;
    for (unsigned q = shape->rank; q-- > 0; cells *= shape->extent[q]) {
        p.move[q] = opt_stride != NULL ? opt_stride[q] : cells;
        p.base -= shape->origin[q] * p.move[q];
    }
    return p;
}

ptrdiff_t tz_row_cells(const tz_chart *chart, unsigned w, const tz_rows *rows,
                       ptrdiff_t *ret_apart) {
    const places p = places_of_cells(chart, w);
    return row_place(&p, rows, ret_apart);
}

/* To cells from..end-1 of the array, counted row-major: no row reaches them. */
static void write_none(const question *q, const tz_output *output, size_t from, size_t end) {
    for (size_t run; from < end; from += run) {
        ptrdiff_t at = 0, step = 0;
        size_t left = from;
        run = end - from;
        for (unsigned d = q->shape.rank; d-- > 0; left /= (size_t)q->shape.extent[d]) {
            size_t extent = (size_t)q->shape.extent[d], position = left % extent;
            at += (ptrdiff_t)position * output->stride[d];
            if (d + 1 < q->shape.rank)
                continue;
            step = output->stride[d];
            run = extent - position < run ? extent - position : run;
        }
        for (size_t i = 0; i < run; i++)
            output->data[at + (ptrdiff_t)i * step] = q->none;
    }
}

static void write_rows(const question *q, const tz_output *output) {
    tz_chart *chart = q->chart;
    const size_t cells = shape_cells(&q->shape);
    const places from = places_of_cells(chart, q->weight), dense = places_in(&q->shape, NULL),
                 to = places_in(&q->shape, output->stride);
    size_t done = 0; /* cells, row-major, as far as rows come in that order; else all */
    tz_rows rows;
    for (tz_rows_start(&rows, chart->plan->rules, q->weight, tz_lane_length(chart, q->lane));
         tz_rows_next(&rows);) {
        ptrdiff_t stride, step, cell = row_place(&from, &rows, &stride);
        size_t first = (size_t)row_place(&dense, &rows, &step);
        bool next = first >= done && step == 1;
        write_none(q, output, done, next ? first : cells);
        done = next ? first + rows.count : cells;
        double *data = output->data + row_place(&to, &rows, &step);
        write_numbers(q, tz_cell(chart, TZ_AT_THROUGH, cell, q->lane),
                      q->number == TANGENT
                          ? tz_cell(chart, TZ_AT_TANGENTS + TZ_AT_THROUGH, cell, q->lane)
                          : NULL,
                      stride * (ptrdiff_t)chart->lanes, rows.count, data, step);
        for (size_t hole = 0; tz_row_hole(&rows, &hole); hole++)
            data[(ptrdiff_t)hole * step] = q->none;
    }
    write_none(q, output, done, cells);
}

/* ---- The same for lanes side by side -----------------------------------------------------------
 * Lanes of the same lengths stand side by side but are read one after the other: all of them are
 * transposed when the first is read, to a table each, row-major over the weight's shape. */

/* Cells of a table of the weight. */
static size_t table_cells(const tz_chart *chart, unsigned w) {
    const tz_shape shape = shape_of(chart, 0, w);
    return shape_cells(&shape);
}

/* Do the lanes of a weight get tables? Not where most of a table would be empty. */
static bool has_tables(const tz_chart *chart, unsigned w) {
    return chart->uniform && chart->lanes > 1 && chart->algebra->transpose != NULL &&
           !chart->weight_box[w].absent && table_cells(chart, w) / 4 <= chart->weight_box[w].size;
}

/* Where the weight's tables begin, in elements; of the number of weights: all their size. */
static size_t tables_at(const tz_chart *chart, unsigned weight) {
    size_t at = 0;
    for (unsigned w = 0; w < weight; w++)
        at += has_tables(chart, w) ? table_cells(chart, w) * chart->lanes : 0;
    return at;
}

static void fill_tables(const tz_chart *chart, unsigned w) {
    const tz_algebra *algebra = chart->algebra;
    const tz_shape shape = shape_of(chart, 0, w);
    const places from = places_of_cells(chart, w), to = places_in(&shape, NULL);
    size_t cells = shape_cells(&shape), size = algebra->size;
    char *table = (char *)chart->tables.data + tables_at(chart, w) * size;
    /* What no row reaches is zero already, where the last lanes had the same lengths. */
    if (!chart->tables_clear)
        tz_fill(algebra, table, algebra->zero, cells * chart->lanes);
    tz_rows rows;
    for (tz_rows_start(&rows, chart->plan->rules, w, tz_lane_length(chart, 0));
         tz_rows_next(&rows);) {
        ptrdiff_t stride, step, cell = row_place(&from, &rows, &stride);
        char *row = table + row_place(&to, &rows, &step) * (ptrdiff_t)size;
        if (step == 1) {
            algebra->transpose(row, (ptrdiff_t)cells, tz_cell(chart, TZ_AT_THROUGH, cell, 0),
                               stride * (ptrdiff_t)chart->lanes, rows.count, chart->lanes);
        } else {
            for (ptrdiff_t i = 0; i < (ptrdiff_t)rows.count; i++)
                algebra->transpose(row + i * step * (ptrdiff_t)size, (ptrdiff_t)cells,
                                   tz_cell(chart, TZ_AT_THROUGH, cell + i * stride, 0), 0, 1,
                                   chart->lanes);
        }
        for (size_t hole = 0; tz_row_hole(&rows, &hole); hole++)
            for (size_t lane = 0; lane < chart->lanes; lane++)
                memcpy(row + (ptrdiff_t)(lane * cells + hole * (size_t)step) * (ptrdiff_t)size,
                       algebra->zero, size);
    }
}

static tz_status make_tables(tz_chart *chart) {
    unsigned weights = chart->plan->rules->weights;
    if (chart->tables_made)
        return TZ_OK;
    const void *before = chart->tables.data;
    tz_status status =
        tz_buffer_reserve(&chart->tables, tables_at(chart, weights), chart->algebra->size);
    chart->tables_clear &= chart->tables.data == before;
    for (unsigned w = 0; w < weights && status == TZ_OK; w++)
        if (has_tables(chart, w))
            fill_tables(chart, w);
    chart->tables_made = chart->tables_clear = status == TZ_OK;
    return status;
}

static tz_status write_table(const question *q, const tz_output *output) {
    tz_status status = make_tables(q->chart);
    if (status != TZ_OK)
        return status;
    size_t cells = shape_cells(&q->shape), size = q->chart->algebra->size;
    const char *from = (const char *)q->chart->tables.data +
                       (tables_at(q->chart, q->weight) + q->lane * cells) * size;
    /* Runs of cells that are equally far apart in the output: the last dimensions. */
    unsigned outer = q->shape.rank;
    ptrdiff_t step = outer > 0 ? output->stride[outer - 1] : 1;
    size_t run = 1;
    while (outer > 0 && output->stride[outer - 1] == step * (ptrdiff_t)run)
        run *= (size_t)q->shape.extent[--outer];
    int32_t position[TZ_MAX_RANK] = {0};
    for (size_t done = 0; done < cells; done += run, from += run * size) {
        double *to = output->data;
        for (unsigned d = 0; d < outer; d++)
            to += position[d] * output->stride[d];
        write_numbers(q, from, NULL, 1, run, to, step);
        for (unsigned d = outer; d-- > 0 && ++position[d] == q->shape.extent[d];)
            position[d] = 0;
    }
    return TZ_OK;
}

/* ---- Weights that have none --------------------------------------------------------------------
 */

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
    char *product = chart->pair.data;
    for (unsigned t = 0; t < bound->terms; t++) {
        if (bound->term[t].what != TZ_WEIGHT || bound->term[t].which != g->weight)
            continue;
        cell_address cells = find_cells(chart, tile, g, t);
        for (size_t split = 0; split < tile->splits; split++)
            for (size_t x = 0; x < tile->width; x++) {
                if (!tz_takes_part(block, (ptrdiff_t)split, (ptrdiff_t)x))
                    continue;
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

/* Fills chart->gathered with one element per cell of the shape (sparse: per entry); tangents: with
 * as many of these after them. */
static tz_status gather_weight(tz_chart *chart, size_t problem, unsigned weight,
                               const tz_shape *shape, bool tangents, size_t *ret_cells) {
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
    tz_status status = tz_buffer_reserve(&chart->gathered, room, chart->algebra->size);
    if (status != TZ_OK)
        return status;
    g.cell = chart->gathered.data;
    tz_fill(chart->algebra, g.cell, chart->algebra->zero, room);
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
    *ret_cells = cells;
    return status;
}

static void write_cells(const question *q, size_t cells, const tz_output *output) {
    const tz_chart *chart = q->chart;
    int32_t position[TZ_MAX_RANK] = {0};
    for (size_t c = 0; c < cells; c++) {
        ptrdiff_t offset = 0;
        if (q->shape.sparse)
            offset = (ptrdiff_t)c * (output->stride[0] != 0 ? output->stride[0] : 1);
        for (unsigned d = 0; d < q->shape.rank && !q->shape.sparse; d++)
            offset += position[d] * output->stride[d];
        const char *element = (const char *)chart->gathered.data + c * chart->algebra->size;
        write_numbers(q, element, element + cells * chart->algebra->size, 1, 1,
                      output->data + offset, 1);
        for (unsigned d = q->shape.rank; d-- > 0 && ++position[d] == q->shape.extent[d];)
            position[d] = 0;
    }
}

/* ---- Both --------------------------------------------------------------------------------------
 */

static tz_status answer(tz_chart *chart, size_t problem, size_t weight, const tz_output *output,
                        kind_of_number number) {
    const tz_plan *plan = chart->plan;
    if (chart->state < TZ_OUTSIDE_DONE || problem >= chart->lanes || weight >= plan->rules->weights)
        return TZ_BAD_ARGUMENT;
    if (tz_goal_missing(chart, problem))
        return TZ_NONE;
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    question q = {.chart = chart,
                  .lane = problem,
                  .weight = (unsigned)weight,
                  .shape = shape_of(chart, problem, (unsigned)weight),
                  .number = number,
                  .none = 0};
    tz_status status = TZ_OK;
    if (number == VALUE)
        q.none = plan->wide.value(plan->wide.semiring, plan->wide.zero);
    bool placed = !chart->weight_box[weight].absent;
    if (number == TANGENT)
        status = tz_make_tangents(chart);
    if (status == TZ_OK && placed && chart->state < TZ_THROUGH_DONE) {
        status = tz_run_pass(chart, TZ_PASS_THROUGH);
        if (status == TZ_OK)
            chart->state = TZ_THROUGH_DONE;
    }
    /* The last products and quotients may leave the range too: then once more with wide elements.
     */
    for (bool again = true; again && status == TZ_OK;) {
        size_t cells = 0;
        unsigned flags = tz_flags_take();
        if (!placed)
            status = gather_weight(chart, problem, (unsigned)weight, &q.shape, number == TANGENT,
                                   &cells);
        if (number == TANGENT)
            q.turned = tz_goal_turned(chart, problem);
        q.whole = tz_cell(chart, TZ_AT_INSIDE, goal, problem);
        q.scale = tz_goal_scale(chart, problem);
        if (status == TZ_OK && placed && number != TANGENT && has_tables(chart, q.weight))
            status = write_table(&q, output);
        else if (status == TZ_OK && placed)
            write_rows(&q, output);
        else if (status == TZ_OK)
            write_cells(&q, cells, output);
        again = tz_flags_return(flags) && chart->algebra == &plan->narrow;
        if (again && status == TZ_OK)
            status = tz_repeat_wide(chart, tz_last_pass(chart));
    }
    return status;
}

tz_status tz_marginals(tz_chart *chart, size_t problem, size_t weight, const tz_output *output) {
    if (chart->plan->wide.semiring->share == NULL)
        return TZ_LAW;
    return answer(chart, problem, weight, output, SHARE);
}

tz_status tz_marginal_tangents(tz_chart *chart, size_t problem, size_t weight,
                               const tz_output *output) {
    if (chart->plan->tangent[TZ_PASS_INSIDE] == NULL)
        return TZ_LAW;
    return answer(chart, problem, weight, output, TANGENT);
}

tz_status tz_through(tz_chart *chart, size_t problem, size_t weight, const tz_output *output) {
    return answer(chart, problem, weight, output, VALUE);
}
