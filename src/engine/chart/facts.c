/* facts.c - what is known beforehand: put on the elements of weights as they are lifted, and on
 * those of items once a pass has all that is added to them. A forbidden cell's is zero, a required
 * one's is marked. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/chart/facts.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"

/* ---- Cells of a row ------------------------------------------------------------------------- */

static unsigned rank_of(const tz_rules *rules, size_t weight) {
    return weight < TZ_ITEM ? rules->weight[weight].rank : rules->item[weight - TZ_ITEM].rank;
}

/* Lowers *position to the first cell of the row from `from` on that the pattern covers. */
static void lower_to_match(const tz_cells *cells, unsigned rank, const tz_row *row, size_t from,
                           size_t *position) {
    int64_t low = (int64_t)from, high = (int64_t)*position - 1;
    if (cells->weight != row->weight)
        return;
    for (unsigned q = 0; q < rank && low <= high; q++) {
        int64_t distance = cells->index[q] - row->index[q], move = row->move[q];
        if (cells->index[q] == TZ_ANY)
            continue;
        if (move == 0 ? distance != 0 : distance % move != 0)
            return;
        if (move != 0) {
            low = distance / move > low ? distance / move : low;
            high = distance / move < high ? distance / move : high;
            if (low != distance / move)
                return;
        }
    }
    if (low <= high)
        *position = (size_t)low;
}

static int compare(const tz_cells *cells, size_t weight, unsigned rank, const int64_t *index) {
    if (cells->weight != weight)
        return cells->weight < weight ? -1 : 1;
    for (unsigned q = 0; q < rank; q++)
        if (cells->index[q] != index[q])
            return cells->index[q] < index[q] ? -1 : 1;
    return 0;
}

/* The same for all cells of a sorted fact, for a row that runs through the last index. Most often
 * it is asked for the cell after the last one it was asked for. */
static void lower_to_sorted(tz_bound_fact *fact, unsigned rank, const tz_row *row, size_t from,
                            size_t *position) {
    int64_t index[TZ_MAX_RANK];
    size_t low = 0, high = fact->count;
    for (unsigned q = 0; q < rank; q++)
        index[q] = row->index[q] + (int64_t)from * row->move[q];
    if (fact->at < high && compare(&fact->cells[fact->at], row->weight, rank, index) < 0) {
        low = fact->at + 1;
        if (low < high && compare(&fact->cells[low], row->weight, rank, index) >= 0)
            high = low;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&fact->cells[middle], row->weight, rank, index) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    fact->at = low;
    if (low < fact->count)
        lower_to_match(&fact->cells[low], rank, row, from, position);
}

/* Do the cells of the row follow each other in the order that facts are sorted in? */
static bool runs_through_last(const tz_row *row, unsigned rank) {
    for (unsigned q = 0; q + 1 < rank && row->count > 1; q++)
        if (row->move[q] != 0)
            return false;
    return row->count == 1 || (rank > 0 && row->move[rank - 1] > 0);
}

static void lower_to_fact(const tz_chart *chart, tz_bound_fact *fact, const tz_row *row,
                          size_t from, size_t *position) {
    unsigned rank = rank_of(chart->plan->rules, row->weight);
    if (fact->sorted && runs_through_last(row, rank)) {
        lower_to_sorted(fact, rank, row, from, position);
        return;
    }
    for (size_t c = 0; c<fact->count && * position> from; c++)
        lower_to_match(&fact->cells[c], rank, row, from, position);
}

bool tz_forbids(const tz_chart *chart, size_t lane, unsigned weight) {
    return chart->bound.facts != NULL && (chart->bound.facts[lane].forbids >> weight % 64 & 1) != 0;
}

bool tz_next_forbidden(const tz_chart *chart, size_t lane, const tz_row *row, size_t *position) {
    size_t from = *position;
    *position = row->count;
    if (!tz_forbids(chart, lane, row->weight))
        return false;
    const tz_lane_facts *facts = &chart->bound.facts[lane];
    for (size_t f = 0; f < facts->count; f++)
        if (!facts->fact[f].required)
            lower_to_fact(chart, &facts->fact[f], row, from, position);
    return *position < row->count;
}

void tz_mark_row(const tz_chart *chart, size_t lane, const tz_row *row, void *to,
                 ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const tz_semiring *s = algebra->semiring;
    if (chart->bound.facts == NULL || chart->bound.facts[lane].required == 0)
        return;
    const tz_lane_facts *facts = &chart->bound.facts[lane];
    for (size_t f = 0; f < facts->count; f++) {
        if (!facts->fact[f].required)
            continue;
        for (size_t at = 0;; at++) {
            size_t from = at;
            at = row->count;
            lower_to_fact(chart, &facts->fact[f], row, from, &at);
            if (at == row->count)
                break;
            char *element = (char *)to + (ptrdiff_t)at * stride * (ptrdiff_t)algebra->size;
            if (memcmp(element, algebra->zero, algebra->size) != 0)
                s->mark(s, element);
        }
    }
}

