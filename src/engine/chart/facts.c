/* facts.c - what is known beforehand, put on the elements of weights as they are lifted: a
 * forbidden cell's is zero, a required one's is marked. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/facts.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"

/* ---- Cells of a row ------------------------------------------------------------------------- */

static unsigned rank_of(const tz_chart *chart, size_t weight) {
    return chart->plan->rules->weight[weight].rank;
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

static int compare(const tz_cells *cells, unsigned weight, unsigned rank, const int64_t *index) {
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
    unsigned rank = rank_of(chart, row->weight);
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

bool tz_fact_covers(const tz_rules *rules, const tz_fact *fact, unsigned weight,
                    const int64_t *index) {
    static const int64_t still[TZ_MAX_RANK];
    tz_row row = {weight, index, still, 1};
    size_t position = 1;
    for (size_t c = 0; c < fact->count && position > 0; c++)
        lower_to_match(&fact->cells[c], rules->weight[weight].rank, &row, 0, &position);
    return position == 0;
}

/* ---- Binding -------------------------------------------------------------------------------- */

/* Is it worth a binary search, and does it bear one? */
static bool is_sorted(const tz_rules *rules, const tz_fact *fact) {
    enum { FEW = 4 };
    if (fact->count <= FEW)
        return false;
    for (size_t c = 0; c < fact->count; c++) {
        const tz_cells *cells = &fact->cells[c];
        unsigned rank = rules->weight[cells->weight].rank;
        int64_t index[TZ_MAX_RANK];
        for (unsigned q = 0; q < rank; q++) {
            index[q] = cells->index[q];
            if (cells->index[q] == TZ_ANY)
                return false;
        }
        if (c > 0 && compare(cells - 1, (unsigned)cells->weight, rank, index) > 0)
            return false;
    }
    return true;
}

tz_status tz_bind_facts(tz_chart *chart, const tz_problem *problems, size_t count) {
    size_t total = 0;
    chart->bound.facts = NULL;
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
                facts->forbids |= (uint64_t)1 << fact->cells[c].weight % 64;
            *to++ = (tz_bound_fact){.cells = fact->cells,
                                    .count = fact->count,
                                    .required = fact->required,
                                    .sorted = is_sorted(chart->plan->rules, fact)};
        }
    }
    return TZ_OK;
}

/* ---- Reading -------------------------------------------------------------------------------- */

void tz_unmark(const tz_chart *chart, size_t lane, const tz_algebra *algebra, void *element) {
    const tz_semiring *s = algebra->semiring;
    if (chart->bound.facts != NULL && s->coefficient != NULL)
        s->coefficient(s, element, element, chart->bound.facts[lane].required);
}

bool tz_goal_missing(const tz_chart *chart, size_t lane) {
    ptrdiff_t goal = tz_goal_offset(chart, lane);
    if (goal < 0)
        return true;
    char *element = (char *)chart->pair.data + 3 * chart->plan->wide.size;
    memcpy(element, tz_cell(chart, TZ_AT_INSIDE, goal, lane), chart->algebra->size);
    tz_unmark(chart, lane, chart->algebra, element);
    return tz_is_zero(chart, element);
}
