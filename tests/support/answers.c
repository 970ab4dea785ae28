/* answers.c - all that a lane of a chart answers. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "engine/engine.h"
#include "tests/support/items.h"

enum { BEST = 5, SAMPLED = 3, MOST_NUMBERS = 16 };

const char *const question_name[ALL_QUESTIONS] = {
    "the goal",    "inside",      "outside", "through", "marginals",
    "tangents",    "derivations", "items",   "samples", "the probability of a structure",
    "minimum risk"};

static void add(numbers *to, double number) {
    if (to->count == to->room) {
        to->room = 2 * to->room + 64;
        to->at = need(realloc(to->at, to->room * sizeof *to->at));
    }
    to->at[to->count++] = number;
}

typedef struct item_reader {
    const asking *who;
    bool outside;
    numbers *to;
} item_reader;

static void read_item(void *user, unsigned item, const int32_t *index) {
    item_reader *r = user;
    const tz_chart *chart = r->who->chart;
    double value[MOST_NUMBERS];
    size_t count;
    if (r->outside) {
        assert_ok(tz_item_value(chart, r->who->lane, item, index, true, value));
        add(r->to, value[0]);
        return;
    }
    assert_ok(tz_item_values(chart, r->who->lane, item, index, value, &count));
    add(r->to, (double)count);
    for (size_t v = 0; v < count; v++)
        add(r->to, value[v]);
}

static void read_each_item(const asking *who, bool outside, numbers *to) {
    item_reader reader = {who, outside, to};
    each_item(who->rules, who->problem->lengths, read_item, &reader);
}

static void read_cells(const asking *who, cell_numbers call, unsigned weight, numbers *to) {
    const random_problem *p = who->problem;
    FREED(double, cell) = need(calloc(p->cells[weight] + 1, sizeof *cell));
    tz_output output = problem_output(p, weight, cell);
    add(to, call(who->chart, who->lane, weight, &output));
    for (size_t c = 0; c < p->cells[weight]; c++)
        add(to, cell[c]);
}

static void read_weights(const asking *who, cell_numbers call, numbers *to) {
    for (unsigned w = 0; w < tz_rules_count(who->rules, TZ_WEIGHTS); w++)
        read_cells(who, call, w, to);
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
static void read_derivations(const asking *who, numbers *to) {
    const tz_derivation *d;
    tz_status status = tz_best(who->chart, who->lane, TZ_GOAL, NULL, &d);
    add(to, status);
    if (status == TZ_OK)
        add_derivation(d, to);
    for (int distinct = 0; distinct < 2; distinct++) {
        OWN(tz_kbest, kbest) = NULL;
        status = tz_kbest_new(who->chart, who->lane, distinct, &kbest, NULL);
        add(to, status);
        for (unsigned k = 0; k < BEST && status == TZ_OK; k++) {
            status = tz_kbest_next(kbest, &d);
            add(to, status);
            if (status == TZ_OK)
                add_derivation(d, to);
        }
    }
}

/* Arrays of numbers, for every item. */
static void read_items(const asking *who, numbers *to) {
    static tz_status (*const call[])(tz_chart *, size_t, size_t,
                                     const tz_output *) = {tz_items, tz_marginals, tz_through};
    for (unsigned item = 0; item < who->rules->items; item++) {
        size_t cells = 1;
        tz_shape shape = shape_of(who->rules, TZ_ITEM + item, who->problem->lengths);
        for (unsigned q = 0; q < shape.rank; q++)
            cells *= (size_t)shape.extent[q];
        FREED(double, number) = need(calloc(cells + 1, sizeof *number));
        const tz_output output = tz_output_dense(&shape, number);
        for (unsigned k = 0; k < 3; k++) {
            add(to, call[k](who->chart, who->lane, k > 0 ? TZ_ITEM + item : item, &output));
            for (size_t c = 0; c < cells; c++)
                add(to, number[c]);
        }
    }
}

