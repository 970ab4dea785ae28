/* test_tangents.c - how log Z and the marginals change where the scores move: against enumeration
 * (the covariance of uses), against differences of marginals, as identities at full size; the same
 * bits in any company and on any instruction set. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/isas.h"
#include "tests/support/known.h"
#include "tests/support/narrow.h"
#include "tests/support/oom.h"

/* ---- Directions ------------------------------------------------------------------------------ */

typedef struct direction {
    double *data[MAX_WEIGHTS];
    tz_scores scores[MAX_WEIGHTS];
} direction;

/* Numbers for every cell but those outside the domain, which hold what is no number, as the scores
 * do; and gives it to the problem. */
static void make_direction(const tz_rules *rules, random_problem *p, score_source source,
                           random_state *random, direction *ret) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        ret->data[w] = need(calloc(p->cells[w] + 1, sizeof(double)));
        for (size_t c = 0; c < p->cells[w]; c++)
            ret->data[w][c] = isnan(p->data[w][c]) ? NAN : source(random);
        ret->scores[w] = p->scores[w];
        ret->scores[w].data = ret->data[w];
    }
    p->problem.direction = ret->scores;
}

static void free_direction(const tz_rules *rules, direction *d) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        free(d->data[w]);
}

static double sparse_direction(random_state *random) {
    return random_below(random, 8) == 0 ? random_between(random, -1, 1) : 0;
}

static double goal_tangent(tz_chart *chart, size_t lane) {
    double value = NAN;
    assert_ok(tz_goal_tangent(chart, lane, &value));
    return value;
}

/* ---- Enumeration ----------------------------------------------------------------------------- */

typedef struct worst {
    double error;
    size_t compared, lanes;
} worst;

/* E[u_c (u . v)] - E[u_c] E[u . v] for each cell c of all weights, and E[u . v]. */
static long double covariance(const known *k, const direction *d, long double **ret) {
    long double mean = 0, *use_mean[MAX_WEIGHTS];
    for (unsigned w = 0; w < tz_rules_count(k->rules, TZ_WEIGHTS); w++) {
        ret[w] = calloc(k->own.cells[w] + 1, sizeof(long double));
        use_mean[w] = calloc(k->own.cells[w] + 1, sizeof(long double));
        assert_non_null(ret[w]);
        assert_non_null(use_mean[w]);
    }
    for (size_t i = 0; i < k->count; i++) {
        size_t uses;
        const tz_enum_use *use = known_uses(k, i, &uses);
        long double p = k->agrees[i] ? expl(k->score[i] - k->log_z) : 0, along = 0;
        if (p == 0)
            continue;
        for (size_t u = 0; u < uses; u++)
            along += d->data[use[u].weight][problem_cell(&k->own, use[u].weight, use[u].index)];
        mean += p * along;
        for (size_t u = 0; u < uses; u++) {
            size_t cell = problem_cell(&k->own, use[u].weight, use[u].index);
            ret[use[u].weight][cell] += p * along;
            use_mean[use[u].weight][cell] += p;
        }
    }
    for (unsigned w = 0; w < tz_rules_count(k->rules, TZ_WEIGHTS); w++) {
        for (size_t c = 0; c < k->own.cells[w]; c++)
            ret[w][c] -= use_mean[w][c] * mean;
        free(use_mean[w]);
    }
    return mean;
}

/* Errors relative to the largest |u . v| that there may be: n numbers of size 1. */
static void compare_lane(const known *k, const direction *d, tz_chart *chart, size_t lane,
                         worst *w) {
    long double *want[MAX_WEIGHTS], mean = covariance(k, d, want);
    double scale = 1 + k->own.lengths[0];
    if (k->possible == 0) {
        double ignored;
        assert_int_equal(tz_goal_tangent(chart, lane, &ignored), TZ_NONE);
    } else {
        note_worst(&w->error, fabs(goal_tangent(chart, lane) - (double)mean) / scale);
    }
    for (unsigned i = 0; i < tz_rules_count(k->rules, TZ_WEIGHTS); i++) {
        const tz_shape *shape = &k->own.shape[i];
        double *got = need(calloc(k->own.cells[i] + 1, sizeof *got));
        tz_output output = shape->sparse ? (tz_output){got, {1}} : tz_output_dense(shape, got);
        tz_status status = tz_marginal_tangents(chart, lane, i, &output);
        assert_int_equal(status, k->possible > 0 ? TZ_OK : TZ_NONE);
        for (size_t c = 0; c < k->own.cells[i] && status == TZ_OK; c++) {
            if (!(k->own.data[i][c] > -INFINITY)) /* outside the domain, too */
                assert_true(got[c] == 0 && !signbit(got[c]));
            double error = fabs(got[c] - (double)want[i][c]) / scale;
            note_worst(&w->error, isnan(error) ? INFINITY : error);
            w->compared++;
        }
        free(got);
        free(want[i]);
    }
    w->lanes++;
}

