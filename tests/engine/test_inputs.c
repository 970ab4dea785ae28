/* test_inputs.c - rules whose weights are looked up by numbers that a problem gives: the same as
 * with a weight for every position, and marginals that are the gradient of a table's scores.
 *
 * Enumeration and the plain interpreter see such rules in tests/engine/test_random_rules.c.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "tests/support/evaluate.h"
#include "tests/support/rules_text.h"

#define GOOD TZ_SOURCE_ROOT "/tests/rules/good/"

enum { START, TRANS, EMIT, N = 7, T = 3, V = 4 };

/* `chain` with one table of emissions, and what is charged for. */
static const char tied[] = "rules tied\n"
                           "length n, T, V\n"
                           "input x[i] < V  1 <= i <= n\n"
                           "weight start[a]    0 <= a < T\n"
                           "weight trans[a,b]  0 <= a < T, 0 <= b < T\n"
                           "weight emit[a,v]   0 <= a < T, 0 <= v < V\n"
                           "item state[i,a]    1 <= i <= n, 0 <= a < T\n"
                           "item done\n"
                           "goal done\n"
                           "resource used emit[a,v] a\n\n"
                           "    axiom\n"
                           "    --- start  * start[a] * emit[a,x[1]]\n"
                           "    state[1,a]\n\n"
                           "    state[i-1,a]\n"
                           "    --- step  * trans[a,b] * emit[b,x[i]]\n"
                           "    state[i,b]\n\n"
                           "    state[n,_]\n"
                           "    --- finish\n"
                           "    done\n";

static void tied_problem(const tz_rules *rules, random_state *random, random_problem *ret) {
    make_problem(rules, (const int32_t[]){N, T, V}, plain_scores, random, ret);
}

/* The same for `chain`: emit[i,a] is the table's emit[a,x[i]]. */
static void spread_problem(const random_problem *p, random_state *random, random_problem *ret) {
    const tz_rules *chain = find_rules("chain");
    make_problem(chain, (const int32_t[]){N, T}, plain_scores, random, ret);
    memcpy(ret->data[START], p->data[START], T * sizeof(double));
    memcpy(ret->data[TRANS], p->data[TRANS], T * T * sizeof(double));
    for (int i = 1; i <= N; i++)
        for (int a = 0; a < T; a++)
            ret->data[EMIT][i * T + a] = p->data[EMIT][a * V + p->number[0][i - 1]];
}

/* ---- A table, and its cells for each position ------------------------------------------------ */

TEST(as_spread) {
    random_state random = random_start("as spread");
    OWN(tz_rules, rules) = parse_rules(tied);
    for (unsigned round = 0; round < 20; round++) {
        OWNED(random_problem, q) = {0}, p = {0};
        double goal[2], *cell[2];
        tied_problem(rules, &random, &p);
        spread_problem(&p, &random, &q);
        for (unsigned semiring = 0; semiring < 2; semiring++) {
            const char *name = semiring == 0 ? "log" : "max";
            OWNED(evaluation, a) = evaluate(rules, name, &p),
                              b = evaluate(find_rules("chain"), name, &q);
            goal[0] = evaluation_goal(&a);
            goal[1] = evaluation_goal(&b);
            assert_true(goal[0] == goal[1]);
            cell_numbers ask = semiring == 0 ? tz_marginals : tz_through;
            for (unsigned w = 0; w < 2; w++) {
                cell[0] = evaluation_cells(&a, ask, w);
                cell[1] = evaluation_cells(&b, ask, w);
                assert_memory_equal(cell[0], cell[1], p.cells[w] * sizeof(double));
                free(cell[0]);
                free(cell[1]);
            }
            cell[0] = evaluation_cells(&a, ask, EMIT);
            cell[1] = evaluation_cells(&b, ask, EMIT);
            for (int v = 0; v < V; v++)
                for (int l = 0; l < T; l++) {
                    double sum = 0, most = -INFINITY;
                    for (int i = 1; i <= N; i++)
                        if (p.number[0][i - 1] == v) {
                            sum += cell[1][i * T + l];
                            most = fmax(most, cell[1][i * T + l]);
                        }
                    assert_true(fabs(cell[0][l * V + v] - (semiring == 0 ? sum : most)) <= 1e-14 ||
                                cell[0][l * V + v] == most);
                }
            free(cell[0]);
            free(cell[1]);
        }
    }
}

