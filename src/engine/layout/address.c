/* address.c - where items stand in a chart, for the lengths that are bound.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/layout/address.h"
#include "rules/box.h"
#include "rules/tell/cost.h"
#include "rules/view.h"

/* Widens the box by the coordinates of these lengths. */
static void widen(tz_box *box, const tz_rules *rules, const int32_t *length,
                  const tz_range *coordinate, unsigned rank) {
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    for (unsigned c = 0; c < rank; c++) {
        tz_range_value(&coordinate[c], rules->lengths, length, 0, NULL, &low[c], &high[c]);
        if (low[c] > high[c])
            return;
    }
    for (unsigned c = 0; c < rank; c++) {
        if (box->empty || low[c] < box->low[c])
            box->low[c] = low[c];
        if (box->empty || high[c] > box->high[c])
            box->high[c] = high[c];
    }
    box->empty = false;
}

/* The smallest box around the coordinates of all lanes, and of the longest lengths together. */
static void bound_box(const tz_chart *chart, const tz_range *coordinate, unsigned rank,
                      tz_box *box) {
    box->empty = true;
    for (size_t lane = 0; lane < chart->lanes && !tz_nested(chart); lane++)
        widen(box, chart->plan->rules, tz_lane_length(chart, lane), coordinate, rank);
    widen(box, chart->plan->rules, chart->bound.longest, coordinate, rank);
    widen(box, chart->plan->rules, chart->layout.room, coordinate, rank);
}

enum { LINE = 64 }; /* bytes of a cache line */

/* How the cells of a kind or weight are told apart. */
typedef struct coordinates {
    unsigned rank;
    const tz_range *range;
    const tz_shear *shear;
    unsigned shears;
} coordinates;

static coordinates of_kind(const tz_kind *kind) {
    return (coordinates){kind->rank, kind->coordinate_range, kind->shear, kind->shears};
}

static coordinates of_weight(const tz_weight *weight) {
    return (coordinates){weight->rank, weight->coordinate_range, weight->shear, weight->shears};
}

/* Sizes the box for these lengths or shorter ones and adds it to the cells of its spaces; false
 * where they become too many. */
static bool place_box(tz_box *box, const coordinates *c, const tz_rules *rules,
                      const int32_t *length, size_t cell_bytes, size_t limit, size_t *cells) {
    const tz_box_range range = {c->rank, box->low, box->high};
    size_t size = 0, offset = *cells, sum;
    if (!box->empty && !tz_box_strides(&range, c->shear, c->shears, rules->lengths, length,
                                       cell_bytes, box->stride, &size, &box->closer))
        return false;
    while (!box->empty && c->rank >= 2 && offset * cell_bytes % LINE != 0)
        offset++;
    box->offset = offset;
    box->size = size;
    if (__builtin_add_overflow(offset, size, &sum) || sum > limit)
        return false;
    *cells = sum;
    return true;
}

/* Weights of more cells than this, of several problems side by side or of one, are gathered as they
 * are needed: anew for each use, which takes long where a cell has many. */
enum { MOST_WEIGHT_BYTES = 1 << 26, MOST_WEIGHT_BYTES_ALONE = 1 << 30 };

static size_t element_bytes(const tz_plan *plan) {
    return plan->has_narrow ? plan->narrow.size : plan->wide.size;
}

static tz_status place_boxes(tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    const tz_plan *plan = chart->plan;
    size_t cell_bytes = element_bytes(plan) * chart->lanes;
    size_t lane_size = plan->wide.size * chart->lanes;
    size_t items = 0, weights = 0, limit = PTRDIFF_MAX / lane_size;
    int32_t *room = chart->layout.room;
    for (unsigned l = 0; l < rules->lengths; l++)
        room[l] = chart->layout.asked[l] > chart->bound.longest[l] ? chart->layout.asked[l]
                                                                   : chart->bound.longest[l];
    for (unsigned k = 0; k < rules->kinds; k++) {
        const coordinates c = of_kind(&rules->kind[k]);
        bound_box(chart, c.range, c.rank, &chart->layout.box[k]);
        if (!place_box(&chart->layout.box[k], &c, rules, room, cell_bytes, limit, &items))
            return TZ_TOO_LARGE;
    }
    size_t bytes = chart->lanes > 1 ? MOST_WEIGHT_BYTES : MOST_WEIGHT_BYTES_ALONE;
    limit = limit < bytes / lane_size ? limit : bytes / lane_size;
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_weight *weight = &rules->weight[w];
        tz_box *box = &chart->layout.weight_box[w];
        box->absent = weight->sparse || plan->plain;
        if (box->absent)
            continue;
        const coordinates c = of_weight(weight);
        bound_box(chart, c.range, c.rank, box);
        box->absent = !place_box(box, &c, rules, room, cell_bytes, limit, &weights);
    }
    chart->layout.cells[TZ_AT_INSIDE] = chart->layout.cells[TZ_AT_OUTSIDE] = items;
    chart->layout.cells[TZ_AT_WEIGHT] = chart->layout.cells[TZ_AT_WEIGHT_OUTSIDE] = weights;
    for (unsigned s = 0; s < TZ_AT_TANGENTS; s++)
        chart->layout.cells[TZ_AT_TANGENTS + s] = chart->layout.cells[s];
    return TZ_OK;
}

