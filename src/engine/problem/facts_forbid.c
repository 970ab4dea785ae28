/* facts_forbid.c - required facts as forbidden cells.
 *
 * Of the derivations that use no forbidden cell, those that agree with all required facts use the
 * most cells that are required. So one inside and one outside pass of numbers of uses tell, for
 * every cell, whether such a derivation uses it; for every item, too, where facts speak of items,
 * since cells alone may say nothing of a place. That no other derivation is left without the
 * cells of which none does is found out fact by fact: without its cells too there must be no
 * derivation. Side conditions would look at what is left of the cells, too, so rules that have some
 * are refused. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/ask/marginals/marginals.h"
#include "engine/chart/facts.h"
#include "engine/engine.h"
#include "engine/layout/cells.h"
#include "engine/layout/places.h"
#include "engine/problem/bind.h"
#include "engine/problem/check.h"
#include "engine/problem/spread.h"
#include "rules/view.h"
#include "semirings/own.h"

/* What *ret_fact of tz_facts_new is the first member of. */
typedef struct forbidden {
    tz_fact fact;
    tz_buffer cells;
} forbidden;

/* Adds the cells of a weight that fewer than `required` uses go with. */
static tz_status add_weight(forbidden *facts, tz_chart *chart, const tz_problem *problem,
                            unsigned w, double required) {
    const tz_rules *rules = chart->plan->rules;
    const tz_weight *weight = &rules->weight[w];
    tz_shape shape;
    tz_buffer most = {0};
    size_t count = 1, first = facts->fact.count;
    tz_status status = tz_weight_shape(rules, &rules->weight[w], problem->lengths, &shape);
    if (shape.sparse)
        count = problem->scores[w].entries;
    for (unsigned q = 0; q < shape.rank && !shape.sparse && status == TZ_OK; q++)
        if (__builtin_mul_overflow(count, (size_t)shape.extent[q], &count))
            status = TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&most, count, sizeof(double));
    if (status == TZ_OK)
        status = tz_buffer_grow(&facts->cells, first + count, sizeof(tz_cells));
    if (status == TZ_OK && count > 0) {
        tz_output output = tz_output_dense(&shape, most.data);
        status = tz_weight_numbers(chart, 0, w, TZ_NUMBER_VALUE, &output, NULL);
    }
    for (size_t c = 0; c < count && status == TZ_OK; c++) {
        tz_cells cells = {.weight = w};
        int64_t index[TZ_MAX_RANK];
        size_t rest = c;
        for (unsigned q = shape.rank; q-- > 0;) {
            if (shape.sparse) {
                cells.index[q] = problem->scores[w].index[c * shape.rank + q];
            } else {
                cells.index[q] = shape.origin[q] + (int32_t)(rest % (size_t)shape.extent[q]);
                rest /= (size_t)shape.extent[q];
            }
            index[q] = cells.index[q];
        }
        if (((const double *)most.data)[c] < required &&
            tz_domain_holds(&weight->domain, rules->lengths, problem->lengths, weight->rank, index))
            ((tz_cells *)facts->cells.data)[facts->fact.count++] = cells;
    }
    if (shape.sparse && facts->fact.count > first)
        qsort((tz_cells *)facts->cells.data + first, facts->fact.count - first, sizeof(tz_cells),
              tz_compare_cells);
    tz_buffer_free(&most);
    facts->fact.cells = facts->cells.data;
    return status;
}

/* Adds the items of a name that fewer than `required` uses go with. */
static tz_status add_items(forbidden *facts, tz_chart *chart, unsigned item, double required) {
    const tz_rules *rules = chart->plan->rules;
    const int32_t *lengths = tz_lane_length(chart, 0);
    const tz_item *of = &rules->item[item];
    tz_shape shape;
    tz_buffer most = {0};
    const size_t first = facts->fact.count;
    tz_status status = tz_item_shape(rules, of, lengths, &shape);
    const size_t count = tz_shape_cells(&shape);
    size_t room;
    if (status == TZ_OK && __builtin_add_overflow(first, count, &room))
        status = TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&most, count, sizeof(double));
    if (status == TZ_OK)
        status = tz_buffer_grow(&facts->cells, room, sizeof(tz_cells));
    if (status == TZ_OK && count > 0) {
        tz_output output = tz_output_dense(&shape, most.data);
        status = tz_through(chart, 0, TZ_ITEM + item, &output);
    }
    for (size_t c = 0; c < count && status == TZ_OK; c++) {
        tz_cells cells = {.weight = TZ_ITEM + item};
        int64_t index[TZ_MAX_RANK];
        size_t rest = c;
        for (unsigned q = shape.rank; q-- > 0; rest /= (size_t)shape.extent[q])
            index[q] = cells.index[q] = shape.origin[q] + (int32_t)(rest % (size_t)shape.extent[q]);
        /* What requires the item counts inside and outside. */
        double uses = ((const double *)most.data)[c];
        uses -= (double)tz_item_facts(chart, 0, item, index, true);
        if (uses < required &&
            tz_domain_holds(&of->domain, rules->lengths, lengths, of->rank, index))
            ((tz_cells *)facts->cells.data)[facts->fact.count++] = cells;
    }
    tz_buffer_free(&most);
    facts->fact.cells = facts->cells.data;
    return status;
}

