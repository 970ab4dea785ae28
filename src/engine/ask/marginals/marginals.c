/* marginals.c - the semiring sum over all uses of each cell of a weight.
 *
 * A use contributes  outside(target) * (product of the terms). For weights that have a place that
 * is a pass of its own (TZ_PASS_WEIGHTS), computed for all weights and lanes when it is first asked
 * for. Others are summed instance by instance, see marginals/gather.c.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/marginals/gather.h"
#include "engine/ask/marginals/map.h"
#include "engine/ask/marginals/marginals.h"
#include "engine/ask/value.h"
#include "engine/chart/facts.h"
#include "engine/chart/scale.h"
#include "engine/layout/address.h"
#include "engine/layout/places.h"
#include "engine/layout/scores.h"
#include "engine/layout/space.h"
#include "engine/pass/run.h"
#include "kernels/flags.h"

enum { PIECE = 256 };

/* What is asked: numbers of one weight of one lane, and how they come from elements. Of those that
 * stand at number[i], elements go to element + i * size. */
typedef struct question {
    tz_chart *chart;
    size_t lane;
    unsigned weight;
    tz_shape shape;
    tz_number number;
    const void *whole; /* the goal's element */
    double scale;      /* the goal's; and what values lack */
    double centre;
    double none;        /* the number of zero */
    double goal_change; /* TZ_NUMBER_TANGENT: of log Z */
    char *element;      /* TZ_NUMBER_VALUE: where wide elements are wanted, too; or NULL */
    const double *first;
} question;

static double value_of(const question *q, const void *element, const double *to) {
    const tz_algebra *wide = &q->chart->plan->wide;
    char *wider = (char *)q->chart->pair.data + 3 * wide->size;
    tz_widen(q->chart, element, q->scale, wider);
    tz_unmark(q->chart, q->lane, wide, 0, wider);
    if (q->element != NULL)
        memcpy(q->element + (size_t)(to - q->first) * wide->size, wider, wide->size);
    return wide->value(wide->semiring, wider) + q->centre;
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

/* The numbers of elements `stride` elements apart. tangent: TZ_NUMBER_TANGENT: the elements' own,
 * likewise.
 */
static void write_numbers(const question *q, const char *element, const char *tangent,
                          ptrdiff_t stride, size_t count, double *ret, ptrdiff_t step) {
    ptrdiff_t size = (ptrdiff_t)q->chart->algebra->size;
    if (q->number == TZ_NUMBER_VALUE) {
        for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++) {
            const char *at = element + i * stride * size;
            ret[i * step] = tz_is_zero(q->chart, at) ? q->none : value_of(q, at, &ret[i * step]);
        }
        return;
    }
    shares_of(q, q->number == TZ_NUMBER_TANGENT ? tangent : element, stride, count, ret, step);
    if (q->number == TZ_NUMBER_SHARE)
        return;
    /* (p / Z)' = p' / Z - (p / Z) (Z' / Z) */
    for (size_t done = 0, n; done < count; done += n) {
        double share[PIECE];
        n = count - done < PIECE ? count - done : PIECE;
        shares_of(q, element + (ptrdiff_t)done * stride * size, stride, n, share, 1);
        for (size_t i = 0; i < n; i++) {
            double *to = &ret[(ptrdiff_t)(done + i) * step];
            *to = *to - share[i] * q->goal_change + 0; /* no -0.0 */
        }
    }
}

/* ---- Weights that have a place ----------------------------------------------------------------
 */

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

/* Has the array no places for what is no cell? (A view's with rows closer than row-major.) */
static bool has_only_cells(const question *q, const tz_output *output) {
    const tz_places dense = tz_places_in(&q->shape, NULL);
    return q->chart->plan->rules->weight[q->weight].view != NULL &&
           memcmp(dense.move, output->stride, q->shape.rank * sizeof *dense.move) != 0;
}