static void place_term(tz_chart *chart, const tz_bound_term *term, unsigned columns) {
    const tz_box *box =
        &(term->what == TZ_WEIGHT ? chart->layout.weight_box : chart->layout.box)[term->which];
    if (term->what == TZ_WEIGHT && box->absent)
        return;
    tz_address *address = &chart->layout.address[term->address];
    unsigned lengths = chart->plan->rules->lengths;
    address->base = (ptrdiff_t)box->offset;
    memset(address->length, 0, sizeof address->length);
    memset(address->column, 0, columns * sizeof *address->column);
    for (unsigned c = 0; c < term->rank; c++) {
        const tz_form *form = &term->coordinate[c];
        ptrdiff_t stride = box->stride[c];
        address->base += (form->constant - (ptrdiff_t)box->low[c]) * stride;
        for (unsigned l = 0; l < lengths; l++)
            address->length[l] += form->length[l] * stride;
        for (unsigned v = 0; v < columns; v++)
            address->column[v] += form->column[v] * stride;
    }
}

static void place_steps(tz_chart *chart, const tz_bound_step *step, unsigned steps) {
    for (unsigned s = 0; s < steps; s++) {
        unsigned columns = (unsigned)step[s].nest->givens + step[s].nest->loops;
        place_term(chart, &step[s].target, columns);
        for (unsigned t = 0; t < step[s].terms; t++)
            place_term(chart, &step[s].term[t], columns);
    }
}

ptrdiff_t tz_cell_offset(const tz_chart *chart, unsigned kind, const int64_t *index) {
    const tz_kind *k = &chart->plan->rules->kind[kind];
    const tz_box *box = &chart->layout.box[kind];
    if (box->empty)
        return -1;
    ptrdiff_t offset = (ptrdiff_t)box->offset;
    for (unsigned c = 0; c < k->rank; c++) {
        int64_t value = tz_form_value(&k->coordinate[c], 0, NULL, k->rank, index);
        if (value < box->low[c] || value > box->high[c])
            return -1;
        offset += (ptrdiff_t)(value - box->low[c]) * box->stride[c];
    }
    return offset;
}

static ptrdiff_t goal_offset(const tz_chart *chart, const int32_t *length) {
    const tz_rules *rules = chart->plan->rules;
    const tz_kind *kind = &rules->kind[rules->goal.which];
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < kind->rank; q++)
        index[q] = tz_form_value(&rules->goal.index[q], rules->lengths, length, 0, NULL);
    if (!tz_domain_holds(&kind->domain, rules->lengths, length, kind->rank, index))
        return -1;
    return tz_cell_offset(chart, rules->goal.which, index);
}

ptrdiff_t tz_goal_offset(const tz_chart *chart, size_t lane) {
    return chart->bound.same_lengths ? chart->layout.goal
                                     : goal_offset(chart, tz_lane_length(chart, lane));
}

void tz_chart_lengthen(tz_chart *chart, const tz_shape *shape) {
    memcpy(chart->layout.shape, shape, chart->plan->rules->weights * sizeof *shape);
    chart->layout.goal = goal_offset(chart, chart->bound.longest);
}