size_t tz_item_facts(const tz_chart *chart, size_t lane, unsigned item, const int64_t *index,
                     bool required) {
    static const int64_t still[TZ_MAX_RANK];
    const tz_row row = {TZ_ITEM + item, index, still, 1};
    size_t count = 0;
    if (chart->bound.items == 0)
        return 0;
    const tz_lane_facts *facts = &chart->bound.facts[lane];
    for (size_t f = 0; f < facts->count; f++) {
        size_t position = 1;
        if (facts->fact[f].required == required)
            lower_to_fact(chart, &facts->fact[f], &row, 0, &position);
        count += position == 0;
    }
    return count;
}

/* ---- Binding -------------------------------------------------------------------------------- */

/* Is it worth a binary search, and does it bear one? */
static bool is_sorted(const tz_rules *rules, const tz_fact *fact) {
    enum { FEW = 4 };
    if (fact->count <= FEW)
        return false;
    for (size_t c = 0; c < fact->count; c++) {
        const tz_cells *cells = &fact->cells[c];
        unsigned rank = rank_of(rules, cells->weight);
        int64_t index[TZ_MAX_RANK];
        for (unsigned q = 0; q < rank; q++) {
            index[q] = cells->index[q];
            if (cells->index[q] == TZ_ANY)
                return false;
        }
        if (c > 0 && compare(cells - 1, cells->weight, rank, index) > 0)
            return false;
    }
    return true;
}

tz_status tz_bind_facts(tz_chart *chart, const tz_problem *problems, size_t count) {
    size_t total = 0;
    chart->bound.facts = NULL;
    chart->bound.items = 0;
    for (size_t lane = 0; lane < count; lane++)
        if (__builtin_add_overflow(total, problems[lane].fact_count, &total))
            return TZ_TOO_LARGE;
    if (total == 0)
        return TZ_OK;
    tz_status status = tz_buffer_reserve(&chart->bound.facts_memory, total, sizeof(tz_bound_fact));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->bound.lane_facts_memory, count, sizeof(tz_lane_facts));
    if (status != TZ_OK)
        return status;
    chart->bound.facts = chart->bound.lane_facts_memory.data;
    tz_bound_fact *to = chart->bound.facts_memory.data;
    for (size_t lane = 0; lane < count; lane++) {
        const tz_problem *p = &problems[lane];
        tz_lane_facts *facts = &chart->bound.facts[lane];
        *facts = (tz_lane_facts){.fact = to, .count = p->fact_count, .given = p->facts};
        for (size_t f = 0; f < p->fact_count; f++) {
            const tz_fact *fact = &p->facts[f];
            facts->required += fact->required;
            for (size_t c = 0; c < fact->count && !fact->required; c++)
                facts->forbids |= (uint64_t)(fact->cells[c].weight < TZ_ITEM)
                                  << fact->cells[c].weight % 64;
            *to++ = (tz_bound_fact){.cells = fact->cells,
                                    .count = fact->count,
                                    .required = fact->required,
                                    .sorted = is_sorted(chart->plan->rules, fact)};
        }
    }
    return TZ_OK;
}

/* Adds the items of one pattern. */
static tz_status place_items(tz_chart *chart, size_t lane, size_t fact, const tz_cells *cells) {
    const tz_rules *rules = chart->plan->rules;
    const int32_t *length = tz_lane_length(chart, lane);
    const unsigned k = (unsigned)(cells->weight - TZ_ITEM);
    const tz_kind *kind = &rules->kind[k];
    int64_t index[TZ_MAX_RANK], low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    for (unsigned q = 0; q < kind->rank; q++) {
        low[q] = high[q] = cells->index[q];
        if (cells->index[q] == TZ_ANY)
            tz_range_value(&rules->item[k].extent[q], rules->lengths, length, 0, NULL, &low[q],
                           &high[q]);
        index[q] = low[q];
        if (low[q] > high[q])
            return TZ_OK;
    }
    for (unsigned q = 1; q > 0;) {
        tz_known_item new = {.kind = k, .lane = (uint32_t)lane, .fact = (uint32_t)fact, .cell = -1};
        if (tz_domain_holds(&kind->domain, rules->lengths, length, kind->rank, index))
            new.cell = tz_cell_offset(chart, k, index);
        for (unsigned s = 0; s < kind->stages; s++)
            new.stage[s] =
                tz_form_value(&kind->stage[s], rules->lengths, length, kind->rank, index);
        if (new.cell >= 0) {
            tz_status status =
                tz_buffer_grow(&chart->bound.items_memory, chart->bound.items + 1, sizeof new);
            if (status != TZ_OK)
                return status;
            ((tz_known_item *)chart->bound.items_memory.data)[chart->bound.items++] = new;
        }
        for (q = kind->rank; q > 0 && ++index[q - 1] > high[q - 1]; q--)
            index[q - 1] = low[q - 1];
    }
    return TZ_OK;
}