static void read_samples(const asking *who, numbers *to) {
    for (int without = 0; without < 2; without++) {
        OWN(tz_sampler, sampler) = NULL;
        const tz_derivation *d;
        tz_status status = tz_sampler_new(who->chart, who->lane, 7, without, &sampler);
        add(to, status);
        for (unsigned k = 0; k < SAMPLED && status == TZ_OK; k++) {
            status = tz_sampler_next(sampler, &d);
            add(to, status);
            if (status == TZ_OK)
                add_derivation(d, to);
        }
    }
}

static void read_structure(const asking *who, numbers *to) {
    OWN(tz_sampler, sampler) = NULL;
    const tz_derivation *d;
    double score = 0, probability = 0;
    tz_status status = tz_sampler_new(who->chart, who->lane, 3, false, &sampler);
    if (status == TZ_OK)
        status = tz_sampler_next(sampler, &d);
    if (status == TZ_OK)
        status = tz_structure(who->chart, who->lane, d->use, d->uses, &score, &probability, NULL);
    add(to, status);
    add(to, score);
    add(to, probability);
}

static void read_risk(const asking *who, numbers *to) {
    const tz_derivation *d;
    tz_status status = tz_bind_risk(who->opt_decoder, who->chart, who->lane, NULL, NULL);
    if (status == TZ_OK)
        status = tz_best(who->opt_decoder, 0, TZ_GOAL, NULL, &d);
    add(to, status);
    if (status == TZ_OK)
        add_derivation(d, to);
}

static void read_goal(const asking *who, numbers *to) {
    double value[MOST_NUMBERS];
    size_t count;
    assert_true(tz_semiring_numbers(who->chart->plan->wide.semiring) <= MOST_NUMBERS);
    assert_ok(tz_item_values(who->chart, who->lane, TZ_GOAL, NULL, value, &count));
    add(to, (double)count);
    for (size_t v = 0; v < count; v++)
        add(to, value[v]);
    assert_ok(tz_goal(who->chart, who->lane, value));
    add(to, value[0]);
}

static void read_tangents(const asking *who, numbers *to) {
    double tangent = 0;
    read_weights(who, tz_marginal_tangents, to);
    add(to, tz_goal_tangent(who->chart, who->lane, &tangent));
    add(to, tangent);
}

void read_answer(const asking *who, question question, numbers *to) {
    const tz_semiring *s = who->chart->plan->wide.semiring;
    const size_t before = to->count;
    switch (question) {
    case GOAL:
        read_goal(who, to);
        break;
    case INSIDE:
    case OUTSIDE:
        read_each_item(who, question == OUTSIDE, to);
        break;
    case THROUGH:
        read_weights(who, tz_through, to);
        break;
    case MARGINALS:
        if (s->share != NULL)
            read_weights(who, tz_marginals, to);
        break;
    case TANGENTS:
        if (s->multiples != NULL && who->problem->problem.direction != NULL)
            read_tangents(who, to);
        break;
    case DERIVATIONS:
        if (s->laws & TZ_PATH)
            read_derivations(who, to);
        break;
    case ITEMS:
        read_items(who, to);
        break;
    case SAMPLES:
        read_samples(who, to);
        break;
    case STRUCTURES:
        read_structure(who, to);
        break;
    case RISK:
        if (who->opt_decoder != NULL && s->share != NULL)
            read_risk(who, to);
        break;
    default:
        break;
    }
    for (size_t i = before; i < to->count; i++)
        if (isnan(to->at[i]))
            fail_msg("%s x %s: NaN among %s", who->rules->name, s->name, question_name[question]);
}

void read_answers(const tz_rules *rules, const random_problem *p, tz_chart *chart, size_t lane,
                  answers *ret) {
    const asking who = {rules, p, chart, lane, NULL};
    memset(ret, 0, sizeof *ret);
    for (unsigned k = 0; k < QUESTIONS; k++)
        read_answer(&who, (question)k, &ret->of[k]);
}

void free_answers(answers *answers) {
    for (unsigned k = 0; k < ALL_QUESTIONS; k++)
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