/* Some lanes of a rule set, of these lengths, at once. */
static void compare_rules(const tz_rules *rules, const int32_t *n, unsigned lanes,
                          score_source scores, score_source moves, unsigned forbidden,
                          random_state *random, worst *w) {
    static known k[3];
    direction d[3];
    tz_problem problem[3];
    bool small = true;
    for (unsigned l = 0; l < lanes; l++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        set_countable_lengths(rules, n[l], 2, lengths);
        small &= known_make(&k[l], rules, lengths, 100000, scores, random);
        known_draw(&k[l], forbidden, 0, random);
        known_filter(&k[l]);
        make_direction(rules, &k[l].own, moves, random, &d[l]);
        problem[l] = k[l].own.problem;
    }
    assert_true(small);
    OWN(tz_plan, plan) = new_plan(rules, TZ_F64, 0);
    OWN(tz_chart, chart) = make_chart(plan);
    compute(chart, problem, lanes);
    for (unsigned l = 0; l < lanes; l++)
        compare_lane(&k[l], &d[l], chart, l, w);
    for (unsigned l = 0; l < lanes; l++) {
        known_free(&k[l]);
        free_direction(rules, &d[l]);
    }
}

static double direction_numbers(random_state *random) {
    return random_between(random, -1, 1);
}

/* Within 1e-14 of 1 + n; measured 1.2e-15. */
TEST(enumeration) {
    random_state random = random_start("tangents against enumeration");
    static const score_source scores[] = {plain_scores, masked_scores, large_scores, equal_scores,
                                          mixed_scores};
    worst w = {0};
    const tz_rules *rules;
    for (size_t i = 0; (rules = tz_rules_builtin(i)) != NULL; i++)
        for (int32_t n = 0; n <= AMOUNT(5, 3); n++)
            for (unsigned s = 0; s < sizeof scores / sizeof *scores; s++) {
                int32_t lengths[3] = {n, n, n > 0 ? n - 1 : 0};
                unsigned lanes = 1 + (unsigned)random_below(&random, n < 5 ? 3 : 2);
                compare_rules(rules, lengths, lanes, scores[s],
                              s % 2 ? sparse_direction : direction_numbers,
                              (unsigned)random_below(&random, 2), &random, &w);
            }
    const char *const six[] = {"eisner", "compress", "sibling-single-root"};
    for (size_t i = 0; i < 3; i++)
        compare_rules(find_rules(six[i]), (int32_t[]){6, 4}, 2, plain_scores, direction_numbers, 0,
                      &random, &w);
    print_message("# %zu numbers of %zu problems; largest error %.2g\n", w.compared, w.lanes,
                  w.error);
    assert_true(w.error <= 1e-14);
}

/* ---- Full size ------------------------------------------------------------------------------- */

/* Sum over all cells of numbers times other numbers; scale: of their magnitudes. */
static double dot(const evaluation *e, double *const *a, const direction *d, double *ret_scale) {
    double sum = 0;
    *ret_scale = 1;
    for (unsigned w = 0; w < tz_rules_count(e->rules, TZ_WEIGHTS); w++)
        for (size_t c = 0; c < e->problem->cells[w]; c++)
            if (isfinite(d->data[w][c])) {
                sum += a[w][c] * d->data[w][c];
                *ret_scale += fabs(a[w][c] * d->data[w][c]);
            }
    return sum;
}

static evaluation directional(const tz_rules *rules, random_problem *p, const direction *d,
                              double **ret_cells) {
    p->problem.direction = d->scores;
    evaluation e = evaluate(rules, "log", p);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        ret_cells[w] = evaluation_cells(&e, tz_marginal_tangents, w);
    return e;
}

static void free_cells(const tz_rules *rules, double **cells) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        free(cells[w]);
}

/* With H the Hessian of log Z:  u . H v = v . H u;  (log Z)' = marginals . v. Within 1e-12 of the
 * sum of the terms' magnitudes; measured 3.3e-14. */
