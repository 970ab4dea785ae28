/* test_limit_api.c - limits: misuse, precision, memory, and that nothing but the problem decides
 * the answer. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>

#include "tests/support/evaluate.h"
#include "tests/support/isas.h"
#include "tests/support/known.h"
#include "tests/support/oom.h"

enum { N = 8 };

static const tz_limit_method methods[] = {TZ_LIMIT_AUTO, TZ_LIMIT_EXACT, TZ_LIMIT_DUAL};

static void make(const char *rules, const char *resource, tz_precision precision,
                 tz_limiter **limiter, tz_limit_chart **chart) {
    assert_ok(tz_limiter_new(find_rules(rules), resource, precision, 0, limiter, NULL));
    assert_ok(tz_limit_chart_new(*limiter, chart));
}

TEST(misuse) {
    random_state random = random_start("misuse of limits");
    OWN(tz_limiter, limiter) = NULL;
    OWN(tz_limit_chart, chart) = NULL;
    tz_error error;
    assert_int_equal(tz_limiter_new(find_rules("compress"), "words", TZ_F64, 0, &limiter, &error),
                     TZ_BAD_ARGUMENT);
    assert_null(limiter);
    assert_string_equal(error.message, "rule set compress has no resource \"words\": declare it "
                                       "with a `resource` line");
    assert_int_equal(tz_limiter_new(find_rules("eisner"), "kept", TZ_F64, 0, &limiter, NULL),
                     TZ_BAD_ARGUMENT);
    tz_limiter_free(NULL);
    tz_limit_chart_free(NULL);

    make("compress", "kept", TZ_F64, &limiter, &chart);
    OWNED(random_problem, p) = {0};
    problem_of_size(find_rules("compress"), N, plain_scores, &random, &p);
    tz_limited found = {.steps = 77};
    const tz_derivation *derivation;
    const double *values;
    size_t count;
    assert_int_equal(tz_limit_best(chart, 0, &derivation), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_limit(chart, &p.problem, 3, 2, TZ_LIMIT_AUTO, &found, &error),
                     TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "no amount is from 3 to 2: give the lower limit first");
    for (unsigned m = 0; m < 3; m++) {
        assert_int_equal(tz_limit(chart, &p.problem, N + 1, INT64_MAX, methods[m], &found, NULL),
                         TZ_NONE);
        assert_int_equal(tz_limit(chart, &p.problem, INT64_MIN, -1, methods[m], &found, NULL),
                         TZ_NONE);
    }
    double before = p.data[0][3];
    p.data[0][3] = NAN;
    assert_int_equal(tz_limit(chart, &p.problem, 2, 2, TZ_LIMIT_AUTO, &found, &error),
                     TZ_BAD_SCORE);
    assert_non_null(strstr(error.message, "arc[0,3] is NaN"));
    assert_int_equal(tz_limit_curve(chart, &p.problem, &values, &count, &error), TZ_BAD_SCORE);
    assert_null(values);
    assert_int_equal(found.steps, 77); /* outputs are written on success only */
    p.data[0][3] = before;
    assert_ok(tz_limit_curve(chart, &p.problem, &values, &count, &error));
    assert_int_equal(count, N + 1);
    assert_ok(tz_limit_best(chart, 2, &derivation));
    assert_ok(tz_limit(chart, &p.problem, 2, 2, TZ_LIMIT_AUTO, &found, NULL));
    assert_int_equal(tz_limit_best(chart, 2, &derivation), TZ_BAD_ARGUMENT); /* no longer */
}

/* In float, and from floats with strides: what double gives from the same numbers. Tolerance: a
 * derivation of float sums is at most 1e-5 S below the best one (2^-24 for each of some 50 sums);
 * the scores themselves are exact sums of what was given. */
