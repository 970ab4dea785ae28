/* map.c - marginals of problems of the same lengths, or nested ones (tz_plan), by a map.
 *
 * A cell of a weight is mostly used once: its marginal is the share in the goal's value of a single
 * product, outside(target) * (terms). Which elements these are depends on the lengths alone and is
 * worked out once for them; then every element is read where it stands, multiplied and divided in
 * registers, and written where it is wanted, without a pass that would leave products in between.
 * The sum over the uses of other cells is a product of one: what the pass has made. Lanes stand
 * side by side, so that all of them are read at once: where one is asked for after the other, into
 * tables, when the first is. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/marginals/map.h"
#include "engine/chart/facts.h"
#include "engine/chart/scale.h"
#include "engine/layout/address.h"
#include "engine/layout/places.h"
#include "engine/layout/scores.h"
#include "engine/pass/schedule.h"
#include "engine/pass/tile.h"
#include "kernels/flags.h"

/* PIECE: positions between two looks at the flags; the last piece of a run may have more. */
enum {
    MOST_POSITIONS = 1 << 20,
    MOST_WIDE = 1 << 15,
    NOWHERE = -1,
    ROUND = TZ_LEAST_SHARES,
    PIECE = 128
};

static int32_t *cells_of(const tz_chart *chart, const tz_marginal_map *map, unsigned factor) {
    return (int32_t *)chart->marginals.cell.data + map->first + factor * map->pitch;
}

/* ---- Making maps ------------------------------------------------------------------------------
 */

/* Is there a map? Not where most of it would be empty. */
static bool has_map(const tz_chart *chart, unsigned w, size_t positions) {
    const tz_box *box = &chart->layout.weight_box[w];
    return !box->absent && positions <= MOST_POSITIONS && positions / 4 <= box->size &&
           box->offset + box->size <= INT32_MAX;
}

/* Where there is nothing, the factors of some place are read, and not used. False: there is none.
 */
static bool fill_holes(const tz_chart *chart, const tz_marginal_map *map) {
    const int32_t *cell = cells_of(chart, map, 0);
    size_t any = 0;
    while (any < map->pitch && cell[any] == NOWHERE)
        any++;
    for (unsigned f = map->factors; f-- > 0 && any < map->pitch;) {
        int32_t *to = cells_of(chart, map, f);
        for (size_t i = 0; i < map->pitch; i++)
            to[i] = cell[i] != NOWHERE ? to[i] : f == 0 ? ~to[any] : to[any];
    }
    return any < map->pitch;
}

/* Where each position's sum over uses stands. */
static void map_sums(const tz_chart *chart, unsigned w, tz_marginal_map *map) {
    const tz_shape shape = chart->layout.shape[w];
    const tz_places from = tz_places_of_cells(chart, w), to = tz_places_in(&shape, NULL);
    int32_t *cell = cells_of(chart, map, 0);
    map->factors = 1;
    map->summed = true;
    map->space[0] = TZ_AT_WEIGHT_OUTSIDE;
    for (size_t i = 0; i < map->pitch; i++)
        cell[i] = NOWHERE;
    tz_rows rows;
    for (tz_rows_start(&rows, chart->plan->rules, w, chart->bound.longest); tz_rows_next(&rows);) {
        ptrdiff_t stride, step, first = tz_row_place(&from, &rows, &stride);
        int32_t *row = cell + tz_row_place(&to, &rows, &step);
        for (ptrdiff_t i = 0; i < (ptrdiff_t)rows.count; i++)
            row[i * step] = (int32_t)(first + i * stride);
        for (size_t hole = 0; tz_row_hole(&rows, &hole); hole++)
            row[(ptrdiff_t)hole * step] = NOWHERE;
    }
    if (!fill_holes(chart, map))
        map->factors = 0;
}

/* How many factors every use has; 0 if they differ, or there are sums. */
static unsigned factors_of(const tz_chart *chart, unsigned w, tz_marginal_map *map) {
    const tz_weight *weight = &chart->plan->rules->weight[w];
    const tz_bound_step *step = chart->plan->weight_pass + weight->outside;
    bool same = weight->outsides > 0 && step->terms <= TZ_MAX_FACTORS;
    for (unsigned s = 0; s < weight->outsides && same; s++) {
        same = tz_can_be_blocks(chart, &step[s]) && !step[s].step->has_split &&
               step[s].terms == step->terms;
        for (unsigned t = 0; t < step->terms && same; t++) {
            tz_space space = tz_term_space(&step[s].term[t]);
            same = (s == 0 || space == map->space[t]) && chart->layout.cells[space] <= INT32_MAX;
            map->space[t] = space;
        }
    }
    return same ? step->terms : 0;
}

typedef struct product_map {
    const tz_marginal_map *map;
    tz_places to;
} product_map;

