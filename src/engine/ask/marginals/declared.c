/* declared.c - marginals of the weights as they are declared.
 *
 * What a cell's uses by way of views amount to is added up, view by view in the order of the rules'
 * weights and cell by cell in that of rows: the same sum for any grouping.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/modes.h"
#include "engine/ask/items.h"
#include "engine/ask/marginals/declared.h"
#include "engine/ask/marginals/marginals.h"
#include "engine/chart/facts.h"
#include "engine/chart/scale.h"
#include "engine/layout/places.h"
#include "engine/layout/scores.h"
#include "engine/layout/views.h"

/* The first of the rules' weights that is, or looks up, a declared one; the others follow. Of one
 * that no rule uses: none. */
static unsigned first_of(const tz_rules *rules, unsigned declared) {
    unsigned w = 0;
    while (w < rules->weights && rules->weight[w].declared != declared)
        w++;
    return w;
}

static bool is_of(const tz_rules *rules, unsigned w, unsigned declared) {
    return w < rules->weights && rules->weight[w].declared == declared;
}

/* Where a lane's view looks up, in an array of these strides. */
static tz_status make_map(tz_chart *chart, size_t lane, unsigned w, const ptrdiff_t *stride,
                          tz_view_map *ret) {
    const tz_rules *rules = chart->plan->rules;
    const tz_weight *view = &rules->weight[w];
    const tz_scores *given = &tz_lane_given(chart, lane, view->declared)->scores;
    const ptrdiff_t one = stride[0] != 0 ? stride[0] : 1; /* from entry to entry */
    const tz_entry *sorted = NULL;
    size_t entries = 0;
    if (rules->declared[view->declared].sparse) {
        tz_status status = tz_sort_entries(given, view->views, &chart->given.sorting);
        if (status != TZ_OK)
            return status;
        sorted = chart->given.sorting.data;
        entries = given->entries;
        stride = &one;
    }
    return tz_view_map_make(rules, view, tz_lane_length(chart, lane), tz_lane_numbers(chart, lane),
                            stride, sorted, entries, ret);
}

/* How far apart the cells of a row are, and where it begins. */
static size_t row_of(const tz_places *places, const tz_view_rows *rows, ptrdiff_t *ret_step) {
    ptrdiff_t at = places->base;
    *ret_step = 0;
    for (unsigned i = 0; i < rows->map->weight->rank; i++) {
        at += (ptrdiff_t)rows->index[i] * places->move[i];
        *ret_step += (ptrdiff_t)rows->rows.move[i] * places->move[i];
    }
    return (size_t)at;
}

/* Adds a view's numbers to those of the cells that they are of. */
static tz_status add_numbers(tz_chart *chart, size_t lane, unsigned w, const tz_output *from,
                             const tz_output *to) {
    const tz_shape shape = tz_lane_shape(chart, lane, w);
    const tz_places places = tz_places_in(&shape, from->stride);
    tz_view_map map;
    tz_view_rows rows;
    tz_status status = make_map(chart, lane, w, to->stride, &map);
    if (status != TZ_OK)
        return status;
    for (tz_view_start(&rows, &map, &map.weight->cells); tz_view_next(&rows);) {
        ptrdiff_t step;
        const double *row = from->data + row_of(&places, &rows, &step);
        for (size_t x = 0; x < rows.count; x++)
            if (tz_view_place(&rows, x) != TZ_NO_PLACE)
                to->data[tz_view_place(&rows, x)] += row[(ptrdiff_t)x * step];
    }
    return TZ_OK;
}

static size_t given_cells(const tz_chart *chart, size_t lane, unsigned declared, tz_shape *ret) {
    const tz_rules *rules = chart->plan->rules;
    *ret = tz_given_shape(chart, lane, declared);
    return rules->declared[declared].sparse ? tz_lane_given(chart, lane, declared)->scores.entries
                                            : tz_shape_cells(ret);
}

/* ---- Sums of numbers ------------------------------------------------------------------------- */

static tz_status add_up(tz_chart *chart, size_t lane, unsigned declared, tz_number number,
                        const tz_output *output) {
    const tz_rules *rules = chart->plan->rules;
    const unsigned first = first_of(rules, declared);
    tz_status status = TZ_OK;
    if (!is_of(rules, first, declared))
        tz_fill_given(chart, lane, declared, output, 0);
    for (unsigned w = first; is_of(rules, w, declared) && status == TZ_OK; w++) {
        if (rules->weight[w].view == NULL) {
            status = tz_weight_numbers(chart, lane, w, number, output, NULL);
            continue;
        }
        const tz_shape shape = tz_lane_shape(chart, lane, w);
        tz_output own = {0};
        size_t cells;
        status = tz_array_strides(rules, &rules->weight[w], tz_lane_length(chart, lane), &shape,
                                  own.stride, &cells);
        if (status == TZ_OK)
            status = tz_buffer_reserve(&chart->given.summing, cells + 1, sizeof(double));
        own.data = chart->given.summing.data;
        if (status == TZ_OK)
            status = tz_weight_numbers(chart, lane, w, number, &own, NULL);
        if (status == TZ_OK && w == first)
            tz_fill_given(chart, lane, declared, output, 0);
        if (status == TZ_OK)
            status = add_numbers(chart, lane, w, &own, output);
    }
    return status;
}

