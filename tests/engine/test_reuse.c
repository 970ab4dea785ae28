/* test_reuse.c - does a chart that is used again answer as a new one, and allocate only for the
 * first problem of a size?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/law.h"
#include "tests/support/oom.h"
#include "tests/support/random_rules.h"

/* So long that what a chart works out for all of these lengths is less than it keeps. */
enum { N = 10, LANES = 3, ROUNDS = AMOUNT(24, 8) };

/* Everything that a chart can be asked, for every lane; cell has room for any weight. Returns the
 * allocations made. */
static size_t ask(tz_chart *chart, const tz_rules *rules, const random_problem *p,
                  const tz_problem *problem, size_t count, double *cell) {
    size_t before = oom_count();
    assert_int_equal(tz_bind(chart, problem, count, NULL), TZ_OK);
    assert_int_equal(tz_inside(chart), TZ_OK);
    assert_int_equal(tz_outside(chart), TZ_OK);
    tz_output all[LANES * MAX_WEIGHTS];
    for (size_t i = 0; i < count * tz_rules_weights(rules); i++) /* all to the same place */
        all[i] = problem_output(&p[i / tz_rules_weights(rules)],
                                (unsigned)(i % tz_rules_weights(rules)), cell);
    (void)tz_marginals_all(chart, all); /* TZ_NONE and TZ_LAW are answers too */
    for (size_t lane = 0; lane < count; lane++) {
        double value;
        assert_int_equal(tz_goal(chart, lane, &value), TZ_OK);
        for (unsigned w = 0; w < tz_rules_weights(rules); w++) {
            tz_output output = problem_output(&p[lane], w, cell);
            (void)tz_marginals(chart, lane, w, &output);
            (void)tz_through(chart, lane, w, &output);
        }
        const tz_derivation *best;
        (void)tz_best(chart, lane, &best);
    }
    return oom_count() - before;
}

/* Problems of lengths that came before, in as many lanes, take no memory: binding, inside, outside,
 * marginals, values through cells, best derivations. The same rounds go by three times: in the
 * second time memory has its final size, so that in the third all is known. */
static void test_no_allocation(void **state) {
    (void)state;
    random_state random = random_start("reuse");
    static const char *const semirings[] = {"max", "log", "count", "bool"};
    static const score_source source[] = {plain_scores, masked_scores, large_scores,
                                          integer_scores};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned s = 0; s < 4; s++) {
            tz_plan *plan;
            tz_chart *chart;
            const tz_semiring *semiring = tz_semiring_find(semirings[s], TZ_F64);
            assert_int_equal(tz_plan_new(rules, semiring, TZ_FORCE, &plan, NULL), TZ_OK);
            assert_int_equal(tz_chart_new(plan, &chart), TZ_OK);
            double *cell = NULL;
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
                    for (unsigned w = 0; w < tz_rules_weights(rules); w++)
                        most = p[lane].cells[w] > most ? p[lane].cells[w] : most;
                }
                double *grown = realloc(cell, most * sizeof *cell);
                assert_non_null(grown);
                cell = grown;
                size_t made = ask(chart, rules, p, problem, count, cell);
                if (time == 0)
                    assert_true(made > 0);
                else if (time >= 2 * ROUNDS && made > 0)
                    fail_msg("%s x %s: %zu allocations in round %u", tz_rules_name(rules),
                             semirings[s], made, round);
                for (size_t lane = 0; lane < count; lane++)
                    free_problem(rules, &p[lane]);
            }
            free(cell);
            tz_chart_free(chart);
            tz_plan_free(plan);
        }
    }
}

/* ---- As new ---------------------------------------------------------------------------------- */

enum { POOL = 7, TURNS = AMOUNT(14, 8), RANDOMS = AMOUNT(60, 12), MOST_LANES = 4 };

/* What is asked after tz_outside only. */
static const unsigned outside =
    1u << OUTSIDE | 1u << THROUGH | 1u << MARGINALS | 1u << TANGENTS | 1u << ITEMS | 1u << RISK;

typedef struct reused {
    random_state *random;
    unsigned rule_sets, turns, wrong;
} reused;

/* The problems of one turn, and what they are asked. */
typedef struct turn {
    size_t count, which[MOST_LANES];
    unsigned questions;
    bool backwards;
} turn;

/* Often the same as before. */
static void draw_turn(const pool *pool, random_state *random, turn *t) {
    if (t->count > 0 && random_below(random, 3) == 0)
        return;
    if (t->count == 0 || random_below(random, 3) > 0) {
        t->count = random_below(random, 2) ? 1 : 1 + random_below(random, MOST_LANES);
        for (size_t l = 0; l < t->count; l++)
            t->which[l] = random_below(random, pool->count);
    }
    t->questions = any_questions(random);
    t->backwards = random_below(random, 2);
}

static bool check_turn(const pool *pool, const turn *t, tz_chart *chart, tz_chart *decoder,
                       const char *where) {
    tz_problem problem[MOST_LANES];
    bool same = true;
    for (size_t l = 0; l < t->count; l++)
        problem[l] = pool->problem[t->which[l]];
    assert_int_equal(tz_bind(chart, problem, t->count, NULL), TZ_OK);
    assert_int_equal(tz_inside(chart), TZ_OK);
    if (t->questions & outside)
        assert_int_equal(tz_outside(chart), TZ_OK);
    for (size_t l = 0; l < t->count && same; l++) {
        answers got;
        pool_read(pool, t->which[l], chart, l, decoder, t->questions, t->backwards, &got);
        same = pool_same(pool, t->which[l], &got, t->questions, where);
        free_answers(&got);
    }
    return same;
}

/* The n-th answer of a chart is that of a new one, the same bits: in any order of problems, lanes,
 * lengths, questions, and elements, which are narrow ones or wide. */
static void check_rules(void *user, const tz_rules *rules, const char *text) {
    reused *r = user;
    static pool pool;
    const tz_precision precision = random_below(r->random, 2) ? TZ_F64 : TZ_F32;
    tz_chart *chart, *decoder = NULL;
    turn t = {0};
    if (!pool_make(rules, text, any_semiring(rules, r->random), precision,
                   random_below(r->random, 4) == 0, POOL, r->random, &pool))
        return;
    assert_int_equal(tz_chart_new(pool.plan, &chart), TZ_OK);
    if (pool.decoder != NULL)
        assert_int_equal(tz_chart_new(pool.decoder, &decoder), TZ_OK);
    bool same = true;
    for (unsigned n = 1; n <= TURNS && same; n++, r->turns++) {
        char where[80];
        draw_turn(&pool, r->random, &t);
        snprintf(where, sizeof where, "; at use %u of a chart, %zu lanes", n, t.count);
        same = check_turn(&pool, &t, chart, decoder, where);
    }
    r->wrong += !same;
    r->rule_sets++;
    tz_chart_free(decoder);
    tz_chart_free(chart);
    pool_free(&pool);
}

static void test_as_new(void **state) {
    (void)state;
    random_state random = random_start("as new");
    reused r = {.random = &random};
    for (unsigned round = 0; round < 2; round++) /* under other semirings */
        each_rule_set(random_rule_sets(RANDOMS), &random, check_rules, &r);
    print_message("# %u rule sets, %u uses of charts\n", r.rule_sets, r.turns);
    assert_int_equal(r.wrong, 0);
    assert_true(r.rule_sets > 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
