/* weights.c - the scores of weights, of those cells that steps use, lifted once when they are
 * bound, to where the loops of the steps find neighbours side by side. All are checked.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/chart/direction.h"
#include "engine/chart/entries.h"
#include "engine/chart/facts.h"
#include "engine/chart/inputs.h"
#include "engine/chart/scale.h"
#include "engine/chart/score_maps.h"
#include "engine/chart/score_range.h"
#include "engine/chart/weights.h"
#include "engine/layout/places.h"
#include "engine/layout/rows.h"
#include "engine/layout/space.h"

enum { PIECE = 256 };

/* ---- Lifting -------------------------------------------------------------------------------- */

/* The shift of a lane's elements, or of its scores, at the first cell and from cell to cell; of:
 * scales or centres. */
static void lane_shift(const tz_chart *chart, const double *of, size_t lane,
                       const tz_row_forms *row, double *ret_shift, double *ret_step) {
    unsigned gauges = chart->plan->rules->gauges;
    *ret_shift = *ret_step = 0;
    for (unsigned g = 0; g < gauges; g++) {
        double scale = of[lane * gauges + g];
        *ret_shift += scale * (double)row->first[g];
        *ret_step += scale * (double)row->step[g];
    }
}

/* Scores of a part of a row; those of cells that the lane's facts forbid become -INFINITY. */
static void copy_allowed(const tz_chart *chart, size_t lane, const tz_row *row, size_t first,
                         const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                         double *ret) {
    tz_copy_scores(scores, offset + (ptrdiff_t)first * step, step, count, ret);
    for (size_t x = first; tz_next_forbidden(chart, lane, row, &x) && x < first + count; x++)
        ret[x - first] = -INFINITY;
}

/* Elements side by side moved to places so many bytes apart. */
static void move_apart(char *to, ptrdiff_t apart, const char *from, size_t size, size_t count) {
    for (size_t i = 0; i < count; i++, to += apart, from += size)
        tz_copy_element(to, from, size);
}

/* What PIECE elements at most are made of. */
typedef struct piece {
    size_t count;
    double score[PIECE], shift[PIECE]; /* read where elements are scaled */
    double input[TZ_MAX_INPUTS][PIECE];
    bool given[TZ_MAX_INPUTS]; /* where not, what stands there is not read */
} piece;

static void lift_piece(tz_chart *chart, piece *p, void *to, ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const tz_semiring *s = algebra->semiring;
    const size_t inputs = chart->plan->wide.semiring->inputs;
    bool any = false;
    for (size_t i = 0; i < inputs; i++)
        any |= p->given[i];
    if (algebra->lifts != NULL && (algebra->scaled || p->count >= TZ_LIFTED)) {
        _Alignas(TZ_MAX_ALIGN) char lifted[PIECE * TZ_MOST_LIFTED];
        tz_lifting from = {p->score, p->shift, {0}};
        const size_t whole = (p->count + TZ_LIFTED - 1) / TZ_LIFTED * TZ_LIFTED;
        for (size_t i = p->count; i < whole; i++) {
            p->score[i] = -INFINITY;
            p->shift[i] = 0;
        }
        for (size_t i = 0; i < inputs; i++) {
            from.input[i] = p->given[i] ? p->input[i] : NULL;
            for (size_t x = p->count; x < whole && p->given[i]; x++)
                p->input[i][x] = 0;
        }
        chart->scaling.misfit |= !algebra->lifts(s, lifted, &from, whole);
        move_apart(to, stride * (ptrdiff_t)algebra->size, lifted, algebra->size, p->count);
    } else if (any) {
        const double *input[TZ_MAX_INPUTS];
        for (size_t i = 0; i < inputs; i++) {
            input[i] = p->input[i];
            for (size_t x = 0; x < p->count && !p->given[i]; x++)
                p->input[i][x] = 0;
        }
        s->lift_inputs(s, to, stride, p->score, input, p->count);
    } else {
        algebra->lift(s, to, stride, p->score, p->count);
    }
}

