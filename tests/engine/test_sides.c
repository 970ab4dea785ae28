/* test_sides.c - side conditions where random rule sets do not look: samples, limits of a resource,
 * gradients, what is refused.
 *
 * Truth is enumeration of what is possible under the scores. Scores are integers, and so values are
 * exact. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/evaluate.h"
#include "tests/support/rules_text.h"
#include "tests/support/structures.h"

enum { ALLOWED, PHRASE, LIMIT = 5000, ROUNDS = AMOUNT(12, 4), MOST = 64 };

/* Both weights consume, and only one of them where it brings a value. */
static const char coarse[] = "rules coarse\nlength n\n"
                             "weight allowed[i,j] 1 <= i < j <= n\n"
                             "weight phrase[i,j] 1 <= i <= j <= n\n"
                             "item some[i,j] 1 <= i <= j <= n\nitem tree[i,j] 1 <= i <= j <= n\n"
                             "goal tree[1,n]\n"
                             "resource size allowed[i,j] j-i\nresource size phrase[i,j] j-i\n\n"
                             "axiom\n--- begin\nsome[i,i]\n\n"
                             "some[i,k] some[k+1,j]\n--- grow * allowed[i,j]\nsome[i,j]\n\n"
                             "axiom\n--- word * phrase[i,i]\ntree[i,i]\n\n"
                             "tree[i,k] [some[i,j]] tree[k+1,j]\n--- join * phrase[i,j]\n"
                             "tree[i,j]\n";

/* What is looked at is declared, and derived, after what is not. */
static const char late[] = "rules late\nlength n\n"
                           "weight allowed[i,j] 1 <= i < j <= n+1\n"
                           "weight phrase[i,j] 1 <= i < j <= n+1\nitem at[i] 0 <= i <= n\n"
                           "item ok[i] 1 <= i <= n\ngoal at[n]\n"
                           "resource size phrase[i,j] j-i\n\n"
                           "axiom\n--- start\nat[0]\n\naxiom\n--- may * allowed[i,j]\nok[i]\n\n"
                           "at[i-1] [ok[i]]\n--- keep * phrase[i,j]\nat[i]\n\n"
                           "at[i-1]\n--- drop\nat[i]\n";

static structures possible(const tz_rules *rules, const random_problem *p) {
    structures all = {0};
    problem_cells cells = {rules, p};
    assert_ok(tz_enumerate_possible(rules, p->lengths, LIMIT, is_possible, &cells,
                                    structures_collect, &all));
    for (size_t s = 0; s < all.count; s++) {
        double size;
        all.at[s].score = structure_score(&all.at[s], p, &size);
    }
    return all;
}

