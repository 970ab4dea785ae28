/* test_required.c - are the answers under required facts those of the derivations that agree?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/check_known.h"
#include "tests/support/element.h"
#include "tests/support/evaluate.h"

enum { LANES = 3, LIMIT = 800, ROUNDS = 6 };

/* One semiring over some lanes. */
static void check_semiring(const tz_rules *rules, const char *name, tz_precision precision,
                           const tz_problem *problem, const known *k, size_t lanes) {
    tz_error error;
    OWN(tz_semiring, semiring) = make_semiring(name, precision);
    OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
    OWN(tz_chart, chart) = make_chart(plan);
    if (tz_bind(chart, problem, lanes, &error) != TZ_OK)
        fail_msg("%s x %s: %s", rules->name, name, error.message);
    assert_ok(tz_inside(chart));
    assert_ok(tz_outside(chart));
    for (size_t l = 0; l < lanes; l++)
        check_known(chart, l, &k[l], name, precision == TZ_F64 ? 1e-13 : 1e-5);
}

/* Draws facts until they are such as can be required. */
static void make_known(known *k, const tz_rules *rules, score_source source, unsigned forbidden,
                       unsigned required, random_state *random) {
    known_make_small(k, rules, LIMIT, source, random);
    do {
        known_draw(k, forbidden, required, random);
        known_filter(k);
    } while (k->most > 1);
}

/* Every built-in rule set, lanes of other lengths and facts, every base, both precisions. Also as
 * forbidden cells (tz_facts_new) under the plain semirings, where that says the same. */
TEST(against_enumeration) {
    random_state random = random_start("required facts");
    static const score_source source[] = {plain_scores, masked_scores, integer_scores};
    static const char *const bases[] = {"log", "max", "count", "bool", "kbest(3)"};
    size_t none = 0, some = 0, forbidding = 0, not_enough = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned round = 0; round < ROUNDS; round++) {
            known k[LANES];
            tz_problem problem[LANES];
            for (unsigned l = 0; l < LANES; l++) {
                make_known(&k[l], rules, source[round % 3], (round + l) % 2, l + round % 2,
                           &random);
                problem[l] = k[l].own.problem;
                *(k[l].possible > 0 ? &some : &none) += 1;
            }
            for (unsigned b = 0; b < sizeof bases / sizeof *bases; b++) {
                char name[40];
                snprintf(name, sizeof name, "required(%s)", bases[b]);
                check_semiring(rules, name, round % 2 == 0 ? TZ_F64 : TZ_F32, problem, k, LANES);
            }
            for (unsigned l = 0; l < LANES; l++) {
                tz_fact *facts;
                tz_error error;
                tz_status status = tz_facts_new(rules, &problem[l], &facts, &error);
                assert_true((status == TZ_NONE) == (k[l].possible == 0));
                assert_true((status == TZ_OK) == (facts != NULL));
                not_enough += status == TZ_LAW;
                if (status == TZ_OK) {
                    forbidding++;
                    problem[l].facts = facts;
                    problem[l].fact_count = 1;
                    for (unsigned b = 0; b < 3; b++)
                        check_semiring(rules, bases[b], TZ_F64, &problem[l], &k[l], 1);
                }
                tz_facts_free(facts);
                known_free(&k[l]);
            }
        }
    }
    print_message("# %zu problems with a derivation, of %zu forbidden cells tell, of %zu not; %zu "
                  "without\n",
                  some, forbidding, not_enough, none);
    assert_true(some == forbidding + not_enough && forbidding > 50 && none > 5);
}

/* Trees with known heads, sets of heads, and kept words, at full size: forbidding cells is enough,
 * and log Z and marginals are those of required(log). The largest differences are printed. */
