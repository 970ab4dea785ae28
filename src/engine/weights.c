/* weights.c - the scores of weights, lifted once when they are bound, to where the loops of the
 * steps find neighbours side by side. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/engine.h"

enum { PIECE = 256 };

/* No way out of the loops, so that they can be vectorised. */
__attribute__((always_inline)) static inline bool
all_allowed(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count, double limit) {
    unsigned bad = 0;
    if (scores->type == TZ_FLOAT) {
        const float *row = (const float *)scores->data + offset;
        float most = (float)(limit < 3e38 ? limit : 3e38);
        if (step == 1)
            for (size_t i = 0; i < count; i++)
                bad |= !((fabsf(row[i]) <= most) | (row[i] == -INFINITY));
        else
            for (size_t i = 0; i < count; i++) {
                float score = row[(ptrdiff_t)i * step];
                bad |= !((fabsf(score) <= most) | (score == -INFINITY));
            }
    } else {
        const double *row = (const double *)scores->data + offset;
        if (step == 1)
            for (size_t i = 0; i < count; i++)
                bad |= !((fabs(row[i]) <= limit) | (row[i] == -INFINITY));
        else
            for (size_t i = 0; i < count; i++) {
                double score = row[(ptrdiff_t)i * step];
                bad |= !((fabs(score) <= limit) | (score == -INFINITY));
            }
    }
    return bad == 0;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static bool all_allowed_avx2(const tz_scores *scores,
                                                             ptrdiff_t offset, ptrdiff_t step,
                                                             size_t count, double limit) {
    return all_allowed(scores, offset, step, count, limit);
}
#endif

bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (plan->wide.isa >= TZ_ISA_AVX2)
        return all_allowed_avx2(scores, offset, step, count, plan->wide.limit);
#endif
    return all_allowed(scores, offset, step, count, plan->wide.limit);
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

/* Checks a weight of some lanes of the same lengths, and lifts it where it has a place. */
static tz_status lift_weight(tz_chart *chart, size_t first, size_t lanes, unsigned w, bool check) {
    const tz_rules *rules = chart->plan->rules;
    const tz_algebra *algebra = chart->algebra;
    const tz_weight *weight = &rules->weight[w];
    const tz_box *box = &chart->weight_box[w];
    ptrdiff_t size = (ptrdiff_t)algebra->size, apart = (ptrdiff_t)chart->lanes;
    /* Cells a step apart along each index. */
    ptrdiff_t base = (ptrdiff_t)box->offset, move[TZ_MAX_RANK] = {0};
    for (unsigned c = 0; c < weight->rank; c++) {
        const tz_form *form = &weight->coordinate[c];
        base += (form->constant - (ptrdiff_t)box->low[c]) * box->stride[c];
        for (unsigned q = 0; q < weight->rank; q++)
            move[q] += form->column[q] * box->stride[c];
    }
    tz_rows rows;
    for (tz_rows_start(&rows, rules, w, tz_lane_length(chart, first)); tz_rows_next(&rows);) {
        ptrdiff_t cell = base, stride = 0;
        for (unsigned q = 0; q < rows.rank; q++) {
            cell += (ptrdiff_t)rows.index[q] * move[q];
            stride += (ptrdiff_t)rows.move[q] * move[q];
        }
        for (size_t lane = first; lane < first + lanes; lane++) {
            const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
            const tz_scores *scores = &bound->scores;
            ptrdiff_t offset = 0, step = 0;
            for (unsigned q = 0; q < rows.rank; q++) {
                offset += (ptrdiff_t)(rows.index[q] - bound->origin[q]) * scores->stride[q];
                step += (ptrdiff_t)rows.move[q] * scores->stride[q];
            }
            if (check && !tz_scores_allowed(chart->plan, scores, offset, step, rows.count) &&
                !row_allowed(chart, &rows, scores, offset, step))
                return TZ_BAD_SCORE;
            if (box->absent)
                continue;
            tz_lift_row(chart, lane, w, rows.index, rows.move, scores, offset, step, rows.count,
                        tz_cell(chart, TZ_AT_WEIGHT, cell, lane), stride * apart);
        }
        for (size_t hole = 0; !box->absent && tz_row_hole(&rows, &hole); hole++) {
            char *to = tz_cell(chart, TZ_AT_WEIGHT, cell + (ptrdiff_t)hole * stride, first);
            for (size_t lane = 0; lane < lanes; lane++)
                memcpy(to + (ptrdiff_t)lane * size, algebra->zero, algebra->size);
        }
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
    size_t together = chart->uniform ? chart->lanes : 1;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++)
        for (size_t lane = 0; lane < chart->lanes && status == TZ_OK; lane += together)
            if (!rules->weight[w].sparse && (check || !chart->weight_box[w].absent))
                status = lift_weight(chart, lane, together, w, check);
    return status;
}
