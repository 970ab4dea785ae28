/* weights.c - the scores of weights, lifted once when they are bound, to where the loops of the
 * steps find neighbours side by side. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/engine.h"

enum { PIECE = 256 };

/* Scans a row: is every score allowed? Raises *most to the largest. Written with vectors, since a
 * compiler may not reorder a search for the largest number. */
#define SCAN(real, whole, width, far)                                                              \
    typedef real vector __attribute__((vector_size((width) * sizeof(real))));                      \
    typedef whole mask __attribute__((vector_size((width) * sizeof(real))));                       \
    const real *row = (const real *)scores->data + offset;                                         \
    const real bound = (real)(limit < (far) ? limit : (far)), none = -INFINITY;                    \
    real largest = none;                                                                           \
    bool allowed = true;                                                                           \
    size_t i = 0;                                                                                  \
    if (step == 1 && count >= (width)) {                                                           \
        vector most_of = none - (vector){0};                                                       \
        mask good = most_of == none;                                                               \
        for (; i + (width) <= count; i += (width)) {                                               \
            vector score;                                                                          \
            memcpy(&score, row + i, sizeof score);                                                 \
            good &= (score <= bound) & ((score >= -bound) | (score == none));                      \
            mask more = score > most_of;                                                           \
            most_of = (vector)(((mask)score & more) | ((mask)most_of & ~more));                    \
        }                                                                                          \
        for (unsigned v = 0; v < (width); v++) {                                                   \
            allowed &= good[v] != 0;                                                               \
            largest = most_of[v] > largest ? most_of[v] : largest;                                 \
        }                                                                                          \
    }                                                                                              \
    for (; i < count; i++) {                                                                       \
        real score = row[(ptrdiff_t)i * step];                                                     \
        allowed &= (score <= bound) & ((score >= -bound) | (score == none));                       \
        largest = score > largest ? score : largest;                                               \
    }                                                                                              \
    *most = (double)largest > *most ? (double)largest : *most;                                     \
    return allowed

__attribute__((always_inline)) static inline bool scan_float(const tz_scores *scores,
                                                             ptrdiff_t offset, ptrdiff_t step,
                                                             size_t count, double limit,
                                                             double *most) {
    SCAN(float, int32_t, 8, 3e38);
}

__attribute__((always_inline)) static inline bool scan_double(const tz_scores *scores,
                                                              ptrdiff_t offset, ptrdiff_t step,
                                                              size_t count, double limit,
                                                              double *most) {
    SCAN(double, int64_t, 4, 1e308);
}

__attribute__((always_inline)) static inline bool scan(const tz_scores *scores, ptrdiff_t offset,
                                                       ptrdiff_t step, size_t count, double limit,
                                                       double *most) {
    return scores->type == TZ_FLOAT ? scan_float(scores, offset, step, count, limit, most)
                                    : scan_double(scores, offset, step, count, limit, most);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static bool scan_avx2(const tz_scores *scores, ptrdiff_t offset,
                                                      ptrdiff_t step, size_t count, double limit,
                                                      double *most) {
    return scan(scores, offset, step, count, limit, most);
}
#endif

static bool scan_row(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                     size_t count, double *most) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (plan->wide.isa >= TZ_ISA_AVX2)
        return scan_avx2(scores, offset, step, count, plan->wide.limit, most);
#endif
    return scan(scores, offset, step, count, plan->wide.limit, most);
}

bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count) {
    double most = -INFINITY;
    return scan_row(plan, scores, offset, step, count, &most);
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

/* Where a row of a lane's scores begins, and how it goes on. */
static ptrdiff_t row_offset(const tz_rows *rows, const tz_lane_scores *bound, ptrdiff_t *ret_step) {
    ptrdiff_t offset = 0;
    *ret_step = 0;
    for (unsigned q = 0; q < rows->rank; q++) {
        offset += (ptrdiff_t)(rows->index[q] - bound->origin[q]) * bound->scores.stride[q];
        *ret_step += (ptrdiff_t)rows->move[q] * bound->scores.stride[q];
    }
    return offset;
}

tz_status tz_check_weights(tz_chart *chart, bool placed, double *ret_most) {
    const tz_rules *rules = chart->plan->rules;
    size_t together = chart->uniform ? chart->lanes : 1;
    for (unsigned w = 0; w < rules->weights; w++)
        for (size_t first = 0; first < chart->lanes; first += together) {
            tz_rows rows;
            for (size_t lane = first; lane < first + together; lane++)
                ret_most[lane * rules->weights + w] = -INFINITY;
            if (rules->weight[w].sparse || (!placed && !chart->weight_box[w].absent))
                continue;
            tz_rows_start(&rows, rules, w, tz_lane_length(chart, first));
            while (tz_rows_next(&rows))
                for (size_t lane = first; lane < first + together; lane++) {
                    const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
                    ptrdiff_t step, offset = row_offset(&rows, bound, &step);
                    if (!scan_row(chart->plan, &bound->scores, offset, step, rows.count,
                                  &ret_most[lane * rules->weights + w]) &&
                        !row_allowed(chart, &rows, &bound->scores, offset, step))
                        return TZ_BAD_SCORE;
                }
        }
    return TZ_OK;
}

/* A weight of some lanes of the same lengths. */
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
            ptrdiff_t step, offset = row_offset(&rows, bound, &step);
            if (check &&
                !tz_scores_allowed(chart->plan, &bound->scores, offset, step, rows.count) &&
                !row_allowed(chart, &rows, &bound->scores, offset, step))
                return TZ_BAD_SCORE;
            tz_lift_row(chart, lane, w, rows.index, rows.move, &bound->scores, offset, step,
                        rows.count, tz_cell(chart, TZ_AT_WEIGHT, cell, lane), stride * apart);
        }
        for (size_t hole = 0; tz_row_hole(&rows, &hole); hole++) {
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
        for (size_t lane = 0;
             lane < chart->lanes && !chart->weight_box[w].absent && status == TZ_OK;
             lane += together)
            status = lift_weight(chart, lane, together, w, check);
    return status;
}
