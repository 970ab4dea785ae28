/* answers.c - all that a lane of a chart answers. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "engine/engine.h"
#include "tests/support/items.h"
#include "tests/support/need.h"

enum { BEST = 5, MOST_NUMBERS = 16 };

const char *const question_name[QUESTIONS] = {"the goal",  "inside",   "outside",    "through",
                                              "marginals", "tangents", "derivations"};

static void add(numbers *to, double number) {
    if (to->count == to->room) {
        to->room = 2 * to->room + 64;
        to->at = need(realloc(to->at, to->room * sizeof *to->at));
    }
    to->at[to->count++] = number;
}

typedef struct item_reader {
    const tz_chart *chart;
    size_t lane;
    answers *to;
} item_reader;

static void read_item(void *user, unsigned item, const int32_t *index) {
    item_reader *r = user;
    double value[MOST_NUMBERS];
    size_t count;
    assert_int_equal(tz_item_values(r->chart, r->lane, item, index, value, &count), TZ_OK);
    add(&r->to->of[INSIDE], (double)count);
    for (size_t v = 0; v < count; v++)
        add(&r->to->of[INSIDE], value[v]);
    assert_int_equal(tz_item_value(r->chart, r->lane, item, index, true, value), TZ_OK);
    add(&r->to->of[OUTSIDE], value[0]);
}

static void read_cells(cell_numbers call, const random_problem *p, unsigned weight, tz_chart *chart,
                       size_t lane, numbers *to) {
    double *cell = need(calloc(p->cells[weight] + 1, sizeof *cell));
    tz_output output = problem_output(p, weight, cell);
    add(to, call(chart, lane, weight, &output));
    for (size_t c = 0; c < p->cells[weight]; c++)
        add(to, cell[c]);
    free(cell);
}

static void add_derivation(const tz_derivation *d, numbers *to) {
    add(to, d->score);
    add(to, (double)d->uses);
    for (size_t u = 0; u < d->uses; u++) {
        add(to, d->use[u].weight);
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            add(to, d->use[u].index[q]);
        add(to, d->use[u].score);
    }
    for (size_t n = 0; n < d->nodes; n++) {
        add(to, d->node[n].item);
        add(to, d->node[n].rule);
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            add(to, d->node[n].index[q]);
    }
}

/* The best derivation, the next ones, and the best of the next ones that have other uses. */
static void read_derivations(tz_chart *chart, size_t lane, numbers *to) {
    const tz_derivation *d;
    tz_status status = tz_best(chart, lane, &d);
    add(to, status);
    if (status == TZ_OK)
        add_derivation(d, to);
    for (int distinct = 0; distinct < 2; distinct++) {
        tz_kbest *kbest;
        status = tz_kbest_new(chart, lane, distinct, &kbest);
        add(to, status);
        for (unsigned k = 0; k < BEST && status == TZ_OK; k++) {
            status = tz_kbest_next(kbest, &d);
            add(to, status);
            if (status == TZ_OK)
                add_derivation(d, to);
        }
        tz_kbest_free(kbest);
    }
}

void read_answers(const tz_rules *rules, const random_problem *p, tz_chart *chart, size_t lane,
                  answers *ret) {
    const tz_semiring *semiring = chart->plan->wide.semiring;
    double value[MOST_NUMBERS];
    size_t count;
    memset(ret, 0, sizeof *ret);
    assert_true(tz_semiring_numbers(semiring) <= MOST_NUMBERS);
    assert_int_equal(tz_goal_values(chart, lane, value, &count), TZ_OK);
    add(&ret->of[GOAL], (double)count);
    for (size_t v = 0; v < count; v++)
        add(&ret->of[GOAL], value[v]);
    item_reader reader = {chart, lane, ret};
    each_item(rules, p->lengths, read_item, &reader);
    for (unsigned w = 0; w < tz_rules_weights(rules); w++) {
        read_cells(tz_through, p, w, chart, lane, &ret->of[THROUGH]);
        if (semiring->share != NULL)
            read_cells(tz_marginals, p, w, chart, lane, &ret->of[MARGINALS]);
        if (semiring->multiples != NULL && p->problem.direction != NULL)
            read_cells(tz_marginal_tangents, p, w, chart, lane, &ret->of[TANGENTS]);
    }
    if (semiring->multiples != NULL && p->problem.direction != NULL) {
        double tangent = 0;
        add(&ret->of[TANGENTS], tz_goal_tangent(chart, lane, &tangent));
        add(&ret->of[TANGENTS], tangent);
    }
    if (semiring->laws & TZ_PATH)
        read_derivations(chart, lane, &ret->of[DERIVATIONS]);
    for (unsigned k = 0; k < QUESTIONS; k++)
        for (size_t i = 0; i < ret->of[k].count; i++)
            if (isnan(ret->of[k].at[i]))
                fail_msg("%s x %s: NaN among %s", rules->name, semiring->name, question_name[k]);
}

void free_answers(answers *answers) {
    for (unsigned k = 0; k < QUESTIONS; k++)
        free(answers->of[k].at);
    memset(answers, 0, sizeof *answers);
}

double distance_of(const answers *a, const answers *b, question question, double below,
                   size_t *ret_place) {
    const numbers *x = &a->of[question], *y = &b->of[question], *m = &b->of[MARGINALS];
    double worst = 0;
    *ret_place = 0;
    if (x->count != y->count)
        return INFINITY;
    for (size_t i = 0; i < x->count; i++) {
        if (memcmp(&x->at[i], &y->at[i], sizeof *x->at) == 0)
            continue;
        double size = fmax(1, fabs(y->at[i]));
        if (question == TANGENTS && i < m->count) /* (p / Z)' = p' / Z - (p / Z) (Z' / Z) */
            size = fmax(size, fabs(m->at[i] * y->at[y->count - 1]));
        double error = fabs(x->at[i] - y->at[i]) / size;
        if (isnan(error) || fabs(y->at[i]) <= below)
            error = INFINITY;
        if (error > worst) {
            worst = error;
            *ret_place = i;
        }
    }
    return worst;
}
