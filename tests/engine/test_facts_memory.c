/* test_facts_memory.c - what happens to facts, structures and risks when memory is out?
 *
 * See test_memory.c. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/evaluate.h"
#include "tests/support/oom.h"

typedef struct calls {
    const tz_rules *rules;
    tz_problem problem;
} calls;

static int required(void *user) {
    const calls *c = user;
    OWN(tz_semiring, semiring) = NULL;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    tz_error error;
    tz_status status = tz_semiring_new("required(log)", TZ_F64, &semiring, &error);
    if (status == TZ_OK)
        status = tz_plan_new(c->rules, semiring, 0, &plan, &error);
    if (status == TZ_OK)
        status = tz_problem_check(plan, &c->problem, &error);
    if (status == TZ_OK)
        status = tz_chart_new(plan, &chart);
    if (status == TZ_OK)
        status = tz_bind(chart, &c->problem, 1, &error);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK)
        status = tz_outside(chart);
    double value;
    assert_true(status != TZ_OK || tz_goal(chart, 0, &value) == TZ_OK);
    return (int)status;
}

static int facts(void *user) {
    const calls *c = user;
    tz_fact *ret;
    tz_error error;
    tz_status status = tz_facts_new(c->rules, &c->problem, &ret, &error);
    assert_true((status == TZ_OK) == (ret != NULL));
    assert_true(status == TZ_OK || error.status == status);
    tz_facts_free(ret);
    return (int)status;
}

static int structure(void *user) {
    const calls *c = user;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    tz_problem problem = c->problem;
    tz_fact known[] = {{false, c->problem.facts[1].cells, 1},
                       {false, &(tz_cells){TZ_ITEM, {1, 2}}, 1}};
    problem.facts = known;
    problem.fact_count = 2;
    static const tz_use use[] = {{.index = {0, 1}}, {.index = {1, 2}}, {.index = {2, 3}}};
    double score, log_probability;
    tz_status status = tz_plan_new(c->rules, tz_semiring_find("log", TZ_F64), 0, &plan, NULL);
    if (status == TZ_OK)
        status = try_inside(plan, &problem, 1, &chart);
    if (status == TZ_OK)
        status = tz_structure(chart, 0, use, 3, &score, &log_probability, NULL);
    return (int)status;
}

static int risk(void *user) {
    const calls *c = user;
    tz_plan *plan[2] = {NULL};
    tz_chart *chart[2] = {NULL};
    tz_problem problem = c->problem;
    problem.fact_count = 0;
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < 2 && status == TZ_OK; i++) {
        const tz_semiring *semiring = tz_semiring_find(i == 0 ? "log" : "max", TZ_F64);
        status = tz_plan_new(c->rules, semiring, 0, &plan[i], NULL);
        if (status == TZ_OK)
            status = tz_chart_new(plan[i], &chart[i]);
    }
    if (status == TZ_OK)
        status = tz_bind(chart[0], &problem, 1, NULL);
    if (status == TZ_OK)
        status = tz_inside(chart[0]);
    if (status == TZ_OK)
        status = tz_outside(chart[0]);
    if (status == TZ_OK)
        status = tz_bind_risk(chart[1], chart[0], 0, NULL, NULL);
    const tz_derivation *best;
    if (status == TZ_OK)
        status = tz_best(chart[1], 0, TZ_GOAL, NULL, &best);
    for (unsigned i = 0; i < 2; i++) {
        tz_chart_free(chart[i]);
        tz_plan_free(plan[i]);
    }
    return (int)status;
}

TEST(memory) {
    random_state random = random_start("memory of facts");
    const tz_rules *rules = find_rules("eisner");
    int32_t n = 3;
    OWNED(random_problem, p) = {0};
    make_problem(rules, &n, plain_scores, &random, &p);
    tz_cells kept = {0, {TZ_ANY, 2}}, arc = {0, {3, 2}}, item = {TZ_ITEM + 2, {0, 3}};
    tz_fact fact[] = {{true, &kept, 1}, {false, &arc, 1}, {true, &item, 1}};
    assert_string_equal(tz_rules_name_of(rules, TZ_ITEMS, 2), "rtrap");
    p.problem.facts = fact;
    p.problem.fact_count = 3;
    calls c = {.rules = rules, .problem = p.problem};
    assert_true(oom_sweep("required(log)", required, &c, TZ_NO_MEMORY, false) > 10);
    assert_true(oom_sweep("tz_facts_new", facts, &c, TZ_NO_MEMORY, false) > 10);
    assert_true(oom_sweep("tz_structure", structure, &c, TZ_NO_MEMORY, false) > 10);
    assert_true(oom_sweep("tz_bind_risk", risk, &c, TZ_NO_MEMORY, false) > 10);
}