TEST(identities) {
    random_state random = random_start("tangents at full size");
    double symmetry = 0, goal = 0;
    const tz_rules *rules;
    for (size_t i = 0; (rules = tz_rules_builtin(i)) != NULL; i++) {
        OWNED(random_problem, p) = {0};
        direction u, v;
        double *hu[MAX_WEIGHTS], *hv[MAX_WEIGHTS], *marginal[MAX_WEIGHTS];
        problem_of_size(rules, FULL_SIZE / 2, plain_scores, &random, &p);
        mask_problem(rules, &p, &random);
        make_direction(rules, &p, direction_numbers, &random, &u);
        make_direction(rules, &p, direction_numbers, &random, &v);
        OWNED(evaluation, e) = directional(rules, &p, &u, hu), f = directional(rules, &p, &v, hv);
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
            marginal[w] = evaluation_cells(&f, tz_marginals, w);
        double scale, other, a = dot(&e, hu, &v, &scale), b = dot(&f, hv, &u, &other);
        note_worst(&symmetry, fabs(a - b) / fmax(scale, other));
        note_worst(&goal, fabs(dot(&f, marginal, &v, &scale) - goal_tangent(f.chart, 0)) / scale);
        free_cells(rules, hu);
        free_cells(rules, hv);
        free_cells(rules, marginal);
        free_direction(rules, &u);
        free_direction(rules, &v);
    }
    print_message("# largest errors: symmetry %.2g, log Z %.2g\n", symmetry, goal);
    assert_true(symmetry <= 1e-12);
    assert_true(goal <= 1e-12);
}

/* Scores at `by` along the direction. */
static void step_along(const tz_rules *rules, random_problem *p, double *const *from,
                       const direction *d, double by) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        for (size_t c = 0; c < p->cells[w]; c++)
            p->data[w][c] = from[w][c] + (from[w][c] > -INFINITY ? by * d->data[w][c] : 0);
}

/* Central differences of marginals, h = 2^-14 and 2^-13, extrapolated: the error is that of the
 * fifth derivative times h^4, and rounding / h. `hard`: one arc of every tree scores -2000, which
 * takes wide elements. Within 1e-10; measured 1.1e-11. */
static double differences(const char *name, bool hard, random_state *random) {
    const tz_rules *rules = find_rules(name);
    OWNED(random_problem, p) = {0};
    direction v;
    double *tangent[MAX_WEIGHTS], *from[MAX_WEIGHTS], *difference[2][MAX_WEIGHTS];
    problem_of_size(rules, 20, plain_scores, random, &p);
    mask_problem(rules, &p, random);
    if (hard)
        for (int32_t h = 0; h <= 20; h++)
            if (h != 12)
                p.data[0][problem_cell(&p, 0, (int32_t[]){h, 12})] = h == 11 ? -2000 : -INFINITY;
    make_direction(rules, &p, direction_numbers, random, &v);
    OWNED(evaluation, e) = directional(rules, &p, &v, tangent);
    assert_int_equal(is_wide(e.chart), hard);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        size_t bytes = (p.cells[w] + 1) * sizeof(double);
        from[w] = need(malloc(bytes));
        memcpy(from[w], p.data[w], bytes - sizeof(double));
    }
    for (unsigned i = 0; i < 2; i++) {
        double h = ldexp(1, -14 + (int)i);
        for (int side = 1; side >= -1; side -= 2) {
            step_along(rules, &p, from, &v, side * h);
            OWNED(evaluation, at) = evaluate(rules, "log", &p);
            for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
                double *cells = evaluation_cells(&at, tz_marginals, w);
                if (side > 0)
                    difference[i][w] = cells;
                for (size_t c = 0; c < p.cells[w] && side < 0; c++)
                    difference[i][w][c] = (difference[i][w][c] - cells[c]) / (2 * h);
                if (side < 0)
                    free(cells);
            }
        }
    }
    double error = 0;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        for (size_t c = 0; c < p.cells[w]; c++)
            note_worst(&error,
                       fabs((4 * difference[0][w][c] - difference[1][w][c]) / 3 - tangent[w][c]));
    for (unsigned i = 0; i < 2; i++)
        free_cells(rules, difference[i]);
    free_cells(rules, tangent);
    free_cells(rules, from);
    free_direction(rules, &v);
    return error;
}

TEST(differences) {
    random_state random = random_start("differences of marginals");
    static const char *const name[] = {"eisner", "eisner-single-root", "compress", "sibling"};
    for (size_t i = 0; i < 4; i++)
        for (int hard = 0; hard < (i < 2 ? 2 : 1); hard++) {
            double error = differences(name[i], hard, &random);
            print_message("# %s%s: %.2g\n", name[i], hard ? ", wide" : "", error);
            assert_true(error <= 1e-10);
        }
}

