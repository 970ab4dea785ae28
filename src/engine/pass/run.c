/* run.c - inside, outside and what else is computed of a chart, by the fast way or as it is
 * defined; again where a number has left the range of narrow elements (scale.c), until all have
 * stayed. SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/modes.h"
#include "engine/chart/scale.h"
#include "engine/interpret.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"
#include "engine/pass/exact.h"
#include "engine/pass/pass.h"
#include "engine/pass/run.h"
#include "kernels/flags.h"

enum { ATTEMPTS = 3 };

static tz_status compute(tz_chart *chart, tz_pass pass) {
    tz_status status =
        chart->plan->plain ? tz_interpret(chart, pass) : tz_compute_pass(chart, pass);
    chart->closure.diverged = status == TZ_DIVERGES;
    if (status == TZ_DIVERGES || status == TZ_STOPPED)
        tz_pass_spoiled(chart, pass);
    chart->inexact = status == TZ_OK ? tz_inexact_lane(chart, pass) : chart->lanes;
    if (chart->inexact == chart->lanes)
        return status;
    /* Nothing of it is to be met in cells between items again. */
    tz_pass_spoiled(chart, pass);
    chart->weights_clear = false;
    return TZ_BAD_SCORE;
}

/* Exponents of items that have the same place along the first gauge: the farthest place with
 * numbers, where the pass may have stopped, and the one before it. */
typedef struct row {
    double along, lowest, highest;
} row;

typedef struct reached {
    row before, last;
} reached;

static void reach(reached *r, double along, double exponent) {
    const row new = {along, exponent, exponent};
    if (along > r->last.along) {
        r->before = r->last;
        r->last = new;
    } else if (along < r->last.along && along > r->before.along) {
        r->before = new;
    }
    row *at = along == r->last.along ? &r->last : &r->before;
    at->lowest = exponent < at->lowest ? exponent : at->lowest;
    at->highest = exponent > at->highest ? exponent : at->highest;
}

static void reach_item(reached *r, const tz_chart *chart, unsigned k, const int64_t *index) {
    const tz_rules *rules = chart->plan->rules;
    const tz_kind *kind = &rules->kind[k];
    const tz_semiring *s = chart->algebra->semiring;
    double along = (double)tz_form_value(&rules->gauge[0].kind[k], rules->lengths,
                                         chart->bound.longest, kind->rank, index);
    if (along <= 0 || along < r->before.along ||
        !tz_domain_holds(&kind->domain, rules->lengths, chart->bound.longest, kind->rank, index))
        return;
    ptrdiff_t offset = tz_cell_offset(chart, k, index);
    for (size_t lane = 0; offset >= 0 && lane < chart->lanes; lane++) {
        const void *element = tz_cell(chart, TZ_AT_INSIDE, offset, lane);
        if (tz_is_zero(chart, element))
            continue;
        double exponent = s->kernels->exponent(s, element);
        if (fabs(exponent) < 1e4) /* else infinite */
            reach(r, along, exponent);
    }
}

/* Every index of a shape that has an item, in order. */
static void reach_items(reached *r, const tz_chart *chart, unsigned k) {
    tz_shape shape;
    int64_t index[TZ_MAX_RANK];
    if (tz_rules_shape(chart->plan->rules, TZ_ITEM + k, chart->bound.longest, &shape) != TZ_OK)
        return;
    for (unsigned q = 0; q < shape.rank; q++) {
        index[q] = shape.origin[q];
        if (shape.extent[q] == 0)
            return;
    }
    const tz_rules *rules = chart->plan->rules;
    const unsigned outer = shape.rank > 0 ? shape.rank - 1u : 0;
    for (unsigned q = 1; q > 0;) {
        int64_t low = 0, high = 0;
        if (shape.rank > 0) {
            low = shape.origin[outer];
            high = low + shape.extent[outer] - 1;
            tz_domain_clip(&rules->kind[k].domain, rules->lengths, chart->bound.longest, outer,
                           index, &low, &high);
        }
        for (index[outer] = low; index[outer] <= high; index[outer]++)
            reach_item(r, chart, k, index);
        for (q = outer; q > 0 && ++index[q - 1] == shape.origin[q - 1] + shape.extent[q - 1]; q--)
            index[q - 1] = shape.origin[q - 1];
    }
}

/* How fast the values of items grow along the first gauge, as far as they are numbers, for the next
 * guess; false where nothing can be read off, or no scale along it brings them into the range of
 * the elements. */
static bool measure_drift(tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    reached r = {0};
    for (unsigned k = 0; k < rules->items && rules->gauges > 0; k++)
        reach_items(&r, chart, k);
    const row at = r.before.along > 0 ? r.before : r.last;
    const double drift = (at.lowest + at.highest) / 2 / at.along;
    const double range = chart->algebra->align == sizeof(double) ? 1900 : 230;
    if (at.along == 0 || fabs(drift) < 0.5 || at.highest - at.lowest > range)
        return false;
    chart->scaling.drift[0] += drift;
    return true;
}

