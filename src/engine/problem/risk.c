/* risk.c - marginals as scores: minimum-risk decoding. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/ask/marginals/marginals.h"
#include "engine/chart/bind.h"
#include "engine/chart/facts.h"
#include "engine/layout/places.h"
#include "engine/layout/rows.h"
#include "engine/layout/scores.h"
#include "engine/problem/bind.h"
#include "engine/problem/spread.h"
#include "rules/view.h"

/* What has no marginal and is possible may be what a side condition needs: only that it is there
 * counts, and no derivation of the goal that is impossible becomes possible by it. */
static double score_of(double marginal, double gain, double score) {
    return marginal > 0 ? gain * marginal : score > -INFINITY ? 0 : -INFINITY;
}

/* Marginals made scores: of entries, or of the cells of an array of these strides. */
static void score_cells(const tz_chart *marginals, size_t lane, unsigned w, double gain,
                        const tz_shape *shape, const ptrdiff_t *stride, double *data) {
    const tz_lane_scores *bound = tz_lane_weight(marginals, lane, w);
    for (size_t e = 0; shape->sparse && e < bound->scores.entries; e++)
        data[e] = score_of(data[e], gain, tz_entry_score(bound, e));
    if (shape->sparse)
        return;
    const tz_places to = tz_places_in(shape, stride);
    tz_rows rows;
    tz_rows_start(&rows, marginals->plan->rules, w, tz_lane_length(marginals, lane));
    while (tz_rows_next(&rows)) {
        ptrdiff_t step, at = tz_row_place(&to, &rows, &step);
        for (size_t x = 0; x < rows.count; x++, at += step) {
            data[at] = score_of(data[at], gain, tz_lane_score(bound, shape->rank, rows.index));
            for (unsigned q = 0; q < shape->rank; q++)
                rows.index[q] += rows.move[q];
        }
    }
}

/* The scores of a weight: marginals times its gain. They stand at data where that is not NULL. */
static tz_status fill_scores(tz_chart *marginals, size_t lane, unsigned w, double gain,
                             double *data, tz_scores *ret_scores, size_t *ret_cells) {
    const tz_rules *rules = marginals->plan->rules;
    const tz_scores *bound = &tz_lane_weight(marginals, lane, w)->scores;
    const int32_t *length = tz_lane_length(marginals, lane);
    tz_shape shape;
    tz_output output = {.data = data, .stride = {1}};
    tz_status status = tz_weight_shape(rules, &rules->weight[w], length, &shape);
    *ret_cells = bound->entries;
    if (status == TZ_OK && !shape.sparse)
        status =
            tz_array_strides(rules, &rules->weight[w], length, &shape, output.stride, ret_cells);
    if (status != TZ_OK || data == NULL)
        return status;
    status = tz_weight_numbers(marginals, lane, w, TZ_NUMBER_SHARE, &output, NULL);
    if (status != TZ_OK)
        return status;
    score_cells(marginals, lane, w, gain, &shape, output.stride, data);
    *ret_scores = shape.sparse ? tz_scores_sparse(bound->index, data, *ret_cells)
                               : tz_scores_dense(&shape, data);
    if (!shape.sparse)
        memcpy(ret_scores->stride, output.stride, sizeof ret_scores->stride);
    return TZ_OK;
}

tz_status tz_bind_risk(tz_chart *decoder, tz_chart *marginals, size_t problem,
                       const double *opt_gain, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    const tz_rules *rules = marginals->plan->rules;
    if (decoder == marginals || decoder->plan->rules != rules)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "the decoder must be another chart, of the same rules");
    if (marginals->state < TZ_OUTSIDE_DONE || problem >= marginals->lanes)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "no marginals: run tz_outside first");
    if (marginals->plan->wide.semiring->share == NULL)
        return tz_fail(opt_error, TZ_LAW, "%s has no marginals",
                       marginals->plan->wide.semiring->name);
    for (size_t w = 0; w < tz_rules_count(rules, TZ_WEIGHTS) && opt_gain != NULL; w++)
        if (!isfinite(opt_gain[w]))
            return tz_fail(opt_error, TZ_BAD_ARGUMENT, "the gain of %s is no number",
                           tz_rules_name_of(rules, TZ_WEIGHTS, w));
    tz_scores *scores = calloc(rules->weights + 1u, sizeof *scores);
    tz_status status = scores != NULL ? TZ_OK : TZ_NO_MEMORY;
    size_t total = 0, cells;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        status = fill_scores(marginals, problem, w, 0, NULL, NULL, &cells);
        if (status == TZ_OK && __builtin_add_overflow(total, cells, &total))
            status = TZ_TOO_LARGE;
    }
    decoder->state = TZ_EMPTY; /* its scores may be about to go */
    if (status == TZ_OK && tz_goal_missing(marginals, problem))
        status = TZ_NONE;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&decoder->risk, total, sizeof(double));
    tz_problem decoded = {0};
    if (status == TZ_OK)
        decoded = tz_lane_problem(marginals, problem, scores);
    double *data = decoder->risk.data;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++, data += cells)
        status = fill_scores(marginals, problem, w,
                             opt_gain != NULL ? opt_gain[rules->weight[w].declared] : 1, data,
                             &scores[w], &cells);
    if (status == TZ_OK)
        status = tz_given_copy(marginals, problem, &decoder->given);
    if (status == TZ_OK)
        status = tz_bind_spread(decoder, &decoded, 1, opt_error);
    else
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    const tz_watching own = decoder->watching;
    if (own.watch == NULL) /* who waits for the one waits for the other */
        decoder->watching = marginals->watching;
    if (status == TZ_OK)
        status = tz_inside(decoder);
    decoder->watching = own;
    free(scores);
    return status;
}