/* ---- Bits ------------------------------------------------------------------------------------ */

enum { LANES = 7 };

static void same_tangents(const tz_rules *rules, const random_problem *p, tz_chart *a, size_t lane,
                          tz_chart *b) {
    double x = goal_tangent(a, lane), y = goal_tangent(b, 0);
    assert_memory_equal(&x, &y, sizeof x);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        double *cells[2];
        for (unsigned i = 0; i < 2; i++) {
            cells[i] = need(calloc(p->cells[w] + 1, sizeof(double)));
            tz_output output = problem_output(p, w, cells[i]);
            assert_ok(tz_marginal_tangents(i == 0 ? a : b, i == 0 ? lane : 0, w, &output));
        }
        assert_memory_equal(cells[0], cells[1], p->cells[w] * sizeof(double));
        free(cells[0]);
        free(cells[1]);
    }
}

/* Each of several problems, of one length or of different ones, gives the same bits beside the
 * others as alone, under every instruction set; also where one that needs wide elements takes the
 * others along. */
TEST(bits) {
    const isas here = isas_here();
    static const char *const name[] = {"eisner", "compress", "sibling", "cky", "semimarkov"};
    random_state random = random_start("bits of tangents");
    unsigned taken_along = 0;
    for (unsigned r = 0; r < 5; r++)
        for (unsigned way = 0; way < 2 * here.count; way++) {
            const tz_rules *rules = find_rules(name[r]);
            static random_problem p[LANES];
            direction d[LANES];
            tz_problem problem[LANES];
            tz_precision precision = way % 2 == 0 ? TZ_F64 : TZ_F32;
            OWN(tz_plan, plan) = new_plan(rules, precision, here.flags[way / 2]);
            OWN(tz_plan, other) = new_plan(rules, precision, 0);
            OWN(tz_chart, batch) = make_chart(plan);
            OWN(tz_chart, alone) = make_chart(other);
            for (unsigned turn = 0; turn < 3; turn++) {
                for (unsigned l = 0; l < LANES; l++) {
                    int32_t n = turn == 0 ? 13 : 4 + (int32_t)random_below(&random, 14);
                    problem_of_size(rules, n, turn == 2 && l == 3 ? large_scores : plain_scores,
                                    &random, &p[l]);
                    make_direction(rules, &p[l], l % 2 ? direction_numbers : sparse_direction,
                                   &random, &d[l]);
                    problem[l] = p[l].problem;
                }
                compute(batch, problem, LANES);
                for (unsigned l = 0; l < LANES; l++) {
                    compute(alone, &problem[l], 1);
                    same_tangents(rules, &p[l], batch, l, alone);
                    taken_along += is_wide(batch) && !is_wide(alone);
                }
                for (unsigned l = 0; l < LANES; l++) {
                    free_direction(rules, &d[l]);
                    random_problem_free(&p[l]);
                }
            }
        }
    assert_true(taken_along > 20);
}

/* A weight whose lifted scores are more than a chart keeps is gathered as it is needed: 2800
 * lanes of 40 words. The first lane and the last must be those of a chart of their own. */
TEST(gathered) {
    enum { MANY = 2800, WORDS = 40 };
    const tz_rules *rules = find_rules("eisner");
    random_state random = random_start("gathered weights");
    random_problem p;
    direction d;
    static tz_problem problem[MANY];
    problem_of_size(rules, WORDS, plain_scores, &random, &p);
    make_direction(rules, &p, direction_numbers, &random, &d);
    for (unsigned l = 0; l < MANY; l++)
        problem[l] = p.problem;
    OWN(tz_plan, plan) = new_plan(rules, TZ_F64, 0);
    OWN(tz_chart, batch) = make_chart(plan);
    OWN(tz_chart, alone) = make_chart(plan);
    compute(batch, problem, MANY);
    assert_true(batch->layout.weight_box[0].absent);
    compute(alone, problem, 1);
    assert_true(!alone->layout.weight_box[0].absent);
    double x = goal_tangent(batch, MANY - 1), y = goal_tangent(alone, 0);
    assert_memory_equal(&x, &y, sizeof x);
    double *cells[2], error = 0, largest = 0;
    for (unsigned i = 0; i < 2; i++) {
        cells[i] = need(calloc(p.cells[0], sizeof(double)));
        tz_output output = tz_output_dense(&p.shape[0], cells[i]);
        assert_ok(tz_marginal_tangents(i == 0 ? batch : alone, 0, 0, &output));
    }
    for (size_t c = 0; c < p.cells[0]; c++) { /* summed another way */
        note_worst(&error, fabs(cells[0][c] - cells[1][c]));
        note_worst(&largest, fabs(cells[0][c]));
    }
    print_message("# largest difference %.2g\n", error);
    assert_true(largest > 0.01 && error <= 1e-13);
    free(cells[0]);
    free(cells[1]);
    free_direction(rules, &d);
    random_problem_free(&p);
}