/* A pass, and whether every number stayed in range. */
static tz_status try_pass(tz_chart *chart, tz_pass pass, bool *ret_fits) {
    unsigned flags = tz_flags_take();
    tz_status status = compute(chart, pass);
    bool raised = tz_flags_return(flags);
    *ret_fits = !raised && !chart->scaling.misfit;
    return status;
}

/* What is bound stays so, unless the weights had to be lifted again and were not. */
static void fail(tz_chart *chart) {
    chart->state = chart->state == TZ_EMPTY ? TZ_EMPTY : TZ_BOUND;
}

tz_status tz_run_pass(tz_chart *chart, tz_pass pass) {
    tz_status status = TZ_OK;
    bool fits = false;
    for (unsigned attempt = 0; chart->algebra == &chart->plan->narrow; attempt++) {
        status = try_pass(chart, pass, &fits);
        if (fits || (status != TZ_OK && status != TZ_DIVERGES))
            return status;
        tz_pass_spoiled(chart, pass);
        bool again = pass == TZ_PASS_INSIDE && attempt + 1 < ATTEMPTS && !chart->scaling.misfit &&
                     measure_drift(chart);
        if (again)
            status = tz_rescale(chart);
        if (status == TZ_OK && (!again || chart->scaling.misfit))
            status = tz_go_wide(chart);
        if (status != TZ_OK)
            return status;
        for (tz_pass before = TZ_PASS_INSIDE;
             before < pass && chart->algebra == &chart->plan->wide && status == TZ_OK; before++)
            status = compute(chart, before);
        if (status != TZ_OK) {
            fail(chart);
            return status;
        }
    }
    return compute(chart, pass);
}

tz_status tz_run_newer(tz_chart *chart, bool *ret_fits) {
    *ret_fits = true;
    return chart->algebra == &chart->plan->narrow ? try_pass(chart, TZ_PASS_INSIDE, ret_fits)
                                                  : compute(chart, TZ_PASS_INSIDE);
}

tz_status tz_repeat_wide(tz_chart *chart, tz_pass last) {
    tz_status status = tz_go_wide(chart);
    for (tz_pass pass = TZ_PASS_INSIDE; pass <= last && status == TZ_OK; pass++)
        status = compute(chart, pass);
    if (status != TZ_OK)
        fail(chart);
    return status;
}

tz_status tz_inside(tz_chart *chart) {
    TZ_DEFAULT_MODES;
    if (chart->state < TZ_BOUND)
        return TZ_BAD_ARGUMENT;
    chart->epoch++;
    tz_status status = tz_run_pass(chart, TZ_PASS_INSIDE);
    if (status == TZ_OK)
        chart->state = TZ_INSIDE_DONE;
    else
        fail(chart);
    return status;
}

tz_status tz_outside(tz_chart *chart) {
    TZ_DEFAULT_MODES;
    if (chart->state < TZ_INSIDE_DONE)
        return TZ_BAD_ARGUMENT;
    tz_status status = tz_run_pass(chart, TZ_PASS_OUTSIDE);
    if (status == TZ_OK)
        chart->state = TZ_OUTSIDE_DONE;
    else
        fail(chart);
    return status;
}

/* ---- What else is asked for -------------------------------------------------------------------
 */

tz_pass tz_last_pass(const tz_chart *chart) {
    return chart->state == TZ_TANGENTS_DONE  ? TZ_PASS_TANGENTS + TZ_PASS_WEIGHTS
           : chart->state == TZ_WEIGHTS_DONE ? TZ_PASS_WEIGHTS
           : chart->state == TZ_OUTSIDE_DONE ? TZ_PASS_OUTSIDE
                                             : TZ_PASS_INSIDE;
}

tz_status tz_make_tangents(tz_chart *chart) {
    tz_status status = TZ_OK;
    if (chart->state < TZ_OUTSIDE_DONE)
        return TZ_BAD_ARGUMENT;
    if (chart->plan->tangent[TZ_PASS_INSIDE] == NULL)
        return TZ_LAW;
    if (chart->state < TZ_WEIGHTS_DONE)
        status = tz_run_pass(chart, TZ_PASS_WEIGHTS);
    if (status == TZ_OK && chart->state < TZ_WEIGHTS_DONE)
        chart->state = TZ_WEIGHTS_DONE;
    for (tz_pass pass = TZ_PASS_TANGENTS;
         pass < TZ_PASSES && status == TZ_OK && chart->state < TZ_TANGENTS_DONE; pass++)
        status = tz_run_pass(chart, pass);
    if (status == TZ_OK)
        chart->state = TZ_TANGENTS_DONE;
    return status;
}
