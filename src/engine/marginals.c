/* marginals.c - the semiring sum over all uses of each cell of a weight.
 *
 * A use contributes  outside(target) * (product of the terms). For weights that have a place that
 * is a pass of its own (TZ_PASS_THROUGH), computed for all weights and lanes when it is first asked
 * for. Others are summed instance by instance, see gather.c.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/bind.h"

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
    size_t cells = 1;
    for (unsigned q = shape->rank; q-- > 0; cells *= (size_t)shape->extent[q]) {
        p.move[q] = opt_stride != NULL ? opt_stride[q] : (ptrdiff_t)cells;
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

/* ---- The same by a map -------------------------------------------------------------------------
 * Where lanes have the same lengths, the cell that each position of the shape takes its number from
 * is worked out once for these lengths. Lanes stand side by side but are read one after the other:
 * all of them are collected when the first is read, to a table each, row-major over the shape. */

enum { MOST_MAPPED = 1 << 20, NOWHERE = -1, ROUND = TZ_MAX_ALIGN / sizeof(float) };

/* Is a weight mapped? Not where most of the map would be empty. */
static bool has_map(const tz_chart *chart, unsigned w) {
    const tz_shape shape = shape_of(chart, 0, w);
    const tz_box *box = &chart->weight_box[w];
    size_t cells = shape_cells(&shape);
    return chart->uniform && chart->algebra->collect != NULL && !box->absent &&
           cells <= MOST_MAPPED && cells / 4 <= box->size && box->offset + box->size <= INT32_MAX;
}

/* Positions of a weight's map or of a table, with some after them so that others are aligned. */
static size_t pitch_of(const tz_chart *chart, unsigned w) {
    const tz_shape shape = shape_of(chart, 0, w);
    return (shape_cells(&shape) + ROUND - 1) / ROUND * ROUND;
}

/* Where the weight's map begins; of the number of weights: all their size. */
static size_t map_at(const tz_chart *chart, unsigned weight) {
    size_t at = 0;
    for (unsigned w = 0; w < weight; w++)
        at += has_map(chart, w) ? pitch_of(chart, w) : 0;
    return at;
}

static void map_cells(const tz_chart *chart, unsigned w, int32_t *map) {
    const tz_shape shape = shape_of(chart, 0, w);
    const places from = places_of_cells(chart, w), to = places_in(&shape, NULL);
    for (size_t i = 0, all = pitch_of(chart, w); i < all; i++)
        map[i] = NOWHERE;
    tz_rows rows;
    for (tz_rows_start(&rows, chart->plan->rules, w, tz_lane_length(chart, 0));
         tz_rows_next(&rows);) {
        ptrdiff_t stride, step, cell = row_place(&from, &rows, &stride);
        int32_t *row = map + row_place(&to, &rows, &step);
        for (ptrdiff_t i = 0; i < (ptrdiff_t)rows.count; i++)
            row[i * step] = (int32_t)(cell + i * stride);
        for (size_t hole = 0; tz_row_hole(&rows, &hole); hole++)
            row[(ptrdiff_t)hole * step] = NOWHERE;
    }
}

static tz_status make_map(tz_chart *chart) {
    unsigned weights = chart->plan->rules->weights;
    if (chart->mapped)
        return TZ_OK;
    tz_status status = tz_buffer_reserve(&chart->map, map_at(chart, weights), sizeof(int32_t));
    for (unsigned w = 0; w < weights && status == TZ_OK; w++)
        if (has_map(chart, w))
            map_cells(chart, w, (int32_t *)chart->map.data + map_at(chart, w));
    chart->mapped = status == TZ_OK;
    return status;
}

static const int32_t *map_of(const tz_chart *chart, unsigned w) {
    return (const int32_t *)chart->map.data + map_at(chart, w);
}

/* Elements of `count` positions, to a row of `pitch` for each lane. */
static void collect(const tz_chart *chart, const int32_t *map, size_t count, void *to,
                    size_t pitch) {
    chart->algebra->collect(to, (ptrdiff_t)pitch, chart->space[TZ_AT_THROUGH].data, chart->lanes,
                            map, count, chart->algebra->zero);
}

/* The first lane's; the others' follow. */
static char *table_of(const tz_chart *chart, unsigned w) {
    return (char *)chart->tables.data + map_at(chart, w) * chart->lanes * chart->algebra->size;
}

static tz_status make_tables(tz_chart *chart) {
    unsigned weights = chart->plan->rules->weights;
    if (chart->tables_made || chart->lanes == 1)
        return TZ_OK;
    size_t elements;
    if (__builtin_mul_overflow(map_at(chart, weights), chart->lanes, &elements))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->tables, elements, chart->algebra->size);
    for (unsigned w = 0; w < weights && status == TZ_OK; w++)
        if (has_map(chart, w))
            collect(chart, map_of(chart, w), pitch_of(chart, w), table_of(chart, w),
                    pitch_of(chart, w));
    chart->tables_made = status == TZ_OK;
    return status;
}

/* Numbers of positions from..from+count-1. */
static void write_run(const question *q, size_t from, size_t count, double *ret, ptrdiff_t step) {
    const tz_chart *chart = q->chart;
    if (chart->lanes > 1) {
        size_t at = q->lane * pitch_of(chart, q->weight) + from;
        write_numbers(q, table_of(chart, q->weight) + at * chart->algebra->size, NULL, 1, count,
                      ret, step);
        return;
    }
    const int32_t *map = map_of(chart, q->weight) + from;
    for (size_t done = 0, n; done < count; done += n) {
        double element[PIECE];
        n = count - done < PIECE ? count - done : PIECE;
        collect(chart, map + done, n, element, PIECE);
        write_numbers(q, (const char *)element, NULL, 1, n, ret + (ptrdiff_t)done * step, step);
    }
}

static tz_status write_mapped(const question *q, const tz_output *output) {
    tz_status status = make_map(q->chart);
    if (status == TZ_OK)
        status = make_tables(q->chart);
    if (status != TZ_OK)
        return status;
    /* Runs of cells that are equally far apart in the output: the last dimensions. */
    unsigned outer = q->shape.rank;
    ptrdiff_t step = outer > 0 ? output->stride[outer - 1] : 1;
    size_t run = 1;
    while (outer > 0 && output->stride[outer - 1] == step * (ptrdiff_t)run)
        run *= (size_t)q->shape.extent[--outer];
    int32_t position[TZ_MAX_RANK] = {0};
    for (size_t done = 0, cells = shape_cells(&q->shape); done < cells; done += run) {
        double *to = output->data;
        for (unsigned d = 0; d < outer; d++)
            to += position[d] * output->stride[d];
        write_run(q, done, run, to, step);
        for (unsigned d = outer; d-- > 0 && ++position[d] == q->shape.extent[d];)
            position[d] = 0;
    }
    return TZ_OK;
}

/* ---- Weights that have none --------------------------------------------------------------------
 */

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
            status = tz_gather_weight(chart, problem, (unsigned)weight, &q.shape, number == TANGENT,
                                      &cells);
        if (number == TANGENT)
            q.turned = tz_goal_turned(chart, problem);
        q.whole = tz_cell(chart, TZ_AT_INSIDE, goal, problem);
        q.scale = tz_goal_scale(chart, problem);
        if (status == TZ_OK && placed && number != TANGENT && has_map(chart, q.weight))
            status = write_mapped(&q, output);
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
