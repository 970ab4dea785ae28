/* test_reuse.c - does a chart allocate only for the first problem of a size?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/oom.h"

/* So long that what a chart works out for all of these lengths is less than it keeps. */
enum { N = 10, LANES = 3, ROUNDS = AMOUNT(24, 8) };

/* Everything that a chart can be asked, for every lane; cell has room for any weight. Returns the
 * allocations made. */
static size_t ask(tz_chart *chart, const tz_rules *rules, const random_problem *p,
                  const tz_problem *problem, size_t count, double *cell) {
    size_t before = oom_count();
    run_outside(chart, problem, count);
    tz_output all[LANES * MAX_WEIGHTS];
    for (size_t i = 0; i < count * tz_rules_count(rules, TZ_WEIGHTS);
         i++) /* all to the same place */
        all[i] = problem_output(&p[i / tz_rules_count(rules, TZ_WEIGHTS)],
                                (unsigned)(i % tz_rules_count(rules, TZ_WEIGHTS)), cell);
    (void)tz_marginals_all(chart, all); /* TZ_NONE and TZ_LAW are answers too */
    for (size_t lane = 0; lane < count; lane++) {
        (void)goal_of(chart, lane);
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            tz_output output = problem_output(&p[lane], w, cell);
            (void)tz_marginals(chart, lane, w, &output);
            (void)tz_through(chart, lane, w, &output);
        }
        const tz_derivation *best;
        (void)tz_best(chart, lane, TZ_GOAL, NULL, &best);
    }
    return oom_count() - before;
}

/* Problems of lengths that came before, in as many lanes, take no memory: binding, inside, outside,
 * marginals, values through cells, best derivations. The same rounds go by three times: in the
 * second time memory has its final size, so that in the third all is known. */
TEST(no_allocation) {
    random_state random = random_start("reuse");
    static const char *const semirings[] = {"max", "log", "count", "bool"};
    static const score_source source[] = {plain_scores, masked_scores, large_scores,
                                          integer_scores};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned s = 0; s < 4; s++) {
            const tz_semiring *semiring = tz_semiring_find(semirings[s], TZ_F64);
            OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
            OWN(tz_chart, chart) = make_chart(plan);
            FREED(double, cell) = NULL;
            random_state start = random;
            for (unsigned time = 0; time < 3 * ROUNDS; time++) {
                unsigned round = time % ROUNDS;
                if (round == 0)
                    random = start;
                random_problem p[LANES];
                tz_problem problem[LANES];
                size_t count = round == 0 ? LANES : 1 + random_below(&random, LANES), most = 1;
                for (size_t lane = 0; lane < count; lane++) {
                    bool same = round == 0 || random_below(&random, 2) == 0;
                    problem_of_size(rules, same ? N : (int)random_below(&random, N + 1),
                                    source[round % 4], &random, &p[lane]);
                    problem[lane] = (tz_problem){.lengths = p[lane].lengths,
                                                 .scores = p[lane].scores,
                                                 .numbers = p[lane].numbers};
                    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
                        most = p[lane].cells[w] > most ? p[lane].cells[w] : most;
                }
                double *grown = need(realloc(cell, most * sizeof *cell));
                cell = grown;
                size_t made = ask(chart, rules, p, problem, count, cell);
                if (time == 0)
                    assert_true(made > 0);
                else if (time >= 2 * ROUNDS && made > 0)
                    fail_msg("%s x %s: %zu allocations in round %u", tz_rules_name(rules),
                             semirings[s], made, round);
                free_problems(p, count);
            }
        }
    }
}
