/* padding.c - scores of lanes of different lengths, or of different layouts, copied to arrays of
 * the same layout: those of the longest lengths' shape, -infinity where a lane's own domain ends.
 * So one map (score_map.c) serves all of them, as it does lanes of the same lengths.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/chart/padding.h"
#include "engine/chart/score_maps.h"
#include "engine/chart/weights.h"
#include "engine/layout/places.h"

/* Where lengths bound more than the largest value of an index, so that a lane's shape does not tell
 * where its domain ends: forms that are >= 0 there, and their values where all indices are 0. */
enum { MOST_CUTS = 8 };
typedef struct cuts {
    const tz_form *form[MOST_CUTS];
    int64_t value[MOST_CUTS];
    unsigned count;
} cuts;

/* False: there are too many. */
static bool find_cuts(const tz_rules *rules, const tz_domain *domain, const int32_t *length,
                      cuts *ret) {
    ret->count = 0;
    for (uint32_t c = 0; c < domain->count; c++) {
        const tz_form *form = &domain->at[c].form;
        unsigned upper = 0, columns = 0;
        for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
            upper += form->column[q] < 0;
            columns += form->column[q] != 0;
        }
        if (!tz_form_has_lengths(form) || (upper == 1 && columns == 1))
            continue;
        if (ret->count == MOST_CUTS)
            return false;
        ret->form[ret->count] = form;
        ret->value[ret->count++] = tz_form_value(form, rules->lengths, length, 0, NULL);
    }
    return true;
}

/* Can the lanes' arrays of a weight be padded to the same layout? */
static bool can_pad(const tz_chart *chart, unsigned w) {
    const tz_rules *rules = chart->plan->rules;
    cuts c;
    bool can = tz_nested(chart) && tz_shape_cells(&chart->layout.shape[w]) <= TZ_SCORE_MAP_MOST &&
               find_cuts(rules, &rules->weight[w].domain, chart->bound.longest, &c);
    for (size_t lane = 1; lane < chart->lanes; lane++)
        can &=
            tz_lane_weight(chart, lane, w)->scores.type == tz_lane_weight(chart, 0, w)->scores.type;
    return can;
}

static tz_score_layout look_at(const tz_chart *chart, unsigned w) {
    if (chart->bound.same_lengths && tz_same_layout(chart, 0, chart->lanes, w))
        return TZ_SAME_LAYOUT;
    return can_pad(chart, w) ? TZ_SAME_PADDED : TZ_OWN_LAYOUTS;
}

/* How many scores each lane has once it is padded; 0 where it need not be. */
static size_t to_pad(const tz_chart *chart, unsigned w) {
    return chart->bound.score_layout[w] == TZ_SAME_PADDED && tz_score_map_possible(chart, w)
               ? tz_shape_cells(&chart->layout.shape[w])
               : 0;
}

static void fill_none(tz_type type, void *to, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        if (type == TZ_FLOAT)
            ((float *)to)[i] = -INFINITY;
        else
            ((double *)to)[i] = -INFINITY;
}

/* So many scores from `offset` on, each `step` on. */
static void copy_row(const tz_scores *from, ptrdiff_t offset, ptrdiff_t step, size_t count,
                     void *to, size_t first) {
    const size_t size = from->type == TZ_FLOAT ? sizeof(float) : sizeof(double);
    char *row = (char *)to + first * size;
    const char *score = (const char *)from->data + offset * (ptrdiff_t)size;
    if (step == 1)
        memcpy(row, score, count * size);
    for (size_t i = 0; i < count && step != 1; i++)
        if (from->type == TZ_FLOAT)
            ((float *)(void *)row)[i] = ((const float *)(const void *)score)[(ptrdiff_t)i * step];
        else
            ((double *)(void *)row)[i] = ((const double *)(const void *)score)[(ptrdiff_t)i * step];
}

/* Positions of dimension q of the shape, before..end-1, that the lane has as well. */
static void overlap(const tz_shape *shape, const tz_lane_scores *lane, unsigned q, size_t *before,
                    size_t *end) {
    int64_t low = (int64_t)lane->origin[q] - shape->origin[q], high = low + lane->extent[q];
    *before = low > 0 ? (size_t)low : 0;
    *end = high < shape->extent[q] ? (size_t)high : (size_t)shape->extent[q];
}

/* Leaves of the positions before..end-1 along an index, all others given, those within the cuts. */
static void cut_row(const cuts *c, unsigned q, const int64_t *index, size_t *before, size_t *end) {
    int64_t low = (int64_t)*before, high = (int64_t)*end - 1;
    for (unsigned i = 0; i < c->count; i++) {
        int64_t value = c->value[i];
        for (unsigned p = 0; p <= q; p++)
            value += c->form[i]->column[p] * index[p];
        tz_clip(value, c->form[i]->column[q], &low, &high);
    }
    *end = low <= high ? (size_t)high + 1 : *before;
    *before = low <= high ? (size_t)low : *before;
}

/* How many of a lane's first indices there are without the last ones, of which it has all that the
 * shape has, side by side; 1 at least. *ret_unit: the scores of those. */