void tz_lift_row(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                 const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, void *to, ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const size_t inputs = chart->plan->wide.semiring->inputs;
    const tz_row cells = {weight, index, move, count};
    const bool masked = tz_forbids(chart, lane, weight);
    double shift = 0, shift_step = 0, centre = 0, centre_step = 0;
    tz_row_forms scale;
    tz_given_row input[TZ_MAX_INPUTS];
    piece p;
    if (algebra->scaled || chart->scaling.centred)
        tz_find_row_forms(chart->plan->rules, weight, chart->plan->rules->gauges,
                          tz_lane_length(chart, lane), index, move, &scale);
    if (algebra->scaled)
        lane_shift(chart, chart->scaling.scale, lane, &scale, &shift, &shift_step);
    if (chart->scaling.centred)
        lane_shift(chart, chart->scaling.centre, lane, &scale, &centre, &centre_step);
    for (size_t i = 0; i < inputs; i++) {
        input[i] = tz_find_given(chart, lane, weight, tz_lane_input(chart, lane, i, weight), offset,
                                 index, move);
        p.given[i] = input[i].scores->data != NULL;
    }
    for (size_t done = 0; done < count; done += p.count) {
        p.count = count - done < PIECE ? count - done : PIECE;
        if (masked)
            copy_allowed(chart, lane, &cells, done, scores, offset, step, p.count, p.score);
        else
            tz_copy_scores(scores, offset + (ptrdiff_t)done * step, step, p.count, p.score);
        for (size_t i = 0; i < p.count && algebra->scaled; i++)
            p.shift[i] = shift + (double)(done + i) * shift_step;
        for (size_t i = 0; i < p.count && chart->scaling.centred; i++)
            p.score[i] -= centre + (double)(done + i) * centre_step;
        for (size_t i = 0; i < inputs; i++)
            if (p.given[i])
                tz_read_given(p.input[i], &input[i], done, p.count);
        lift_piece(chart, &p, (char *)to + (ptrdiff_t)done * stride * (ptrdiff_t)algebra->size,
                   stride);
    }
    tz_mark_row(chart, lane, &cells, to, stride);
}

void tz_lift_cell(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index, size_t entry,
                  void *ret, void *opt_tangent) {
    static const int64_t still[TZ_MAX_RANK];
    const tz_weight *declared = &chart->plan->rules->weight[weight];
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, weight);
    ptrdiff_t offset = declared->sparse ? (ptrdiff_t)entry * bound->scores.stride[0] : 0;
    for (unsigned q = 0; q < declared->rank && !declared->sparse; q++)
        offset += (ptrdiff_t)(index[q] - bound->origin[q]) * bound->scores.stride[q];
    tz_lift_row(chart, lane, weight, index, still, &bound->scores, offset, 0, 1, ret, 1);
    if (opt_tangent != NULL)
        tz_scale_by_direction(chart, lane, weight, index, still, offset, 1, ret, opt_tangent, 1);
}

/* Entries first..first+count-1, PIECE at most, of a lane without facts. */
static void lift_entries(tz_chart *chart, size_t lane, unsigned weight, size_t first, size_t count,
                         void *to, ptrdiff_t stride) {
    const tz_rules *rules = chart->plan->rules;
    const tz_scores *scores = &tz_lane_weight(chart, lane, weight)->scores;
    const unsigned rank = rules->weight[weight].rank;
    piece p;
    p.count = count;
    memset(p.given, 0, sizeof p.given);
    memset(p.shift, 0, count * sizeof *p.shift);
    tz_copy_scores(scores, (ptrdiff_t)first * scores->stride[0], scores->stride[0], count, p.score);
    for (unsigned g = 0; g < rules->gauges && chart->algebra->scaled; g++) {
        const tz_form *form = &rules->gauge[g].weight[weight];
        const double scale = chart->scaling.scale[lane * rules->gauges + g];
        const int64_t base =
            tz_form_value(form, rules->lengths, tz_lane_length(chart, lane), 0, NULL);
        int64_t value[PIECE];
        if (scale == 0)
            continue;
        for (size_t e = 0; e < count; e++)
            value[e] = base;
        for (unsigned q = 0; q < rank; q++)
            for (size_t e = 0; e < count && form->column[q] != 0; e++)
                value[e] += (int64_t)form->column[q] * scores->index[(first + e) * rank + q];
        for (size_t e = 0; e < count; e++)
            p.shift[e] += scale * (double)value[e];
    }
    lift_piece(chart, &p, to, stride);
}

void tz_lift_list(tz_chart *chart, size_t lane, unsigned weight, void *to, ptrdiff_t stride) {
    const tz_scores *scores = &tz_lane_weight(chart, lane, weight)->scores;
    unsigned rank = chart->plan->rules->weight[weight].rank;
    ptrdiff_t apart = stride * (ptrdiff_t)chart->algebra->size;
    bool plain = chart->plan->wide.semiring->inputs == 0 && chart->bound.facts == NULL &&
                 !chart->scaling.centred;
    for (size_t e = 0, n; e < scores->entries; e += n) {
        char *at = (char *)to + (ptrdiff_t)e * apart;
        n = !plain ? 1 : scores->entries - e < PIECE ? scores->entries - e : PIECE;
        if (plain) {
            lift_entries(chart, lane, weight, e, n, at, stride);
            continue;
        }
        int64_t index[TZ_MAX_RANK];
        for (unsigned q = 0; q < rank; q++)
            index[q] = scores->index[e * rank + q];
        tz_lift_cell(chart, lane, weight, index, e, at, NULL);
    }
}