/* ---- Sums of elements ------------------------------------------------------------------------ */

/* Elements of a declared weight's cells, in the order of a contiguous output, and room for the
 * numbers and elements of one of the rules' weights. */
typedef struct element_sum {
    char *sum, *own;
    double *number;
} element_sum;

static tz_status reserve_sum(tz_chart *chart, size_t lane, unsigned declared, size_t cells,
                             element_sum *ret) {
    const tz_rules *rules = chart->plan->rules;
    const size_t size = chart->plan->wide.size;
    size_t most = cells, each = sizeof(double) + size, all, sum;
    for (unsigned w = first_of(rules, declared); is_of(rules, w, declared); w++) {
        const tz_shape shape = tz_lane_shape(chart, lane, w);
        const size_t own = rules->weight[w].sparse ? cells : tz_shape_cells(&shape);
        most = own > most ? own : most;
    }
    if (__builtin_mul_overflow(cells, size, &sum) || __builtin_mul_overflow(most, each, &all) ||
        __builtin_add_overflow(all, sum, &all))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->given.summing, all + 1, 1);
    ret->number = chart->given.summing.data;
    ret->own = (char *)(ret->number + most);
    ret->sum = ret->own + most * size;
    return status;
}

static void fill_zero(const tz_algebra *wide, char *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * wide->size, wide->zero, wide->size);
}

static void add_element(const tz_algebra *wide, char *to, const char *from) {
    wide->semiring->plus(wide->semiring, to, to, from);
}

static tz_status add_elements(tz_chart *chart, size_t lane, unsigned w, const tz_shape *given,
                              size_t cells, element_sum *s) {
    const tz_algebra *wide = &chart->plan->wide;
    const tz_weight *weight = &chart->plan->rules->weight[w];
    const tz_shape shape = tz_lane_shape(chart, lane, w);
    const size_t own = weight->sparse ? cells : tz_shape_cells(&shape);
    const tz_output output = tz_output_dense(&shape, s->number);
    fill_zero(wide, s->own, own);
    tz_status status = tz_weight_numbers(chart, lane, w, TZ_NUMBER_VALUE, &output, s->own);
    if (status != TZ_OK)
        return status;
    if (weight->view == NULL) {
        for (size_t c = 0; c < own; c++)
            add_element(wide, s->sum + c * wide->size, s->own + c * wide->size);
        return TZ_OK;
    }
    const tz_output to = tz_output_dense(given, NULL);
    const tz_places places = tz_places_in(&shape, NULL);
    tz_view_map map;
    tz_view_rows rows;
    status = make_map(chart, lane, w, to.stride, &map);
    if (status != TZ_OK)
        return status;
    for (tz_view_start(&rows, &map, &map.weight->cells); tz_view_next(&rows);) {
        ptrdiff_t step;
        const char *row = s->own + row_of(&places, &rows, &step) * wide->size;
        for (size_t x = 0; x < rows.count; x++)
            if (tz_view_place(&rows, x) != TZ_NO_PLACE)
                add_element(wide, s->sum + (size_t)tz_view_place(&rows, x) * wide->size,
                            row + (ptrdiff_t)x * step * (ptrdiff_t)wide->size);
    }
    return TZ_OK;
}

static tz_status through(tz_chart *chart, size_t lane, unsigned declared, const tz_output *output) {
    const tz_rules *rules = chart->plan->rules;
    const tz_algebra *wide = &chart->plan->wide;
    tz_shape shape;
    const size_t cells = given_cells(chart, lane, declared, &shape);
    const double centre = tz_goal_centre(chart, lane);
    element_sum s = {NULL, NULL, NULL};
    tz_status status = reserve_sum(chart, lane, declared, cells, &s);
    if (status == TZ_OK)
        fill_zero(wide, s.sum, cells);
    for (unsigned w = first_of(rules, declared); is_of(rules, w, declared) && status == TZ_OK; w++)
        status = add_elements(chart, lane, w, &shape, cells, &s);
    int32_t position[TZ_MAX_RANK] = {0};
    for (size_t c = 0; c < cells && status == TZ_OK; c++) {
        ptrdiff_t at = 0;
        if (shape.sparse)
            at = (ptrdiff_t)c * (output->stride[0] != 0 ? output->stride[0] : 1);
        for (unsigned d = 0; d < shape.rank && !shape.sparse; d++)
            at += position[d] * output->stride[d];
        output->data[at] = wide->value(wide->semiring, s.sum + c * wide->size) + centre;
        for (unsigned d = shape.rank; d-- > 0 && ++position[d] == shape.extent[d];)
            position[d] = 0;
    }
    return status;
}

/* ---- As the public header shows them --------------------------------------------------------- */