/* Where the factors of uses stand. TZ_TOO_LARGE: a cell has two. */
static tz_status map_tile(tz_chart *chart, const tz_tile *tile, void *user) {
    const product_map *p = user;
    const tz_bound_step *step = tile->step;
    const unsigned columns = (unsigned)step->nest->givens + step->nest->loops, run = columns - 1u,
                   lengths = chart->plan->rules->lengths;
    int64_t column[TZ_MAX_COLUMNS];
    memcpy(column, tile->column, sizeof column);
    if (step->step->has_run)
        column[run] = tile->run;
    ptrdiff_t position = p->to.base, along = 0;
    for (unsigned q = 0; q < step->target.rank; q++) {
        const tz_form *index = &step->target.index[q];
        position +=
            (ptrdiff_t)tz_form_value(index, lengths, chart->bound.longest, columns, column) *
            p->to.move[q];
        along += step->step->has_run ? index->column[run] * p->to.move[q] : 0;
    }
    for (unsigned f = 0; f < step->terms; f++) {
        const tz_address *at = &chart->layout.address[step->term[f].address];
        int32_t *cell = cells_of(chart, p->map, f) + position;
        ptrdiff_t first = tz_address_value(at, lengths, chart->bound.longest, columns, column),
                  apart = step->step->has_run ? at->column[run] : 0;
        for (ptrdiff_t x = 0; x < (ptrdiff_t)tile->width; x++) {
            if (cell[x * along] != NOWHERE)
                return TZ_TOO_LARGE;
            cell[x * along] = (int32_t)(first + x * apart);
        }
    }
    return TZ_OK;
}

/* False where a cell has several uses. */
static bool map_products(tz_chart *chart, unsigned w, tz_marginal_map *map) {
    const tz_weight *weight = &chart->plan->rules->weight[w];
    const tz_shape shape = chart->layout.shape[w];
    product_map p = {map, tz_places_in(&shape, NULL)};
    tz_status status = TZ_OK;
    /* For a lane of the longest lengths, whether there is one or not. */
    int32_t *length = chart->bound.length;
    chart->bound.length = chart->bound.longest;
    for (size_t i = 0; i < map->factors * map->pitch; i++)
        cells_of(chart, map, 0)[i] = NOWHERE;
    for (unsigned s = 0; s < weight->outsides && status == TZ_OK; s++)
        status = tz_step_tiles(chart, &chart->plan->weight_pass[weight->outside + s], NULL, 0, 1,
                               map_tile, &p);
    chart->bound.length = length;
    return status == TZ_OK && fill_holes(chart, map);
}

static tz_status make_maps(tz_chart *chart) {
    const unsigned weights = chart->plan->rules->weights;
    tz_status status = tz_buffer_reserve(&chart->marginals.map, weights, sizeof(tz_marginal_map));
    size_t cells = 0, table = 0;
    tz_marginal_map *map = chart->marginals.map.data;
    for (unsigned w = 0; w < weights && status == TZ_OK; w++) {
        map[w] = (tz_marginal_map){.first = cells, .table = table};
        if (chart->plan->rules->weight[w].sparse)
            continue;
        const tz_shape shape = chart->layout.shape[w];
        const size_t positions = tz_shape_cells(&shape);
        if (!has_map(chart, w, positions))
            continue;
        map[w].pitch = (positions + ROUND - 1) / ROUND * ROUND;
        map[w].factors = factors_of(chart, w, &map[w]);
        cells += (map[w].factors > 0 ? map[w].factors : 1) * map[w].pitch;
        table += map[w].pitch;
    }
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->marginals.cell, cells, sizeof(int32_t));
    for (unsigned w = 0; w < weights && status == TZ_OK; w++)
        if (map[w].pitch > 0 && (map[w].factors == 0 || !map_products(chart, w, &map[w])))
            map_sums(chart, w, &map[w]);
    chart->marginals.made = status == TZ_OK;
    return status;
}

tz_status tz_marginal_map_find(tz_chart *chart, unsigned weight, tz_marginal_map **ret) {
    tz_status status = TZ_OK;
    *ret = NULL;
    if (!tz_nested(chart) || chart->algebra->product_shares == NULL)
        return TZ_OK;
    if (!chart->marginals.made)
        status = make_maps(chart);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->marginals.to, chart->lanes, sizeof(double *));
    tz_marginal_map *map = (tz_marginal_map *)chart->marginals.map.data + weight;
    /* Elements of several numbers are gathered one by one: from afar, a pass is faster. */
    const bool far = chart->lanes == 1 && chart->algebra->moves == NULL && map->pitch > MOST_WIDE;
    if (status == TZ_OK && map->factors > 0 && !far)
        *ret = map;
    return status;
}

