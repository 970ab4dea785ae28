/* reference.c - inside and outside in long double. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "plain.h"
#include "reference.h"
#include "rules/polyhedra/form.h"
#include "rules/polyhedra/instances.h"

enum { MOST_PREMISES = 2, MOST_FACTORS = 3 };

/* An instance: the cells of its premises and of its weights. */
typedef struct edge {
    uint32_t premise[MOST_PREMISES], cell[MOST_FACTORS];
    uint8_t premises, weights, weight[MOST_FACTORS];
} edge;

typedef struct span {
    size_t first, count;
} span;

typedef struct maker {
    const tz_rules *rules;
    const random_problem *problem;
    reference *ret;
    tz_clauses *clauses;
    edge *edge;
    size_t edges, room;
    span *of; /* the edges that conclude each cell */
    size_t cells;
} maker;

/* The log of a sum: most + log(rest), where rest counts multiples of exp(most). */
typedef struct sum {
    long double most, rest;
} sum;

static void add(sum *to, long double x) {
    if (x == -INFINITY)
        return;
    if (x <= to->most) {
        to->rest += expl(x - to->most);
    } else {
        to->rest = to->most == -INFINITY ? 1 : to->rest * expl(to->most - x) + 1;
        to->most = x;
    }
}

static long double sum_value(const sum *s) {
    return s->most == -INFINITY ? -INFINITY : s->most + logl(s->rest);
}