tz_status tz_chart_layout(tz_chart *chart) {
    const tz_plan *plan = chart->plan;
    const tz_rules *rules = plan->rules;
    tz_status status = place_boxes(chart);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++)
        status = tz_weight_shape(rules, &rules->weight[w], chart->bound.longest,
                                 &chart->layout.shape[w]);
    if (status != TZ_OK)
        return status;
    chart->layout.goal = goal_offset(chart, chart->bound.longest);
    place_steps(chart, plan->inside, rules->steps);
    place_steps(chart, plan->outside, rules->outside_steps);
    place_steps(chart, plan->weight_pass, rules->weight_steps);
    place_steps(chart, plan->trace, rules->steps);
    chart->layout.version++;
    return TZ_OK;
}

/* ---- Lanes ---------------------------------------------------------------------------------- */

/* About how many cells of its box a kind has: where one index is below another, half. */
static size_t used_cells(const tz_kind *kind, const tz_box *box) {
    size_t cells = box->size;
    for (uint32_t i = 0; i < kind->domain.count; i++) {
        unsigned related = 0;
        for (unsigned q = 0; q < kind->rank; q++)
            related += kind->domain.at[i].form.column[q] != 0;
        if (related > 1 && kind->domain.at[i].relation == TZ_GE)
            cells /= 2;
    }
    return cells;
}

static const tz_algebra *smallest(const tz_plan *plan) {
    return plan->has_narrow ? &plan->narrow : &plan->wide;
}

/* The cells that kinds use, or infinite ones: `lanes` of them have no place. */
static double cells_used(const tz_plan *plan, const int32_t *length, size_t lanes) {
    const tz_rules *rules = plan->rules;
    const size_t lane_size = plan->wide.size * lanes;
    size_t placed = 0, used = 0;
    for (unsigned k = 0; k < rules->kinds; k++) {
        const tz_kind *kind = &rules->kind[k];
        tz_box box = {.empty = true};
        const coordinates c = of_kind(kind);
        widen(&box, rules, length, c.range, c.rank);
        if (!place_box(&box, &c, rules, length, smallest(plan)->size * lanes,
                       PTRDIFF_MAX / lane_size, &placed))
            return INFINITY;
        used += used_cells(kind, &box);
    }
    return (double)used;
}

/* Are items read again and again? As many products tell it as shorter problems have, which are
 * quick to count. */
static bool read_often(const tz_plan *plan, const int32_t *length) {
    enum { LONG = 128, OFTEN = 16 };
    int32_t shorter[TZ_MAX_LENGTHS];
    double products;
    for (unsigned l = 0; l < plan->rules->lengths; l++)
        shorter[l] = length[l] < LONG ? length[l] : LONG;
    return tz_rules_products(plan->rules, shorter, &products) != TZ_OK ||
           products > OFTEN * cells_used(plan, shorter, 1);
}

size_t tz_best_lanes(const tz_plan *plan, const int32_t *length, int *often, double *ret_cells) {
    /* Items that are read again and again stay in the caches near the core; others need not. */
    enum { VECTOR = 64, LEAST = 4, NEAR_BYTES = 5 << 19, MOST_BYTES = 5 << 23 };
    const tz_rules *rules = plan->rules;
    const tz_algebra *algebra = smallest(plan);
    size_t size = algebra->size, lanes = size * LEAST < VECTOR ? VECTOR / size : LEAST;
    if (algebra->contract != NULL && algebra->align < VECTOR / LEAST) /* of numbers, it may be */
        lanes = VECTOR / algebra->align;
    size_t most = MOST_WEIGHT_BYTES / (plan->wide.size * lanes), placed = 0;
    const double used = cells_used(plan, length, lanes), bytes = used * (double)(size * lanes);
    *ret_cells = used < INFINITY ? used : 0;
    if (bytes > NEAR_BYTES && bytes <= MOST_BYTES && *often < 0)
        *often = read_often(plan, length);
    if (bytes > MOST_BYTES || (bytes > NEAR_BYTES && *often))
        return 1;
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_weight *weight = &rules->weight[w];
        tz_box box = {.empty = true};
        if (weight->sparse)
            continue;
        const coordinates c = of_weight(weight);
        widen(&box, rules, length, c.range, c.rank);
        if (!place_box(&box, &c, rules, length, size * lanes, most, &placed))
            return 1;
    }
    return lanes;
}

void tz_layout_free(tz_layout *l) {
    free(l->shape);
    free(l->box);
    free(l->weight_box);
    free(l->address);
}
