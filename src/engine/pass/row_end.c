/* row_end.c - what lies between the rows of a chart.
 *
 * A row, all cells of a kind at one stage, is shorter than the space it has. The cells up to the
 * next row, its row end, belong to no item: a pass that relies on it finds zero there. Then sums
 * need not stop at edges where an operand's row ends. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/pass/row_end.h"
#include "engine/plan/traits.h"

/* Bytes of a cell of all lanes: of more, a column is a vector, and no vector crosses an edge. */
enum { MOST_PADDED = 64 };

tz_area tz_area_of(const tz_chart *chart, bool weights, unsigned which) {
    const tz_rules *rules = chart->plan->rules;
    if (weights)
        return (tz_area){&rules->weight[which].domain, rules->weight[which].coordinate,
                         &chart->layout.weight_box[which], rules->weight[which].rank};
    return (tz_area){&rules->kind[which].domain, rules->kind[which].coordinate,
                     &chart->layout.box[which], rules->kind[which].rank};
}

size_t tz_rows_of(const tz_area *a) {
    return a->box->empty || a->rank != 2 ? 0 : (size_t)(a->box->high[0] - a->box->low[0] + 1);
}

bool tz_has_rows(const tz_chart *chart, bool weights, const tz_area *a, unsigned which) {
    const tz_rules *rules = chart->plan->rules;
    if (a->rank != 2 || a->box->closer || (!weights && rules->kind[which].stages != 1))
        return false;
    int32_t det = a->coordinate[0].column[0] * a->coordinate[1].column[1] -
                  a->coordinate[0].column[1] * a->coordinate[1].column[0];
    if (det != 1 && det != -1)
        return false;
    return chart->bound.same_lengths || tz_domain_grows(a->domain);
}

void tz_row_range(const tz_chart *chart, const tz_area *a, int64_t row, int64_t *low,
                  int64_t *high) {
    const tz_form *c = a->coordinate;
    int64_t det = c[0].column[0] * c[1].column[1] - c[0].column[1] * c[1].column[0];
    /* index[q] = start[q] + cell * move[q] */
    int64_t start[2] = {det * c[1].column[1] * row, -det * c[1].column[0] * row};
    int64_t move[2] = {-det * c[0].column[1], det * c[0].column[0]};
    *low = a->box->low[1];
    *high = a->box->high[1];
    for (uint32_t i = 0; i < a->domain->count; i++) {
        const tz_constraint *constraint = &a->domain->at[i];
        int64_t v = tz_form_value(&constraint->form, chart->plan->rules->lengths,
                                  chart->bound.longest, 2, start);
        int64_t slope = constraint->form.column[0] * move[0] + constraint->form.column[1] * move[1];
        if (constraint->relation == TZ_NE)
            continue;
        tz_clip(v, slope, low, high);
        if (constraint->relation == TZ_EQ)
            tz_clip(-v, -slope, low, high);
    }
}

size_t tz_row_end(const tz_chart *chart, const tz_bound_step *step, const tz_block *block,
                  ptrdiff_t offset) {
    bool weights = step->target.what == TZ_WEIGHT;
    tz_area a = tz_area_of(chart, weights, step->target.which);
    if (a.box->empty || block->run != (ptrdiff_t)chart->lanes ||
        !tz_has_rows(chart, weights, &a, step->target.which))
        return 0;
    int64_t low, high, pitch = a.box->stride[0], in_box = offset - (ptrdiff_t)a.box->offset;
    tz_row_range(chart, &a, a.box->low[0] + in_box / pitch, &low, &high);
    int64_t end = in_box % pitch + (int64_t)block->width;
    return high + 1 == a.box->low[1] + end ? (size_t)(pitch - end) * chart->lanes : 0;
}

/* The declared cells of row r are low + r * low_step .. high + r * high_step. */
typedef struct lines {
    int64_t low, low_step, high, high_step;
} lines;

/* False where rows do not begin and end along straight lines. As the domain is convex, they do if
 * the first two do as the last two. */
static bool lines_of(const tz_chart *chart, const tz_area *a, lines *ret) {
    int64_t first = a->box->low[0], last = a->box->high[0];
    int64_t low[4], high[4], row[4] = {first, first + 1, last - 1, last};
    if (a->box->empty || last == first)
        return false;
    for (unsigned i = 0; i < 4; i++)
        tz_row_range(chart, a, row[i], &low[i], &high[i]);
    *ret = (lines){low[0] - first * (low[1] - low[0]), low[1] - low[0],
                   high[0] - first * (high[1] - high[0]), high[1] - high[0]};
    return low[3] - low[2] == ret->low_step && high[3] - high[2] == ret->high_step;
}

