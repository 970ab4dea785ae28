/* fuzz_run.c - rule files that compile: does the fast engine say what the interpreter says, for
 * random problems? The first byte chooses the semiring, the second the seed and the lengths; the
 * others are the rule file. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>

#include "fuzz.h"
#include "tests/support/against_interpreter.h"

static const char *const semirings[] = {"max",      "log",           "count",
                                        "bool",     "entropy",       "kbest(1)",
                                        "kbest(3)", "required(max)", "required(log)"};
enum { SEMIRINGS = sizeof semirings / sizeof *semirings };
enum { MOST_LANES = 4, MOST_LENGTH = 5, CELLS = 2000 };
static const double PRODUCTS = 2000;

/* Is there time for the interpreter? */
static bool affordable(const tz_rules *rules, const tz_plan *plan, const int32_t *lengths) {
    double products;
    return tz_plan_products(plan, lengths, &products) == TZ_OK && products <= PRODUCTS &&
           dense_cells(rules, lengths) <= CELLS;
}

static void compare(const tz_rules *rules, unsigned choice, unsigned seed) {
    static const unsigned flags[] = {0, TZ_NO_AVX512, TZ_NO_AVX2};
    tz_precision precision = choice / SEMIRINGS % 2 ? TZ_F32 : TZ_F64;
    bool integers = choice / SEMIRINGS / 2 % 2;
    random_state random = {seed};
    size_t lanes = 1 + random_below(&random, MOST_LANES), made = 0;
    random_problem p[MOST_LANES];
    OWN(tz_semiring, semiring) = NULL;
    OWN(tz_plan, plan) = NULL;
    agreement found = {.numbers = 0};
    FUZZ_CHECK(tz_semiring_new(semirings[choice % SEMIRINGS], precision, &semiring, NULL) == TZ_OK);
    FUZZ_CHECK(tz_plan_new(rules, semiring, TZ_FORCE, &plan, NULL) == TZ_OK);
    for (size_t lane = 0; lane < lanes; lane++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        for (unsigned l = 0; l < rules->lengths; l++)
            lengths[l] = (int32_t)random_below(&random, MOST_LENGTH);
        if (affordable(rules, plan, lengths))
            make_problem(rules, lengths, integers ? masked_integers : masked_scores, &random,
                         &p[made++]);
    }
    const definition of = {rules, semiring, precision, &flags[random_below(&random, 3)], 1};
    if (made > 0 && !compare_with_interpreter(&of, p, made, integers, &found))
        fuzz_fail("%s", found.message);
    free_problems(p, made);
}

void fuzz_target(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    unsigned choice = fuzz_byte(&input), seed = fuzz_byte(&input);
    OWN(tz_rules, rules) = NULL;
    char *text = fuzz_copy(input.at, input.left);
    tz_status status = tz_rules_parse("input", text, input.left, &rules, NULL);
    free(text);
    if (status == TZ_OK && rules->weights <= MAX_WEIGHTS)
        compare(rules, choice, seed);
}