/* ---- Reading them -----------------------------------------------------------------------------
 */

/* Positions of a lane's shape that are neighbours in the map, and equally far apart in an output:
 * the last dimensions. */
typedef struct run {
    const tz_shape *shape;
    const ptrdiff_t *stride;
    ptrdiff_t pitch[TZ_MAX_RANK]; /* strides of the map */
    unsigned outer;               /* the other dimensions */
    size_t left;                  /* positions, from the run on */
    int32_t index[TZ_MAX_RANK];
    ptrdiff_t from, at, step; /* where the run begins in the map, and in the output */
    size_t count;
} run;

/* of: the shape that the map is of. */
static run first_run(const tz_shape *of, const tz_shape *shape, const ptrdiff_t *stride) {
    run r = {.shape = shape, .stride = stride, .outer = shape->rank, .step = 1, .count = 1};
    ptrdiff_t pitch = 1;
    for (unsigned d = shape->rank; d-- > 0; pitch *= of->extent[d]) {
        r.pitch[d] = pitch;
        r.from += (shape->origin[d] - of->origin[d]) * pitch;
    }
    if (r.outer > 0)
        r.step = stride[r.outer - 1];
    while (r.outer > 0 && stride[r.outer - 1] == r.step * (ptrdiff_t)r.count &&
           r.pitch[r.outer - 1] == (ptrdiff_t)r.count)
        r.count *= (size_t)shape->extent[--r.outer];
    r.left = tz_shape_cells(shape);
    return r;
}

static void next_run(run *r) {
    r->left -= r->count;
    for (unsigned d = r->outer; d-- > 0;) {
        r->from += r->pitch[d];
        r->at += r->stride[d];
        if (++r->index[d] < r->shape->extent[d])
            break;
        r->from -= r->pitch[d] * r->shape->extent[d];
        r->at -= r->stride[d] * r->shape->extent[d];
        r->index[d] = 0;
    }
}

static double *table_of(const tz_chart *chart, const tz_marginal_map *map, size_t lane) {
    return (double *)chart->marginals.table.data + map->table * chart->lanes + lane * map->pitch;
}

/* compute of a piece, by wide elements: a marginal may be smaller than any product of narrow ones
 * that holds all its digits, as that of a part that hardly any derivation has. Gauges cancel out,
 * so the elements are taken as they are. */
static tz_status compute_wide(tz_chart *chart, const tz_marginal_map *map, const int32_t *cell,
                              size_t count, const void *goal, double *const *to) {
    const tz_algebra *wide = &chart->plan->wide;
    const size_t lanes = chart->lanes, narrow = chart->algebra->size;
    tz_status status = tz_buffer_reserve(&chart->marginals.widened,
                                         (map->factors * count + 1) * lanes, wide->size);
    if (status != TZ_OK)
        return status;
    int32_t first[2 * PIECE], place[2 * PIECE]; /* of the first factor, which tells holes; others */
    tz_products products = {.factors = map->factors, .lanes = lanes};
    char *element = chart->marginals.widened.data;
    for (unsigned f = 0; f < map->factors; f++, cell += map->pitch) {
        const char *from = chart->space[map->space[f]].data;
        products.base[f] = element;
        products.cell[f] = f == 0 ? first : place;
        for (size_t i = 0; i < count; i++) {
            const size_t at = (size_t)(cell[i] ^ cell[i] >> 31);
            place[i] = (int32_t)i;
            first[i] = f > 0 ? first[i] : cell[i] < 0 ? ~(int32_t)i : (int32_t)i;
            for (size_t l = 0; l < lanes; l++, element += wide->size)
                tz_widen(chart, from + (at * lanes + l) * narrow, 0, element);
        }
    }
    for (size_t l = 0; l < lanes; l++)
        tz_widen(chart, (const char *)goal + l * narrow, 0, element + l * wide->size);
    wide->product_shares(wide->semiring, to, &products, count, element);
    return TZ_OK;
}

/* The marginals at positions first..first+count-1, lane l's to to[l], which it moves behind them;
 * goal: elements of the lanes. */
static tz_status compute(tz_chart *chart, const tz_marginal_map *map, size_t first, size_t count,
                         const void *goal, double **to) {
    const tz_algebra *algebra = chart->algebra;
    tz_products products = {.factors = map->factors, .lanes = chart->lanes};
    for (unsigned f = 0; f < map->factors; f++)
        products.base[f] = chart->space[map->space[f]].data;
    for (size_t done = 0, n; done < count; done += n) {
        n = count - done < 2 * PIECE ? count - done : PIECE;
        for (unsigned f = 0; f < map->factors; f++)
            products.cell[f] = cells_of(chart, map, f) + first + done;
        const unsigned flags = tz_flags_take();
        algebra->product_shares(algebra->semiring, to, &products, n, goal);
        tz_status status = TZ_OK;
        if (tz_flags_raised() && algebra != &chart->plan->wide)
            status = compute_wide(chart, map, products.cell[0], n, goal, to);
        tz_flags_take();
        tz_flags_return(flags);
        if (status != TZ_OK)
            return status;
        for (size_t l = 0; l < chart->lanes; l++)
            to[l] += n;
    }
    return TZ_OK;
}