/* Is the term zero wherever an edge leaves out a column? All that is asked is linear in the split,
 * so that it holds for all if it does for the first and the last. */
static bool zero_beyond(const tz_chart *chart, const tz_tile *tile, const tz_bound_term *term,
                        const int64_t *column, unsigned split, unsigned run) {
    const tz_form *c = term->coordinate;
    tz_area a = tz_area_of(chart, false, term->which);
    unsigned lengths = chart->plan->rules->lengths;
    lines l;
    if (term->rank != 2 || c[0].column[run] != 0 || c[1].column[run] != 1 ||
        !tz_has_rows(chart, false, &a, term->which) || !lines_of(chart, &a, &l))
        return false;
    int64_t pitch = a.box->stride[0], last = (int64_t)tile->splits - 1;
    int64_t row0 = tz_form_value(&c[0], lengths, chart->bound.longest, run + 1, column);
    int64_t column0 = tz_form_value(&c[1], lengths, chart->bound.longest, run + 1, column);
    for (int end = 0; end < 2; end++) {
        int64_t s = end * last, row = row0 + s * c[0].column[split];
        int64_t from = column0 + s * c[1].column[split], to = from + (int64_t)tile->width - 1;
        int64_t at = (row - a.box->low[0]) * pitch - a.box->low[1];
        if (tile->lows > 0 &&
            (at + from < 0 ||
             from + tile->low->at + s * tile->low->step > l.low + row * l.low_step ||
             from + pitch <= l.high + (row - 1) * l.high_step))
            return false;
        if (tile->highs > 0 &&
            (at + to >= (int64_t)a.box->size ||
             from + tile->high->at + s * tile->high->step <= l.high + row * l.high_step ||
             to - pitch >= l.low + (row + 1) * l.low_step))
            return false;
    }
    return true;
}

/* Can the term be read at every split of all columns? Linear, too. */
static bool readable(const tz_chart *chart, const tz_tile *tile, const tz_bound_term *term,
                     const int64_t *column, unsigned split, unsigned run) {
    const tz_address *address = &chart->layout.address[term->address];
    ptrdiff_t cells = (ptrdiff_t)chart->layout.cells[tz_term_space(term)];
    ptrdiff_t first = tz_address_value(address, chart->plan->rules->lengths, chart->bound.longest,
                                       run + 1, column);
    for (int corner = 0; corner < 4; corner++) {
        ptrdiff_t at = first;
        if (corner & 1)
            at += address->column[split] * ((ptrdiff_t)tile->splits - 1);
        if (corner & 2)
            at += address->column[run] * ((ptrdiff_t)tile->width - 1);
        if (at < 0 || at >= cells)
            return false;
    }
    return true;
}

/* Only of semirings that leave nothing infinite where nothing is written, zero times which may be
 * NaN: exact ones, and narrow elements, which are in range (tz_pass_spoiled) or not used. */
bool tz_tile_padded(const tz_chart *chart, const tz_tile *tile) {
    const tz_bound_step *step = tile->step;
    unsigned run = (unsigned)step->nest->givens + step->nest->loops - 1u, split = run - 1;
    if (tile->lows + tile->highs == 0 || tile->lows > 1 || tile->highs > 1 ||
        step->target.what == TZ_WEIGHT ||
        !(chart->algebra->semiring->laws & TZ_EXACT || chart->algebra == &chart->plan->narrow) ||
        chart->lanes * chart->algebra->size >= MOST_PADDED)
        return false;
    bool zero = false;
    int64_t column[TZ_MAX_COLUMNS];
    memcpy(column, tile->column, sizeof column);
    column[split] = tile->split;
    column[run] = tile->run;
    for (unsigned t = 0; t < step->terms; t++) {
        const tz_bound_term *term = &step->term[t];
        if (!term->inner)
            continue;
        if (term->what == TZ_WEIGHT || !readable(chart, tile, term, column, split, run))
            return false;
        zero = zero || (tz_term_space(term) == tz_target_space(step) &&
                        zero_beyond(chart, tile, term, column, split, run));
    }
    return zero;
}