static unsigned ranks_apart(const tz_shape *shape, const tz_lane_scores *lane, const cuts *cut,
                            size_t *ret_unit) {
    unsigned rank = shape->rank;
    *ret_unit = 1;
    for (; rank > 1; rank--) {
        const unsigned q = rank - 1;
        bool whole = lane->origin[q] == shape->origin[q] && lane->extent[q] == shape->extent[q] &&
                     lane->scores.stride[q] == (ptrdiff_t)*ret_unit;
        for (unsigned i = 0; i < cut->count; i++)
            whole &= cut->form[i]->column[q] == 0;
        if (!whole)
            break;
        *ret_unit *= (size_t)shape->extent[q];
    }
    return rank;
}

/* A lane's scores of a weight that has indices into an array of the longest lengths' shape,
 * row-major. */
static void pad_lane(const tz_shape *shape, const tz_lane_scores *lane, const cuts *cut, void *to) {
    size_t unit, low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    const unsigned last = ranks_apart(shape, lane, cut, &unit) - 1;
    const size_t row = (size_t)shape->extent[last] * unit, cells = tz_shape_cells(shape);
    const ptrdiff_t step = lane->scores.stride[last];
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q <= last; q++) {
        overlap(shape, lane, q, &low[q], &high[q]);
        index[q] = shape->origin[q];
    }
    for (size_t first = 0; first < cells; first += row) {
        size_t before = low[last], end = high[last];
        ptrdiff_t offset = 0;
        for (unsigned q = 0; q < last; q++) {
            const size_t position = (size_t)(index[q] - shape->origin[q]);
            end = position < low[q] || position >= high[q] ? before : end;
            offset += (ptrdiff_t)(index[q] - lane->origin[q]) * lane->scores.stride[q];
        }
        if (end > before)
            cut_row(cut, last, index, &before, &end);
        offset += ((ptrdiff_t)before + shape->origin[last] - lane->origin[last]) * step;
        if (end <= before)
            before = end = (size_t)shape->extent[last];
        fill_none(lane->scores.type, to, first, first + before * unit);
        if (step == (ptrdiff_t)unit)
            copy_row(&lane->scores, offset, 1, (end - before) * unit, to, first + before * unit);
        else if (unit == 1)
            copy_row(&lane->scores, offset, step, end - before, to, first + before);
        else
            for (size_t i = before; i < end; i++, offset += step)
                copy_row(&lane->scores, offset, 1, unit, to, first + i * unit);
        fill_none(lane->scores.type, to, first + end * unit, first + row);
        for (unsigned q = last;
             q-- > 0 && ++index[q] == (int64_t)shape->origin[q] + shape->extent[q];)
            index[q] = shape->origin[q];
    }
}

/* The same of any weight. */
static void pad_weight(const tz_chart *chart, size_t lane, unsigned w, void *to) {
    const tz_rules *rules = chart->plan->rules;
    const tz_lane_scores *from = tz_lane_weight(chart, lane, w);
    cuts cut;
    find_cuts(rules, &rules->weight[w].domain, tz_lane_length(chart, lane), &cut);
    if (rules->weight[w].rank > 0) {
        pad_lane(&chart->layout.shape[w], from, &cut, to);
        return;
    }
    bool any = true;
    for (unsigned i = 0; i < cut.count; i++)
        any &= cut.value[i] >= 0;
    fill_none(from->scores.type, to, 0, 1);
    if (any)
        copy_row(&from->scores, 0, 1, 1, to, 0);
}

tz_status tz_pad_weights(tz_chart *chart) {
    const size_t weights = chart->plan->rules->weights, lanes = chart->lanes;
    size_t total = 0;
    chart->bound.padded_scores = chart->bound.scores;
    for (unsigned w = 0; w < weights; w++) {
        chart->bound.score_layout[w] = look_at(chart, w);
        if (__builtin_add_overflow(total, to_pad(chart, w), &total))
            return TZ_TOO_LARGE;
    }
    if (total == 0)
        return TZ_OK;
    tz_status status = __builtin_mul_overflow(total, lanes, &total) ? TZ_TOO_LARGE : TZ_OK;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->bound.padding, total, sizeof(double));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->bound.padded_memory, lanes * weights,
                                   sizeof *chart->bound.padded_scores);
    if (status != TZ_OK)
        return status;
    chart->bound.padded_scores = memcpy(chart->bound.padded_memory.data, chart->bound.scores,
                                        lanes * weights * sizeof *chart->bound.padded_scores);
    char *next = chart->bound.padding.data;
    for (unsigned w = 0; w < weights; w++) {
        const tz_shape *shape = &chart->layout.shape[w];
        const size_t cells = to_pad(chart, w);
        for (size_t lane = 0; lane < lanes && cells > 0; lane++) {
            const tz_lane_scores *from = tz_lane_weight(chart, lane, w);
            tz_lane_scores *to = &chart->bound.padded_scores[lane * weights + w];
            pad_weight(chart, lane, w, next);
            to->scores = tz_scores_dense(shape, NULL);
            to->scores.data = next;
            to->scores.type = from->scores.type;
            memcpy(to->origin, shape->origin, sizeof to->origin);
            memcpy(to->extent, shape->extent, sizeof to->extent);
            next += cells * sizeof(double); /* floats too: what is next may be doubles */
        }
    }
    return TZ_OK;
}