/* A row that has a score that is not allowed, perhaps in a hole of the domain. */
static bool row_allowed(const tz_chart *chart, const tz_rows *rows, const tz_scores *scores,
                        ptrdiff_t offset, ptrdiff_t step) {
    size_t hole = 0;
    bool any = tz_row_hole(rows, &hole);
    for (size_t at = 0; at < rows->count; at++) {
        if (any && at == hole) {
            hole++;
            any = tz_row_hole(rows, &hole);
        } else if (!tz_scores_allowed(chart->plan, scores, offset + (ptrdiff_t)at * step, 1, 1)) {
            return false;
        }
    }
    return true;
}

ptrdiff_t tz_row_offset(const tz_rows *rows, const tz_lane_scores *bound, ptrdiff_t *ret_step) {
    ptrdiff_t offset = 0;
    *ret_step = 0;
    for (unsigned q = 0; q < rows->rank; q++) {
        offset += (ptrdiff_t)(rows->index[q] - bound->origin[q]) * bound->scores.stride[q];
        *ret_step += (ptrdiff_t)rows->move[q] * bound->scores.stride[q];
    }
    return offset;
}

/* Is every score of a lane's row allowed? Raises *most to the largest that no fact forbids. */
static bool check_row(const tz_chart *chart, size_t lane, unsigned w, const tz_rows *rows,
                      double *most) {
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
    ptrdiff_t step, offset = tz_row_offset(rows, bound, &step);
    bool masked = tz_forbids(chart, lane, w);
    double all = *most;
    if (!tz_score_range(chart->plan, &bound->scores, offset, step, rows->count,
                        masked ? &all : most) &&
        !row_allowed(chart, rows, &bound->scores, offset, step))
        return false;
    tz_row cells = {w, rows->index, rows->move, rows->count};
    for (size_t done = 0, n; masked && done < rows->count; done += n) {
        double piece[PIECE];
        tz_scores copied = {.data = piece, .type = TZ_DOUBLE};
        n = rows->count - done < PIECE ? rows->count - done : PIECE;
        copy_allowed(chart, lane, &cells, done, &bound->scores, offset, step, n, piece);
        tz_score_range(chart->plan, &copied, 0, 1, n, most);
    }
    return true;
}

/* A weight's rows, one after the other. */
static tz_status check_rows(const tz_chart *chart, unsigned w, bool placed, double *ret_most) {
    const tz_rules *rules = chart->plan->rules;
    size_t together = chart->bound.same_lengths ? chart->lanes : 1;
    for (size_t first = 0; first < chart->lanes; first += together) {
        tz_rows rows;
        for (size_t lane = first; lane < first + together; lane++)
            ret_most[lane * rules->weights + w] = -INFINITY;
        if (rules->weight[w].sparse || (!placed && !chart->layout.weight_box[w].absent))
            continue;
        tz_rows_start(&rows, rules, w, tz_lane_length(chart, first));
        while (tz_rows_next(&rows))
            for (size_t lane = first; lane < first + together; lane++)
                if (!check_row(chart, lane, w, &rows, &ret_most[lane * rules->weights + w]))
                    return TZ_BAD_SCORE;
    }
    return TZ_OK;
}

bool tz_array_allowed(const tz_plan *plan, const tz_scores *scores, const tz_shape *shape) {
    size_t cells = 1, front = 0;
    for (unsigned q = shape->rank; q-- > 0;) {
        if (scores->stride[q] != (ptrdiff_t)cells)
            return false;
        front += cells * (size_t)(shape->least[q] - shape->origin[q]);
        cells *= (size_t)shape->extent[q];
    }
    return cells == 0 || tz_scores_allowed(plan, scores, (ptrdiff_t)front, 1, cells - front);
}

/* Is every score of a weight allowed? */
static bool weight_allowed(const tz_chart *chart, unsigned w) {
    const tz_rules *rules = chart->plan->rules;
    for (size_t lane = 0; lane < chart->lanes; lane++) {
        const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
        tz_rows rows;
        const tz_shape shape = tz_lane_shape(chart, lane, w);
        if (tz_array_allowed(chart->plan, &bound->scores, &shape))
            continue;
        tz_rows_start(&rows, rules, w, tz_lane_length(chart, lane));
        while (tz_rows_next(&rows)) {
            ptrdiff_t step, offset = tz_row_offset(&rows, bound, &step);
            if (!tz_scores_allowed(chart->plan, &bound->scores, offset, step, rows.count) &&
                !row_allowed(chart, &rows, &bound->scores, offset, step))
                return false;
        }
    }
    return true;
}

tz_status tz_check_weights(tz_chart *chart, bool scaled, double *ret_most) {
    const tz_rules *rules = chart->plan->rules;
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_status status = TZ_TOO_LARGE;
        if (scaled && !chart->plan->wide.semiring->relative && tz_score_map_possible(chart, w))
            status = tz_score_map_sample(chart, w, ret_most);
        if (status == TZ_TOO_LARGE)
            status = check_rows(chart, w, scaled, ret_most);
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}