static tz_rules *read_sides(void) {
    tz_rules *rules;
    tz_error error;
    if (tz_rules_read(TZ_SOURCE_ROOT "/tests/rules/good/sides.rules", &rules, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return rules;
}

/* Samples without replacement are all derivations, each once. */
static void check_samples(const tz_rules *rules, const random_problem *p, size_t *total) {
    OWNED(structures, all) = possible(rules, p), drawn = {0};
    evaluation e = evaluate(rules, "log", p);
    OWN(tz_sampler, sampler) = NULL;
    const tz_derivation *d;
    tz_status status;
    assert_ok(tz_sampler_new(e.chart, 0, 1, true, &sampler));
    while ((status = tz_sampler_next(sampler, &d)) == TZ_OK)
        structures_add_derivation(&drawn, d);
    assert_int_equal(status, TZ_NONE);
    assert_int_equal(drawn.count, all.count);
    for (unsigned pass = 0; pass < 2 && all.count > 0; pass++) {
        structures *s = pass == 0 ? &all : &drawn;
        qsort(s->at, s->count, sizeof *s->at, compare_scores);
    }
    for (size_t s = 0; s < all.count; s++)
        assert_int_equal(compare_scores(&all.at[s], &drawn.at[s]), 0);
    *total += all.count;
    evaluation_free(&e);
}

TEST(samples) {
    random_state random = random_start("samples");
    tz_rules *rules[] = {parse_rules(coarse), read_sides()};
    for (unsigned r = 0; r < 2; r++) {
        size_t total = 0;
        for (unsigned round = 0; round < ROUNDS; round++) {
            int32_t lengths[TZ_MAX_LENGTHS] = {2 + (int32_t)round % 4};
            OWNED(random_problem, p) = {0};
            make_problem(rules[r], lengths, round % 3 == 0 ? integer_scores : masked_integers,
                         &random, &p);
            check_samples(rules[r], &p, &total);
        }
        assert_true(total > ROUNDS);
        tz_rules_free(rules[r]);
    }
}

/* What makes a side condition hold consumes nothing: every amount, by every method. */
static void check_limits(const tz_rules *rules, tz_limit_chart *chart, const random_problem *p) {
    OWNED(structures, all) = possible(rules, p);
    double best[MOST];
    const double *curve;
    size_t count = 0;
    int64_t most = -1;
    for (unsigned a = 0; a < MOST; a++)
        best[a] = -INFINITY;
    for (size_t s = 0; s < all.count; s++) {
        int64_t amount = 0;
        for (size_t u = 0; u < all.at[s].uses; u++) {
            assert_int_equal(all.at[s].use[u][0], PHRASE);
            amount += all.at[s].use[u][2] - all.at[s].use[u][1];
        }
        assert_true(amount < MOST);
        best[amount] = fmax(best[amount], all.at[s].score);
        most = amount > most ? amount : most;
    }
    tz_status status = tz_limit_curve(chart, &p->problem, &curve, &count, NULL);
    assert_int_equal(status, most < 0 ? TZ_NONE : TZ_OK);
    assert_int_equal(status == TZ_OK ? (int64_t)count - 1 : -1, most);
    for (int64_t a = 0; a <= most; a++)
        assert_true(curve[a] == best[a]);
    for (int64_t a = 0; a <= most + 1; a++)
        for (tz_limit_method method = TZ_LIMIT_AUTO; method <= TZ_LIMIT_EXACT; method++) {
            tz_limited found;
            status = tz_limit(chart, &p->problem, a, a, method, &found, NULL);
            assert_int_equal(status, best[a] > -INFINITY ? TZ_OK : TZ_NONE);
            assert_true(status != TZ_OK || (found.exact && found.score == best[a]));
        }
}

static void limits_of(const char *text, random_state *random) {
    OWN(tz_rules, rules) = parse_rules(text);
    OWN(tz_limiter, limiter) = NULL;
    OWN(tz_limit_chart, chart) = NULL;
    assert_ok(tz_limiter_new(rules, "size", TZ_F64, 0, &limiter, NULL));
    assert_ok(tz_limit_chart_new(limiter, &chart));
    for (unsigned round = 0; round < ROUNDS; round++) {
        int32_t lengths[TZ_MAX_LENGTHS] = {1 + (int32_t)round % 6};
        OWNED(random_problem, p) = {0};
        make_problem(rules, lengths, round % 3 == 0 ? integer_scores : masked_integers, random, &p);
        check_limits(rules, chart, &p);
    }
}

TEST(limits) {
    random_state random = random_start("limits");
    limits_of(coarse, &random);
    limits_of(late, &random);
}

/* Expected uses of a cell. */
static long double marginal(const structures *all, long double log_z, const int32_t *use) {
    long double sum = 0;
    for (size_t s = 0; s < all->count; s++)
        for (size_t u = 0; u < all->at[s].uses; u++)
            if (compare_uses(all->at[s].use[u], use) == 0)
                sum += expl(all->at[s].score - log_z);
    return sum;
}

/* Minimum risk: what side conditions need has no marginal, and is there. */
static void check_risk(const tz_rules *rules, const random_problem *p, size_t *total) {
    OWNED(structures, all) = possible(rules, p);
    OWNED(evaluation, log) = evaluate(rules, "log", p), max = evaluate(rules, "max", p);
    long double log_z = -INFINITY, most = -INFINITY;
    for (size_t s = 0; s < all.count; s++)
        log_z = fmaxl(log_z, all.at[s].score) +
                log1pl(expl(-fabsl(log_z - (long double)all.at[s].score)));
    for (size_t s = 0; s < all.count; s++) {
        long double gain = 0;
        for (size_t u = 0; u < all.at[s].uses; u++)
            gain += marginal(&all, log_z, all.at[s].use[u]);
        most = fmaxl(most, gain);
    }
    tz_status status = tz_bind_risk(max.chart, log.chart, 0, NULL, NULL);
    assert_int_equal(status, all.count > 0 ? TZ_OK : TZ_NONE);
    if (status == TZ_OK) {
        const tz_derivation *best = best_of(max.chart, 0);
        assert_true(fabsl(best->score - most) <= 1e-12L * (1 + most));
        ++*total;
    }
}

TEST(risk) {
    random_state random = random_start("risk");
    tz_rules *rules[] = {parse_rules(coarse), read_sides(), parse_rules(late)};
    for (unsigned r = 0; r < sizeof rules / sizeof *rules; r++) {
        size_t total = 0;
        for (unsigned round = 0; round < ROUNDS; round++) {
            int32_t lengths[TZ_MAX_LENGTHS] = {2 + (int32_t)round % 3};
            OWNED(random_problem, p) = {0};
            make_problem(rules[r], lengths, round % 3 == 0 ? integer_scores : masked_integers,
                         &random, &p);
            check_risk(rules[r], &p, &total);
        }
        assert_true(total > 0);
        tz_rules_free(rules[r]);
    }
}

/* Only which scores are -infinity counts, however far from all others they are. */
TEST(no_value) {
    random_state random = random_start("no value");
    OWN(tz_rules, rules) = parse_rules(coarse);
    int32_t lengths[TZ_MAX_LENGTHS] = {7};
    static const char *const names[] = {"max", "log", "count", "bool"};
    for (unsigned round = 0; round < 2 * sizeof names / sizeof *names; round++) {
        const char *name = names[round / 2];
        OWNED(random_problem, p) = {0};
        double value[2];
        make_problem(rules, lengths, round % 2 ? masked_scores : plain_scores, &random, &p);
        for (unsigned far = 0; far < 2; far++) {
            OWNED(evaluation, e) = evaluate(rules, name, &p);
            value[far] = evaluation_goal(&e);
            if (far == 1 && strcmp(name, "log") == 0 && value[far] > -INFINITY) {
                FREED(double, cell) = evaluation_cells(&e, tz_marginals, ALLOWED);
                for (size_t c = 0; c < p.cells[ALLOWED]; c++)
                    assert_true(cell[c] == 0);
            }
            for (size_t c = 0; c < p.cells[ALLOWED]; c++)
                p.data[ALLOWED][c] *= c % 2 ? -1e6 : 1e3;
            for (size_t c = 0; c < p.cells[ALLOWED]; c++)
                if (p.data[ALLOWED][c] == INFINITY)
                    p.data[ALLOWED][c] = -INFINITY;
        }
        assert_true(value[0] == value[1]);
    }
}

/* Presences among the items of their own stages. */
static const char own[] = "rules own\nlength n\nweight phrase[i,j] 1 <= i <= j <= n\n"
                          "item tree[i,j] 1 <= i <= j <= n\ngoal tree[1,n]\n\n"
                          "axiom\n--- word * phrase[i,i]\ntree[i,i]\n\n"
                          "tree[i,k] [tree[k+1,j]]\n--- join * phrase[i,j]\ntree[i,j]\n";

/* What was present in one problem is not in the next one, in the same memory. */
TEST(next) {
    enum { PROBLEMS = 12 };
    static const char *const names[] = {"max", "log", "count", "entropy"};
    random_state random = random_start("next");
    OWN(tz_rules, rules) = parse_rules(own);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        random_problem p[PROBLEMS];
        OWNED(evaluation, kept) = {0};
        for (unsigned k = 0; k < PROBLEMS; k++) {
            int32_t lengths[TZ_MAX_LENGTHS] = {k % 5 == 4 ? 3 : 6};
            make_problem(rules, lengths, k % 2 ? masked_scores : plain_scores, &random, &p[k]);
            OWNED(evaluation, alone) = evaluate(rules, names[i], &p[k]);
            if (k == 0)
                kept = evaluate(rules, names[i], &p[k]);
            run_inside(kept.chart, &p[k].problem, 1);
            double again = goal_of(kept.chart, 0);
            assert_true(again == evaluation_goal(&alone));
        }
        free_problems(p, PROBLEMS);
    }
}

/* Questions that forbid cells, which side conditions would see. */
TEST(refused) {
    random_state random = random_start("refused");
    OWN(tz_rules, rules) = parse_rules(coarse);
    int32_t lengths[TZ_MAX_LENGTHS] = {2};
    OWNED(random_problem, p) = {0};
    tz_fact *facts;
    tz_error error;
    double score, log_probability;
    tz_use use = {.weight = PHRASE, .index = {1, 1}};
    make_problem(rules, lengths, integer_scores, &random, &p);
    OWNED(evaluation, e) = evaluate(rules, "log", &p);
    assert_int_equal(tz_structure(e.chart, 0, &use, 1, &score, &log_probability, NULL), TZ_LAW);
    assert_int_equal(tz_facts_new(rules, &p.problem, &facts, &error), TZ_LAW);
    assert_non_null(strstr(error.message, "coarse has side conditions"));
}

/* A bracket behind a blank is a side condition where the item before it has no indices. */
TEST(blank) {
    OWN(tz_rules, rules) = parse_rules("rules r\nlength n\nitem a\nitem b [i] 0 <= i <= n\nitem c\n"
                                       "goal c\naxiom\n--- s\na\n\naxiom\n--- t\nb [i]\n\n"
                                       "a [b[0]] b [n] [a] b[0]\n--- u\nc\n");
    const tz_rule *rule = &rules->rule[2];
    assert_int_equal(rule->premises, 3);
    assert_int_equal(rule->sides, 2);
    assert_int_equal(rule->side[0].which, 1);
    assert_int_equal(rule->side[1].which, 0);
    assert_int_equal(rule->premise[1].index[0].length[0], 1);
}
