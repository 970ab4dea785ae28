/* weights.c - the scores of weights, lifted once when they are bound, to where the loops of the
 * steps find neighbours side by side. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/engine.h"

enum { PIECE = 256 };

bool tz_scores_allowed(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                       double limit) {
    /* No way out of the loops, so that they can be vectorised. */
    unsigned bad = 0;
    if (scores->type == TZ_FLOAT) {
        const float *row = (const float *)scores->data + offset;
        float most = (float)(limit < 3e38 ? limit : 3e38);
        for (size_t i = 0; i < count && step == 1; i++)
            bad |= !((fabsf(row[i]) <= most) | (row[i] == -INFINITY));
        for (size_t i = 0; i < count && step != 1; i++) {
            float score = row[(ptrdiff_t)i * step];
            bad |= !((fabsf(score) <= most) | (score == -INFINITY));
        }
    } else {
        const double *row = (const double *)scores->data + offset;
        for (size_t i = 0; i < count && step == 1; i++)
            bad |= !((fabs(row[i]) <= limit) | (row[i] == -INFINITY));
        for (size_t i = 0; i < count && step != 1; i++) {
            double score = row[(ptrdiff_t)i * step];
            bad |= !((fabs(score) <= limit) | (score == -INFINITY));
        }
    }
    return bad == 0;
}

/* The scale of a weight's elements: shift at the index, and how it changes along a row. */
static void weight_scale(const tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                         const int64_t *move, double *ret_shift, double *ret_step) {
    const tz_rules *rules = chart->plan->rules;
    const int32_t *length = tz_lane_length(chart, lane);
    unsigned rank = rules->weight[weight].rank;
    *ret_shift = *ret_step = 0;
    for (unsigned g = 0; g < rules->gauges; g++) {
        const tz_form *form = &rules->gauge[g].weight[weight];
        double scale = chart->scale[lane * rules->gauges + g];
        int64_t step = 0;
        for (unsigned q = 0; q < rank; q++)
            step += form->column[q] * move[q];
        *ret_shift += scale * (double)tz_form_value(form, rules->lengths, length, rank, index);
        *ret_step += scale * (double)step;
    }
}

void tz_lift_row(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                 const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, void *to, ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const tz_semiring *s = algebra->semiring;
    bool scaled = algebra->lift_scaled != NULL;
    double shift = 0, shift_step = 0;
    if (scaled)
        weight_scale(chart, lane, weight, index, move, &shift, &shift_step);
    if (scores->type == TZ_FLOAT && step == 1 && s->lift_float != NULL && !scaled) {
        s->lift_float(s, to, stride, (const float *)scores->data + offset, count);
        return;
    }
    for (size_t done = 0; done < count;) {
        double piece[PIECE];
        const double *row = piece;
        size_t n = count - done < PIECE ? count - done : PIECE;
        ptrdiff_t at = offset + (ptrdiff_t)done * step;
        if (scores->type == TZ_FLOAT) {
            const float *from = (const float *)scores->data + at;
            for (size_t i = 0; i < n; i++)
                piece[i] = (double)from[(ptrdiff_t)i * step];
        } else if (step == 1) {
            row = (const double *)scores->data + at;
        } else {
            const double *from = (const double *)scores->data + at;
            for (size_t i = 0; i < n; i++)
                piece[i] = from[(ptrdiff_t)i * step];
        }
        char *cell = (char *)to + (ptrdiff_t)done * stride * (ptrdiff_t)algebra->size;
        if (scaled)
            chart->misfit |= !algebra->lift_scaled(s, cell, stride, row, n,
                                                   shift + (double)done * shift_step, shift_step);
        else
            algebra->lift(s, cell, stride, row, n);
        done += n;
    }
}

typedef struct row_target {
    const tz_algebra *algebra;
    char *to;
    ptrdiff_t stride; /* bytes */
} row_target;

static void zero_hole(void *user, size_t position) {
    row_target *row = user;
    memcpy(row->to + (ptrdiff_t)position * row->stride, row->algebra->zero, row->algebra->size);
}