TEST(forbidding_is_enough) {
    random_state random = random_start("forbidding is enough");
    static const char *const names[] = {"eisner", "eisner-single-root", "skip", "compress",
                                        "compress-single-root"};
    double worst = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const tz_rules *rules = find_rules(names[i]);
        int32_t n = 14;
        OWNED(random_problem, p) = {0};
        make_problem(rules, &n, plain_scores, &random, &p);
        /* Word 3 is kept; word 5's head is 6; word 9 has the head 5 or 10 or any after. */
        tz_cells kept = {0, {TZ_ANY, 3}}, arc = {0, {6, 5}}, heads[] = {{0, {10, 9}}, {0, {5, 9}}};
        tz_fact fact[] = {{true, &kept, 1}, {true, &arc, 1}, {true, heads, 2}};
        p.problem.facts = fact;
        p.problem.fact_count = 3;
        tz_fact *facts;
        assert_ok(tz_facts_new(rules, &p.problem, &facts, NULL));
        tz_problem forbidden = p.problem;
        forbidden.facts = facts;
        forbidden.fact_count = 1;
        double *cell[2][MAX_WEIGHTS], value[2];
        for (unsigned how = 0; how < 2; how++) {
            OWN(tz_semiring, semiring) = make_semiring(how == 0 ? "required(log)" : "log", TZ_F64);
            OWNED(evaluation, e) = {.rules = rules, .problem = &p};
            e.plan = make_plan(rules, semiring, 0);
            e.chart = make_chart(e.plan);
            run_outside(e.chart, how == 0 ? &p.problem : &forbidden, 1);
            value[how] = evaluation_goal(&e);
            for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
                cell[how][w] = evaluation_cells(&e, tz_marginals, w);
        }
        check_near(value[0], value[1], 1e-14);
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
            for (size_t c = 0; c < p.cells[w]; c++) {
                double difference = fabs(cell[0][w][c] - cell[1][w][c]);
                worst = difference > worst ? difference : worst;
            }
        /* What is known has the marginal 1. */
        int32_t at[2] = {6, 5};
        check_near(cell[1][0][problem_cell(&p, 0, at)], 1, 1e-14);
        double sum = 0;
        for (at[0] = 0, at[1] = 3; at[0] <= n; at[0]++)
            sum += at[0] != 3 ? cell[1][0][problem_cell(&p, 0, at)] : 0;
        check_near(sum, 1, 1e-14);
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            free(cell[0][w]);
            free(cell[1][w]);
        }
        tz_facts_free(facts);
    }
    print_message("# largest difference of marginals %g\n", worst);
    assert_true(worst < 1e-14);
}

/* All arcs of a tree known: more facts than are looked at together. log Z is its score, one
 * derivation is left, and all but its arcs are forbidden. */
TEST(all_known) {
    random_state random = random_start("all arcs known");
    const tz_rules *rules = find_rules("eisner");
    enum { N = 37 };
    int32_t n = N;
    OWNED(random_problem, p) = {0};
    make_problem(rules, &n, plain_scores, &random, &p);
    OWNED(evaluation, max) = evaluate(rules, "max", &p);
    tz_cells arc[N];
    tz_fact fact[N];
    const tz_derivation *best = best_of(max.chart, 0);
    assert_int_equal(best->uses, N);
    for (size_t u = 0; u < N; u++) {
        arc[u] = (tz_cells){.weight = 0};
        memcpy(arc[u].index, best->use[u].index, sizeof arc[u].index);
        fact[u] = (tz_fact){true, &arc[u], 1};
    }
    p.problem.facts = fact;
    p.problem.fact_count = N;
    static const char *const names[] = {"required(log)", "required(count)"};
    for (unsigned i = 0; i < 2; i++) {
        OWNED(evaluation, e) = {.rules = rules, .problem = &p};
        OWN(tz_semiring, semiring) = make_semiring(names[i], TZ_F64);
        e.plan = make_plan(rules, semiring, 0);
        e.chart = make_chart(e.plan);
        run_inside(e.chart, &p.problem, 1);
        check_near(evaluation_goal(&e), i == 0 ? best->score : 1, 1e-14);
    }
    tz_fact *facts;
    assert_ok(tz_facts_new(rules, &p.problem, &facts, NULL));
    assert_int_equal(facts->count, N * N - N);
    tz_facts_free(facts);
}

/* Two neighbours linked either way: cells that exclude each other, but leave other heads to both,
 * so that forbidding cells cannot say it. */
TEST(forbidding_is_not_enough) {
    random_state random = random_start("forbidding is not enough");
    int32_t n = 4;
    OWNED(random_problem, p) = {0};
    make_problem(find_rules("eisner"), &n, plain_scores, &random, &p);
    tz_cells link[] = {{0, {1, 2}}, {0, {2, 1}}};
    p.problem.facts = &(tz_fact){true, link, 2};
    p.problem.fact_count = 1;
    tz_fact *facts;
    tz_error error;
    assert_int_equal(tz_facts_new(find_rules("eisner"), &p.problem, &facts, &error), TZ_LAW);
    assert_null(facts);
    assert_non_null(strstr(error.message, "required(BASE)"));
}

