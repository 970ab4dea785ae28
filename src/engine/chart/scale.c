/* scale.c - narrow elements where they reach, wide ones where they do not.
 *
 * A semiring such as log has wide elements, which hold any number, and narrow ones, plain floating
 * point, which are many times faster (tz_kernels.narrow). Scores are multiplied by powers of two
 * along the gauges of the rule set (tz_gauge), so that the values of items stay near 1; the powers
 * are a guess that is never trusted: the floating-point flags tell whether anything underflowed or
 * overflowed, be it an item that matters or not. Then the scales are chosen anew from how far the
 * values got, or the pass is repeated with wide elements (pass/run.c). Scaling by powers of two is
 * exact, and narrow arithmetic rounds like wide arithmetic, so the answer has the same bits
 * whatever the way.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/chart/facts.h"
#include "engine/chart/padding.h"
#include "engine/chart/scale.h"
#include "engine/chart/score_range.h"
#include "engine/chart/weights.h"
#include "engine/layout/rows.h"
#include "engine/layout/scores.h"

/* Scores beyond this are left to wide elements: the scales stay exact whole numbers. */
static const double most_score = 1e9;

/* Do the lane's facts forbid an entry of a sparse weight? */
static bool forbidden_entry(const tz_chart *chart, size_t lane, unsigned w, size_t entry) {
    static const int64_t still[TZ_MAX_RANK];
    unsigned rank = chart->plan->rules->weight[w].rank;
    const int32_t *index = tz_lane_weight(chart, lane, w)->scores.index + entry * rank;
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < rank; q++)
        at[q] = index[q];
    size_t position = 0;
    return tz_next_forbidden(chart, lane, &(tz_row){w, at, still, 1}, &position);
}

/* About the largest score of a weight that no fact forbids, or -INFINITY. */
static double largest_score(const tz_chart *chart, size_t lane, unsigned w) {
    const tz_rules *rules = chart->plan->rules;
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
    const size_t entries = rules->weight[w].sparse ? bound->scores.entries : 0;
    double most = chart->scaling.most[lane * rules->weights + w];
    if (entries > 0 && !tz_forbids(chart, lane, w))
        tz_score_range(chart->plan, &bound->scores, 0, bound->scores.stride[0], entries, &most);
    else
        for (size_t e = 0; e < entries; e++) {
            const double score = tz_entry_score(bound, e);
            if (score > most && !forbidden_entry(chart, lane, w, e))
                most = score;
        }
    /* A guess may be off, by a hole of the domain for one, but must be a number to work with. */
    return most <= most_score ? most : most_score;
}

static const double log2_e = 1.4426950408889634;

/* The scales of one lane, not rounded, that bring the largest score of each weight near 1, where
 * its first cell stands for all: least squares. */
static void solve_for_scales(const tz_chart *chart, size_t lane, double *ret_scale) {
    const tz_rules *rules = chart->plan->rules;
    unsigned gauges = tz_used_gauges(rules);
    double m[TZ_FORMS][TZ_FORMS + 1] = {{0}};
    for (unsigned w = 0; w < rules->weights && gauges > 0; w++) {
        double most = largest_score(chart, lane, w) * log2_e;
        const double *form = chart->scaling.first_form + (size_t)w * TZ_FORMS;
        if (most == -INFINITY)
            continue;
        for (unsigned g = 0; g < gauges; g++) {
            for (unsigned h = 0; h < gauges; h++)
                m[g][h] += form[g] * form[h];
            m[g][gauges] += form[g] * most;
        }
    }
    for (unsigned g = 0; g < gauges; g++)
        m[g][g] += 1e-6;
    for (unsigned g = 0; g < gauges; g++)
        for (unsigned r = 0; r < gauges; r++) {
            if (r == g)
                continue;
            double factor = m[r][g] / m[g][g];
            for (unsigned c = g; c <= gauges; c++)
                m[r][c] -= factor * m[g][c];
        }
    for (unsigned g = 0; g < rules->gauges; g++)
        ret_scale[g] = g < gauges ? m[g][gauges] / m[g][g] : 0;
}

