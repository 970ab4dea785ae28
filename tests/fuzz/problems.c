/* problems.c - see problems.h. SPDX-License-Identifier: MIT */
#include "problems.h"

#include <math.h>
#include <stdlib.h>

#include "fuzz.h"

/* Of every kind: dense and sparse weights, those without indices, several lengths, relations. */
static const char *const rule_sets[] = {"eisner",      "cky",  "edit",  "semimarkov",
                                        "compress",    "pcfg", "chain", "sibling-single-root",
                                        "align-sparse"};
static const char *const semirings[] = {"max",   "log",      "entropy",
                                        "count", "kbest(2)", "required(log)"};
enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets };
enum { SEMIRINGS = sizeof semirings / sizeof *semirings };
enum { PRODUCTS = 3000, LENGTH = 40 };

const fuzz_chart *fuzz_chart_of(uint8_t byte) {
    static fuzz_chart charts[RULE_SETS][SEMIRINGS];
    unsigned r = byte % RULE_SETS, s = byte / RULE_SETS % SEMIRINGS;
    fuzz_chart *c = &charts[r][s];
    if (c->chart == NULL) {
        c->rules = tz_rules_find(rule_sets[r]);
        FUZZ_CHECK(c->rules != NULL);
        FUZZ_CHECK(tz_semiring_new(semirings[s], TZ_F64, &c->semiring, NULL) == TZ_OK);
        FUZZ_CHECK(tz_plan_new(c->rules, c->semiring, TZ_FORCE, &c->plan, NULL) == TZ_OK);
        FUZZ_CHECK(tz_chart_new(c->plan, &c->chart) == TZ_OK);
    }
    return c;
}

void fuzz_answer(const fuzz_chart *of, const tz_problem *problem) {
    double products, value;
    tz_error error;
    for (size_t l = 0; l < tz_rules_count(of->rules, TZ_LENGTHS); l++)
        if (problem->lengths[l] > LENGTH)
            return;
    if (tz_plan_products(of->plan, problem->lengths, &products) != TZ_OK || products > PRODUCTS)
        return;
    tz_status status = tz_bind(of->chart, problem, 1, &error);
    if (status != TZ_OK) {
        fuzz_check_error(status, &error);
        return;
    }
    status = tz_inside(of->chart);
    if (status == TZ_OK)
        status = tz_outside(of->chart);
    FUZZ_CHECK(status == TZ_OK || status == TZ_BAD_SCORE);
    if (status != TZ_OK)
        return;
    FUZZ_CHECK(tz_goal(of->chart, 0, &value) == TZ_OK && !isnan(value));
    const tz_derivation *best;
    status = tz_best(of->chart, 0, TZ_GOAL, NULL, &best);
    FUZZ_CHECK(status == TZ_OK || status == TZ_NONE || status == TZ_LAW);
}
