/* test_closures.c - items that need one another: what the engine solves against the plain
 * interpreter, and both against other algorithms: Floyd & Warshall's shortest paths, sums of all
 * paths by linear equations in plain numbers, and the laws of what is drawn and listed.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/against_interpreter.h"
#include "tests/support/evaluate.h"
#include "tests/support/oom.h"
#include "tests/support/rules_text.h"
#include "tests/support/structures.h"

enum { ROUNDS = AMOUNT(12, 3), LANES = 3, MOST = 12 };

/* Ways from vertex 0 to the last one. */
static const char paths[] = "rules paths\nlength V\nweight arc[i,j] 0 <= i < V, 0 <= j < V\n"
                            "closure at\nitem at[i] 0 <= i < V\ngoal at[V-1]\n\n"
                            "axiom\n--- start\nat[0]\n\nat[i]\n--- follow * arc[i,j]\nat[j]\n";

/* Each rule set, with a reason to be here. */
static const char *const texts[] = {
    paths,
    /* Stages with a closure in each. */
    "rules lattice\nlength n, S\nweight step[t,i,j] 1 <= t <= n, 0 <= i < S, 0 <= j < S\n"
    "weight skip[i,j] sparse 0 <= i < S, 0 <= j < S\nclosure at\n"
    "item at[t,i] 0 <= t <= n, 0 <= i < S\ngoal at[n,S-1]\n\naxiom\n--- start\nat[0,0]\n\n"
    "at[t-1,i]\n--- read * step[t,i,j]\nat[t,j]\n\nat[t,i]\n--- epsilon * skip[i,j]\nat[t,j]\n",
    /* Sums that other rules share or take apart; sparse rules that stay. */
    "rules unary\nlength n, T\nweight emit[i,a] 1 <= i <= n, 0 <= a < T\n"
    "weight binary[a,b,c] sparse 0 <= a < T, 0 <= b < T, 0 <= c < T\n"
    "weight unary[a,b] sparse 0 <= a < T, 0 <= b < T\nclosure span\n"
    "item span[i,j,a] 0 <= i < j <= n, 0 <= a < T\ngoal span[0,n,0]\n\n"
    "axiom\n--- word * emit[j,a] if i = j-1\nspan[i,j,a]\n\n"
    "span[i,j,b]\n--- rename * unary[a,b]\nspan[i,j,a]\n\n"
    "span[i,k,b] span[k,j,c]\n--- join * binary[a,b,c]\nspan[i,j,a]\n",
    /* Two kinds, each of which needs the other; a kind before and one behind them. */
    "rules two\nlength V\nweight x[i,j] 0 <= i < V, 0 <= j < V\n"
    "weight y[i,j] 0 <= i < V, 0 <= j < V\nweight z[i] 0 <= i < V\nclosure left, right\n"
    "item seed[i] 0 <= i < V\nitem left[i] 0 <= i < V\nitem right[i] 0 <= i < V\nitem end\n"
    "goal end\n\naxiom\n--- begin * z[i]\nseed[i]\n\nseed[i]\n--- enter\nleft[i]\n\n"
    "left[i]\n--- over * x[i,j]\nright[j]\n\nright[i]\n--- back * y[i,j]\nleft[j]\n\n"
    "left[i] seed[i]\n--- close\nend\n\nright[i]\n--- stop * z[i]\nend\n",
    /* A rule of which some instances stay, by one premise or by the other. */
    "rules empty\nlength n\nweight word[i] 1 <= i <= n\nweight none[i] 0 <= i <= n\n"
    "weight join[i,j] 0 <= i <= j <= n\nclosure span\nitem span[i,j] 0 <= i <= j <= n\n"
    "goal span[0,n]\n\naxiom\n--- word * word[j] if i = j-1\nspan[i,j]\n\n"
    "axiom\n--- nothing * none[i]\nspan[i,i]\n\n"
    "span[i,k] span[k,j]\n--- join * join[i,j] if i < j\nspan[i,j]\n",
};
static const char *const gallery[] = {"gallery/cky-unary", "gallery/epsilon", "gallery/grammar",
                                      "gallery/next",      "gallery/paths",   "gallery/prefix"};