static int compare_stages(const int64_t *a, const int64_t *b, unsigned stages) {
    for (unsigned s = 0; s < stages; s++)
        if (a[s] != b[s])
            return a[s] < b[s] ? -1 : 1;
    return 0;
}

static int compare_items(const void *a, const void *b) {
    const tz_known_item *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int order = compare_stages(x->stage, y->stage, TZ_MAX_RANK);
    if (order == 0)
        order = (x->cell > y->cell) - (x->cell < y->cell);
    if (order == 0)
        order = (x->lane > y->lane) - (x->lane < y->lane);
    return order != 0 ? order : (x->fact > y->fact) - (x->fact < y->fact);
}

tz_status tz_place_facts(tz_chart *chart) {
    tz_status status = TZ_OK;
    chart->bound.items = 0;
    for (size_t lane = 0; lane < chart->lanes && chart->bound.facts != NULL; lane++)
        for (size_t f = 0; f < chart->bound.facts[lane].count; f++) {
            const tz_bound_fact *fact = &chart->bound.facts[lane].fact[f];
            for (size_t c = 0; c < fact->count && status == TZ_OK; c++)
                if (fact->cells[c].weight >= TZ_ITEM)
                    status = place_items(chart, lane, f, &fact->cells[c]);
        }
    if (status != TZ_OK || chart->bound.items == 0)
        return status;
    tz_known_item *item = chart->bound.item = chart->bound.items_memory.data;
    qsort(item, chart->bound.items, sizeof *item, compare_items);
    size_t different = 1; /* patterns of a fact may overlap */
    for (size_t i = 1; i < chart->bound.items; i++)
        if (compare_items(&item[i], &item[different - 1]) != 0)
            item[different++] = item[i];
    chart->bound.items = different;
    return TZ_OK;
}

/* ---- Items ---------------------------------------------------------------------------------- */

void tz_keep_items(tz_chart *chart, tz_space space, unsigned kind, const int64_t *stage,
                   size_t first, size_t lanes) {
    if (chart->bound.items == 0)
        return;
    const tz_semiring *s = chart->algebra->semiring;
    const unsigned stages = chart->plan->rules->kind[kind].stages;
    const tz_known_item *item = chart->bound.item, *end = item + chart->bound.items;
    for (size_t count = chart->bound.items; count > 0;) {
        const tz_known_item *middle = item + count / 2;
        bool before = middle->kind < kind ||
                      (middle->kind == kind && compare_stages(middle->stage, stage, stages) < 0);
        item = before ? middle + 1 : item;
        count = before ? count - count / 2 - 1 : count / 2;
    }
    for (; item < end && item->kind == kind && compare_stages(item->stage, stage, stages) == 0;
         item++) {
        if (item->lane < first || item->lane - first >= lanes)
            continue;
        void *element = tz_cell(chart, space, item->cell, item->lane);
        if (!chart->bound.facts[item->lane].fact[item->fact].required)
            memcpy(element, chart->algebra->zero, chart->algebra->size);
        else if (!tz_is_zero(chart, element))
            s->mark(s, element);
    }
}

/* ---- Reading -------------------------------------------------------------------------------- */

void tz_unmark(const tz_chart *chart, size_t lane, const tz_algebra *algebra, size_t more,
               void *element) {
    const tz_semiring *s = algebra->semiring;
    if (chart->bound.facts != NULL && s->coefficient != NULL)
        s->coefficient(s, element, element, chart->bound.facts[lane].required + more);
}

bool tz_goal_missing(const tz_chart *chart, size_t lane) {
    ptrdiff_t goal = tz_goal_offset(chart, lane);
    if (goal < 0)
        return true;
    char *element = (char *)chart->pair.data + 3 * chart->plan->wide.size;
    memcpy(element, tz_cell(chart, TZ_AT_INSIDE, goal, lane), chart->algebra->size);
    tz_unmark(chart, lane, chart->algebra, 0, element);
    return tz_is_zero(chart, element);
}