/* Can the outputs of all lanes, which have the same strides, be written to as they are computed? */
static bool can_write(const tz_chart *chart, const tz_shape *shape,
                      const tz_output *const *output) {
    const run r = first_run(shape, shape, output[0]->stride);
    bool can = chart->bound.same_lengths && r.step == 1 && r.count >= TZ_LEAST_SHARES;
    for (size_t l = 0; l < chart->lanes && can; l++)
        can = output[l]->data != NULL && !tz_goal_missing(chart, l) &&
              memcmp(output[l]->stride, r.stride, shape->rank * sizeof *r.stride) == 0;
    return can;
}

static tz_status write(tz_chart *chart, const tz_marginal_map *map, const tz_shape *shape,
                       const tz_output *const *output) {
    double **to = chart->marginals.to.data;
    const void *goal = tz_cell(chart, TZ_AT_INSIDE, chart->layout.goal, 0);
    for (run r = first_run(shape, shape, output[0]->stride); r.left > 0; next_run(&r)) {
        for (size_t l = 0; l < chart->lanes; l++)
            to[l] = output[l]->data + r.at;
        tz_status status = compute(chart, map, (size_t)r.from, r.count, goal, to);
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}

/* Tables of all lanes, row-major. */
static tz_status make_tables(tz_chart *chart, tz_marginal_map *map) {
    const tz_marginal_map *last =
        (const tz_marginal_map *)chart->marginals.map.data + chart->plan->rules->weights - 1;
    size_t numbers;
    if (map->made == chart->epoch)
        return TZ_OK;
    if (__builtin_mul_overflow(last->table + last->pitch, chart->lanes, &numbers))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->marginals.table, numbers, sizeof(double));
    if (status != TZ_OK)
        return status;
    const size_t size = chart->algebra->size;
    status = tz_buffer_reserve(&chart->marginals.goal, chart->lanes, size);
    if (status != TZ_OK)
        return status;
    double **to = chart->marginals.to.data;
    for (size_t l = 0; l < chart->lanes; l++) {
        const ptrdiff_t goal = tz_goal_offset(chart, l);
        memcpy((char *)chart->marginals.goal.data + l * size,
               goal < 0 ? chart->algebra->zero : tz_cell(chart, TZ_AT_INSIDE, goal, l), size);
        to[l] = table_of(chart, map, l);
    }
    status = compute(chart, map, 0, map->pitch, chart->marginals.goal.data, to);
    map->made = status == TZ_OK ? chart->epoch : map->made;
    return status;
}

/* What a lane has of its table. */
static void copy_table(const tz_chart *chart, const tz_marginal_map *map, unsigned weight,
                       size_t lane, const tz_output *output) {
    const double *table = table_of(chart, map, lane);
    const tz_shape shape = tz_lane_shape(chart, lane, weight);
    for (run r = first_run(&chart->layout.shape[weight], &shape, output->stride); r.left > 0;
         next_run(&r))
        if (r.step == 1)
            memcpy(output->data + r.at, table + r.from, r.count * sizeof *table);
        else
            for (ptrdiff_t i = 0; i < (ptrdiff_t)r.count; i++)
                output->data[r.at + i * r.step] = table[r.from + i];
}

tz_status tz_marginal_map_write(tz_chart *chart, tz_marginal_map *map, unsigned weight, size_t lane,
                                const tz_output *output) {
    const tz_shape *shape = &chart->layout.shape[weight];
    if (chart->lanes == 1 && can_write(chart, shape, &output))
        return write(chart, map, shape, &output);
    tz_status status = make_tables(chart, map);
    if (status == TZ_OK)
        copy_table(chart, map, weight, lane, output);
    return status;
}

tz_status tz_marginal_map_write_all(tz_chart *chart, tz_marginal_map *map, unsigned weight,
                                    const tz_output *const *output) {
    const tz_shape *shape = &chart->layout.shape[weight];
    if (can_write(chart, shape, output))
        return write(chart, map, shape, output);
    tz_status status = make_tables(chart, map);
    for (size_t l = 0; l < chart->lanes && status == TZ_OK; l++)
        if (output[l]->data != NULL && tz_goal_missing(chart, l))
            tz_fill_output(chart, l, weight, output[l], 0);
        else if (output[l]->data != NULL)
            copy_table(chart, map, weight, l, output[l]);
    return status;
}