bool tz_same_layout(const tz_chart *chart, size_t first, size_t lanes, unsigned w) {
    const tz_scores *one = &tz_lane_weight(chart, first, w)->scores;
    size_t size = chart->plan->rules->weight[w].rank * sizeof *one->stride;
    bool same = true;
    for (size_t lane = first + 1; lane < first + lanes; lane++) {
        const tz_scores *other = &tz_lane_weight(chart, lane, w)->scores;
        same &= other->type == one->type && memcmp(other->stride, one->stride, size) == 0;
    }
    return same;
}

/* The cells of a weight that a nest covers, for some lanes of the same lengths. */
void tz_lift_cells(tz_chart *chart, size_t first, size_t lanes, unsigned w, const tz_nest *nest) {
    const tz_rules *rules = chart->plan->rules;
    const tz_algebra *algebra = chart->algebra;
    const tz_places places = tz_places_of_cells(chart, w);
    ptrdiff_t size = (ptrdiff_t)algebra->size, apart = (ptrdiff_t)chart->lanes;
    chart->scaling.large = true; /* for all that is known */
    tz_rows rows;
    for (tz_rows_start_in(&rows, rules, w, nest, tz_lane_length(chart, first));
         tz_rows_next(&rows);) {
        ptrdiff_t stride, cell = tz_row_place(&places, &rows, &stride);
        for (size_t lane = first; lane < first + lanes; lane++) {
            const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
            ptrdiff_t step, offset = tz_row_offset(&rows, bound, &step);
            tz_lift_row(chart, lane, w, rows.index, rows.move, &bound->scores, offset, step,
                        rows.count, tz_cell(chart, TZ_AT_WEIGHT, cell, lane), stride * apart);
        }
        for (size_t hole = 0; tz_row_hole(&rows, &hole); hole++) {
            char *to = tz_cell(chart, TZ_AT_WEIGHT, cell + (ptrdiff_t)hole * stride, first);
            for (size_t lane = 0; lane < lanes; lane++)
                memcpy(to + (ptrdiff_t)lane * size, algebra->zero, algebra->size);
        }
    }
}

/* What steps use of a weight, row by row. clear: it is zero everywhere. */
static void lift_rows(tz_chart *chart, unsigned w, bool clear) {
    const tz_weight *weight = &chart->plan->rules->weight[w];
    const tz_box *box = &chart->layout.weight_box[w];
    size_t together = chart->bound.same_lengths ? chart->lanes : 1;
    /* No row of a shorter lane reaches what other scores leave there. */
    if (!chart->bound.same_lengths && !clear)
        tz_fill(chart->algebra, tz_cell(chart, TZ_AT_WEIGHT, (ptrdiff_t)box->offset, 0),
                chart->algebra->zero, box->size * chart->lanes);
    chart->weights_clear &= chart->bound.same_lengths;
    for (size_t lane = 0; lane < chart->lanes; lane += together)
        for (tz_used used = tz_used_of(weight, chart->bound.longest, false); tz_used_next(&used);)
            tz_lift_cells(chart, lane, together, w, used.nest);
}

static tz_status lift_weight(tz_chart *chart, unsigned w, bool check, bool clear) {
    bool allowed = false, by_map = tz_score_map_possible(chart, w);
    tz_status status = by_map ? tz_score_map_lift(chart, w, &allowed) : TZ_TOO_LARGE;
    if (status == TZ_NO_MEMORY)
        return status;
    /* Cells that no step uses are checked all the same. */
    if (check && (by_map || !chart->algebra->scaled) &&
        !(allowed && chart->plan->rules->weight[w].uses == 0) && !weight_allowed(chart, w))
        return TZ_BAD_SCORE;
    if (status == TZ_TOO_LARGE)
        lift_rows(chart, w, clear);
    return TZ_OK;
}

tz_status tz_lift_weights(tz_chart *chart, bool check) {
    const tz_rules *rules = chart->plan->rules;
    tz_status status = tz_space_reserve(chart, TZ_AT_WEIGHT);
    if (status != TZ_OK)
        return status;
    /* What the last scores did not reach is zero already, where they had the same lengths. */
    const bool clear = !chart->weights_clear;
    if (clear)
        tz_space_clear(chart, TZ_AT_WEIGHT);
    chart->weights_clear = tz_nested(chart);
    chart->scaling.misfit = chart->scaling.large = false;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++)
        if (!chart->layout.weight_box[w].absent)
            status = lift_weight(chart, w, check, clear);
    return status == TZ_OK && !chart->plan->plain ? tz_lift_entries(chart) : status;
}