/* ---- Misuse and memory ----------------------------------------------------------------------- */

TEST(misuse) {
    random_state random = random_start("misuse of tangents");
    const tz_rules *rules = find_rules("eisner");
    OWNED(random_problem, p) = {0};
    direction d;
    problem_of_size(rules, 3, plain_scores, &random, &p);
    make_direction(rules, &p, direction_numbers, &random, &d);
    double cells[16], value;
    tz_output output = tz_output_dense(&p.shape[0], cells);
    tz_error error;

    OWN(tz_plan, plan) = new_plan(rules, TZ_F64, 0);
    tz_chart *chart = make_chart(plan);
    assert_int_equal(tz_goal_tangent(chart, 0, &value), TZ_BAD_ARGUMENT);
    run_inside(chart, &p.problem, 1);
    assert_int_equal(tz_goal_tangent(chart, 0, &value), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_marginal_tangents(chart, 0, 0, &output), TZ_BAD_ARGUMENT);
    assert_ok(tz_outside(chart));
    assert_int_equal(tz_goal_tangent(chart, 1, &value), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_marginal_tangents(chart, 0, 1, &output), TZ_BAD_ARGUMENT);

    /* Without a direction nothing moves. */
    tz_problem still = p.problem;
    tz_scores nothing = {0};
    for (unsigned way = 0; way < 2; way++) {
        still.direction = way == 0 ? NULL : &nothing;
        compute(chart, &still, 1);
        assert_true(goal_tangent(chart, 0) == 0);
        assert_ok(tz_marginal_tangents(chart, 0, 0, &output));
        for (unsigned c = 0; c < 16; c++)
            assert_true(cells[c] == 0 && !signbit(cells[c]));
    }
    for (unsigned way = 0; way < 3; way++) {
        d.data[0][problem_cell(&p, 0, (int32_t[]){2, 3})] = way == 0   ? NAN
                                                            : way == 1 ? -INFINITY
                                                                       : 1e300;
        assert_int_equal(tz_bind(chart, &p.problem, 1, &error), TZ_BAD_SCORE);
        assert_non_null(strstr(error.message, "direction of arc[2,3] is "));
    }
    tz_chart_free(chart);
    p.problem.direction = NULL;
    static const char *const others[] = {"max", "entropy", "count"};
    for (unsigned i = 0; i < 3; i++) {
        OWNED(evaluation, e) = evaluate(rules, others[i], &p);
        assert_int_equal(tz_goal_tangent(e.chart, 0, &value), TZ_LAW);
        assert_int_equal(tz_marginal_tangents(e.chart, 0, 0, &output), TZ_LAW);
    }
    free_direction(rules, &d);
}

static int turn_once(void *user) {
    random_problem *p = user;
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    double value = 0, cells[64];
    tz_output output = tz_output_dense(&p->shape[0], cells);
    tz_status status =
        tz_plan_new(tz_rules_find("eisner"), tz_semiring_find("log", TZ_F64), 0, &plan, NULL);
    if (status == TZ_OK)
        status = try_outside(plan, &p->problem, 1, &chart);
    if (status == TZ_OK)
        status = tz_goal_tangent(chart, 0, &value);
    if (status == TZ_OK)
        status = tz_marginal_tangents(chart, 0, 0, &output);
    return (int)status;
}

TEST(memory) {
    random_state random = random_start("memory of tangents");
    const tz_rules *rules = find_rules("eisner");
    OWNED(random_problem, p) = {0};
    direction d;
    problem_of_size(rules, 4, plain_scores, &random, &p);
    make_direction(rules, &p, direction_numbers, &random, &d);
    assert_true(oom_sweep("tangents", turn_once, &p, TZ_NO_MEMORY, false) > 10);
    p.data[0][problem_cell(&p, 0, (int32_t[]){0, 1})] = 900; /* wide in the end */
    p.data[0][problem_cell(&p, 0, (int32_t[]){2, 1})] = -900;
    assert_true(oom_sweep("wide tangents", turn_once, &p, TZ_NO_MEMORY, false) > 10);
    free_direction(rules, &d);
}
