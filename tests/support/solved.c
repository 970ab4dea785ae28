/* solved.c - see solved.h. SPDX-License-Identifier: MIT */
#include "solved.h"

#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void index_of(const tz_shape *shape, size_t cell, int32_t *ret_index) {
    for (unsigned q = shape->rank; q-- > 0;) {
        ret_index[q] = shape->origin[q] + (int32_t)(cell % (size_t)shape->extent[q]);
        cell /= (size_t)shape->extent[q];
    }
}

/* Sparse: the cells that are possible. */
static void fill(solved *s, size_t w, score_model *score) {
    const tz_shape *shape = &s->shape[w];
    const char *name = tz_rules_name_of(s->rules, TZ_WEIGHTS, w);
    size_t cells = 1, entries = 0;
    for (unsigned q = 0; q < shape->rank; q++)
        cells *= (size_t)shape->extent[q];
    s->data[w] = calloc(cells + 1, sizeof **s->data);
    s->index[w] = calloc(cells + 1, TZ_MAX_RANK * sizeof **s->index);
    assert_true(s->data[w] && s->index[w]);
    for (size_t c = 0; c < cells; c++) {
        int32_t index[TZ_MAX_RANK] = {0};
        index_of(shape, c, index);
        bool declared = tz_rules_declared(s->rules, w, s->lengths, index);
        double number = declared ? score(name, index) : NAN;
        if (!shape->sparse) {
            s->data[w][c] = number;
        } else if (number > -INFINITY) {
            memcpy(s->index[w] + entries * shape->rank, index, shape->rank * sizeof *index);
            s->data[w][entries++] = number;
        }
    }
    s->cells[w] = shape->sparse ? entries : cells;
    s->scores[w] = shape->sparse ? tz_scores_sparse(s->index[w], s->data[w], entries)
                                 : tz_scores_dense(shape, s->data[w]);
}

solved solve_rules(const tz_rules *rules, const char *semiring, const int32_t *lengths,
                   score_model *score) {
    solved s = {.rules = rules, .lengths = lengths};
    assert_non_null(s.rules);
    size_t weights = tz_rules_count(s.rules, TZ_WEIGHTS);
    assert_true(weights <= SOLVED_WEIGHTS);
    for (size_t w = 0; w < weights; w++) {
        s.shape[w] = shape_of(s.rules, w, lengths);
        fill(&s, w, score);
    }
    tz_problem problem = {.lengths = lengths, .scores = s.scores};
    const tz_semiring *algebra = tz_semiring_find(semiring, TZ_F64);
    s.plan = make_plan(s.rules, algebra, 0);
    s.chart = make_chart(s.plan);
    run_outside(s.chart, &problem, 1);
    return s;
}

solved solve(const char *rules, const char *semiring, const int32_t *lengths, score_model *score) {
    return solve_rules(tz_rules_find(rules), semiring, lengths, score);
}

void solved_free(solved *s) {
    tz_chart_free(s->chart);
    tz_plan_free(s->plan);
    for (size_t w = 0; w < SOLVED_WEIGHTS; w++) {
        free(s->data[w]);
        free(s->index[w]);
    }
}

double solved_goal(const solved *s) {
    double value;
    value = goal_of(s->chart, 0);
    return value;
}

size_t solved_weight(const solved *s, const char *name) {
    size_t w = 0;
    while (tz_rules_name_of(s->rules, TZ_WEIGHTS, w) &&
           strcmp(tz_rules_name_of(s->rules, TZ_WEIGHTS, w), name))
        w++;
    assert_true(w < tz_rules_count(s->rules, TZ_WEIGHTS));
    return w;
}

double *solved_marginals(const solved *s, size_t weight) {
    double *cell = need(calloc(s->cells[weight] + 1, sizeof *cell));
    tz_output output =
        s->shape[weight].sparse ? (tz_output){cell, {1}} : tz_output_dense(&s->shape[weight], cell);
    assert_ok(tz_marginals(s->chart, 0, weight, &output));
    return cell;
}
