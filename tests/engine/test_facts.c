/* test_facts.c - are the answers under forbidden cells those of the derivations without them?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "engine/engine.h"
#include "semirings/maker.h"
#include "tests/support/check_known.h"
#include "tests/support/evaluate.h"
#include "tests/support/random_facts.h"
#include "tests/support/record.h"

enum { LANES = 3, LIMIT = 800, ROUNDS = 3 };

/* Every built-in rule set, lanes of other lengths and other facts, every semiring. */
TEST(against_enumeration) {
    random_state random = random_start("forbidden cells");
    static const score_source source[] = {plain_scores, masked_scores, integer_scores};
    size_t none = 0, some = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned round = 0; round < ROUNDS; round++) {
            known k[LANES];
            tz_problem problem[LANES];
            for (unsigned l = 0; l < LANES; l++) {
                known_make_small(&k[l], rules, LIMIT, source[round], &random);
                known_draw(&k[l], l + round > 0 ? 1 + l % 2 : 0, 0, &random);
                known_filter(&k[l]);
                problem[l] = k[l].own.problem;
                *(k[l].possible > 0 ? &some : &none) += 1;
            }
            for (unsigned s = 0; tz_semiring_at(s, TZ_F64) != NULL; s++)
                for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
                    const tz_semiring *semiring = tz_semiring_at(s, p);
                    OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
                    OWN(tz_chart, chart) = make_chart(plan);
                    run_outside(chart, problem, LANES);
                    double tolerance = p == TZ_F64 ? 1e-13 : 1e-5;
                    for (unsigned l = 0; l < LANES; l++)
                        check_known(chart, l, &k[l], semiring->name, tolerance);
                }
            for (unsigned l = 0; l < LANES; l++)
                known_free(&k[l]);
        }
    }
    print_message("# %zu problems with a derivation, %zu without\n", some, none);
    assert_true(some > 30 && none > 5);
}

/* Forbidding cells = giving them the score -infinity, to the bit: values, best derivations,
 * marginals, values through cells; whatever score the forbidden cells have, and in any mixture of
 * lanes. Facts are given as patterns, as lists in order, and as lists in any order. */
TEST(like_impossible_scores) {
    random_state random = random_start("like impossible scores");
    static const score_source source[] = {plain_scores, large_scores, masked_scores};
    static const char *const semirings[] = {"max", "log", "count"};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        int32_t longest = 14;
        enum { CELLS = 24 };
        random_problem p[LANES], without[LANES];
        tz_cells cells[LANES][CELLS];
        tz_fact fact[LANES][2];
        tz_problem problem[LANES];
        for (unsigned l = 0; l < LANES; l++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            set_lengths(rules, (int32_t)random_below(&random, (uint64_t)longest) + 1, 3, lengths);
            random_state same = random;
            make_problem(rules, lengths, source[l], &random, &p[l]);
            make_problem(rules, lengths, source[l], &same, &without[l]);
            size_t count = 0;
            for (unsigned tries = 0; tries < 400 && count < CELLS; tries++) {
                unsigned w = (unsigned)random_below(&random, tz_rules_count(rules, TZ_WEIGHTS));
                if (p[l].cells[w] == 0)
                    continue;
                tz_cells *to = &cells[l][count];
                *to = (tz_cells){.weight = w};
                cell_index(&p[l], w, random_below(&random, p[l].cells[w]), to->index);
                if (!tz_rules_declared(rules, w, lengths, to->index))
                    continue;
                for (unsigned q = 0; q < weight_of(rules, w)->rank && l == 1; q++)
                    if (random_below(&random, 8) == 0)
                        to->index[q] = TZ_ANY;
                /* In order in lane 2. */
                size_t at = count++;
                for (; l == 2 && at > 0; at--) {
                    tz_cells before = cells[l][at - 1];
                    int order = (before.weight > cells[l][at].weight) -
                                (before.weight < cells[l][at].weight);
                    for (unsigned q = 0; q < TZ_MAX_RANK && order == 0; q++)
                        order = (before.index[q] > cells[l][at].index[q]) -
                                (before.index[q] < cells[l][at].index[q]);
                    if (order <= 0)
                        break;
                    cells[l][at - 1] = cells[l][at];
                    cells[l][at] = before;
                }
            }
            fact[l][0] = (tz_fact){false, cells[l], count / 3};
            fact[l][1] = (tz_fact){false, cells[l] + count / 3, count - count / 3};
            for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
                for (size_t c = 0; c < p[l].cells[w]; c++) {
                    tz_enum_use use = {.weight = (uint16_t)w};
                    cell_index(&p[l], w, c, use.index);
                    if (!tz_rules_declared(rules, w, lengths, use.index) ||
                        (!known_covers(rules, &fact[l][0], &use) &&
                         !known_covers(rules, &fact[l][1], &use)))
                        continue;
                    without[l].data[w][c] = -INFINITY;
                    if (random_below(&random, 4) == 0)
                        p[l].data[w][c] = random_between(&random, -1e8, 1e8);
                }
            problem[l] = p[l].problem;
            problem[l].facts = fact[l];
            problem[l].fact_count = 2;
        }
        for (unsigned s = 0; s < 3; s++) {
            const tz_semiring *semiring = tz_semiring_find(semirings[s], TZ_F64);
            OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
            OWN(tz_chart, chart) = make_chart(plan);
            record r[2][LANES] = {0};
            for (unsigned how = 0; how < 2; how++) {
                tz_problem bound[LANES];
                for (unsigned l = 0; l < LANES; l++)
                    bound[l] = how == 0 ? problem[l] : without[l].problem;
                run_outside(chart, bound, LANES);
                for (unsigned l = 0; l < LANES; l++)
                    assert_ok(record_answers(&r[how][l], chart, l,
                                             tz_rules_count(rules, TZ_WEIGHTS), p[l].shape,
                                             p[l].cells));
            }
            for (unsigned l = 0; l < LANES; l++) {
                if (r[0][l].size != r[1][l].size ||
                    memcmp(r[0][l].data, r[1][l].data, r[0][l].size) != 0)
                    fail_msg("%s x %s: lane %u differs", rules->name, semirings[s], l);
                free(r[0][l].data);
                free(r[1][l].data);
            }
        }
        for (unsigned l = 0; l < LANES; l++) {
            random_problem_free(&p[l]);
            random_problem_free(&without[l]);
        }
    }
}