static void write_rows(const question *q, const tz_output *output) {
    tz_chart *chart = q->chart;
    const size_t cells = tz_shape_cells(&q->shape);
    const tz_places from = tz_places_of_cells(chart, q->weight),
                    dense = tz_places_in(&q->shape, NULL),
                    to = tz_places_in(&q->shape, output->stride);
    /* Cells, row-major, as far as rows come in that order; else all. */
    size_t done = has_only_cells(q, output) ? cells : 0;
    tz_rows rows;
    for (tz_rows_start(&rows, chart->plan->rules, q->weight, tz_lane_length(chart, q->lane));
         tz_rows_next(&rows);) {
        ptrdiff_t stride, step, cell = tz_row_place(&from, &rows, &stride);
        size_t first = (size_t)tz_row_place(&dense, &rows, &step);
        bool next = first >= done && step == 1;
        write_none(q, output, done, next ? first : cells);
        done = next ? first + rows.count : cells;
        double *data = output->data + tz_row_place(&to, &rows, &step);
        write_numbers(q, tz_cell(chart, TZ_AT_WEIGHT_OUTSIDE, cell, q->lane),
                      q->number == TZ_NUMBER_TANGENT
                          ? tz_cell(chart, TZ_AT_TANGENTS + TZ_AT_WEIGHT_OUTSIDE, cell, q->lane)
                          : NULL,
                      stride * (ptrdiff_t)chart->lanes, rows.count, data, step);
        for (size_t hole = 0; tz_row_hole(&rows, &hole); hole++)
            data[(ptrdiff_t)hole * step] = q->none;
    }
    write_none(q, output, done, cells);
}

/* ---- Weights that have none --------------------------------------------------------------------
 */

static void write_cells(const question *q, const tz_cell_sums *sums, const tz_output *output) {
    const tz_chart *chart = q->chart;
    const tz_rules *rules = chart->plan->rules;
    const tz_weight *weight = &rules->weight[q->weight];
    const size_t size = chart->algebra->size;
    if (q->shape.sparse) {
        write_numbers(q, sums->element, sums->tangent, sums->stride, sums->cells, output->data,
                      output->stride[0] != 0 ? output->stride[0] : 1);
        return;
    }
    const bool only_cells = has_only_cells(q, output);
    int32_t position[TZ_MAX_RANK] = {0};
    for (size_t c = 0; c < sums->cells; c++) {
        int64_t index[TZ_MAX_RANK];
        ptrdiff_t offset = 0;
        for (unsigned d = 0; d < q->shape.rank; d++) {
            index[d] = (int64_t)q->shape.origin[d] + position[d];
            offset += position[d] * output->stride[d];
        }
        if (!only_cells || tz_domain_holds(&weight->domain, rules->lengths,
                                           tz_lane_length(chart, q->lane), weight->rank, index))
            write_numbers(q, sums->element + c * size, sums->tangent + c * size, 1, 1,
                          output->data + offset, 1);
        for (unsigned d = q->shape.rank; d-- > 0 && ++position[d] == q->shape.extent[d];)
            position[d] = 0;
    }
}

/* ---- Both --------------------------------------------------------------------------------------
 */

/* What marginals of a weight that has a place are read from, if there is a map; else, or if that
 * needs it, what its uses are part of is computed. */
static tz_status prepare(tz_chart *chart, unsigned weight, tz_number number,
                         tz_marginal_map **ret_map) {
    tz_status status = TZ_OK;
    *ret_map = NULL;
    if (chart->layout.weight_box[weight].absent)
        return TZ_OK;
    if (number == TZ_NUMBER_SHARE)
        status = tz_marginal_map_find(chart, weight, ret_map);
    if (status != TZ_OK || chart->state >= TZ_WEIGHTS_DONE ||
        (*ret_map != NULL && !(*ret_map)->summed))
        return status;
    status = tz_run_pass(chart, TZ_PASS_WEIGHTS);
    if (status == TZ_OK)
        chart->state = TZ_WEIGHTS_DONE;
    /* It may have found that the elements must be wide ones, which have no maps. */
    return status == TZ_OK && *ret_map != NULL ? tz_marginal_map_find(chart, weight, ret_map)
                                               : status;
}