enum { TEXTS = sizeof texts / sizeof *texts, GALLERY = sizeof gallery / sizeof *gallery };

static void agree(const tz_rules *rules, const char *semiring, bool integers,
                  random_state *random) {
    static const unsigned flags[] = {0, TZ_ISA_BASELINE};
    agreement agreement = {.numbers = 0};
    OWN(tz_semiring, made) = make_semiring(semiring, TZ_F64);
    definition of = {rules, made, TZ_F64, flags, 2};
    for (unsigned round = 0; round < ROUNDS; round++) {
        random_problem p[LANES];
        tz_scores direction[LANES][MAX_WEIGHTS];
        for (unsigned l = 0; l < LANES; l++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            for (unsigned i = 0; i < rules->lengths; i++)
                lengths[i] = 1 + (int32_t)random_below(random, 4);
            make_problem(rules, lengths, integers ? low_integers : low_scores, random, &p[l]);
            for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
                direction[l][w] = p[l].scores[w];
            if (round % 2 == 0)
                p[l].problem.direction = direction[l];
        }
        if (!compare_with_interpreter(&of, p, LANES, integers, &agreement))
            fail_msg("%s", agreement.message);
        free_problems(p, LANES);
    }
    assert_true(agreement.numbers > 100);
}

TEST(agree) {
    random_state random = random_start("agree");
    for (unsigned t = 0; t < TEXTS + GALLERY; t++) {
        OWN(tz_rules, rules) = NULL;
        if (t < TEXTS)
            rules = parse_rules(texts[t]);
        else
            assert_ok(tz_gallery_read(gallery[t - TEXTS], &rules, NULL));
        agree(rules, "max", false, &random);
        agree(rules, "log", false, &random);
        agree(rules, "bool", true, &random);
        agree(rules, "entropy", false, &random);
        agree(rules, "kbest(3)", true, &random);
        agree(rules, "ties", true, &random);
    }
}

/* ---- Facts ----------------------------------------------------------------------------------- */

/* Goals, and marginals of arcs under log. */
static void answer(const tz_rules *rules, const char *semiring, unsigned flags,
                   const tz_problem *problem, double *goal, double *marginal) {
    tz_shape shape;
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find(semiring, TZ_F64), flags);
    OWN(tz_chart, chart) = make_chart(plan);
    run_outside(chart, problem, 1);
    assert_ok(tz_goal(chart, 0, goal));
    memset(marginal, 0, MOST * MOST * sizeof *marginal);
    if (strcmp(semiring, "log") == 0 && *goal > -INFINITY) {
        shape = shape_of(rules, 0, problem->lengths);
        const tz_output output = tz_output_dense(&shape, marginal);
        assert_ok(tz_marginals(chart, 0, 0, &output));
    }
}

/* A forbidden vertex = no arcs to it; its circles do not diverge. */
TEST(forbidden_items) {
    random_state random = random_start("forbidden vertices");
    static const char *const semirings[] = {"max", "log", "bool"};
    OWN(tz_rules, rules) = parse_rules(paths);
    for (unsigned round = 0; round < 3 * ROUNDS; round++) {
        const int32_t n = 3 + (int32_t)random_below(&random, MOST - 3);
        const int32_t vertex = 1 + (int32_t)random_below(&random, (uint64_t)n - 2);
        OWNED(random_problem, p) = {0};
        make_problem(rules, &n, low_scores, &random, &p);
        if (round % 3 == 0)
            p.data[0][vertex * n + vertex] = 1; /* endless gain */
        const tz_cells item = {TZ_ITEM, {vertex}}, arcs = {0, {TZ_ANY, vertex}};
        const tz_fact fact[] = {{false, &item, 1}, {false, &arcs, 1}};
        for (unsigned s = 0; s < sizeof semirings / sizeof *semirings; s++)
            for (unsigned plain = 0; plain < 2; plain++) {
                double goal[2], marginal[2][MOST * MOST];
                for (unsigned f = 0; f < 2; f++) {
                    p.problem.facts = &fact[f];
                    p.problem.fact_count = 1;
                    answer(rules, semirings[s], plain ? TZ_PLAIN : 0, &p.problem, &goal[f],
                           marginal[f]);
                }
                assert_true(goal[0] == goal[1] || fabs(goal[0] - goal[1]) < 1e-12);
                for (size_t c = 0; c < MOST * MOST; c++)
                    assert_true(fabs(marginal[0][c] - marginal[1][c]) < 1e-12);
            }
    }
}

