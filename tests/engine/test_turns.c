/* test_turns.c - are the turns of a loop that a schedule passes over those that it would have made?
 *
 * Rule sets whose loops are convex, built-in, of the gallery and random, are computed by a plan
 * that passes over turns, and by one that is told that they are not convex. All memory of inside,
 * outside and the weight pass is compared by bits: cells, what lies between them, and what was to
 * be cleared, when the schedule is made and again with other scores when it is kept.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/pass/pass.h"
#include "rules/tell/cost.h"
#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/random_rules.h"

enum { LANES = 3, LONGEST = 24, SETS = AMOUNT(60, 6) };
static const double most_products = AMOUNT(10000, 1500);

/* The longest problems that are not too many products. */
static bool choose_lengths(const tz_rules *rules, int32_t *lengths) {
    for (int32_t n = LONGEST; n > 4; n--) {
        double products;
        set_lengths(rules, n, 2, lengths);
        if (tz_rules_products(rules, lengths, &products) == TZ_OK && products < most_products &&
            has_numbers(rules, lengths))
            return true;
    }
    return false;
}

/* False where a random rule set takes no such problem, or its numbers are too large. */
static bool compute(tz_chart *chart, const tz_problem *problem, size_t count) {
    memset(chart->scaling.drift, 0, sizeof chart->scaling.drift);
    return tz_bind(chart, problem, count, NULL) == TZ_OK && tz_inside(chart) == TZ_OK &&
           tz_outside(chart) == TZ_OK && tz_compute_pass(chart, TZ_PASS_WEIGHTS) == TZ_OK;
}

static void compare(const char *name, tz_chart *a, tz_chart *b) {
    static const tz_space spaces[] = {TZ_AT_INSIDE, TZ_AT_OUTSIDE, TZ_AT_WEIGHT_OUTSIDE};
    assert_ptr_equal(a->algebra == &a->plan->narrow, b->algebra == &b->plan->narrow);
    for (unsigned s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        const size_t bytes = a->layout.cells[spaces[s]] * a->lanes * a->algebra->size;
        if (bytes > 0 && memcmp(a->space[spaces[s]].data, b->space[spaces[s]].data, bytes) != 0)
            fail_msg("%s: space %d differs", name, (int)spaces[s]);
    }
}

/* Returns whether it was compared. */
static bool check(const tz_rules *rules, const char *name, random_state *random) {
    static const char *const semirings[] = {"max", "log", "count"};
    int32_t lengths[TZ_MAX_LENGTHS];
    if (tz_has_closures(rules) || !choose_lengths(rules, lengths))
        return false;
    const tz_semiring *semiring = tz_semiring_find(semirings[random_below(random, 3)], TZ_F64);
    OWN(tz_plan, passing) = make_plan(rules, semiring, TZ_FORCE);
    OWN(tz_plan, making) = make_plan(rules, semiring, TZ_FORCE);
    bool compared = passing->convex;
    making->convex = false;
    OWN(tz_chart, a) = make_chart(passing);
    OWN(tz_chart, b) = make_chart(making);
    const size_t count = 1 + random_below(random, LANES);
    for (unsigned time = 0; time < 2 && compared; time++) {
        random_problem own[LANES];
        tz_problem problem[LANES];
        for (size_t lane = 0; lane < count; lane++) {
            make_problem(rules, lengths, masked_scores, random, &own[lane]);
            problem[lane] = (tz_problem){.lengths = own[lane].lengths,
                                         .scores = own[lane].scores,
                                         .numbers = own[lane].numbers};
        }
        const bool taken = compute(a, problem, count);
        assert_int_equal(compute(b, problem, count), taken);
        if (taken)
            compare(name, a, b);
        compared &= taken;
        free_problems(own, count);
    }
    return compared;
}

TEST(files) {
    random_state random = random_start("files");
    unsigned compared = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        compared += check(tz_rules_builtin(i), tz_rules_name(tz_rules_builtin(i)), &random);
    for (size_t i = 0; tz_gallery_name(i) != NULL; i++) {
        OWN(tz_rules, rules) = NULL;
        assert_ok(tz_gallery_read(tz_gallery_name(i), &rules, NULL));
        compared += check(rules, tz_gallery_name(i), &random);
    }
    print_message("# %u rule sets\n", compared);
    assert_true(compared > 25);
}

TEST(random) {
    random_state random = random_start("random");
    const unsigned sets = random_rule_sets(SETS);
    unsigned compared = 0;
    for (unsigned s = 0; s < sets; s++) {
        rules_text text;
        OWN(tz_rules, rules) = read_random_rules(&random, &text);
        if (rules == NULL)
            continue;
        compared += check(rules, text.at, &random);
    }
    print_message("# %u rule sets\n", compared);
    assert_true(compared > sets / 8);
}