/* Do all derivations without the cells found agree with the required facts? */
static tz_status check_enough(const forbidden *facts, const tz_plan *plan,
                              const tz_problem *problem, tz_error *opt_error) {
    tz_problem without = *problem;
    size_t count = problem->fact_count + 1;
    tz_fact *fact = calloc(count, sizeof *fact);
    double *most = calloc(count, sizeof *most);
    tz_status status = TZ_NO_MEMORY;
    if (fact != NULL && most != NULL) {
        without.facts = fact;
        without.fact_count = 1;
        fact[0] = facts->fact;
        for (size_t f = 0; f < problem->fact_count; f++)
            if (problem->facts[f].required)
                fact[without.fact_count++] = problem->facts[f];
        status = tz_count_uses(plan, &without, false, most);
    }
    if (status != TZ_OK)
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    for (size_t f = 1; f < without.fact_count && status == TZ_OK; f++)
        if (most[f] > -INFINITY)
            status = tz_fail(opt_error, TZ_LAW,
                             "forbidding cells is not enough: a derivation is left that uses none "
                             "of the %zuth required fact, from 0; use a semiring required(BASE)",
                             f - 1);
    free(fact);
    free(most);
    return status;
}

/* Cells of the rules' weights as a caller's: a use has no other name than its number behind those
 * of the declared weights. */
static void name_cells(forbidden *facts, const tz_rules *rules) {
    tz_cells *cells = facts->cells.data;
    for (size_t c = 0; c < facts->fact.count && rules->declareds > 0; c++) {
        if (cells[c].weight >= TZ_ITEM)
            continue;
        const size_t w = cells[c].weight;
        const uint16_t declared = rules->weight[w].declared;
        bool only = rules->weight[w].view == NULL &&
                    (w + 1 == rules->weights || rules->weight[w + 1].declared != declared);
        cells[c].weight = only ? declared : rules->declareds + w;
    }
}

tz_status tz_facts_new(const tz_rules *rules, const tz_problem *problem, tz_fact **ret_fact,
                       tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    *ret_fact = NULL;
    forbidden *facts = calloc(1, sizeof *facts);
    tz_plan *plan = NULL;
    tz_chart *chart = NULL;
    double most = 0, required = 0;
    tz_error error = {TZ_NO_MEMORY, ""};
    tz_status status = TZ_NO_MEMORY;
    size_t bad;
    if (tz_has_sides(rules))
        status = tz_fail(&error, TZ_LAW,
                         "%s has side conditions, and forbidding cells would change which of them "
                         "hold; use a semiring required(BASE)",
                         rules->name);
    else if (tz_has_closures(rules))
        status = tz_fail(&error, TZ_LAW,
                         "%s has a closure, where a derivation may go round and use a cell any "
                         "number of times: forbid cells instead of requiring others",
                         rules->name);
    else if (facts != NULL)
        status = tz_plan_new(rules, tz_semiring_uses(TZ_F32), 0, &plan, &error);
    if (status == TZ_OK)
        status = tz_chart_new(plan, &chart);
    if (status == TZ_OK)
        status = tz_spread_problems(plan, problem, 1, &chart->given, &problem, &bad, &error);
    if (status == TZ_OK)
        status = tz_bind_spread(chart, problem, 1, &error);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK)
        status = tz_goal(chart, 0, &most);
    for (size_t f = 0; f < problem->fact_count && status == TZ_OK; f++)
        required += problem->facts[f].required;
    if (status == TZ_OK && most < required)
        status = TZ_NONE;
    if (status == TZ_OK)
        status = tz_outside(chart);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++)
        status = add_weight(facts, chart, problem, w, required);
    for (unsigned i = 0; i < rules->items && status == TZ_OK && chart->bound.items > 0; i++)
        status = add_items(facts, chart, i, required);
    if (status == TZ_OK)
        status = check_enough(facts, plan, problem, &error);
    if (status == TZ_OK)
        name_cells(facts, rules);
    if (status != TZ_OK && error.message[0] == '\0')
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    else if (status != TZ_OK)
        tz_fail(opt_error, status, "%s", error.message);
    tz_chart_free(chart);
    tz_plan_free(plan);
    if (status == TZ_OK)
        *ret_fact = &facts->fact;
    else
        tz_facts_free((tz_fact *)facts);
    return status;
}

void tz_facts_free(tz_fact *fact) {
    forbidden *facts = (forbidden *)fact;
    if (facts == NULL)
        return;
    tz_buffer_free(&facts->cells);
    free(facts);
}
