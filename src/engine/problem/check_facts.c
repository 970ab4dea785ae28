/* check_facts.c - what facts must be to be bound. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "engine/chart/bind.h"
#include "engine/problem/check.h"

enum { LANES = 16 /* facts looked at together */ };

/* What is declared of a weight or an item. */
typedef struct declared {
    const char *name, *domain_text;
    unsigned rank;
    const tz_domain *domain;
    const tz_range *extent;
} declared;

static declared declared_of(const tz_rules *rules, const tz_weight *weights, size_t which) {
    if (which < TZ_ITEM) {
        const tz_weight *w = &weights[which];
        return (declared){w->name, w->domain_text, w->rank, &w->domain, w->extent};
    }
    const tz_item *i = &rules->item[which - TZ_ITEM];
    return (declared){i->name, i->domain_text, i->rank, &i->domain, i->extent};
}

/* "arc[*,3]" */
static void cells_text(const declared *of, const tz_cells *cells, char *ret, size_t size) {
    size_t used = (size_t)snprintf(ret, size, "%.200s%s", of->name, of->rank > 0 ? "[" : "");
    for (unsigned q = 0; q < of->rank && used < size; q++) {
        const char *end = q + 1 < of->rank ? "," : "]";
        if (cells->index[q] == TZ_ANY)
            used += (size_t)snprintf(ret + used, size - used, "*%s", end);
        else
            used += (size_t)snprintf(ret + used, size - used, "%d%s", (int)cells->index[q], end);
    }
}

/* Lies the cell in the domain; or, of several, each index in what it may be? */
static bool in_domain(const tz_rules *rules, const declared *of, const int32_t *lengths,
                      const tz_cells *cells) {
    int64_t index[TZ_MAX_RANK];
    bool one = true, inside = true;
    for (unsigned q = 0; q < of->rank; q++) {
        index[q] = cells->index[q];
        one &= cells->index[q] != TZ_ANY;
    }
    for (unsigned q = 0; q < of->rank && !one; q++) {
        int64_t low, high;
        tz_range_value(&of->extent[q], rules->lengths, lengths, 0, NULL, &low, &high);
        inside &= cells->index[q] == TZ_ANY || (index[q] >= low && index[q] <= high);
    }
    return one ? tz_domain_holds(of->domain, rules->lengths, lengths, of->rank, index) : inside;
}

/* weight: those that cells are of. */
static tz_status check_cells(const tz_rules *rules, const tz_weight *weights, size_t count,
                             const tz_problem *problem, size_t f, tz_error *opt_error) {
    const tz_fact *fact = &problem->facts[f];
    if (fact->count > 0 && fact->cells == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "fact %zu has no cells", f);
    for (size_t c = 0; c < fact->count; c++) {
        const tz_cells *cells = &fact->cells[c];
        const bool item = cells->weight >= TZ_ITEM;
        const size_t which = cells->weight - (item ? TZ_ITEM : 0);
        const size_t named = item ? rules->items : count;
        if (!item && weights == rules->declared && which >= count && which - count < rules->weights)
            continue; /* a use, which tz_facts_new has found */
        if (which >= named)
            return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                           "fact %zu names %s %zu, but %s has %zu, from 0", f,
                           item ? "item" : "weight", which, rules->name, named);
        const declared of = declared_of(rules, weights, cells->weight);
        if (in_domain(rules, &of, problem->lengths, cells))
            continue;
        char text[320];
        cells_text(&of, cells, text, sizeof text);
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "fact %zu: %s lies outside the declared domain %s", f, text, of.domain_text);
    }
    return TZ_OK;
}

static tz_status check_given(const tz_problem *problem, tz_error *opt_error) {
    if (problem->fact_count > 0 && problem->facts == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "no facts, but fact_count is %zu",
                       problem->fact_count);
    return TZ_OK;
}

tz_status tz_check_fact_cells(const tz_rules *rules, const tz_problem *problem,
                              tz_error *opt_error) {
    tz_status status = check_given(problem, opt_error);
    for (size_t f = 0; f < problem->fact_count && status == TZ_OK; f++)
        status = check_cells(rules, rules->declared, rules->declareds, problem, f, opt_error);
    return status;
}

