/* test_enumeration.c - does the interpreter say what all derivations say, one by one, in long
 * double?
 *
 * Every rule set, max, log, count and bool, n = 0..6 (4 where derivations
 * grow fast), with ties, -infinity entries and magnitudes
 * from 1e-3 to 1e4: values, marginals, max-marginals; of the fast engine, too: best structures,
 * ties, proof trees. The problems of all n share one chart. Tolerances stand in
 * against_enumeration.h; the largest errors, measured with seeds 1 to 20, are printed by the last
 * test. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/against_enumeration.h"
#include "tests/support/amount.h"

enum { MAX_N = AMOUNT(6, 4), LANES = MAX_N + 1, LIMIT = AMOUNT(300000, 100000) };

static comparison worst;

static void check_rules(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS],
                        random_state *random) {
    static size_t turn;
    if (compare_with_enumeration(rules, lengths, LANES, LIMIT, regimes_in_turn(turn++), random,
                                 &worst) != AGREES)
        fail_msg("%s: %s", rules->name, worst.message);
}

TEST(lengths_of_the_table) {
    random_state random = random_start("enumeration");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        int32_t lengths[LANES][TZ_MAX_LENGTHS];
        for (int n = 0; n <= MAX_N; n++)
            set_countable_lengths(rules, n, 2, lengths[n]);
        check_rules(rules, lengths, &random);
    }
}

/* Every length on its own: empty label sets, edit with n != m. */
TEST(mixed_lengths) {
    random_state random = random_start("mixed lengths");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        if (rules->lengths < 2)
            continue;
        int32_t lengths[LANES][TZ_MAX_LENGTHS];
        for (int lane = 0; lane < LANES; lane++)
            random_lengths(rules, 4, LIMIT / 10, &random, lengths[lane]);
        check_rules(rules, lengths, &random);
    }
}

TEST(measured_errors) {
    print_message("# largest error / S: scores %.2g, marginals %.2g, max-marginals %.2g\n",
                  worst.score, worst.marginal, worst.through);
    assert_true(worst.score > 0);
}