static void *need(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

static size_t item_cell(const reference *r, unsigned item, const int32_t *index) {
    size_t cell = 0;
    for (unsigned q = 0; q < r->rules->item[item].rank; q++) {
        assert_in_range(index[q], 0, r->side - 1);
        cell = cell * (size_t)r->side + (size_t)index[q];
    }
    return r->item_base[item] + cell;
}

static void index_of(const maker *m, const tz_term *term, unsigned rank, const tz_rule *rule,
                     const int32_t *value, int32_t *ret) {
    int64_t column[TZ_MAX_VARIABLES];
    for (unsigned v = 0; v < rule->variables; v++)
        column[v] = value[v];
    for (unsigned q = 0; q < rank; q++)
        ret[q] = (int32_t)tz_form_value(&term->index[q], m->rules->lengths, m->problem->lengths,
                                        rule->variables, column);
}

static tz_status add_edge(void *user, const tz_rule *rule, const int32_t *value) {
    maker *m = user;
    edge e = {.premises = (uint8_t)rule->premises, .weights = (uint8_t)rule->weights};
    int32_t index[TZ_MAX_RANK];
    assert_in_range(rule->premises, 0, MOST_PREMISES);
    assert_in_range(rule->weights, 0, MOST_FACTORS);
    for (unsigned p = 0; p < rule->premises; p++) {
        unsigned which = rule->premise[p].which;
        index_of(m, &rule->premise[p], m->rules->item[which].rank, rule, value, index);
        e.premise[p] = (uint32_t)item_cell(m->ret, which, index);
    }
    for (unsigned w = 0; w < rule->weights; w++) {
        unsigned which = rule->weight[w].which;
        index_of(m, &rule->weight[w], m->rules->weight[which].rank, rule, value, index);
        size_t cell = problem_cell(m->problem, which, index);
        if (cell == SIZE_MAX) /* an absent entry */
            return TZ_OK;
        e.weight[w] = (uint8_t)which;
        e.cell[w] = (uint32_t)cell;
    }
    if (m->edges == m->room) {
        m->room = 2 * m->room + 1024;
        m->edge = realloc(m->edge, m->room * sizeof *m->edge);
        assert_non_null(m->edge);
    }
    m->edge[m->edges++] = e;
    return TZ_OK;
}

static void find_edges(void *user, unsigned item, const int32_t *index) {
    maker *m = user;
    span *of = &m->of[item_cell(m->ret, item, index)];
    of->first = m->edges;
    for (unsigned r = 0; r < m->rules->rule_count; r++) {
        size_t trials = 1000000000;
        if (m->rules->rule[r].conclusion.which == item)
            assert_int_equal(tz_clauses_solve(&m->clauses[r], index, &trials, add_edge, m), TZ_OK);
    }
    of->count = m->edges - of->first;
}

/* Cells in an order in which premises come before conclusions; those that have edges. */
static size_t order_cells(const maker *m, uint32_t *order) {
    uint32_t *stack = need(m->cells, sizeof *stack);
    size_t *done = need(m->cells, sizeof *done), ordered = 0; /* 1 + premises looked at */
    for (size_t c = 0; c < m->cells; c++) {
        size_t depth = 0;
        if (done[c] == 0 && m->of[c].count > 0) {
            done[c] = 1;
            stack[depth++] = (uint32_t)c;
        }
        while (depth > 0) {
            uint32_t top = stack[depth - 1];
            size_t at = done[top]++ - 1;
            if (at == MOST_PREMISES * m->of[top].count) {
                order[ordered++] = top;
                depth--;
                continue;
            }
            const edge *e = &m->edge[m->of[top].first + at / MOST_PREMISES];
            uint32_t next = e->premise[at % MOST_PREMISES];
            if (at % MOST_PREMISES < e->premises && done[next] == 0 && m->of[next].count > 0) {
                done[next] = 1;
                stack[depth++] = next;
            }
        }
    }
    free(stack);
    free(done);
    return ordered;
}

static long double weights_of(const maker *m, const edge *e) {
    long double score = 0;
    for (unsigned w = 0; w < e->weights; w++)
        score += (long double)m->problem->data[e->weight[w]][e->cell[w]];
    return score;
}

static void sweep(const maker *m, const uint32_t *order, size_t ordered, size_t goal) {
    reference *r = m->ret;
    sum *outside = need(m->cells, sizeof *outside);
    for (size_t c = 0; c < m->cells; c++) {
        r->inside[c] = r->outside[c] = -INFINITY;
        outside[c].most = -INFINITY;
    }
    for (size_t o = 0; o < ordered; o++) {
        sum inside = {-INFINITY, 0};
        span of = m->of[order[o]];
        for (const edge *e = &m->edge[of.first], *end = e + of.count; e < end; e++) {
            long double all = weights_of(m, e);
            for (unsigned p = 0; p < e->premises; p++)
                all += r->inside[e->premise[p]];
            add(&inside, all);
        }
        r->inside[order[o]] = sum_value(&inside);
    }
    r->log_z = r->inside[goal];
    add(&outside[goal], 0);
    for (size_t o = ordered; o-- > 0;) {
        long double beyond = r->outside[order[o]] = sum_value(&outside[order[o]]);
        span of = m->of[order[o]];
        for (const edge *e = &m->edge[of.first], *end = e + of.count; e < end && beyond > -INFINITY;
             e++) {
            long double all = beyond + weights_of(m, e);
            for (unsigned p = 0; p < e->premises; p++) {
                long double others = all;
                for (unsigned q = 0; q < e->premises; q++)
                    others += q == p ? 0 : r->inside[e->premise[q]];
                add(&outside[e->premise[p]], others);
            }
            for (unsigned p = 0; p < e->premises; p++)
                all += r->inside[e->premise[p]];
            for (unsigned w = 0; w < e->weights && all > -INFINITY; w++)
                r->marginal[e->weight[w]][e->cell[w]] += expl(all - r->log_z);
        }
    }
    free(outside);
}

void reference_make(const tz_rules *rules, const random_problem *problem, reference *ret) {
    *ret = (reference){.rules = rules};
    maker m = {.rules = rules, .problem = problem, .ret = ret};
    assert_in_range(rules->items, 1, 16);
    for (unsigned l = 0; l < rules->lengths; l++)
        ret->side = problem->lengths[l] > ret->side ? problem->lengths[l] : ret->side;
    ret->side += 2; /* index values of the rule sets that are built in lie in 0 .. longest + 1 */
    for (unsigned i = 0; i < rules->items; i++) {
        size_t cells = 1;
        for (unsigned q = 0; q < rules->item[i].rank; q++)
            cells *= (size_t)ret->side;
        ret->item_base[i] = m.cells;
        m.cells += cells;
    }
    for (unsigned w = 0; w < rules->weights; w++)
        ret->marginal[w] = need(problem->cells[w], sizeof(long double));
    ret->inside = need(m.cells, sizeof *ret->inside);
    ret->outside = need(m.cells, sizeof *ret->outside);
    m.of = need(m.cells, sizeof *m.of);
    m.clauses = need(rules->rule_count, sizeof *m.clauses);
    for (unsigned r = 0; r < rules->rule_count; r++)
        assert_int_equal(tz_clauses_make(rules, problem->lengths, &rules->rule[r], &m.clauses[r]),
                         TZ_OK);
    plain_items(rules, problem->lengths, find_edges, &m);

    uint32_t *order = need(m.cells, sizeof *order);
    size_t ordered = order_cells(&m, order);
    int32_t goal[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < rules->item[rules->goal.which].rank; q++)
        goal[q] = (int32_t)tz_form_value(&rules->goal.index[q], rules->lengths, problem->lengths, 0,
                                         NULL);
    sweep(&m, order, ordered, item_cell(ret, rules->goal.which, goal));
    for (unsigned r = 0; r < rules->rule_count; r++)
        tz_clauses_free(&m.clauses[r]);
    free(m.clauses);
    free(m.of);
    free(m.edge);
    free(order);
}

void reference_free(reference *r) {
    for (unsigned w = 0; w < r->rules->weights; w++)
        free(r->marginal[w]);
    free(r->inside);
    free(r->outside);
}

long double reference_item(const reference *r, unsigned item, const int32_t *index, bool outside) {
    return (outside ? r->outside : r->inside)[item_cell(r, item, index)];
}