/* Binds some lanes and writes what their goals use at most. */
static tz_status count_lanes(tz_chart *chart, const tz_problem *lane, const size_t *which,
                             size_t lanes, double *ret_most) {
    tz_status status = tz_bind_checked(chart, lane, lanes, NULL);
    if (status == TZ_OK)
        status = tz_inside(chart);
    for (size_t l = 0; l < lanes && status == TZ_OK; l++)
        status = tz_goal(chart, l, &ret_most[which[l]]);
    return status;
}

tz_status tz_count_uses(const tz_plan *uses, const tz_problem *problem, bool required,
                        double *ret_most) {
    size_t room = 1, size;
    for (size_t f = 0; f < problem->fact_count; f++)
        room += !problem->facts[f].required;
    if (__builtin_mul_overflow(room, (size_t)LANES, &size))
        return TZ_TOO_LARGE;
    tz_problem lane[LANES];
    size_t which[LANES], lanes = 0;
    tz_chart *chart = NULL;
    tz_fact *facts = calloc(size, sizeof *facts);
    tz_status status = facts != NULL ? tz_chart_new(uses, &chart) : TZ_NO_MEMORY;
    for (size_t l = 0; l < LANES && status == TZ_OK; l++) {
        tz_fact *to = facts + l * room;
        lane[l] = *problem;
        lane[l].facts = to++;
        lane[l].fact_count = room;
        for (size_t f = 0; f < problem->fact_count; f++)
            if (!problem->facts[f].required)
                *to++ = problem->facts[f];
    }
    for (size_t f = 0; f < problem->fact_count && status == TZ_OK; f++) {
        if (problem->facts[f].required) {
            facts[lanes * room] = problem->facts[f];
            facts[lanes * room].required = required;
            which[lanes++] = f;
        }
        if (lanes == LANES || (lanes > 0 && f + 1 == problem->fact_count)) {
            status = count_lanes(chart, lane, which, lanes, ret_most);
            lanes = 0;
        }
    }
    tz_chart_free(chart);
    free(facts);
    return status;
}

/* Can no derivation use two cells of one required fact? */
static tz_status check_uses(const tz_plan *plan, const tz_problem *problem, tz_error *opt_error) {
    double *most = calloc(problem->fact_count, sizeof *most);
    tz_status status = TZ_NO_MEMORY;
    if (most != NULL)
        status = tz_count_uses(plan->uses, problem, true, most);
    if (status != TZ_OK)
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    for (size_t f = 0, required = 0; f < problem->fact_count && status == TZ_OK; f++) {
        if (problem->facts[f].required && most[f] > 1)
            status =
                tz_fail(opt_error, TZ_BAD_ARGUMENT,
                        "require[%zu]: a derivation can use its cells %.0f times: require only "
                        "cells of which each derivation uses one at most",
                        required, most[f]);
        required += problem->facts[f].required;
    }
    free(most);
    return status;
}

tz_status tz_check_facts(const tz_plan *plan, const tz_problem *problem, tz_error *opt_error) {
    const tz_rules *rules = plan->rules;
    size_t required = 0;
    tz_status status = check_given(problem, opt_error);
    if (status != TZ_OK)
        return status;
    for (size_t f = 0; f < problem->fact_count; f++) {
        status = check_cells(rules, rules->weight, rules->weights, problem, f, opt_error);
        if (status != TZ_OK)
            return status;
        if (problem->facts[f].required && plan->uses == NULL) {
            const char *name = plan->wide.semiring->name;
            return tz_fail(opt_error, TZ_LAW,
                           "require[%zu]: semiring %s cannot see to it: use required(%s), or "
                           "tz_facts_new to forbid other cells instead",
                           required, name, name);
        }
        required += problem->facts[f].required;
    }
    return required > 0 ? check_uses(plan, problem, opt_error) : TZ_OK;
}
