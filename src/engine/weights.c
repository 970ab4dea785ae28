/* weights.c - the scores of weights, lifted once when they are bound, to where the loops of the
 * steps find neighbours side by side. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "engine/engine.h"

enum { PIECE = 256 };

/* ---- Scanning ------------------------------------------------------------------------------- */

/* Is every score of a row allowed? Raises *most to the largest. */
static bool scan(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                 double limit, double *most) {
    bool allowed = true;
    double largest = *most;
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t at = offset + (ptrdiff_t)i * step;
        double score = scores->type == TZ_FLOAT ? (double)((const float *)scores->data)[at]
                                                : ((const double *)scores->data)[at];
        allowed &= (score <= limit) & ((score >= -limit) | (score == -INFINITY));
        largest = score > largest ? score : largest;
    }
    *most = largest;
    return allowed;
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same for rows of neighbours; what is beyond the row is -infinity, which is allowed. */
__attribute__((target("avx2"))) static bool scan_floats(const float *row, size_t count,
                                                        double limit, double *most) {
    const __m256 bound = _mm256_set1_ps((float)(limit < 3e38 ? limit : 3e38));
    const __m256 below = _mm256_sub_ps(_mm256_setzero_ps(), bound);
    const __m256 none = _mm256_set1_ps(-INFINITY);
    const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 good = _mm256_cmp_ps(none, none, _CMP_EQ_OQ), largest = none;
    for (size_t i = 0; i < count; i += 8) {
        __m256 score;
        if (count - i >= 8) {
            score = _mm256_loadu_ps(row + i);
        } else {
            __m256i part = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count - i)), number);
            score = _mm256_blendv_ps(none, _mm256_maskload_ps(row + i, part),
                                     _mm256_castsi256_ps(part));
        }
        __m256 low = _mm256_or_ps(_mm256_cmp_ps(score, below, _CMP_GE_OQ),
                                  _mm256_cmp_ps(score, none, _CMP_EQ_OQ));
        good = _mm256_and_ps(good, _mm256_and_ps(_mm256_cmp_ps(score, bound, _CMP_LE_OQ), low));
        largest = _mm256_max_ps(score, largest);
    }
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(largest), _mm256_extractf128_ps(largest, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    four = _mm_max_ss(four, _mm_movehdup_ps(four));
    double found = (double)_mm_cvtss_f32(four);
    *most = found > *most ? found : *most;
    return _mm256_movemask_ps(good) == 0xff;
}

__attribute__((target("avx2"))) static bool scan_doubles(const double *row, size_t count,
                                                         double limit, double *most) {
    const __m256d bound = _mm256_set1_pd(limit), none = _mm256_set1_pd(-INFINITY);
    const __m256d below = _mm256_sub_pd(_mm256_setzero_pd(), bound);
    const __m256i number = _mm256_setr_epi64x(0, 1, 2, 3);
    __m256d good = _mm256_cmp_pd(none, none, _CMP_EQ_OQ), largest = none;
    for (size_t i = 0; i < count; i += 4) {
        __m256d score;
        if (count - i >= 4) {
            score = _mm256_loadu_pd(row + i);
        } else {
            __m256i part = _mm256_cmpgt_epi64(_mm256_set1_epi64x((int64_t)(count - i)), number);
            score = _mm256_blendv_pd(none, _mm256_maskload_pd(row + i, part),
                                     _mm256_castsi256_pd(part));
        }
        __m256d low = _mm256_or_pd(_mm256_cmp_pd(score, below, _CMP_GE_OQ),
                                   _mm256_cmp_pd(score, none, _CMP_EQ_OQ));
        good = _mm256_and_pd(good, _mm256_and_pd(_mm256_cmp_pd(score, bound, _CMP_LE_OQ), low));
        largest = _mm256_max_pd(score, largest);
    }
    __m128d two = _mm_max_pd(_mm256_castpd256_pd128(largest), _mm256_extractf128_pd(largest, 1));
    two = _mm_max_sd(two, _mm_unpackhi_pd(two, two));
    double found = _mm_cvtsd_f64(two);
    *most = found > *most ? found : *most;
    return _mm256_movemask_pd(good) == 0xf;
}
#endif

static bool scan_row(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                     size_t count, double *most) {
    double limit = plan->wide.limit;
#if defined(__x86_64__) && defined(__GNUC__)
    if (plan->wide.isa >= TZ_ISA_AVX2 && step == 1)
        return scores->type == TZ_FLOAT
                   ? scan_floats((const float *)scores->data + offset, count, limit, most)
                   : scan_doubles((const double *)scores->data + offset, count, limit, most);
#endif
    return scan(scores, offset, step, count, limit, most);
}

bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count) {
    double most = -INFINITY;
    return scan_row(plan, scores, offset, step, count, &most);
}

/* ---- Lifting -------------------------------------------------------------------------------- */

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

/* Copies scores along a row; those of cells that the lane's facts forbid become -INFINITY. */
static void copy_scores(const tz_chart *chart, size_t lane, const tz_row *row, size_t first,
                        const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                        double *ret) {
    ptrdiff_t at = offset + (ptrdiff_t)first * step;
    if (scores->type == TZ_FLOAT) {
        const float *from = (const float *)scores->data + at;
        for (size_t i = 0; i < count; i++)
            ret[i] = (double)from[(ptrdiff_t)i * step];
    } else {
        const double *from = (const double *)scores->data + at;
        for (size_t i = 0; i < count; i++)
            ret[i] = from[(ptrdiff_t)i * step];
    }
    for (size_t x = first; tz_next_forbidden(chart, lane, row, &x) && x < first + count; x++)
        ret[x - first] = -INFINITY;
}

void tz_lift_row(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                 const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, void *to, ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const tz_semiring *s = algebra->semiring;
    bool scaled = algebra->lift_scaled != NULL, masked = tz_forbids(chart, lane, weight);
    tz_row cells = {weight, index, move, count};
    double shift = 0, shift_step = 0;
    if (scaled)
        weight_scale(chart, lane, weight, index, move, &shift, &shift_step);
    if (s->inputs > 0) {
        tz_lift_inputs(chart, lane, weight, index, move, scores, offset, step, count, to, stride);
        for (size_t at = 0; masked && tz_next_forbidden(chart, lane, &cells, &at); at++)
            memcpy((char *)to + (ptrdiff_t)at * stride * (ptrdiff_t)algebra->size, algebra->zero,
                   algebra->size);
        tz_mark_row(chart, lane, &cells, to, stride);
        return;
    }
    if (scores->type == TZ_FLOAT && step == 1 && s->lift_float != NULL && !scaled && !masked) {
        s->lift_float(s, to, stride, (const float *)scores->data + offset, count);
        tz_mark_row(chart, lane, &cells, to, stride);
        return;
    }
    for (size_t done = 0; done < count;) {
        double piece[PIECE];
        const double *row = piece;
        size_t n = count - done < PIECE ? count - done : PIECE;
        if (scores->type == TZ_DOUBLE && step == 1 && !masked)
            row = (const double *)scores->data + offset + done;
        else
            copy_scores(chart, lane, &cells, done, scores, offset, step, n, piece);
        char *cell = (char *)to + (ptrdiff_t)done * stride * (ptrdiff_t)algebra->size;
        if (scaled)
            chart->misfit |= !algebra->lift_scaled(s, cell, stride, row, n,
                                                   shift + (double)done * shift_step, shift_step);
        else
            algebra->lift(s, cell, stride, row, n);
        done += n;
    }
    tz_mark_row(chart, lane, &cells, to, stride);
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

/* Is every score of a lane's row allowed? Raises *most to the largest that no fact forbids. */
static bool check_row(const tz_chart *chart, size_t lane, unsigned w, const tz_rows *rows,
                      double *most) {
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
    ptrdiff_t step, offset = row_offset(rows, bound, &step);
    bool masked = tz_forbids(chart, lane, w);
    double all = *most;
    if (!scan_row(chart->plan, &bound->scores, offset, step, rows->count, masked ? &all : most) &&
        !row_allowed(chart, rows, &bound->scores, offset, step))
        return false;
    tz_row cells = {w, rows->index, rows->move, rows->count};
    for (size_t done = 0, n; masked && done < rows->count; done += n) {
        double piece[PIECE];
        tz_scores copied = {.data = piece, .type = TZ_DOUBLE};
        n = rows->count - done < PIECE ? rows->count - done : PIECE;
        copy_scores(chart, lane, &cells, done, &bound->scores, offset, step, n, piece);
        scan_row(chart->plan, &copied, 0, 1, n, most);
    }
    return true;
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
                for (size_t lane = first; lane < first + together; lane++)
                    if (!check_row(chart, lane, w, &rows, &ret_most[lane * rules->weights + w]))
                        return TZ_BAD_SCORE;
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