/* Scales of what is left of the scores. */
static void choose_lane_scales(tz_chart *chart, size_t lane) {
    const tz_rules *rules = chart->plan->rules;
    unsigned gauges = tz_used_gauges(rules);
    double *scale = chart->scaling.scale + lane * rules->gauges;
    const double *centre = chart->scaling.centre + lane * rules->gauges;
    solve_for_scales(chart, lane, scale);
    for (unsigned g = 0; g < gauges; g++)
        scale[g] += chart->scaling.drift[g] - (chart->scaling.centred ? centre[g] * log2_e : 0);
    if (gauges > 0) {
        /* No score may leave the range by its scale alone. */
        double most = chart->plan->narrow.align == sizeof(double) ? 880 : 100;
        double cap = most / (chart->scaling.farthest > 1 ? chart->scaling.farthest : 1);
        if (fabs(scale[0]) > cap)
            scale[0] = copysign(cap, scale[0]);
    }
    for (unsigned g = 0; g < gauges; g++)
        scale[g] = rint(scale[g]);
}

/* The largest value of the first gauge's forms over all cells of weights, where it differs from
 * cell to cell. */
static double farthest_form(const tz_rules *rules, const int32_t *length) {
    double most = 0;
    for (unsigned w = 0; w < rules->weights && rules->gauges > 0; w++) {
        const tz_form *form = &rules->gauge[0].weight[w];
        if (!tz_form_has_columns(form))
            continue;
        tz_rows rows;
        for (tz_rows_start(&rows, rules, w, length); tz_rows_next(&rows);)
            for (unsigned end = 0; end < 2; end++) {
                double v = fabs(
                    (double)tz_form_value(form, rules->lengths, length, rows.rank, rows.index));
                most = v > most ? v : most;
                for (unsigned q = 0; q < rows.rank; q++)
                    rows.index[q] += (int64_t)(rows.count - 1) * rows.move[q];
            }
    }
    return most;
}

/* The gauges' forms at the first cell of each weight; 0 where there is none, which counts for
 * nothing.
 */
static void find_first_forms(tz_chart *chart, const int32_t *length) {
    const tz_rules *rules = chart->plan->rules;
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_rows rows;
        tz_rows_start(&rows, rules, w, length);
        bool any = tz_rows_next(&rows);
        for (unsigned g = 0; g < tz_used_gauges(rules); g++)
            chart->scaling.first_form[(size_t)w * TZ_FORMS + g] =
                any ? (double)tz_form_value(&rules->gauge[g].weight[w], rules->lengths, length,
                                            rows.rank, rows.index)
                    : 0;
    }
}

static void find_forms(tz_chart *chart, size_t lane) {
    if (tz_nested(chart) && chart->scaling.farthest >= 0)
        return;
    const int32_t *length = tz_nested(chart) ? chart->bound.longest : tz_lane_length(chart, lane);
    chart->scaling.farthest = farthest_form(chart->plan->rules, length);
    find_first_forms(chart, length);
}

static void choose_scales(tz_chart *chart) {
    for (size_t lane = 0; lane < chart->lanes; lane++) {
        find_forms(chart, lane);
        choose_lane_scales(chart, lane);
    }
}

/* What is taken off the scores. The lane's problem alone tells, so that answers have the same bits
 * in any company; nothing where scores are moderate, else whole numbers, which take no bits of
 * them. */
static void choose_centres(tz_chart *chart) {
    enum { STEP = 32 };
    const tz_rules *rules = chart->plan->rules;
    const double exact = chart->plan->wide.semiring->exact; /* beyond, problems are refused */
    const double far = exact > 0 ? exact / 16 : most_score;
    for (size_t lane = 0; lane < chart->lanes; lane++) {
        double *centre = chart->scaling.centre + lane * rules->gauges;
        bool moderate = true, beyond = false;
        for (unsigned w = 0; w < rules->weights; w++) {
            const double most = largest_score(chart, lane, w);
            moderate &= most == -INFINITY || fabs(most) <= STEP;
            beyond |= most > -INFINITY && fabs(most) > far;
        }
        memset(centre, 0, rules->gauges * sizeof *centre);
        if (moderate || beyond)
            continue;
        find_first_forms(chart, tz_lane_length(chart, lane));
        chart->scaling.farthest = -1; /* those forms are this lane's alone */
        solve_for_scales(chart, lane, centre);
        for (size_t g = 0; g < rules->gauges; g++) {
            centre[g] = rint(centre[g] / (STEP * log2_e)) * STEP;
            chart->scaling.centred |= centre[g] != 0;
        }
    }
}

