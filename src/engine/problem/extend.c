/* extend.c - a chart that goes on where its problems get longer, or shorter.
 *
 * A chart that has grown is laid out for lengths that are longer still, its room, so that what is
 * there stays where it is. Inside is then the same pass as ever, of new items alone
 * (layout/newer.h): every sum is taken in the same order, so the values have the same bits. Cells
 * beyond what is bound are zero when it begins; going back leaves values there, which are cleared
 * when the chart next grows. Whatever cannot go on is bound and computed anew.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/chart/bind.h"
#include "engine/chart/newer_cells.h"
#include "engine/layout/places.h"
#include "engine/pass/pass.h"
#include "engine/pass/run.h"
#include "engine/problem/spread.h"
#include "rules/tell/cost.h"
#include "rules/view.h"

/* Lengths from which a chart goes on. */
typedef struct step {
    int32_t old[TZ_MAX_LENGTHS];
    uint8_t grown; /* those that differ from these, bit l: now, last time, or in what is filled */
    bool more;     /* some are longer now */
    tz_newer *newer;
    const tz_new_cells *cells;
} step;

/* Cells of all boxes, about. */
static double cells_for(const tz_rules *rules, const int32_t *length) {
    double cells = 0;
    for (unsigned k = 0; k < rules->kinds; k++)
        cells += tz_kind_cells(rules, k, length);
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_shape shape;
        if (!rules->weight[w].sparse &&
            tz_weight_shape(rules, &rules->weight[w], length, &shape) == TZ_OK)
            cells += (double)tz_shape_cells(&shape);
    }
    return cells;
}

/* Room for half as much again of the lengths that grow and have none left, or as much as takes some
 * times the memory at most. */
static void make_room(const tz_chart *chart, uint8_t grown, const int32_t *length, int32_t *room) {
    enum { TIMES = 6, FEW = 1 << 14 };
    const tz_rules *rules = chart->plan->rules;
    const double most = FEW + TIMES * cells_for(rules, length);
    int32_t with[TZ_MAX_LENGTHS];
    for (int32_t part = 2; part <= 64; part *= 2) {
        memcpy(with, room, sizeof with);
        for (unsigned l = 0; l < rules->lengths; l++)
            if ((grown >> l & 1) != 0 && length[l] > room[l]) {
                const int32_t more = (length[l] + 16) / part;
                with[l] = length[l] > TZ_MAX_LENGTH - more ? TZ_MAX_LENGTH : length[l] + more;
            } else if (length[l] > room[l]) {
                with[l] = length[l];
            }
        if (cells_for(rules, with) <= most)
            break;
    }
    memcpy(room, with, sizeof with);
}

/* ---- Anew -------------------------------------------------------------------------------------
 */

static tz_status start_over(tz_chart *chart, const tz_problem *problems, size_t count,
                            tz_error *opt_error) {
    const size_t size = sizeof chart->layout.asked;
    memcpy(chart->layout.asked, chart->growth.room, size);
    memcpy(chart->given.room, chart->growth.room, size);
    tz_status status = tz_bind(chart, problems, count, opt_error);
    memset(chart->layout.asked, 0, size);
    memset(chart->given.room, 0, size);
    if (status != TZ_OK)
        return status;
    tz_pass_spoiled(chart, TZ_PASS_INSIDE); /* so that all cells are cleared */
    status = tz_inside(chart);
    if (status != TZ_OK)
        return tz_fail(opt_error, status, "%s", tz_status_name(status));
    chart->growth.live = chart->bound.same_lengths && chart->bound.facts == NULL;
    memcpy(chart->growth.filled, chart->bound.longest, sizeof chart->growth.filled);
    return TZ_OK;
}

/* ---- Going on ---------------------------------------------------------------------------------
 */

/* Is an array as large as this? */
static bool fits(const tz_scores *scores, const tz_shape *shape) {
    bool fit = true, any = true;
    for (unsigned q = 0; q < shape->rank; q++) {
        fit &= scores->extent[q] >= shape->extent[q];
        any &= shape->extent[q] > 0;
    }
    return fit && (!any || scores->data != NULL);
}

/* Is it a problem that the lanes can go on with, as far as that is seen without its scores? */
static bool goes_on(const tz_chart *chart, const tz_problem *problem, size_t lane, const step *s,
                    const tz_problem *first) {
    const tz_rules *rules = chart->plan->rules;
    bool can = problem->fact_count == 0 && problem->scores != NULL && problem->lengths != NULL &&
               problem->inputs == NULL && problem->direction == NULL;
    for (unsigned l = 0; l < rules->lengths && can; l++)
        can = problem->lengths[l] == first->lengths[l];
    for (unsigned w = 0; w < rules->weights && can; w++)
        can = rules->weight[w].sparse
                  ? problem->scores[w].entries == tz_lane_weight(chart, lane, w)->scores.entries
                  : fits(&problem->scores[w], &s->cells->shape[w]);
    return can;
}