/* ---- Stars ----------------------------------------------------------------------------------- */

/* star(a) = 1 + a star(a), to rounding; and where there is none. */
TEST(stars) {
    static const char *const names[] = {"log", "entropy", "ties", "kbest(1)", "kbest(4)"};
    random_state random = random_start("stars");
    for (unsigned i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        const bool wide = i % 2 == 0;
        OWN(tz_semiring, s) = make_semiring(names[i / 2], wide ? TZ_F64 : TZ_F32);
        _Alignas(64) char a[64], star[64], again[64];
        assert_true(s->size <= sizeof a);
        for (unsigned round = 0; round < 1000; round++) {
            double score = -8 * random_unit(&random) - 1e-3, left[4] = {0}, right[4] = {0};
            s->lift(s, a, 1, &score, 1);
            assert_true(s->star(s, star, a));
            s->times(s, again, a, star);
            s->plus(s, again, s->one, again);
            size_t numbers = s->values != NULL ? s->values(s, star, left) : 1;
            if (s->values != NULL)
                assert_int_equal(s->values(s, again, right), numbers);
            left[0] = s->value(s, star);
            right[0] = s->value(s, again);
            for (size_t n = 0; n < numbers; n++) /* entropies: of circles that nearly stay */
                assert_true(relative_error(left[n], right[n]) <= (wide ? 1e-11 : 2e-3));
        }
        double none = -INFINITY, gain = 0.25;
        s->lift(s, a, 1, &none, 1);
        assert_true(s->star(s, star, a));
        assert_memory_equal(star, s->one, s->size);
        s->lift(s, a, 1, &gain, 1);
        assert_false(s->star(s, star, a));
    }
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

typedef struct graph {
    int n;
    double arc[MOST][MOST];
    double *scores; /* of the problem */
} graph;

static graph graph_of(const random_problem *p) {
    graph g = {.n = p->lengths[0], .scores = p->data[0]};
    for (int i = 0; i < g.n; i++)
        for (int j = 0; j < g.n; j++)
            g.arc[i][j] = p->data[0][i * g.n + j];
    return g;
}

/* Floyd & Warshall: the best way from 0 to the last vertex. */
static double best_way(const graph *g) {
    double way[MOST][MOST];
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->n; j++)
            way[i][j] = i == j ? 0 : g->arc[i][j];
    for (int k = 0; k < g->n; k++)
        for (int i = 0; i < g->n; i++)
            for (int j = 0; j < g->n; j++)
                if (i != j) /* where going round gains nothing, it would gain by rounding */
                    way[i][j] = fmax(way[i][j], way[i][k] + way[k][j]);
    return way[0][g->n - 1];
}

/* x = b + A x by elimination with pivots, in plain numbers. */
static void solve(int n, double a[MOST][MOST], const double *b, double *x) {
    double m[MOST][MOST + 1];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i][j] = (i == j) - a[i][j];
        m[i][n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k; i < n; i++)
            pivot = fabs(m[i][k]) > fabs(m[pivot][k]) ? i : pivot;
        for (int j = 0; j <= n; j++) {
            double swap = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = swap;
        }
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--)
                m[i][j] -= m[i][k] / m[k][k] * m[k][j];
    }
    for (int i = 0; i < n; i++)
        x[i] = m[i][n] / m[i][i];
}

/* Measured with TZ_SEED=1..7: 9e-16. */
static const double tolerance = 1e-14;