tz_status tz_weight_numbers(tz_chart *chart, size_t problem, size_t weight, tz_number number,
                            const tz_output *output, void *opt_elements) {
    const tz_plan *plan = chart->plan;
    if (chart->state < TZ_OUTSIDE_DONE || problem >= chart->lanes || weight >= plan->rules->weights)
        return TZ_BAD_ARGUMENT;
    if (tz_goal_missing(chart, problem))
        return TZ_NONE;
    ptrdiff_t goal = tz_goal_offset(chart, problem);
    question q = {.chart = chart,
                  .lane = problem,
                  .weight = (unsigned)weight,
                  .shape = tz_lane_shape(chart, problem, (unsigned)weight),
                  .number = number,
                  .element = opt_elements,
                  .first = output->data};
    tz_status status = TZ_OK;
    if (number == TZ_NUMBER_VALUE)
        q.none = plan->wide.value(plan->wide.semiring, plan->wide.zero);
    if (number == TZ_NUMBER_TANGENT)
        status = tz_make_tangents(chart);
    /* The last products and quotients may leave the range too: then once more with wide elements.
     */
    for (bool again = true; again && status == TZ_OK;) {
        tz_marginal_map *map;
        tz_cell_sums sums;
        unsigned flags = tz_flags_take();
        status = prepare(chart, q.weight, number, &map);
        if (status == TZ_OK && chart->layout.weight_box[weight].absent)
            status = tz_gather_weight(chart, problem, (unsigned)weight, &q.shape,
                                      number == TZ_NUMBER_TANGENT, &sums);
        if (number == TZ_NUMBER_TANGENT)
            q.goal_change = tz_goal_change(chart, problem);
        q.whole = tz_cell(chart, TZ_AT_INSIDE, goal, problem);
        if (number == TZ_NUMBER_VALUE)
            q.scale = tz_goal_scale(chart, problem), q.centre = tz_goal_centre(chart, problem);
        if (status == TZ_OK && map != NULL)
            status = tz_marginal_map_write(chart, map, q.weight, problem, output);
        else if (status == TZ_OK && chart->layout.weight_box[weight].absent)
            write_cells(&q, &sums, output);
        else if (status == TZ_OK)
            write_rows(&q, output);
        again = tz_flags_return(flags) && chart->algebra == &plan->narrow;
        if (again && status == TZ_OK)
            status = tz_repeat_wide(chart, tz_last_pass(chart));
    }
    return status;
}

tz_status tz_weight_marginals_all(tz_chart *chart, unsigned weight,
                                  const tz_output *const *output) {
    tz_marginal_map *map;
    unsigned flags = tz_flags_take();
    tz_status status = prepare(chart, weight, TZ_NUMBER_SHARE, &map);
    if (status == TZ_OK && map != NULL)
        status = tz_marginal_map_write_all(chart, map, weight, output);
    if (!tz_flags_return(flags) && map != NULL)
        return status;
    for (size_t l = 0; l < chart->lanes && status == TZ_OK; l++) {
        if (output[l]->data == NULL)
            continue;
        status = tz_weight_numbers(chart, l, weight, TZ_NUMBER_SHARE, output[l], NULL);
        if (status == TZ_NONE) {
            tz_fill_output(chart, l, weight, output[l], 0);
            status = TZ_OK;
        }
    }
    return status;
}

void tz_marginals_free(tz_marginal_memory *m) {
    TZ_FREE_BUFFERS(&m->map, &m->cell, &m->table, &m->to, &m->goal, &m->widened, &m->asked,
                    &m->gathered);
}