TEST(precision) {
    random_state random = random_start("limits in float");
    tz_limiter *limiter[2];
    tz_limit_chart *chart[2];
    make("compress", "kept", TZ_F64, &limiter[0], &chart[0]);
    make("compress", "kept", TZ_F32, &limiter[1], &chart[1]);
    OWNED(random_problem, p) = {0};
    problem_of_size(find_rules("compress"), N, plain_scores, &random, &p);
    /* Every other float of an array that is the other way round. */
    tz_scores scores[2];
    float *data[2];
    for (unsigned w = 0; w < 2; w++) {
        int32_t rows = p.shape[w].extent[0], columns = p.shape[w].extent[1];
        data[w] = need(calloc(2 * p.cells[w], sizeof *data[w]));
        scores[w] = (tz_scores){.data = data[w],
                                .type = TZ_FLOAT,
                                .extent = {rows, columns},
                                .stride = {2, 2 * (ptrdiff_t)rows}};
        for (int32_t i = 0; i < rows; i++)
            for (int32_t j = 0; j < columns; j++) {
                float *to = &data[w][2 * (j * rows + i)];
                *to = (float)p.data[w][i * columns + j];
                p.data[w][i * columns + j] = (double)*to;
            }
    }
    tz_problem floats = {.lengths = p.lengths, .scores = scores};
    for (unsigned m = 0; m < 2; m++)
        for (int64_t a = 0; a <= N; a++) {
            tz_limited want, same, near;
            assert_ok(tz_limit(chart[0], &p.problem, a, a, methods[m], &want, NULL));
            double score = want.score;
            assert_ok(tz_limit(chart[0], &floats, a, a, methods[m], &same, NULL));
            assert_true(same.score == score);
            assert_ok(tz_limit(chart[1], &floats, a, a, methods[m], &near, NULL));
            assert_true(near.exact && near.amount == a && near.score <= score);
            assert_true(near.score >= score - 1e-5 * 5 * 2 * N);
        }
    for (unsigned i = 0; i < 2; i++) {
        free(data[i]);
        tz_limit_chart_free(chart[i]);
        tz_limiter_free(limiter[i]);
    }
}

/* Forbidden cells are as impossible as those that score -INFINITY, on every path. */
TEST(facts) {
    random_state random = random_start("limits and facts");
    const tz_rules *rules = find_rules("compress");
    OWN(tz_limiter, limiter) = NULL;
    OWN(tz_limit_chart, chart) = NULL;
    make("compress", "kept", TZ_F64, &limiter, &chart);
    for (unsigned round = 0; round < 30; round++) {
        int n = round % 2 ? 24 : 5;
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, n, plain_scores, &random, &p);
        tz_cells cells[2] = {{0, {TZ_ANY, 2}}, {1, {0, 1 + (int32_t)random_below(&random, 4)}}};
        tz_fact fact = {.cells = cells, .count = 2};
        tz_problem forbidding = p.problem;
        forbidding.facts = &fact;
        forbidding.fact_count = 1;
        double score[3];
        tz_limit_path path[3];
        for (unsigned m = 0; m < 3; m++) {
            tz_limited found;
            assert_ok(tz_limit(chart, &forbidding, n / 2, n / 2, methods[m], &found, NULL));
            score[m] = found.score;
            path[m] = found.path;
        }
        for (int32_t h = 0; h <= n; h++)
            if (h != 2)
                p.data[0][problem_cell(&p, 0, (const int32_t[]){h, 2})] = -INFINITY;
        p.data[1][problem_cell(&p, 1, cells[1].index)] = -INFINITY;
        for (unsigned m = 0; m < 3; m++) {
            tz_limited found;
            assert_ok(tz_limit(chart, &p.problem, n / 2, n / 2, methods[m], &found, NULL));
            assert_true(found.score == score[m] && found.path == path[m]);
        }
    }
}

