/* test_values.c - do kbest(K) and entropy give what all derivations say, one by one in long double;
 * and at n = 60, what max, log and the marginals say?
 *
 * Every rule set for n = 0..5, the problems of all n in one chart, in double and in float;
 * ambiguous ones forced. S is max(1, the largest sum of |numbers| of a derivation), epsilon the
 * precision's. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "rules/tell/enumerate.h"
#include "tests/support/amount.h"
#include "tests/support/element.h"
#include "tests/support/problem.h"

enum { MAX_N = AMOUNT(5, 4), LANES = MAX_N + 1, MOST_K = 50, LIMIT = 400000 };

/* In units of S epsilon. Measured with TZ_SEED=1..5: 1.1, 1.6 and 3.2. */
static const double score_tolerance = 2, number_tolerance = 4, identity_tolerance = 8;
static double worst_score, worst_number, worst_identity;

/* ---- Problems with inputs -------------------------------------------------------------------- */

typedef struct input_problem {
    random_problem p;
    float *cost[MAX_WEIGHTS]; /* the first index fastest */
    double *q[MAX_WEIGHTS];
    tz_scores input[2 * MAX_WEIGHTS];
    tz_problem problem;
} input_problem;

static void make_inputs(const tz_rules *rules, const int32_t *lengths, score_source source,
                        score_source q_source, random_state *random, input_problem *ret) {
    random_problem *p = &ret->p;
    make_problem(rules, lengths, source, random, p);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        ret->cost[w] = calloc(p->cells[w] + 1, sizeof(float));
        ret->q[w] = calloc(p->cells[w] + 1, sizeof(double));
        assert_non_null(ret->cost[w]);
        assert_non_null(ret->q[w]);
        for (size_t c = 0; c < p->cells[w]; c++) {
            ret->cost[w][c] = (float)random_between(random, -3, 5);
            ret->q[w][c] = q_source(random);
        }
        tz_scores *cost = &ret->input[w], *q = &ret->input[tz_rules_count(rules, TZ_WEIGHTS) + w];
        *cost = *q = p->shape[w].sparse ? tz_scores_sparse(p->index[w], ret->q[w], p->cells[w])
                                        : tz_scores_dense(&p->shape[w], ret->q[w]);
        cost->data = ret->cost[w];
        cost->type = TZ_FLOAT;
        ptrdiff_t stride = 1;
        for (unsigned r = 0; r < p->shape[w].rank && !p->shape[w].sparse; r++) {
            cost->stride[r] = stride;
            stride *= p->shape[w].extent[r];
        }
    }
    ret->problem = p->problem;
    ret->problem.inputs = ret->input;
}

static void free_inputs(const tz_rules *rules, input_problem *p) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        free(p->cost[w]);
        free(p->q[w]);
    }
    random_problem_free(&p->p);
}

static double cost_at(const input_problem *p, unsigned weight, size_t cell, const int32_t *index) {
    const tz_shape *shape = &p->p.shape[weight];
    const tz_scores *cost = &p->input[weight];
    if (shape->sparse)
        return (double)p->cost[weight][cell];
    ptrdiff_t at = 0;
    for (unsigned r = 0; r < shape->rank; r++)
        at += (index[r] - shape->origin[r]) * cost->stride[r];
    return (double)p->cost[weight][at];
}

/* ---- Truth ----------------------------------------------------------------------------------- */

typedef struct derivation {
    long double score, cost, q;
} derivation;

typedef struct truth {
    const input_problem *p;
    derivation *derivation; /* the possible ones, best first */
    size_t count, room;
    long double q_total; /* sum of exp(q score) over all derivations */
    long double size;    /* S */
} truth;

static int visit(void *user, const tz_enum_use *uses, size_t count) {
    truth *t = user;
    derivation d = {0};
    long double size = 0;
    for (size_t u = 0; u < count; u++) {
        unsigned w = uses[u].weight;
        size_t cell = problem_cell(&t->p->p, w, uses[u].index);
        if (cell == SIZE_MAX)
            return 0; /* an absent entry: in neither distribution */
        d.score += (long double)t->p->p.data[w][cell];
        d.q += (long double)t->p->q[w][cell];
        d.cost += (long double)cost_at(t->p, w, cell, uses[u].index);
        size += fabsl((long double)t->p->p.data[w][cell]) + fabsl(d.cost);
        size += t->p->q[w][cell] > -INFINITY ? fabsl((long double)t->p->q[w][cell]) : 0;
    }
    t->q_total += expl(d.q);
    if (d.score == -INFINITY)
        return 0;
    t->size = size > t->size ? size : t->size;
    if (t->count == t->room) {
        t->room = 2 * t->room + 64;
        t->derivation = need(realloc(t->derivation, t->room * sizeof d));
    }
    t->derivation[t->count++] = d;
    return 0;
}