/* The value at an item of forms that are multiplied by the lane's numbers, [gauges]. */
static double at_item(const tz_chart *chart, const double *of, size_t lane, unsigned kind,
                      const int64_t *index) {
    const tz_rules *rules = chart->plan->rules;
    double ret = 0;
    for (unsigned g = 0; g < tz_used_gauges(rules); g++)
        ret += of[lane * rules->gauges + g] *
               (double)tz_form_value(&rules->gauge[g].kind[kind], rules->lengths,
                                     tz_lane_length(chart, lane), rules->kind[kind].rank, index);
    return ret;
}

static double at_goal(const tz_chart *chart, const double *of, size_t lane) {
    const tz_rules *rules = chart->plan->rules;
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < rules->kind[rules->goal.which].rank; q++)
        index[q] = tz_form_value(&rules->goal.index[q], rules->lengths, tz_lane_length(chart, lane),
                                 0, NULL);
    return at_item(chart, of, lane, rules->goal.which, index);
}

double tz_kind_scale(const tz_chart *chart, size_t lane, unsigned kind, const int64_t *index) {
    const bool narrow = chart->algebra == &chart->plan->narrow;
    return narrow ? at_item(chart, chart->scaling.scale, lane, kind, index) : 0;
}

double tz_goal_scale(const tz_chart *chart, size_t lane) {
    const bool narrow = chart->algebra == &chart->plan->narrow;
    return narrow ? at_goal(chart, chart->scaling.scale, lane) : 0;
}

double tz_kind_centre(const tz_chart *chart, size_t lane, unsigned kind, const int64_t *index) {
    const tz_scaling *s = &chart->scaling;
    return s->centred ? at_item(chart, s->centre, lane, kind, index) : 0;
}

double tz_goal_centre(const tz_chart *chart, size_t lane) {
    const tz_scaling *s = &chart->scaling;
    return s->centred ? at_goal(chart, s->centre, lane) : 0;
}

void tz_widen(const tz_chart *chart, const void *element, double exponent, void *ret) {
    const tz_algebra *algebra = chart->algebra;
    if (algebra == &chart->plan->wide)
        memcpy(ret, element, algebra->size);
    else
        algebra->kernels->widen(algebra->semiring, ret, element, exponent);
}

tz_status tz_go_wide(tz_chart *chart) {
    chart->algebra = &chart->plan->wide;
    chart->weights_clear = false;
    tz_status status = tz_lift_weights(chart, false);
    if (status != TZ_OK)
        chart->state = TZ_EMPTY; /* its weights are neither */
    return status;
}

enum { MOST_WAIT = 15 };

/* Are narrow elements to be tried, as far as the last problems tell? Where two or more in a row
 * have left their range, the next ones are likely to. The answers have the same bits either way. */
static bool try_narrow(tz_chart *chart) {
    tz_narrow_past *past = &chart->scaling.past;
    bool left_range = chart->algebra == &chart->plan->wide;
    if (past->layout != chart->layout.version || !left_range)
        past->failed = past->wait = 0;
    else if (past->tried && ++past->failed > 1)
        past->wait = past->failed < 5 ? (1u << (past->failed - 1)) - 1 : MOST_WAIT;
    past->layout = chart->layout.version;
    past->tried = past->wait == 0;
    past->wait -= past->wait > 0;
    return past->tried;
}

tz_status tz_choose_elements(tz_chart *chart, bool check) {
    const tz_plan *plan = chart->plan;
    const tz_algebra *before = chart->algebra;
    const bool narrow = plan->has_narrow && try_narrow(chart);
    const bool relative = plan->wide.semiring->relative;
    chart->algebra = narrow ? &plan->narrow : &plan->wide;
    chart->weights_clear &= chart->algebra == before;
    chart->scaling.centred = false; /* what may have a map is padded, whatever centres will be */
    tz_status status = tz_pad_weights(chart);
    if (status == TZ_OK && (check || narrow || relative))
        status = tz_check_weights(chart, narrow || relative, chart->scaling.most);
    if (status != TZ_OK)
        return status;
    if (relative)
        choose_centres(chart);
    if (!narrow)
        return tz_lift_weights(chart, check);
    choose_scales(chart);
    status = tz_lift_weights(chart, check);
    return status == TZ_OK && chart->scaling.misfit ? tz_go_wide(chart) : status;
}

tz_status tz_rescale(tz_chart *chart) {
    choose_scales(chart);
    return tz_lift_weights(chart, false);
}

void tz_scaling_free(tz_scaling *s) {
    TZ_FREE_BUFFERS(&s->memory);
    free(s->first_form);
}