/* Forbidden items: the best of the derivations that are left, by enumeration, on every path. */
TEST(forbidden_items) {
    random_state random = random_start("limits and items");
    enum { LENGTH = 4, MOST = 2000 };
    const tz_rules *rules = find_rules("compress");
    const int32_t n = LENGTH;
    OWN(tz_limiter, limiter) = NULL;
    OWN(tz_limit_chart, chart) = NULL;
    size_t resource = 0, excluded = 0;
    while (strcmp(tz_rules_name_of(rules, TZ_RESOURCES, resource), "kept") != 0)
        resource++;
    make("compress", "kept", TZ_F64, &limiter, &chart);
    for (unsigned round = 0; round < 20; round++) {
        OWNED(known, k) = {0};
        long double best[LENGTH + 1];
        assert_true(known_make(&k, rules, &n, MOST, plain_scores, &random));
        size_t items;
        const tz_enum_use *item = known_items(&k, random_below(&random, k.count), &items);
        item += random_below(&random, items);
        k.cells[0][0] = (tz_cells){.weight = TZ_ITEM + item->weight};
        memcpy(k.cells[0][0].index, item->index, sizeof item->index);
        k.fact[0] = (tz_fact){false, k.cells[0], 1};
        k.own.problem.facts = k.fact;
        k.own.problem.fact_count = 1;
        known_filter(&k);
        for (int64_t a = 0; a <= n; a++)
            best[a] = -INFINITY;
        for (size_t d = 0; d < k.count; d++) {
            size_t uses;
            int64_t sum = 0, amount;
            const tz_enum_use *use = known_uses(&k, d, &uses);
            for (size_t u = 0; u < uses; u++)
                if (tz_rules_amount(rules, resource, use[u].weight, &n, use[u].index, &amount) ==
                    TZ_OK)
                    sum += amount;
            if (k.agrees[d] && k.score[d] > best[sum])
                best[sum] = k.score[d];
            excluded += !k.agrees[d];
        }
        for (int64_t a = 0; a <= n; a++)
            for (unsigned m = 0; m < 3; m++) {
                tz_limited found;
                tz_status status = tz_limit(chart, &k.own.problem, a, a, methods[m], &found, NULL);
                assert_int_equal(status == TZ_NONE, best[a] == -INFINITY);
                if (status == TZ_NONE)
                    continue;
                assert_true(found.bound >= (double)best[a] - 1e-12);
                if (found.exact)
                    assert_true(fabsl(found.score - best[a]) < 1e-12);
                assert_true(found.exact || methods[m] == TZ_LIMIT_DUAL);
            }
    }
    assert_true(excluded > 100);
}

/* A chart that has answered other questions gives the same as a new one, and so does a plan for
 * another instruction set: score, bound, steps and derivation. */
TEST(same) {
    random_state random = random_start("limits again");
    const tz_rules *rules = find_rules("compress");
    const isas here = isas_here();
    tz_limiter *limiter[3];
    tz_limit_chart *used;
    for (unsigned f = 0; f < here.count; f++)
        assert_ok(tz_limiter_new(rules, "kept", TZ_F64, here.flags[f], &limiter[f], NULL));
    assert_ok(tz_limit_chart_new(limiter[0], &used));
    for (unsigned round = 0; round < 40; round++) {
        int n = 1 + (int)random_below(&random, 20);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, n, round % 2 ? integer_scores : plain_scores, &random, &p);
        int64_t m = (int64_t)random_below(&random, (uint64_t)n + 1);
        tz_limited a, b;
        assert_ok(tz_limit(used, &p.problem, m, m, methods[round % 3], &a, NULL));
        for (unsigned f = 0; f < here.count; f++) {
            OWN(tz_limit_chart, fresh) = NULL;
            assert_ok(tz_limit_chart_new(limiter[f], &fresh));
            assert_ok(tz_limit(fresh, &p.problem, m, m, methods[round % 3], &b, NULL));
            const tz_derivation *x = a.derivation, *y = b.derivation;
            assert_true(a.score == b.score && a.bound == b.bound && a.steps == b.steps &&
                        a.path == b.path && a.exact == b.exact && a.amount == b.amount);
            assert_true(x->uses == y->uses && x->nodes == y->nodes);
            for (size_t u = 0; u < x->uses; u++) {
                assert_true(x->use[u].weight == y->use[u].weight &&
                            x->use[u].score == y->use[u].score);
                assert_memory_equal(x->use[u].index, y->use[u].index, sizeof x->use[u].index);
            }
            assert_memory_equal(x->node, y->node, x->nodes * sizeof *x->node);
        }
    }
    tz_limit_chart_free(used);
    for (unsigned f = 0; f < here.count; f++)
        tz_limiter_free(limiter[f]);
}

/* What bisection leaves open goes to the charged rules where these take few products, 1 10^6 for 10
 * words of 30, and to the forest where they take many, 8 10^6 for 20 words of 40. */