static int by_score(const void *a, const void *b) {
    const derivation *x = a, *y = b;
    return (x->score < y->score) - (x->score > y->score);
}

static truth find_truth(const tz_rules *rules, const input_problem *p) {
    truth t = {.p = p, .size = 1};
    assert_ok(tz_enumerate(rules, p->p.lengths, LIMIT, visit, &t));
    if (t.count > 0)
        qsort(t.derivation, t.count, sizeof *t.derivation, by_score);
    return t;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static void check(const char *what, double got, long double want, long double unit,
                  double tolerance, double *worst) {
    if ((long double)got == want)
        return;
    double error = (double)(fabsl((long double)got - want) / unit);
    if (!(error <= tolerance))
        fail_msg("%s is %.17g, not %.17Lg: off by %g units", what, got, want, error);
    *worst = error > *worst ? error : *worst;
}

static tz_chart *chart_of(const tz_rules *rules, const tz_semiring *semiring,
                          const tz_problem *problem, size_t count, tz_plan **ret_plan) {
    tz_error error;
    assert_ok(tz_plan_new(rules, semiring, TZ_FORCE, ret_plan, &error));
    tz_chart *chart = make_chart(*ret_plan);
    if (tz_bind(chart, problem, count, &error) != TZ_OK)
        fail_msg("%s: %s", rules->name, error.message);
    assert_ok(tz_inside(chart));
    return chart;
}

static void check_kbest(const tz_rules *rules, const tz_problem *problem, const truth *truth,
                        tz_precision precision, bool exact) {
    static const size_t k_of[] = {1, 5, MOST_K};
    for (size_t i = 0; i < 3; i++) {
        char text[20];
        OWN(tz_plan, plan) = NULL;
        snprintf(text, sizeof text, "kbest(%zu)", k_of[i]);
        OWN(tz_semiring, semiring) = make_semiring(text, precision);
        OWN(tz_chart, chart) = chart_of(rules, semiring, problem, LANES, &plan);
        for (size_t lane = 0; lane < LANES; lane++) {
            const struct truth *t = &truth[lane];
            double got[MOST_K], value;
            size_t count = 0, want = t->count < k_of[i] ? t->count : k_of[i];
            assert_ok(tz_item_values(chart, lane, TZ_GOAL, NULL, got, &count));
            assert_int_equal(count, want);
            value = goal_of(chart, lane);
            assert_true(value == (count > 0 ? got[0] : -INFINITY));
            long double unit = exact ? 1e-30L : t->size * (long double)precision_epsilon(precision);
            for (size_t d = 0; d < count; d++)
                check("a score", got[d], t->derivation[d].score, unit, score_tolerance,
                      &worst_score);
        }
    }
}

static void check_entropy(const tz_rules *rules, const tz_problem *problem, const truth *truth,
                          tz_precision precision) {
    tz_plan *plan, *q_plan;
    tz_problem q[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        q[lane] = (tz_problem){.lengths = problem[lane].lengths,
                               .scores = problem[lane].inputs + tz_rules_count(rules, TZ_WEIGHTS),
                               .numbers = problem[lane].numbers};
    tz_chart *chart =
        chart_of(rules, tz_semiring_find("entropy", precision), problem, LANES, &plan);
    tz_chart *q_chart = chart_of(rules, tz_semiring_find("log", precision), q, LANES, &q_plan);
    for (size_t lane = 0; lane < LANES; lane++) {
        const struct truth *t = &truth[lane];
        long double unit = t->size * (long double)precision_epsilon(precision);
        double got[4], log_zq;
        size_t count = 0;
        assert_ok(tz_item_values(chart, lane, TZ_GOAL, NULL, got, &count));
        assert_int_equal(count, 4);
        log_zq = goal_of(q_chart, lane);
        if (t->count == 0) {
            assert_true(got[0] == -INFINITY && got[1] == 0 && got[2] == 0 && got[3] == 0);
            continue;
        }
        long double z = 0, best = t->derivation[0].score, h = 0, cost = 0, other = 0, kl = 0;
        for (size_t d = 0; d < t->count; d++)
            z += expl(t->derivation[d].score - best);
        long double log_z = best + logl(z);
        for (size_t d = 0; d < t->count; d++) {
            long double log_p = t->derivation[d].score - log_z, p = expl(log_p);
            h -= p * log_p;
            cost += p * t->derivation[d].cost;
            other += t->derivation[d].q == -INFINITY ? -INFINITY : p * t->derivation[d].q;
            kl += p * (log_p - t->derivation[d].q + logl(t->q_total));
        }
        check("log Z", got[0], log_z, unit, number_tolerance, &worst_number);
        check("the entropy", got[1], h, unit, number_tolerance, &worst_number);
        check("the expected cost", got[2], cost, unit, number_tolerance, &worst_number);
        check("the expected score in q", got[3], other, unit, number_tolerance, &worst_number);
        if (got[3] > -INFINITY)
            check("KL(p || q)", log_zq - got[1] - got[3], kl, unit, number_tolerance,
                  &worst_number);
    }
    tz_chart_free(chart);
    tz_plan_free(plan);
    tz_chart_free(q_chart);
    tz_plan_free(q_plan);
}

TEST(against_enumeration) {
    random_state random = random_start("against enumeration");
    static const struct {
        score_source score, q;
        bool exact;
    } regimes[] = {{integer_scores, plain_scores, true},
                   {plain_scores, masked_scores, false},
                   {masked_scores, plain_scores, false},
                   {masked_integers, masked_integers, true},
                   {large_scores, plain_scores, false}};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (size_t r = 0; r < sizeof regimes / sizeof *regimes; r++) {
            static input_problem p[LANES];
            tz_problem problem[LANES];
            truth t[LANES];
            for (int n = 0; n <= MAX_N; n++) {
                int32_t lengths[TZ_MAX_LENGTHS];
                set_countable_lengths(rules, n, 2, lengths);
                make_inputs(rules, lengths, regimes[r].score, regimes[r].q, &random, &p[n]);
                problem[n] = p[n].problem;
                t[n] = find_truth(rules, &p[n]);
            }
            for (tz_precision precision = TZ_F64; precision <= TZ_F32; precision++) {
                check_kbest(rules, problem, t, precision, regimes[r].exact);
                check_entropy(rules, problem, t, precision);
            }
            for (int n = 0; n <= MAX_N; n++) {
                free(t[n].derivation);
                free_inputs(rules, &p[n]);
            }
        }
    }
}

/* kbest(K) for K > 1 counts derivations, and kbest(1) does not. */
TEST(ambiguous_rules) {
    for (int k = 1; k <= 2; k++) {
        OWN(tz_plan, plan) = NULL;
        OWN(tz_semiring, semiring) = make_semiring(k == 1 ? "kbest(1)" : "kbest(2)", TZ_F64);
        assert_int_equal(tz_plan_new(tz_rules_find("skip-note"), semiring, 0, &plan, NULL),
                         k == 1 ? TZ_OK : TZ_AMBIGUOUS);
    }
}

/* n = 60: kbest(1) = max, to the bit. log Z of entropy = that of log; entropy = log Z - sum over
 * the cells of marginal * score, expected cost = sum of marginal * cost. */
TEST(identities) {
    random_state random = random_start("identities");
    static const char *const names[] = {"eisner", "compress", "chain", "cky"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const tz_rules *rules = tz_rules_find(names[i]);
        static input_problem p;
        int32_t lengths[TZ_MAX_LENGTHS];
        set_lengths(rules, i == 3 ? 20 : 60, 3, lengths);
        make_inputs(rules, lengths, plain_scores, masked_scores, &random, &p);
        tz_plan *plan[4];
        OWN(tz_semiring, first) = make_semiring("kbest(1)", TZ_F64);
        tz_chart *max = chart_of(rules, tz_semiring_find("max", TZ_F64), &p.problem, 1, &plan[0]);
        tz_chart *kbest = chart_of(rules, first, &p.problem, 1, &plan[1]);
        tz_chart *log = chart_of(rules, tz_semiring_find("log", TZ_F64), &p.problem, 1, &plan[2]);
        tz_chart *entropy =
            chart_of(rules, tz_semiring_find("entropy", TZ_F64), &p.problem, 1, &plan[3]);
        double best, best_of_k, log_z, number[4];
        size_t count;
        best = goal_of(max, 0);
        best_of_k = goal_of(kbest, 0);
        assert_true(best == best_of_k);
        log_z = goal_of(log, 0);
        assert_ok(tz_item_values(entropy, 0, TZ_GOAL, NULL, number, &count));
        assert_ok(tz_outside(log));
        assert_ok(tz_outside(entropy));
        long double h = (long double)log_z, cost = 0, size = 1;
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            const tz_shape *shape = &p.p.shape[w];
            FREED(double, marginal) = need(calloc(2 * (p.p.cells[w] + 1), sizeof *marginal));
            double *again = marginal + p.p.cells[w] + 1;
            tz_output output = tz_output_dense(shape, marginal);
            tz_output other = tz_output_dense(shape, again);
            assert_ok(tz_marginals(log, 0, w, &output));
            assert_ok(tz_marginals(entropy, 0, w, &other));
            for (size_t c = 0; c < p.p.cells[w]; c++) {
                check("a marginal of entropy", again[c], (long double)marginal[c], 0x1p-52L, 64,
                      &worst_identity);
                if (marginal[c] == 0)
                    continue;
                int32_t index[TZ_MAX_RANK] = {0};
                size_t rest = c;
                for (unsigned r = shape->rank; r-- > 0 && !shape->sparse;) {
                    index[r] = (int32_t)(rest % (size_t)shape->extent[r]) + shape->origin[r];
                    rest /= (size_t)shape->extent[r];
                }
                long double m = (long double)marginal[c];
                h -= m * (long double)p.p.data[w][c];
                cost += m * (long double)cost_at(&p, w, c, index);
                size += m * fabsl((long double)p.p.data[w][c]);
            }
        }
        long double unit = size * 0x1p-52L;
        check("log Z", number[0], (long double)log_z, unit, 0, &worst_identity);
        check("the entropy", number[1], h, unit, identity_tolerance, &worst_identity);
        check("the expected cost", number[2], cost, unit, identity_tolerance, &worst_identity);
        assert_true(number[3] == -INFINITY);
        tz_chart *const charts[] = {max, kbest, log, entropy};
        for (int c = 0; c < 4; c++) {
            tz_chart_free(charts[c]);
            tz_plan_free(plan[c]);
        }
        free_inputs(rules, &p);
    }
}