static void check_graph(const tz_rules *rules, const random_problem *p, double *worst) {
    graph g = graph_of(p);
    double into[MOST][MOST], out[MOST][MOST], start[MOST] = {1}, end[MOST] = {0}, x[MOST], y[MOST];
    end[g.n - 1] = 1;
    for (int i = 0; i < g.n; i++)
        for (int j = 0; j < g.n; j++)
            into[j][i] = out[i][j] = exp(g.arc[i][j]);
    solve(g.n, into, start, x);
    solve(g.n, out, end, y);
    evaluation e = evaluate(rules, "max", p);
    assert_true(evaluation_goal(&e) == best_way(&g));
    evaluation_free(&e);
    e = evaluate(rules, "log", p);
    double z = x[g.n - 1], log_z = evaluation_goal(&e);
    assert_int_equal(log_z > -INFINITY, z > 0);
    if (z > 0) {
        FREED(double, marginal) = evaluation_cells(&e, tz_marginals, 0);
        note_worst(worst, relative_error(log_z, log(z)));
        for (int i = 0; i < g.n; i++)
            for (int j = 0; j < g.n; j++)
                note_worst(worst, relative_error(marginal[i * g.n + j],
                                                 x[i] * exp(g.arc[i][j]) * y[j] / z));
    }
    evaluation_free(&e);
}

TEST(graphs) {
    random_state random = random_start("graphs");
    OWN(tz_rules, rules) = parse_rules(paths);
    double worst = 0;
    for (int32_t n = 1; n <= MOST; n++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            OWNED(random_problem, p) = {0};
            make_problem(rules, &n, low_integers, &random, &p);
            check_graph(rules, &p, &worst);
        }
    print_message("# largest difference %.2g\n", worst);
    assert_true(worst <= tolerance);
}

/* A derivation of `paths` goes from 0 to the last vertex, arc by arc. */
static void check_path(const graph *g, const tz_derivation *d, double score) {
    double sum = 0;
    assert_int_equal(d->nodes, d->uses + 1);
    assert_int_equal(d->node[0].index[0], g->n - 1);
    assert_int_equal(d->node[d->nodes - 1].index[0], 0);
    for (size_t u = 0; u + 1 < d->nodes; u++)
        sum += g->arc[d->node[u + 1].index[0]][d->node[u].index[0]];
    assert_true(fabs(sum - score) <= 1e-9);
}

/* Many circles gain nothing: the score is a difference of heights, or a little less. */
TEST(free_circles) {
    random_state random = random_start("free circles");
    OWN(tz_rules, rules) = parse_rules(paths);
    size_t endless = 0;
    for (unsigned round = 0; round < 20 * ROUNDS; round++) {
        int32_t n = 2 + (int32_t)random_below(&random, MOST - 2);
        OWNED(random_problem, p) = {0};
        double height[MOST];
        make_problem(rules, &n, integer_scores, &random, &p);
        for (int32_t i = 0; i < n; i++) /* rounded, in every other round */
            height[i] = p.data[0][i] * (round % 2 == 0 ? 1 : 0.1);
        for (int32_t c = 0; c < n * n; c++)
            p.data[0][c] = height[c % n] - height[c / n] - (double)random_below(&random, 3);
        graph g = graph_of(&p);
        OWNED(evaluation, e) = evaluate(rules, "max", &p);
        assert_true(fabs(evaluation_goal(&e) - best_way(&g)) <= 1e-12);
        const tz_derivation *d = best_of(e.chart, 0);
        assert_true(d->nodes <= (size_t)n);
        check_path(&g, d, evaluation_goal(&e));
        OWN(tz_kbest, kbest) = make_kbest(e.chart, 0, false);
        tz_status status = TZ_OK;
        for (unsigned k = 0; k < 3 && status == TZ_OK; k++)
            status = tz_kbest_next(kbest, &d);
        endless += status == TZ_DIVERGES;
    }
    assert_true(endless > 0);
}

