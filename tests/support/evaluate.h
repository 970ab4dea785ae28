/* evaluate.h - what tests at full size share: random problems bound and computed, numbers of cells.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_EVALUATE_H
#define TZ_TESTS_SUPPORT_EVALUATE_H

#include <string.h>

#include "amount.h"
#include "problem.h"
#include "tests/support/test.h"

/* One problem after tz_inside and tz_outside. */
typedef struct evaluation {
    const tz_rules *rules;
    const random_problem *problem;
    const char *semiring;
    tz_plan *plan;
    tz_chart *chart;
} evaluation;

static inline const tz_rules *find_rules(const char *name) {
    const tz_rules *rules = tz_rules_find(name);
    if (rules == NULL)
        fail_msg("no rule set %s", name);
    return rules;
}

static inline evaluation evaluate_with(const tz_rules *rules, const tz_semiring *semiring,
                                       unsigned flags, const random_problem *problem) {
    evaluation e = {.rules = rules, .problem = problem, .semiring = semiring->name};
    e.plan = make_plan(rules, semiring, TZ_FORCE | flags);
    e.chart = make_chart(e.plan);
    run_outside(e.chart, &problem->problem, 1);
    return e;
}

static inline evaluation evaluate_as(const tz_rules *rules, const char *semiring,
                                     tz_precision precision, const random_problem *problem) {
    return evaluate_with(rules, tz_semiring_find(semiring, precision), 0, problem);
}

static inline evaluation evaluate(const tz_rules *rules, const char *semiring,
                                  const random_problem *problem) {
    return evaluate_as(rules, semiring, TZ_F64, problem);
}

static inline void evaluation_free(evaluation *e) {
    tz_chart_free(e->chart);
    tz_plan_free(e->plan);
}

static inline double evaluation_goal(const evaluation *e) {
    double value;
    value = goal_of(e->chart, 0);
    return value;
}

static inline double item_value(const evaluation *e, unsigned item, const int32_t *index,
                                bool outside) {
    double value;
    assert_ok(tz_item_value(e->chart, 0, item, index, outside, &value));
    return value;
}

/* tz_marginals or tz_through: one number per cell; to be freed. There must be a derivation. */
static inline double *evaluation_cells(const evaluation *e, cell_numbers numbers, unsigned weight) {
    const random_problem *p = e->problem;
    double *cell = need(calloc(p->cells[weight] + 1, sizeof *cell));
    tz_output output = problem_output(p, weight, cell);
    assert_ok(numbers(e->chart, 0, weight, &output));
    return cell;
}

/* Index values of a cell. */
static inline void cell_index(const random_problem *p, unsigned weight, size_t cell,
                              int32_t *ret_index) {
    const tz_shape *shape = &p->shape[weight];
    for (unsigned q = shape->rank; q-- > 0;) {
        if (shape->sparse) {
            ret_index[q] = p->index[weight][cell * shape->rank + q];
        } else {
            ret_index[q] = shape->origin[q] + (int32_t)(cell % (size_t)shape->extent[q]);
            cell /= (size_t)shape->extent[q];
        }
    }
}

/* The words at which identities are checked. */
enum { FULL_SIZE = AMOUNT(60, 16) };

static inline void problem_of_size(const tz_rules *rules, int n, score_source source,
                                   random_state *random, random_problem *ret) {
    int32_t lengths[TZ_MAX_LENGTHS];
    set_affordable_lengths(rules, n, 2, lengths);
    make_problem(rules, lengths, source, random, ret);
}

/* Makes 40 % of the cells impossible, but for those of one random derivation. */
static inline void mask_problem(const tz_rules *rules, random_problem *p, random_state *random) {
    random_problem other = *p;
    other.problem =
        (tz_problem){.lengths = other.lengths, .scores = other.scores, .numbers = other.numbers};
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        other.data[w] = need(malloc((p->cells[w] + 1) * sizeof(double)));
        other.scores[w].data = other.data[w];
        for (size_t c = 0; c < p->cells[w]; c++)
            other.data[w][c] = isnan(p->data[w][c]) ? NAN : plain_scores(random);
    }
    OWNED(evaluation, e) = evaluate(rules, "max", &other);
    const tz_derivation *best = best_of(e.chart, 0);
    for (size_t u = 0; u < best->uses; u++)
        other.data[best->use[u].weight][problem_cell(p, best->use[u].weight, best->use[u].index)] =
            INFINITY;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        for (size_t c = 0; c < p->cells[w]; c++)
            if (isfinite(other.data[w][c]) && random_unit(random) < 0.4)
                p->data[w][c] = -INFINITY;
        free(other.data[w]);
    }
}

/* |a - b| / max(1, |b|); 0 where they are equal, infinite ones too; INFINITY for NaN. */
static inline double relative_error(double a, double b) {
    if (a == b)
        return 0;
    double error = fabs(a - b) / fmax(1, fabs(b));
    return isnan(error) ? INFINITY : error;
}

static inline void note_worst(double *worst, double error) {
    if (!(error <= *worst))
        *worst = error;
}

#endif