TEST(choice) {
    static const struct {
        int n;
        int64_t m;
        tz_limit_path path;
    } cases[] = {{30, 10, TZ_BY_CHARGE}, {40, 20, TZ_BY_PRUNING}};
    random_state random = random_start("ways of limits");
    const tz_rules *rules = find_rules("compress");
    OWN(tz_limiter, limiter) = NULL;
    OWN(tz_limit_chart, chart) = NULL;
    make("compress", "kept", TZ_F64, &limiter, &chart);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int64_t m = cases[k].m;
        unsigned seen[3] = {0};
        for (unsigned round = 0; round < 24; round++) {
            OWNED(random_problem, p) = {0};
            tz_limited found;
            problem_of_size(rules, cases[k].n, plain_scores, &random, &p);
            assert_ok(tz_limit(chart, &p.problem, m, m, TZ_LIMIT_AUTO, &found, NULL));
            double score = found.score;
            seen[found.path]++;
            assert_ok(tz_limit(chart, &p.problem, m, m, TZ_LIMIT_EXACT, &found, NULL));
            assert_true(relative_error(found.score, score) < 1e-13);
        }
        for (unsigned path = 0; path < 3; path++)
            assert_int_equal(seen[path] > 0, path == TZ_BY_BISECTION || path == cases[k].path);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt_limiter(void *user) {
    OWN(tz_limiter, limiter) = NULL;
    return tz_limiter_new(user, "steps", TZ_F64, 0, &limiter, NULL);
}

typedef struct attempt {
    tz_limiter *limiter;
    const tz_problem *problem;
    int64_t low, high;
    tz_limit_method method;
} attempt;

static int attempt_limit(void *user) {
    const attempt *a = user;
    OWN(tz_limit_chart, chart) = NULL;
    tz_limited found;
    tz_status status = tz_limit_chart_new(a->limiter, &chart);
    if (status == TZ_OK)
        status = tz_limit(chart, a->problem, a->low, a->high, a->method, &found, NULL);
    return (int)status;
}

static int attempt_curve(void *user) {
    const attempt *a = user;
    OWN(tz_limit_chart, chart) = NULL;
    const double *values;
    const tz_derivation *best;
    size_t count;
    tz_status status = tz_limit_chart_new(a->limiter, &chart);
    if (status == TZ_OK)
        status = tz_limit_curve(chart, a->problem, &values, &count, NULL);
    if (status == TZ_OK)
        status = tz_limit_best(chart, 1, &best);
    return (int)status;
}

static const char sparse_rules[] =
    "rules sparse\nlength n\nweight step[i,j] sparse 0 <= i < j <= n\nitem at[i] 0 <= i <= n\n"
    "resource steps step[i,j] 1\ngoal at[n]\n"
    "axiom\n--- start\nat[0]\nat[i]\n--- go * step[i,j]\nat[j]\n";

TEST(memory) {
    random_state random = random_start("memory of limits");
    OWN(tz_rules, sparse) = NULL;
    assert_ok(tz_rules_parse("sparse", sparse_rules, sizeof sparse_rules - 1, &sparse, NULL));
    oom_sweep("limiter", attempt_limiter, sparse, TZ_NO_MEMORY, false);
    for (unsigned r = 0; r < 2; r++) {
        const tz_rules *rules = r == 0 ? find_rules("compress") : sparse;
        attempt a = {0};
        random_problem p;
        assert_ok(tz_limiter_new(rules, tz_rules_name_of(rules, TZ_RESOURCES, 0), TZ_F64, 0,
                                 &a.limiter, NULL));
        /* A problem for each path. */
        bool seen[3] = {false};
        for (unsigned round = 0; round < 200 && !(seen[0] && seen[1] && seen[2]); round++) {
            OWN(tz_limit_chart, chart) = NULL;
            tz_limited found;
            int n = round % 2 == 0 ? 6 : 36;
            problem_of_size(rules, n, plain_scores, &random, &p);
            a.low = a.high = n / 2;
            a.problem = &p.problem;
            a.method = TZ_LIMIT_AUTO;
            assert_ok(tz_limit_chart_new(a.limiter, &chart));
            if (tz_limit(chart, &p.problem, a.low, a.high, TZ_LIMIT_AUTO, &found, NULL) == TZ_OK &&
                !seen[found.path]) {
                seen[found.path] = true;
                oom_sweep("limit", attempt_limit, &a, TZ_NO_MEMORY, false);
                if (round % 2 == 0) {
                    a.method = TZ_LIMIT_EXACT;
                    oom_sweep("exact", attempt_limit, &a, TZ_NO_MEMORY, false);
                    oom_sweep("curve", attempt_curve, &a, TZ_NO_MEMORY, false);
                }
            }
            random_problem_free(&p);
        }
        assert_true(seen[0] && (r == 1 || (seen[1] && seen[2])));
        tz_limiter_free(a.limiter);
    }
}