/* ---- Side by side ---------------------------------------------------------------------------- */

enum { MOST_PROBLEMS = 17 };

/* The marginals of so many problems at once are those of each alone, however many lanes they are
 * given: a cell is used at several positions, by two views. */
TEST(side_by_side) {
    random_state random = random_start("side by side");
    OWN(tz_rules, rules) = parse_rules(tied);
    random_problem p[MOST_PROBLEMS];
    tz_problem problem[MOST_PROBLEMS];
    tz_output output[MOST_PROBLEMS * 3] = {{0}};
    double *right[MOST_PROBLEMS];
    const tz_answers answers = {.marginals = output};
    tz_run_options options = {.outside = true};
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("log", TZ_F64), 0);
    assert_ok(tz_charts_new(plan, &options.charts));
    for (size_t i = 0; i < MOST_PROBLEMS; i++) {
        tied_problem(rules, &random, &p[i]);
        problem[i] = p[i].problem;
        OWNED(evaluation, alone) = evaluate(rules, "log", &p[i]);
        right[i] = evaluation_cells(&alone, tz_marginals, EMIT);
    }
    for (size_t count = 1; count <= MOST_PROBLEMS; count++)
        for (int kept = 0; kept < 2; kept++) {
            double cell[MOST_PROBLEMS][T * V];
            for (size_t i = 0; i < count; i++)
                output[3 * i + EMIT] = problem_output(&p[i], EMIT, cell[i]);
            tz_run_options one = {.outside = true};
            assert_ok(tz_run(plan, problem, count, kept ? &options : &one, tz_answer,
                             (void *)&answers, NULL));
            for (size_t i = 0; i < count; i++)
                assert_memory_equal(cell[i], right[i], sizeof cell[i]);
        }
    for (size_t i = 0; i < MOST_PROBLEMS; i++) {
        free(right[i]);
        random_problem_free(&p[i]);
    }
    tz_charts_free(options.charts);
}

/* ---- Marginals are the gradient -------------------------------------------------------------- */

static double log_z(const tz_rules *rules, const random_problem *p) {
    OWNED(evaluation, e) = evaluate(rules, "log", p);
    return evaluation_goal(&e);
}

/* By differences of log Z; and tangents, by differences of marginals. */
static void check_gradient(const tz_rules *rules, const int32_t *lengths, random_state *random) {
    const double step = 1e-4;
    OWNED(random_problem, p) = {0};
    tz_scores direction[MAX_WEIGHTS];
    double *moved[MAX_WEIGHTS], *marginal[MAX_WEIGHTS], *tangent[MAX_WEIGHTS];
    make_problem(rules, lengths, tiny_scores, random, &p);
    unsigned weights = (unsigned)tz_rules_count(rules, TZ_WEIGHTS);
    for (unsigned w = 0; w < weights; w++) {
        moved[w] = need(malloc((p.cells[w] + 1) * sizeof(double)));
        for (size_t c = 0; c < p.cells[w]; c++)
            moved[w][c] = random_between(random, -1, 1);
        direction[w] = p.scores[w];
        direction[w].data = moved[w];
    }
    p.problem.direction = direction;
    evaluation e = evaluate(rules, "log", &p);
    for (unsigned w = 0; w < weights; w++) {
        marginal[w] = evaluation_cells(&e, tz_marginals, w);
        tangent[w] = evaluation_cells(&e, tz_marginal_tangents, w);
    }
    evaluation_free(&e);
    p.problem.direction = NULL;
    for (unsigned w = 0; w < weights; w++)
        for (size_t c = 0; c < p.cells[w]; c++) {
            double score = p.data[w][c];
            if (isnan(score))
                continue;
            p.data[w][c] = score + step;
            double up = log_z(rules, &p);
            p.data[w][c] = score - step;
            double down = log_z(rules, &p);
            p.data[w][c] = score;
            if (!(fabs((up - down) / (2 * step) - marginal[w][c]) <= 1e-6))
                fail_msg("marginal of weight %u, cell %zu: %g, not %g", w, c, marginal[w][c],
                         (up - down) / (2 * step));
        }
    for (int side = 1; side >= -1; side -= 2) {
        for (unsigned w = 0; w < weights; w++)
            for (size_t c = 0; c < p.cells[w]; c++)
                p.data[w][c] += (side == 1 ? 1 : -2) * step * moved[w][c];
        e = evaluate(rules, "log", &p);
        for (unsigned w = 0; w < weights; w++) {
            FREED(double, there) = evaluation_cells(&e, tz_marginals, w);
            for (size_t c = 0; c < p.cells[w]; c++) /* what is left is the difference */
                tangent[w][c] -= side * there[c] / (2 * step);
        }
        evaluation_free(&e);
    }
    for (unsigned w = 0; w < weights; w++) {
        for (size_t c = 0; c < p.cells[w]; c++)
            if (!(fabs(tangent[w][c]) <= 1e-5))
                fail_msg("tangent of weight %u, cell %zu: off by %g", w, c, tangent[w][c]);
        free(moved[w]);
        free(marginal[w]);
        free(tangent[w]);
    }
}