/* Adding 1e5 to all scores of a chain adds 1e5 (n + 1) to log Z and leaves the entropy as exact as
 * it was. */
TEST(entropy_of_large_scores) {
    random_state random = random_start("large scores");
    const tz_rules *rules = tz_rules_find("eisner");
    int32_t n = 60;
    double h[2];
    static random_problem p;
    make_problem(rules, &n, integer_scores, &random, &p);
    for (int large = 0; large <= 1; large++) {
        for (size_t c = 0; c < p.cells[0] && large; c++)
            p.data[0][c] += 1e5;
        OWN(tz_plan, plan) = NULL;
        double number[4];
        size_t count;
        tz_chart *chart =
            chart_of(rules, tz_semiring_find("entropy", TZ_F64), &p.problem, 1, &plan);
        assert_ok(tz_item_values(chart, 0, TZ_GOAL, NULL, number, &count));
        h[large] = number[1];
        tz_chart_free(chart);
    }
    random_problem_free(&p);
    print_message("# entropy %.17g, with large scores %.17g\n", h[0], h[1]);
    assert_true(h[0] > 10 && fabs(h[0] - h[1]) <= 1e-13 * h[0]);
}

TEST(bad_inputs) {
    const tz_rules *rules = tz_rules_find("eisner");
    const int32_t n = 2;
    double arc[9] = {0}, cost[9] = {0}, q[9] = {0};
    tz_shape shape = shape_of(rules, 0, &n);
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("entropy", TZ_F64), 0);
    tz_scores scores = tz_scores_dense(&shape, arc);
    tz_scores input[2] = {tz_scores_dense(&shape, cost), tz_scores_dense(&shape, q)};
    tz_problem problem = {.lengths = &n, .scores = &scores, .inputs = input};
    const struct {
        double cost, q;
        const char *message;
    } bad[] = {
        {-INFINITY, 0, "cost of arc[0,2] is -inf: it must be a number within +-1e+290"},
        {NAN, 0, "cost of arc[0,2] is nan: it must be a number within +-1e+290"},
        {0, NAN, "q of arc[0,2] is NaN: scores are numbers or -infinity"},
        {0, INFINITY,
         "q of arc[0,2] is +infinity: only -infinity, for what is impossible, is allowed"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tz_error error;
        cost[2] = bad[i].cost;
        q[2] = bad[i].q;
        assert_int_equal(tz_problem_check(plan, &problem, &error), TZ_BAD_SCORE);
        assert_string_equal(error.message, bad[i].message);
        OWN(tz_chart, chart) = make_chart(plan);
        assert_int_equal(tz_bind(chart, &problem, 1, &error), TZ_BAD_SCORE);
        assert_string_equal(error.message, bad[i].message);
    }
    cost[2] = q[2] = 0;
    input[0].extent[1] = 2;
    tz_error error;
    assert_int_equal(tz_problem_check(plan, &problem, &error), TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "cost of arc has 2 positions in dimension 2, but needs 3: "
                                       "index m runs to 2");
    input[0].data = NULL; /* absent: its extents do not matter */
    assert_ok(tz_problem_check(plan, &problem, &error));
    problem.inputs = NULL;
    assert_ok(tz_problem_check(plan, &problem, &error));
}

TEST(measured_errors) {
    print_message("# largest error / (S epsilon): scores %.2g, numbers %.2g, identities %.2g\n",
                  worst_score, worst_number, worst_identity);
    assert_true(worst_score > 0 && worst_number > 0);
}