/* The best derivations have the scores that kbest(K) says, and are all different. */
TEST(kbest) {
    enum { K = 30 };
    random_state random = random_start("kbest");
    OWN(tz_rules, rules) = parse_rules(paths);
    size_t listed = 0;
    OWN(tz_semiring, semiring) = make_semiring("kbest(30)", TZ_F64);
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        int32_t n = 2 + (int32_t)random_below(&random, 4);
        OWNED(random_problem, p) = {0};
        make_problem(rules, &n, low_integers, &random, &p);
        graph g = graph_of(&p);
        OWNED(evaluation, e) = evaluate(rules, "max", &p),
                          scores = evaluate_with(rules, semiring, 0, &p);
        const tz_derivation *d;
        double value[K];
        size_t count = 0, most;
        assert_ok(tz_item_values(scores.chart, 0, TZ_GOAL, NULL, value, &most));
        OWN(tz_kbest, kbest) = make_kbest(e.chart, 0, false);
        for (; count < most && tz_kbest_next(kbest, &d) == TZ_OK; count++) {
            assert_true(d->score == value[count]);
            check_path(&g, d, value[count]);
        }
        assert_int_equal(count, most);
        listed += count;
    }
    assert_true(listed > 20 * ROUNDS);
}

/* The average score of samples is what the marginals say; without replacement, none comes twice. */
TEST(samples) {
    enum { DRAWN = AMOUNT(4000, 500) };
    random_state random = random_start("samples");
    OWN(tz_rules, rules) = parse_rules(paths);
    int32_t n = 4;
    OWNED(random_problem, p) = {0};
    make_problem(rules, &n, low_scores, &random, &p);
    p.data[0][3] = -4; /* there is a way */
    graph g = graph_of(&p);
    OWNED(evaluation, e) = evaluate(rules, "log", &p);
    double *marginal = evaluation_cells(&e, tz_marginals, 0), expected = 0, sum = 0, squares = 0;
    for (int c = 0; c < n * n; c++)
        expected += marginal[c] > 0 ? marginal[c] * p.data[0][c] : 0;
    tz_sampler *sampler;
    const tz_derivation *d;
    assert_ok(tz_sampler_new(e.chart, 0, random_below(&random, 1000), false, &sampler));
    for (unsigned s = 0; s < DRAWN; s++) {
        assert_ok(tz_sampler_next(sampler, &d));
        check_path(&g, d, d->score);
        sum += d->score;
        squares += d->score * d->score;
    }
    tz_sampler_free(sampler);
    double mean = sum / DRAWN, deviation = sqrt((squares / DRAWN - mean * mean) / DRAWN);
    assert_true(fabs(mean - expected) <= 5 * deviation);

    OWNED(structures, all) = {0};
    assert_ok(tz_sampler_new(e.chart, 0, 1, true, &sampler));
    for (unsigned s = 0; s < 100; s++) {
        assert_ok(tz_sampler_next(sampler, &d));
        check_path(&g, d, d->score);
        structures_add_derivation(&all, d);
    }
    qsort(all.at, all.count, sizeof *all.at, compare_scores);
    for (size_t s = 1; s < all.count; s++) /* scores of different arcs are different */
        assert_true(all.at[s].uses != all.at[s - 1].uses ||
                    compare_structures(&all.at[s], &all.at[s - 1]) != 0 || all.at[s].uses > 3);
    tz_sampler_free(sampler);
    free(marginal);
}

/* ---- Where there is no sum ------------------------------------------------------------------- */

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    (void)user, (void)problem, (void)chart, (void)lane;
    return TZ_OK;
}

static void check_message(const tz_rules *rules, const char *semiring, unsigned flags,
                          const tz_problem *problem, const char *message) {
    tz_error error = {TZ_OK, ""};
    OWN(tz_semiring, made) = make_semiring(semiring, TZ_F64);
    OWN(tz_plan, plan) = make_plan(rules, made, flags);
    assert_int_equal(tz_run(plan, problem, 1, NULL, visit, NULL, &error), TZ_DIVERGES);
    if (strncmp(error.message, message, strlen(message)) != 0)
        fail_msg("%s", error.message);
}