static tz_status answer(tz_chart *chart, size_t problem, size_t weight, tz_number number,
                        const tz_output *output) {
    const tz_rules *rules = chart->plan->rules;
    if (rules->declareds == 0)
        return tz_weight_numbers(chart, problem, weight, number, output, NULL);
    if (chart->state < TZ_OUTSIDE_DONE || problem >= chart->lanes || weight >= rules->declareds)
        return TZ_BAD_ARGUMENT;
    if (tz_goal_missing(chart, problem))
        return TZ_NONE;
    return number == TZ_NUMBER_VALUE ? through(chart, problem, (unsigned)weight, output)
                                     : add_up(chart, problem, (unsigned)weight, number, output);
}

tz_status tz_marginals(tz_chart *chart, size_t problem, size_t weight, const tz_output *output) {
    TZ_DEFAULT_MODES;
    if (chart->plan->wide.semiring->share == NULL)
        return TZ_LAW;
    return weight >= TZ_ITEM ? tz_items_marginals(chart, problem, weight - TZ_ITEM, output)
                             : answer(chart, problem, weight, TZ_NUMBER_SHARE, output);
}

tz_status tz_marginal_tangents(tz_chart *chart, size_t problem, size_t weight,
                               const tz_output *output) {
    TZ_DEFAULT_MODES;
    if (chart->plan->tangent[TZ_PASS_INSIDE] == NULL)
        return TZ_LAW;
    return answer(chart, problem, weight, TZ_NUMBER_TANGENT, output);
}

tz_status tz_through(tz_chart *chart, size_t problem, size_t weight, const tz_output *output) {
    TZ_DEFAULT_MODES;
    return weight >= TZ_ITEM ? tz_items_through(chart, problem, weight - TZ_ITEM, output)
                             : answer(chart, problem, weight, TZ_NUMBER_VALUE, output);
}

/* ---- All lanes ------------------------------------------------------------------------------- */

/* Those of one view of the first `count` lanes, added to `output` [lanes]. fill: nothing is there
 * yet. The other lanes share the last one's numbers, which must be added once. */
static tz_status add_all(tz_chart *chart, unsigned w, const tz_output **output, size_t count,
                         bool fill) {
    const tz_shape *longest = &chart->layout.shape[w];
    const size_t lanes = chart->lanes;
    ptrdiff_t stride[TZ_MAX_RANK];
    size_t cells, all;
    tz_status status = tz_array_strides(chart->plan->rules, &chart->plan->rules->weight[w],
                                        chart->bound.longest, longest, stride, &cells);
    if (status == TZ_OK && __builtin_mul_overflow(count, cells, &all))
        status = TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->given.summing, all + 1, sizeof(double));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->given.own, lanes,
                                   sizeof(tz_output) + sizeof(const tz_output *));
    if (status != TZ_OK)
        return status;
    tz_output *own = chart->given.own.data;
    const tz_output **to = (const tz_output **)(own + lanes);
    for (size_t l = 0; l < lanes; l++) {
        if (l < count) {
            own[l] = tz_output_dense(longest, output[l]->data != NULL
                                                  ? (double *)chart->given.summing.data + l * cells
                                                  : NULL);
            memcpy(own[l].stride, stride, longest->rank * sizeof *stride);
        }
        to[l] = &own[l < count ? l : count - 1];
    }
    status = tz_weight_marginals_all(chart, w, to);
    for (size_t l = 0; l < count && status == TZ_OK; l++) {
        if (output[l]->data == NULL)
            continue;
        if (fill)
            tz_fill_given(chart, l, chart->plan->rules->weight[w].declared, output[l], 0);
        status = add_numbers(chart, l, w, &own[l], output[l]);
    }
    return status;
}

tz_status tz_marginals_at(tz_chart *chart, const tz_output *outputs, const size_t *opt_slot,
                          size_t count) {
    const tz_rules *rules = chart->plan->rules;
    const size_t weights = tz_rules_count(rules, TZ_WEIGHTS);
    if (chart->plan->wide.semiring->share == NULL)
        return TZ_LAW;
    if (chart->state < TZ_OUTSIDE_DONE)
        return TZ_BAD_ARGUMENT;
    tz_status status =
        tz_buffer_reserve(&chart->marginals.asked, chart->lanes, sizeof(const tz_output *));
    for (unsigned d = 0; d < weights && status == TZ_OK; d++) {
        const tz_output **output = chart->marginals.asked.data;
        const unsigned first = first_of(rules, d);
        bool any = false;
        for (size_t l = 0; l < chart->lanes; l++) {
            const size_t lane = l < count ? l : count - 1;
            output[l] = &outputs[(opt_slot != NULL ? opt_slot[lane] : lane) * weights + d];
            any |= output[l]->data != NULL;
            if (output[l]->data != NULL && !is_of(rules, first, d))
                tz_fill_given(chart, l, d, output[l], 0);
        }
        for (unsigned w = first; any && is_of(rules, w, d) && status == TZ_OK; w++)
            status = rules->weight[w].view == NULL ? tz_weight_marginals_all(chart, w, output)
                                                   : add_all(chart, w, output, count, w == first);
    }
    return status;
}

tz_status tz_marginals_all(tz_chart *chart, const tz_output *outputs) {
    TZ_DEFAULT_MODES;
    return tz_marginals_at(chart, outputs, NULL, chart->lanes);
}
