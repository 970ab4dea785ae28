/* test_used_again.c - the n-th answer of a chart is that of a new one: the same bits, in any order
 * of problems, lanes, lengths, questions, and elements, which are narrow ones or wide.
 *
 * TZ_SEED is the seed, TZ_RULE_SETS how many random rule sets.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/law.h"
#include "tests/support/random_rules.h"

enum { POOL = 7, TURNS = AMOUNT(14, 8), RANDOMS = AMOUNT(40, 8), MOST_LANES = 4 };

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
    run_inside(chart, problem, t->count);
    if (t->questions & outside)
        assert_ok(tz_outside(chart));
    for (size_t l = 0; l < t->count && same; l++) {
        answers got;
        pool_read(pool, t->which[l], chart, l, decoder, t->questions, t->backwards, &got);
        same = pool_same(pool, t->which[l], &got, t->questions, where);
        free_answers(&got);
    }
    return same;
}

static void check_rules(void *user, const tz_rules *rules, const char *text) {
    reused *r = user;
    static pool pool;
    const tz_precision precision = random_below(r->random, 2) ? TZ_F64 : TZ_F32;
    tz_chart *chart, *decoder = NULL;
    turn t = {0};
    if (!pool_make(rules, text, any_semiring(rules, r->random), precision,
                   random_below(r->random, 4) == 0, POOL, r->random, &pool))
        return;
    chart = make_chart(pool.plan);
    if (pool.decoder != NULL)
        decoder = make_chart(pool.decoder);
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

TEST(as_new) {
    random_state random = random_start("as new");
    reused r = {.random = &random};
    for (unsigned round = 0; round < AMOUNT(2, 1); round++) /* under other semirings */
        each_rule_set(random_rule_sets(RANDOMS), &random, check_rules, &r);
    print_message("# %u rule sets, %u uses of charts\n", r.rule_sets, r.turns);
    assert_int_equal(r.wrong, 0);
    assert_true(r.rule_sets > AMOUNT(60, 15));
}