TEST(divergence) {
    OWN(tz_rules, rules) = parse_rules(paths);
    const double inf = INFINITY;
    const double good[9] = {-inf, -1, -inf, -1, -inf, -1, -inf, -inf, -inf};
    const double bad[9] = {-inf, -1, -inf, 2, -inf, -1, -inf, -inf, -inf};
    int32_t n = 3;
    tz_scores scores = {.data = bad, .extent = {3, 3}, .stride = {3, 1}};
    tz_problem problem = {.lengths = &n, .scores = &scores};
    for (unsigned plain = 0; plain < 2; plain++) {
        unsigned flags = plain ? TZ_PLAIN : 0;
        check_message(rules, "max", flags, &problem, "problem 0: at[");
        check_message(rules, "log", flags, &problem, "problem 0: at[");
        check_message(rules, "entropy", flags, &problem, "problem 0: at[");
        check_message(rules, "kbest(2)", flags, &problem, "problem 0: at[");
    }
    scores.data = good;
    check_message(rules, "count", 0, &problem,
                  "problem 0: at[0] needs itself, and semiring count has no star");

    /* One problem of several; the chart is of use afterwards. */
    double value;
    size_t which, item;
    int32_t index[TZ_MAX_RANK];
    tz_scores other = {.data = good, .extent = {3, 3}, .stride = {3, 1}};
    tz_problem both[2] = {{.lengths = &n, .scores = &other}, {.lengths = &n, .scores = &scores}};
    scores.data = bad;
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("log", TZ_F64), 0);
    OWN(tz_chart, chart) = make_chart(plan);
    assert_ok(tz_bind(chart, both, 2, NULL));
    assert_int_equal(tz_diverging(chart, &which, &item, index), TZ_NONE);
    assert_int_equal(tz_inside(chart), TZ_DIVERGES);
    assert_ok(tz_diverging(chart, &which, &item, index));
    assert_int_equal(which, 1);
    assert_int_equal(item, 0);
    run_inside(chart, both, 1);
    value = goal_of(chart, 0);
    assert_true(fabs(value - (-2 - log1p(-exp(-2)))) < 1e-14); /* 0 1 (0 1)* 2 */
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int parse(void *unused) {
    (void)unused;
    OWN(tz_rules, rules) = NULL;
    static const char loop[] =
        "rules loop\nlength n\nweight again\nclosure at\nitem at\ngoal at\n\n"
        "axiom\n--- start\nat\n\nat\n--- go-round * again\nat\n";
    return tz_rules_parse("test", loop, strlen(loop), &rules, NULL);
}

static tz_rules *memory_rules;

static int use_all(void *user) {
    const tz_problem *problem = user;
    const tz_rules *rules = memory_rules;
    tz_plan *plan[2] = {NULL, NULL};
    tz_chart *chart[2] = {NULL, NULL};
    tz_kbest *kbest = NULL;
    const tz_derivation *d;
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < 2 && status == TZ_OK; i++) {
        status =
            tz_plan_new(rules, tz_semiring_find(i == 0 ? "max" : "log", TZ_F64), 0, &plan[i], NULL);
        if (status == TZ_OK)
            status = tz_chart_new(plan[i], &chart[i]);
        if (status == TZ_OK)
            status = tz_bind(chart[i], problem, 1, NULL);
        if (status == TZ_OK)
            status = tz_inside(chart[i]);
        if (status == TZ_OK)
            status = tz_outside(chart[i]);
    }
    if (status == TZ_OK)
        status = tz_best(chart[0], 0, TZ_GOAL, NULL, &d);
    if (status == TZ_OK)
        status = tz_kbest_new(chart[0], 0, false, &kbest, NULL);
    for (unsigned k = 0; k < 5 && status == TZ_OK; k++)
        status = tz_kbest_next(kbest, &d);
    tz_kbest_free(kbest);
    for (unsigned i = 0; i < 2; i++) {
        tz_chart_free(chart[i]);
        tz_plan_free(plan[i]);
    }
    return (int)status;
}

TEST(memory) {
    const double arc[9] = {-INFINITY, -1, -5, -1, -INFINITY, -1, -INFINITY, -0.5, -3};
    int32_t n = 3;
    tz_scores scores = {.data = arc, .extent = {3, 3}, .stride = {3, 1}};
    tz_problem problem = {.lengths = &n, .scores = &scores};
    memory_rules = parse_rules(paths);
    assert_true(oom_sweep("closures", use_all, &problem, TZ_NO_MEMORY, false) > 10);
    tz_rules_free(memory_rules);
    if (AMOUNT(true, false))
        assert_true(oom_sweep("their rules", parse, NULL, TZ_NO_MEMORY, false) > 10);
}