static double goal_with(tz_chart *chart, const tz_problem *problem) {
    run_inside(chart, problem, 1);
    double value = goal_of(chart, 0);
    return value;
}

/* Marginals under facts = the gradient of log Z under the facts, by central differences of step
 * 1e-5: their own error is about 1e-10. */
TEST(gradient) {
    random_state random = random_start("gradient under facts");
    double worst = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        known k;
        do {
            make_known(&k, rules, plain_scores, 1, 1, &random);
            if (k.possible == 0)
                known_free(&k);
        } while (k.possible == 0);
        OWN(tz_semiring, semiring) = make_semiring("required(log)", TZ_F64);
        OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
        OWN(tz_chart, chart) = make_chart(plan);
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            FREED(double, cell) = need(calloc(k.own.cells[w] + 1, sizeof *cell));
            tz_output output = problem_output(&k.own, w, cell);
            goal_with(chart, &k.own.problem);
            assert_ok(tz_outside(chart));
            assert_ok(tz_marginals(chart, 0, w, &output));
            for (unsigned tries = 0; tries < 6 && k.own.cells[w] > 0; tries++) {
                size_t c = random_below(&random, k.own.cells[w]);
                double score = k.own.data[w][c], step = 1e-5;
                if (isnan(score)) /* outside the domain */
                    continue;
                k.own.data[w][c] = score + step;
                double up = goal_with(chart, &k.own.problem);
                k.own.data[w][c] = score - step;
                double down = goal_with(chart, &k.own.problem);
                k.own.data[w][c] = score;
                double error = fabs((up - down) / (2 * step) - cell[c]);
                worst = error > worst ? error : worst;
            }
        }
        known_free(&k);
    }
    print_message("# largest difference %g\n", worst);
    assert_true(worst < 1e-8);
}

/* A fact whose cells a derivation can use twice is refused, by number; forbidding enough of them
 * makes it right. */
TEST(used_twice) {
    random_state random = random_start("used twice");
    const tz_rules *rules = find_rules("eisner");
    int32_t n = 4;
    random_problem p;
    make_problem(rules, &n, plain_scores, &random, &p);
    tz_cells two[] = {{0, {TZ_ANY, 1}}, {0, {1, 2}}}, none = {0, {TZ_ANY, 1}};
    tz_fact fact[] = {{true, two, 1}, {true, two, 2}};
    tz_error error;
    p.problem.facts = fact;
    p.problem.fact_count = 2;
    OWN(tz_semiring, semiring) = make_semiring("required(log)", TZ_F64);
    OWN(tz_plan, plan) = make_plan(rules, semiring, 0);
    assert_int_equal(tz_problem_check(plan, &p.problem, &error), TZ_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "require[1]: a derivation can use its cells "
                                          "2 times"));
    tz_fact *facts;
    assert_int_equal(tz_facts_new(rules, &p.problem, &facts, &error), TZ_BAD_ARGUMENT);
    assert_null(facts);
    fact[0] = (tz_fact){false, &none, 1};
    assert_ok(tz_problem_check(plan, &p.problem, &error));
    /* Contradictory: no head for word 1. */
    assert_int_equal(tz_facts_new(rules, &p.problem, &facts, &error), TZ_NONE);
    random_problem_free(&p);
}

/* required(BASE) of one that has marks is refused. */
TEST(nested) {
    tz_semiring *semiring;
    tz_error error;
    assert_int_equal(tz_semiring_new("required(required(log))", TZ_F64, &semiring, &error), TZ_LAW);
    assert_non_null(strstr(error.message, "required"));
}

/* Elements: lifted scores, marked up to three times, and a sum or product of two such. */
static any random_element(const tz_semiring *s, random_state *random) {
    double score = random_below(random, 8) == 0 ? -INFINITY : random_between(random, -20, 20);
    any a = any_lift(s, score);
    if (!any_same(s, a, any_zero(s)))
        for (uint64_t marks = random_below(random, 4); marks > 0; marks--)
            s->mark(s, a.bytes);
    return a;
}

/* The laws of semirings, and those of the base: to the bit under max and count, within rounding
 * (3 units of the precision, relative: see test_laws.c) under log. */