/* From where the chart goes on; asks for room where it has not enough. */
static tz_status find_step(tz_chart *chart, const int32_t *length, const int32_t *kept, step *ret) {
    const tz_rules *rules = chart->plan->rules;
    bool room = true;
    *ret = (step){.grown = 0};
    for (unsigned l = 0; l < rules->lengths; l++) {
        const int32_t last = chart->bound.longest[l], least = last < length[l] ? last : length[l];
        ret->old[l] = kept[l] < least ? kept[l] : least;
        ret->more |= length[l] > ret->old[l];
        if (length[l] == ret->old[l] && last == ret->old[l] &&
            chart->growth.filled[l] == ret->old[l])
            continue;
        ret->grown |= (uint8_t)(1u << l);
        if (ret->old[l] < TZ_GROWS_FROM)
            return TZ_NONE;
        room &= length[l] <= chart->layout.room[l];
    }
    tz_status status = tz_newer_find(chart, ret->grown, &ret->newer);
    if (status != TZ_OK || !ret->newer->possible)
        return status == TZ_OK ? TZ_NONE : status;
    if (!room) {
        make_room(chart, ret->grown, length, chart->growth.room);
        return TZ_NONE;
    }
    tz_newer_set(ret->newer, rules->kinds, rules->lengths, ret->old);
    status = tz_new_cells_find(chart, ret->newer, ret->old, length, &ret->cells);
    return status == TZ_TOO_LARGE ? TZ_NONE : status;
}

static bool all_stay(const tz_rules *rules, const tz_newer *newer) {
    bool stay = true;
    for (unsigned k = 0; k < rules->kinds; k++)
        stay &= newer->stays[k];
    return stay;
}

/* New items computed. *ret_fits: if not, it was in vain. */
static tz_status compute(tz_chart *chart, const step *s, bool *ret_fits) {
    tz_growth *growth = &chart->growth;
    const tz_rules *rules = chart->plan->rules;
    chart->weights_clear = false;
    tz_status status = tz_lift_newer(chart, s->cells);
    *ret_fits = status == TZ_OK && !chart->scaling.misfit;
    if (!*ret_fits || (!s->more && all_stay(rules, s->newer)))
        return status;
    bool beyond = false; /* something is left from longer problems */
    for (unsigned l = 0; l < rules->lengths; l++)
        beyond |= growth->filled[l] > s->old[l];
    tz_clear_newer(chart, s->newer, beyond ? growth->filled : NULL);
    memcpy(growth->filled, chart->bound.longest, sizeof growth->filled);
    chart->passes.newer = s->newer;
    memcpy(chart->passes.old, s->old, sizeof chart->passes.old);
    status = tz_run_newer(chart, ret_fits);
    chart->passes.newer = NULL;
    memset(chart->passes.old, 0, sizeof chart->passes.old);
    return status;
}

/* TZ_NONE: it cannot go on, and nothing is bound. */
static tz_status go_on(tz_chart *chart, const tz_problem *spread, const step *s) {
    tz_status status = tz_bind_longer(chart, spread, s->cells->shape);
    bool fits = true;
    chart->state = TZ_EMPTY;
    if (status == TZ_OK)
        status = compute(chart, s, &fits);
    if (status == TZ_STOPPED || status == TZ_NO_MEMORY)
        return status;
    if (status != TZ_OK || !fits)
        return TZ_NONE;
    chart->state = TZ_INSIDE_DONE;
    chart->growth.live = true;
    return TZ_OK;
}

/* The same from a caller's problems. */
static tz_status try_going_on(tz_chart *chart, const tz_problem *problems, size_t count,
                              const int32_t *kept) {
    const tz_problem *spread;
    size_t bad;
    step s;
    bool can = chart->growth.live && chart->state >= TZ_INSIDE_DONE && count == chart->lanes &&
               problems[0].lengths != NULL && chart->plan->wide.semiring->inputs == 0 &&
               !chart->plan->wide.semiring->relative;
    chart->growth.live = false;
    for (unsigned l = 0; l < chart->plan->rules->lengths && can; l++)
        can =
            kept[l] >= 0 && problems[0].lengths[l] >= 0 && problems[0].lengths[l] <= TZ_MAX_LENGTH;
    if (!can)
        return TZ_NONE;
    tz_status status = find_step(chart, problems[0].lengths, kept, &s);
    if (status != TZ_OK)
        return status;
    chart->given.newer = s.newer;
    memcpy(chart->given.room, chart->layout.room, sizeof chart->given.room);
    status = tz_spread_problems(chart->plan, problems, count, &chart->given, &spread, &bad, NULL);
    chart->given.newer = NULL;
    memset(chart->given.room, 0, sizeof chart->given.room);
    status = status == TZ_OK ? TZ_OK : TZ_NONE;
    for (size_t lane = 0; lane < count && status == TZ_OK; lane++)
        status = goes_on(chart, &spread[lane], lane, &s, &spread[0]) ? TZ_OK : TZ_NONE;
    return status == TZ_OK ? go_on(chart, spread, &s) : status;
}

tz_status tz_extend(tz_chart *chart, const tz_problem *problems, size_t count,
                    const int32_t *opt_kept, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_status status = TZ_NONE;
    chart->epoch++;
    if (opt_kept != NULL && count > 0)
        status = try_going_on(chart, problems, count, opt_kept);
    if (status == TZ_NONE)
        return start_over(chart, problems, count, opt_error);
    if (status != TZ_OK) {
        chart->state = TZ_EMPTY;
        return tz_fail(opt_error, status, "%s", tz_status_name(status));
    }
    return TZ_OK;
}