/* What is wrong with facts is said, and named. */
TEST(bad_facts) {
    random_state random = random_start("bad facts");
    const tz_rules *rules = find_rules("eisner");
    int32_t n = 5;
    random_problem p;
    make_problem(rules, &n, plain_scores, &random, &p);
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("log", TZ_F64), 0);
    const struct {
        tz_fact fact;
        tz_status status;
        const char *says;
    } bad[] = {
        {{false, &(tz_cells){0, {6, 1}}, 1}, TZ_BAD_ARGUMENT, "fact 0: arc[6,1] lies outside"},
        {{false, &(tz_cells){0, {2, 2}}, 1}, TZ_BAD_ARGUMENT, "fact 0: arc[2,2] lies outside"},
        {{false, &(tz_cells){0, {TZ_ANY, 0, 0, 0}}, 1}, TZ_BAD_ARGUMENT, "arc[*,0] lies outside"},
        {{false, &(tz_cells){1, {1, 2}}, 1}, TZ_BAD_ARGUMENT, "names weight 1"},
        {{false, NULL, 1}, TZ_BAD_ARGUMENT, "fact 0 has no cells"},
        {{true, &(tz_cells){0, {1, 2}}, 1}, TZ_LAW, "required(log)"},
        {{false, &(tz_cells){TZ_ITEM + 2, {1, 1}}, 1}, TZ_BAD_ARGUMENT, "fact 0: rtrap[1,1] lies"},
        {{false, &(tz_cells){TZ_ITEM, {6, TZ_ANY}}, 1}, TZ_BAD_ARGUMENT, "rtri[6,*] lies outside"},
        {{false, &(tz_cells){TZ_ITEM + 4, {1, 1}}, 1},
         TZ_BAD_ARGUMENT,
         "names item 4, but eisner has 4, from 0"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        tz_error error;
        p.problem.facts = &bad[b].fact;
        p.problem.fact_count = 1;
        assert_int_equal(tz_problem_check(plan, &p.problem, &error), bad[b].status);
        assert_int_equal(error.status, bad[b].status);
        if (strstr(error.message, bad[b].says) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.message, bad[b].says);
        OWN(tz_chart, chart) = make_chart(plan);
        assert_int_equal(tz_bind(chart, &p.problem, 1, &error), bad[b].status);
        assert_int_equal(tz_inside(chart), TZ_BAD_ARGUMENT);
    }
    p.problem.facts = NULL;
    assert_int_equal(tz_problem_check(plan, &p.problem, NULL), TZ_BAD_ARGUMENT);
    /* A fact of no cells forbids nothing. */
    p.problem.facts = &(tz_fact){.count = 0};
    assert_ok(tz_problem_check(plan, &p.problem, NULL));
    random_problem_free(&p);
}
