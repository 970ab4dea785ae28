/* spread_facts.c - a caller's facts as facts about the weights that rules multiply by.
 * SPDX-License-Identifier: MIT */
#include "engine/problem/spread_facts.h"

#include <stdlib.h>

#include "engine/layout/views.h"
#include "engine/problem/check.h"

typedef struct spreading {
    const tz_rules *rules;
    const tz_problem *problem;
    tz_given *to;
} spreading;

static tz_status add_cell(tz_given *to, size_t *count, const tz_cells *cell) {
    tz_status status = tz_buffer_grow(&to->fact_cells, *count + 1, sizeof *cell);
    if (status == TZ_OK)
        ((tz_cells *)to->fact_cells.data)[(*count)++] = *cell;
    return status;
}

/* The view's cells that look up one of these. */
static tz_status add_view_cells(const spreading *s, unsigned w, const tz_cells *cells,
                                size_t *count) {
    const tz_weight *view = &s->rules->weight[w];
    const tz_domain *domain = &view->domain;
    tz_view_map map;
    tz_walk walk;
    tz_status status = tz_view_map_make(s->rules, view, s->problem->lengths, s->problem->numbers,
                                        NULL, NULL, 0, &map);
    tz_walk_start(&walk, &view->cells, s->rules->lengths, s->problem->lengths, NULL);
    while (status == TZ_OK && tz_walk_next(&walk)) {
        tz_cells own = {.weight = w};
        int64_t index[TZ_MAX_RANK];
        int32_t declared[TZ_MAX_RANK];
        bool same = true;
        for (unsigned i = 0; i < view->rank; i++) {
            index[i] = tz_walk_variable(&walk, i);
            own.index[i] = (int32_t)index[i];
        }
        if (!tz_domain_holds(domain, s->rules->lengths, s->problem->lengths, view->rank, index))
            continue;
        tz_view_cell(&map, index, declared);
        for (unsigned q = 0; q < view->views; q++)
            same &= cells->index[q] == TZ_ANY || cells->index[q] == declared[q];
        if (same)
            status = add_cell(s->to, count, &own);
    }
    return status;
}

/* The cells of all uses of these. */
static tz_status add_cells(const spreading *s, const tz_cells *cells, size_t *count) {
    const tz_rules *rules = s->rules;
    tz_status status = TZ_OK;
    if (cells->weight >= TZ_ITEM)
        return add_cell(s->to, count, cells);
    if (cells->weight >= rules->declareds) { /* tz_facts_new says so: a use */
        tz_cells own = *cells;
        own.weight -= rules->declareds;
        return add_cell(s->to, count, &own);
    }
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        tz_cells own = *cells;
        own.weight = w;
        if (rules->weight[w].declared != cells->weight)
            continue;
        status = rules->weight[w].view == NULL ? add_cell(s->to, count, &own)
                                               : add_view_cells(s, w, cells, count);
    }
    return status;
}

tz_status tz_spread_facts(const tz_plan *plan, const tz_problem *problem, size_t lane, tz_given *to,
                          tz_fact *fact, size_t *count, tz_error *opt_error) {
    const spreading s = {plan->rules, problem, to};
    tz_status status = tz_check_fact_cells(plan->rules, problem, opt_error);
    to->problem[lane].fact_count = problem->fact_count;
    for (size_t f = 0; f < problem->fact_count && status == TZ_OK; f++) {
        size_t first = *count;
        for (size_t c = 0; c < problem->facts[f].count && status == TZ_OK; c++)
            status = add_cells(&s, &problem->facts[f].cells[c], count);
        fact[f] = (tz_fact){.required = problem->facts[f].required, .count = *count - first};
        if (status == TZ_OK && fact[f].count > 1)
            qsort((tz_cells *)to->fact_cells.data + first, fact[f].count, sizeof(tz_cells),
                  tz_compare_cells);
    }
    return status;
}

void tz_point_facts(tz_given *to, size_t count) {
    const tz_cells *cell = to->fact_cells.data;
    tz_fact *fact = to->fact;
    for (size_t lane = 0; lane < count; lane++) {
        to->problem[lane].facts = fact;
        for (size_t f = 0; f < to->problem[lane].fact_count; f++, fact++) {
            fact->cells = cell;
            cell += fact->count;
        }
    }
}