TEST(laws) {
    static const char *const names[] = {"required(max)", "required(count)", "required(log)"};
    for (unsigned i = 0; i < 3; i++) {
        random_state random = random_start(names[i]);
        OWN(tz_semiring, s) = make_semiring(names[i], TZ_F64);
        bool exact = i < 2;
        any zero = any_zero(s), one = any_one(s);
        for (unsigned t = 0; t < 20000; t++) {
            any a = random_element(s, &random), b = random_element(s, &random);
            any c = random_element(s, &random), ab = any_times(s, a, b), sum = any_plus(s, a, b);
            any sides[][2] = {
                {any_plus(s, sum, c), any_plus(s, a, any_plus(s, b, c))},
                {any_times(s, ab, c), any_times(s, a, any_times(s, b, c))},
                {any_times(s, sum, c), any_plus(s, any_times(s, a, c), any_times(s, b, c))},
            };
            for (unsigned l = 0; l < 3; l++) {
                any x = sides[l][0], y = sides[l][1];
                if (any_same(s, x, y))
                    continue;
                /* max rounds products: order and associativity of sums stay. */
                double difference = fabs(any_value(s, x) - any_value(s, y));
                assert_true(l > 0 || !exact);
                assert_true(memcmp(x.bytes, y.bytes, sizeof(double)) == 0); /* the degree */
                assert_true(difference <= 100 * 3 * 0x1p-52);
            }
            assert_true(any_same(s, sum, any_plus(s, b, a)));
            assert_true(any_same(s, ab, any_times(s, b, a)));
            assert_true(any_same(s, any_plus(s, a, zero), a));
            assert_true(any_same(s, any_times(s, a, one), a));
            assert_true(any_same(s, any_times(s, a, zero), zero));
            if (i == 0)
                assert_true(any_same(s, sum, a) || any_same(s, sum, b));
            /* Only the leading power has a coefficient. */
            any lead = {0}, marked = a;
            double degree;
            memcpy(&degree, a.bytes, sizeof degree);
            if (any_same(s, a, zero))
                continue;
            s->coefficient(s, lead.bytes, a.bytes, (size_t)degree);
            assert_true(any_value(s, lead) == any_value(s, a));
            s->coefficient(s, lead.bytes, a.bytes, (size_t)degree + 1);
            assert_true(any_same(s, lead, zero));
            s->mark(s, marked.bytes);
            assert_true(any_same(s, any_plus(s, a, marked), marked));
        }
        unsigned base = tz_semiring_find(i == 0 ? "max" : i == 1 ? "count" : "log", TZ_F64)->laws;
        assert_int_equal(s->laws, base);
    }
}

/* Samples under required(log) agree with all facts, each derivation as often as it should: the
 * share of the likeliest one within five standard deviations. */
TEST(samples) {
    random_state random = random_start("samples under facts");
    const tz_rules *rules = find_rules("compress");
    int32_t n = 6;
    random_problem p;
    make_problem(rules, &n, plain_scores, &random, &p);
    tz_cells kept = {0, {TZ_ANY, 2}}, arc = {0, {2, 5}};
    tz_fact fact[] = {{true, &kept, 1}, {true, &arc, 1}};
    p.problem.facts = fact;
    p.problem.fact_count = 2;
    evaluation e = {.rules = rules, .problem = &p};
    OWN(tz_semiring, semiring) = make_semiring("required(log)", TZ_F64);
    e.plan = make_plan(rules, semiring, 0);
    e.chart = make_chart(e.plan);
    run_outside(e.chart, &p.problem, 1);
    FREED(double, cell) = evaluation_cells(&e, tz_marginals, 0);
    OWN(tz_sampler, sampler) = NULL;
    assert_ok(tz_sampler_new(e.chart, 0, 7, false, &sampler));
    enum { SAMPLES = 20000 };
    FREED(double, seen) = need(calloc(p.cells[0], sizeof *seen));
    for (unsigned s = 0; s < SAMPLES; s++) {
        const tz_derivation *d;
        unsigned known = 0;
        assert_ok(tz_sampler_next(sampler, &d));
        for (size_t u = 0; u < d->uses; u++) {
            if (d->use[u].weight != 0)
                continue;
            seen[problem_cell(&p, 0, d->use[u].index)]++;
            known += d->use[u].index[1] == 2;
            known += d->use[u].index[0] == 2 && d->use[u].index[1] == 5;
        }
        assert_int_equal(known, 2);
    }
    for (size_t c = 0; c < p.cells[0]; c++) {
        double expected = SAMPLES * cell[c];
        double deviation = sqrt(fabs(expected * (1 - cell[c])));
        assert_true(fabs(seen[c] - expected) <= 5 * deviation + 2);
    }
    evaluation_free(&e);
    random_problem_free(&p);
}