TEST(gradient) {
    static const struct {
        const char *file;
        int32_t lengths[4];
    } sets[] = {{"inputs-hmm", {4, 2, 3}},
                {"inputs-folding", {5, 2}},
                {"inputs-edit", {3, 2, 2, 3}},
                {"inputs-forms", {3, 1}}};
    random_state random = random_start("gradient");
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        char path[512];
        OWN(tz_rules, rules) = NULL;
        snprintf(path, sizeof path, GOOD "%s.rules", sets[s].file);
        assert_ok(tz_rules_read(path, &rules, NULL));
        check_gradient(rules, sets[s].lengths, &random);
    }
}

/* ---- Derivations ----------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* Lists have the scores of the spread rules' lists, samples the weights that their scores say, and
 * limits the best of each amount. */
TEST(derivations) {
    random_state random = random_start("derivations");
    OWN(tz_rules, rules) = parse_rules(tied);
    OWNED(random_problem, q) = {0}, p = {0};
    tied_problem(rules, &random, &p);
    spread_problem(&p, &random, &q);
    evaluation a = evaluate(rules, "max", &p), b = evaluate(find_rules("chain"), "max", &q);
    tz_kbest *list[2];
    const tz_derivation *d[2];
    double best[2 * N * T];
    size_t amounts = (T - 1) * N + 1;
    for (size_t u = 0; u < amounts; u++)
        best[u] = -INFINITY;
    list[0] = make_kbest(a.chart, 0, false);
    list[1] = make_kbest(b.chart, 0, false);
    while (tz_kbest_next(list[0], &d[0]) == TZ_OK) {
        assert_ok(tz_kbest_next(list[1], &d[1]));
        assert_true(d[0]->score == d[1]->score && d[0]->uses == d[1]->uses);
        int32_t amount = 0;
        double score[2][2 * N];
        for (size_t u = 0; u < d[0]->uses; u++) {
            const tz_use *use = &d[0]->use[u];
            assert_true(use->score == problem_score(&p, use->weight, use->index));
            amount += use->weight == EMIT ? use->index[0] : 0;
            score[0][u] = use->score;
            score[1][u] = d[1]->use[u].score;
        }
        for (unsigned s = 0; s < 2; s++)
            qsort(score[s], d[0]->uses, sizeof(double), compare_numbers);
        assert_memory_equal(score[0], score[1], d[0]->uses * sizeof(double));
        best[amount] = fmax(best[amount], d[0]->score);
    }
    assert_int_equal(tz_kbest_next(list[1], &d[1]), TZ_NONE);
    tz_kbest_free(list[0]);
    tz_kbest_free(list[1]);

    OWN(tz_limiter, limiter) = NULL;
    tz_limit_chart *chart;
    assert_ok(tz_limiter_new(rules, "used", TZ_F64, 0, &limiter, NULL));
    assert_ok(tz_limit_chart_new(limiter, &chart));
    for (size_t u = 0; u < amounts; u++)
        for (tz_limit_method method = TZ_LIMIT_AUTO; method <= TZ_LIMIT_EXACT; method++) {
            tz_limited found;
            int32_t used = 0;
            assert_ok(tz_limit(chart, &p.problem, (int64_t)u, (int64_t)u, method, &found, NULL));
            assert_true(relative_error(found.score, best[u]) <= 1e-13);
            for (size_t i = 0; i < found.derivation->uses; i++) {
                const tz_use *use = &found.derivation->use[i];
                assert_true(use->score == problem_score(&p, use->weight, use->index));
                used += use->weight == EMIT ? use->index[0] : 0;
            }
            assert_int_equal(used, u);
        }
    const double *curve;
    size_t count;
    assert_ok(tz_limit_curve(chart, &p.problem, &curve, &count, NULL));
    assert_int_equal(count, amounts);
    for (size_t u = 0; u < amounts; u++)
        assert_true(relative_error(curve[u], best[u]) <= 1e-13);
    tz_limit_chart_free(chart);
    evaluation_free(&a);
    evaluation_free(&b);

    a = evaluate(rules, "log", &p);
    b = evaluate(find_rules("chain"), "log", &q);
    tz_sampler *sampler[2];
    assert_ok(tz_sampler_new(a.chart, 0, 1, false, &sampler[0]));
    assert_ok(tz_sampler_new(b.chart, 0, 1, false, &sampler[1]));
    for (unsigned s = 0; s < 50; s++) {
        assert_ok(tz_sampler_next(sampler[0], &d[0]));
        assert_ok(tz_sampler_next(sampler[1], &d[1]));
        assert_true(relative_error(d[0]->score, d[1]->score) <= 1e-14);
        for (size_t n = 0; n < d[0]->nodes; n++)
            assert_memory_equal(d[0]->node[n].index, d[1]->node[n].index, sizeof d[0]->node->index);
    }
    tz_sampler_free(sampler[0]);
    tz_sampler_free(sampler[1]);
    evaluation_free(&a);
    evaluation_free(&b);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

/* A forbidden cell is impossible wherever it is looked up; a required one stands somewhere. */
TEST(facts) {
    random_state random = random_start("facts");
    OWN(tz_rules, rules) = parse_rules(tied);
    random_problem p;
    tied_problem(rules, &random, &p);
    for (int i = 0; i < N; i++)
        p.number[0][i] = i == 2 ? 3 : i % 3;
    const tz_cells forbidden = {EMIT, {1, TZ_ANY}}, required = {EMIT, {2, 3}};
    tz_fact fact[] = {{false, &forbidden, 1}, {true, &required, 1}};
    random_problem masked = p;
    double data[T * V], most[2];
    memcpy(data, p.data[EMIT], sizeof data);
    for (int v = 0; v < V; v++)
        data[V + v] = -INFINITY;
    data[0 * V + 3] = -INFINITY; /* position 3 alone has it: its label is 2 */
    masked.scores[EMIT].data = data;
    masked.problem.scores = masked.scores;
    evaluation want = evaluate(rules, "log", &masked);
    p.problem.facts = fact;
    p.problem.fact_count = 2;
    OWN(tz_semiring, semiring) = make_semiring("required(log)", TZ_F64);
    evaluation got = evaluate_with(rules, semiring, 0, &p);
    most[0] = evaluation_goal(&got);
    most[1] = evaluation_goal(&want);
    assert_true(relative_error(most[0], most[1]) <= 1e-13);
    evaluation_free(&got);
    /* As forbidden uses. */
    tz_fact *facts;
    assert_ok(tz_facts_new(rules, &p.problem, &facts, NULL));
    p.problem.facts = facts;
    p.problem.fact_count = 1;
    got = evaluate(rules, "log", &p);
    assert_true(relative_error(evaluation_goal(&got), most[1]) <= 1e-13);
    for (unsigned w = 0; w < 3; w++) {
        FREED(double, a) = evaluation_cells(&got, tz_marginals, w);
        FREED(double, b) = evaluation_cells(&want, tz_marginals, w);
        for (size_t c = 0; c < p.cells[w]; c++)
            assert_true(fabs(a[c] - b[c]) <= 1e-13);
    }
    evaluation_free(&got);
    evaluation_free(&want);
    tz_facts_free(facts);
    random_problem_free(&p);
}

/* ---- What is refused, and shown -------------------------------------------------------------- */

static void refuse(tz_chart *chart, const tz_problem *problem, tz_status status,
                   const char *message) {
    tz_error error = {TZ_OK, ""};
    assert_int_equal(tz_bind(chart, problem, 1, &error), status);
    assert_string_equal(error.message, message);
    error.message[0] = '\0';
    assert_int_equal(tz_problem_check(chart->plan, problem, &error), status);
    assert_string_equal(error.message, message);
}

TEST(refused) {
    random_state random = random_start("refused");
    OWN(tz_rules, rules) = parse_rules(tied);
    OWNED(random_problem, p) = {0};
    tied_problem(rules, &random, &p);
    OWNED(evaluation, e) = evaluate(rules, "max", &p);
    for (int i = 0; i < N; i++)
        p.number[0][i] = i % 2;
    p.number[0][4] = V;
    refuse(e.chart, &p.problem, TZ_BAD_ARGUMENT, "x[5] is 4: it must be from 0 to 3");
    p.number[0][4] = -1;
    refuse(e.chart, &p.problem, TZ_BAD_ARGUMENT, "x[5] is -1: it must be from 0 to 3");
    p.number[0][4] = 2;
    p.data[EMIT][1 * V + 2] = NAN;
    refuse(e.chart, &p.problem, TZ_BAD_SCORE,
           "emit[1,x[5]] is NaN: scores are numbers or -infinity");
    p.data[EMIT][1 * V + 2] = 0;
    p.data[EMIT][1 * V + 3] = NAN; /* which nobody looks up */
    assert_ok(tz_problem_check(e.plan, &p.problem, NULL));
    assert_ok(tz_bind(e.chart, &p.problem, 1, NULL));
    p.data[EMIT][1 * V + 3] = 0;
    p.numbers[0].extent[0] = N - 1;
    refuse(e.chart, &p.problem, TZ_BAD_ARGUMENT,
           "x has 6 positions in dimension 1, but needs 7: index i runs to 7");
    p.numbers[0].extent[0] = N;
    p.scores[EMIT].extent[1] = V - 1;
    refuse(e.chart, &p.problem, TZ_BAD_ARGUMENT,
           "emit has 3 positions in dimension 2, but needs 4: index v runs to 3");
    p.scores[EMIT].extent[1] = V;
    p.problem.numbers = NULL;
    refuse(e.chart, &p.problem, TZ_BAD_ARGUMENT, "input x has no data");
    p.problem.numbers = p.numbers;
    assert_ok(tz_bind(e.chart, &p.problem, 1, NULL));
}

/* What is shown reads back as the same. */
TEST(shown) {
    static const char *const sets[] = {"inputs-hmm", "inputs-folding", "inputs-edit",
                                       "inputs-forms"};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        char path[512], text[2][8192];
        OWN(tz_rules, again) = NULL, *rules = NULL;
        snprintf(path, sizeof path, GOOD "%s.rules", sets[s]);
        assert_ok(tz_rules_read(path, &rules, NULL));
        assert_in_range(tz_rules_show(rules, TZ_FIGURES_TEXT, text[0], sizeof text[0]), 1, 8191);
        again = parse_rules(text[0]);
        tz_rules_show(again, TZ_FIGURES_TEXT, text[1], sizeof text[1]);
        assert_string_equal(text[0], text[1]);
        assert_true(tz_rules_show(rules, TZ_FIGURES_LATEX, NULL, 0) > 0);
        assert_true(tz_rules_show(rules, TZ_FIGURES_DOT, NULL, 0) > 0);
    }
}