static bool is_hole(const tz_rules *rules, const tz_rows *rows, unsigned weight,
                    const int32_t *length, size_t position) {
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < rows->rank; q++)
        index[q] = rows->index[q] + (int64_t)position * rows->move[q];
    return !tz_domain_holds(&rules->weight[weight].domain, rules->lengths, length, rows->rank,
                            index);
}

/* A row that has a score that is not allowed, perhaps in a hole of the domain. */
static bool row_allowed(const tz_chart *chart, const tz_rows *rows, unsigned weight,
                        const int32_t *length, const tz_scores *scores, ptrdiff_t offset,
                        ptrdiff_t step) {
    double limit = chart->plan->wide.limit;
    for (size_t at = 0; at < rows->count; at++)
        if (!tz_scores_allowed(scores, offset + (ptrdiff_t)at * step, 1, 1, limit) &&
            !is_hole(chart->plan->rules, rows, weight, length, at))
            return false;
    return true;
}

/* Checks, and lifts where there is a place. */
static tz_status lift_weight(tz_chart *chart, size_t lane, unsigned w, bool check) {
    const tz_rules *rules = chart->plan->rules;
    const tz_algebra *algebra = chart->algebra;
    const tz_weight *weight = &rules->weight[w];
    const tz_box *box = &chart->weight_box[w];
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
    const int32_t *length = tz_lane_length(chart, lane);
    ptrdiff_t lanes = (ptrdiff_t)chart->lanes;
    /* Cells a step apart along each index. */
    ptrdiff_t base = (ptrdiff_t)box->offset, move[TZ_MAX_RANK] = {0};
    for (unsigned c = 0; c < weight->rank; c++) {
        const tz_form *form = &weight->coordinate[c];
        base += (form->constant - (ptrdiff_t)box->low[c]) * box->stride[c];
        for (unsigned q = 0; q < weight->rank; q++)
            move[q] += form->column[q] * box->stride[c];
    }
    bool holes = false;
    for (uint32_t c = 0; c < weight->domain.count; c++)
        holes |= weight->domain.at[c].relation == TZ_NE;
    tz_rows rows;
    for (tz_rows_start(&rows, rules, w, length); tz_rows_next(&rows);) {
        ptrdiff_t offset = 0, step = 0, cell = base, stride = 0;
        for (unsigned q = 0; q < rows.rank; q++) {
            offset += (ptrdiff_t)(rows.index[q] - bound->origin[q]) * bound->scores.stride[q];
            step += (ptrdiff_t)rows.move[q] * bound->scores.stride[q];
            cell += (ptrdiff_t)rows.index[q] * move[q];
            stride += (ptrdiff_t)rows.move[q] * move[q];
        }
        if (check &&
            !tz_scores_allowed(&bound->scores, offset, step, rows.count, chart->plan->wide.limit) &&
            !row_allowed(chart, &rows, w, length, &bound->scores, offset, step))
            return TZ_BAD_SCORE;
        if (box->absent)
            continue;
        row_target row = {.algebra = algebra,
                          .to = tz_cell(chart, TZ_AT_WEIGHT, cell, lane),
                          .stride = stride * lanes * (ptrdiff_t)algebra->size};
        tz_lift_row(chart, lane, w, rows.index, rows.move, &bound->scores, offset, step, rows.count,
                    row.to, stride * lanes);
        if (holes)
            tz_row_holes(&rows, rules, w, length, zero_hole, &row);
    }
    return TZ_OK;
}

tz_status tz_lift_weights(tz_chart *chart, bool check) {
    const tz_rules *rules = chart->plan->rules;
    tz_status status = tz_space_reserve(chart, TZ_AT_WEIGHT);
    if (status != TZ_OK)
        return status;
    /* What the last scores did not reach is zero already, where they had the same lengths. */
    if (!chart->weights_clear)
        tz_space_clear(chart, TZ_AT_WEIGHT);
    chart->weights_clear = chart->uniform;
    chart->misfit = false;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++)
        for (size_t lane = 0; lane < chart->lanes && status == TZ_OK; lane++)
            if (!rules->weight[w].sparse && (check || !chart->weight_box[w].absent))
                status = lift_weight(chart, lane, w, check);
    return status;
}
