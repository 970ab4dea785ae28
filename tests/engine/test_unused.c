/* test_unused.c - do weights, inputs and items that no rule uses, or that nothing derives, change
 * anything? Every question, under every semiring, has the bits that it has for the rules without
 * them, whether their scores are given or not. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/rules_text.h"

#define DOMAINS "0 <= a < 2, 0 <= v < 3"

/* Words are cut into pieces; each piece has a label, which a symbol at its end shows. */
#define CUTS                                                                                       \
    "weight piece[i,j,a] 0 <= i < j <= n, 0 <= a < 2\n"                                            \
    "weight emit[a,v] " DOMAINS "\nweight link[i] sparse 0 <= i <= n\n"                            \
    "input x[i] < 3 1 <= i <= n\nitem at[i] 0 <= i <= n\ngoal at[n]\nresource used piece[i,j,a] "  \
    "1\n"                                                                                          \
    "axiom\n--- start * link[0]\nat[0]\n\n"                                                        \
    "at[i]\n--- next * piece[i,j,a] * emit[a,x[j]] * link[j]\nat[j]\n\n"

static const char plain[] = "rules cuts\nlength n\n" CUTS;
/* In front of and behind what is used; one item is derived by nothing, one by what needs it, one
 * leads nowhere. */
static const char more[] =
    "rules cuts\nlength n\nweight bonus[i] 0 <= i <= n\nweight few[i] sparse 0 <= i <= n\n"
    "input y[i] < 3 1 <= i <= n\nrelation near[a,b] (0,1)\n" CUTS "weight last\n"
    "item never[i] 0 <= i <= n\nitem round[i] 0 <= i <= n\nitem idle[i] 0 <= i <= n\nitem none\n"
    "resource spent bonus[i] i\n"
    "at[i] never[j]\n--- jump * piece[i,j,_]\nat[j]\n\n"
    "at[i] [round[j]]\n--- leap * piece[i,j,_]\nat[j]\n\n"
    "round[i-1]\n--- turn\nround[i]\n\n"
    "at[i]\n--- stay * link[i]\nidle[i]\n";

/* ---- A problem ------------------------------------------------------------------------------- */

enum { N = 5, MOST = 4096, CELLS = (N + 1) * (N + 1) * 2 };

typedef struct given {
    double piece[CELLS], emit[6], link[N + 1], bonus[N + 1], few[1], last[1];
    int32_t x[N], y[N], at[N + 1];
} given;

static void make_given(given *g, random_state *random) {
    for (int c = 0; c < CELLS; c++)
        g->piece[c] = 4 * random_unit(random) - 2;
    for (int c = 0; c < 6; c++)
        g->emit[c] = 4 * random_unit(random) - 2;
    for (int i = 0; i <= N; i++) {
        g->link[i] = random_unit(random);
        g->bonus[i] = 7;
        g->at[i] = i;
    }
    g->few[0] = g->last[0] = 3;
    for (int i = 0; i < N; i++) {
        g->x[i] = (int32_t)random_below(random, 3);
        g->y[i] = 2;
    }
}

static size_t weight_of(const tz_rules *rules, const char *name) {
    size_t w = 0;
    while (tz_rules_name_of(rules, TZ_WEIGHTS, w) != NULL &&
           strcmp(tz_rules_name_of(rules, TZ_WEIGHTS, w), name))
        w++;
    return w;
}

/* with: what no rule uses is given as well. */
static tz_problem pose(const tz_rules *rules, const given *g, bool with, tz_scores *scores,
                       tz_input_numbers *numbers) {
    static const int32_t lengths[] = {N};
    const struct {
        const char *name;
        const double *data;
        bool sparse, used;
    } all[] = {{"piece", g->piece, false, true}, {"emit", g->emit, false, true},
               {"link", g->link, true, true},    {"bonus", g->bonus, false, false},
               {"few", g->few, true, false},     {"last", g->last, false, false}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const size_t w = weight_of(rules, all[k].name);
        if (w == tz_rules_count(rules, TZ_WEIGHTS))
            continue;
        assert_int_equal(tz_rules_used(rules, TZ_WEIGHTS, w), all[k].used);
        tz_shape shape = shape_of(rules, w, lengths);
        scores[w] = (tz_scores){.data = NULL};
        if (!with && !all[k].used)
            continue;
        scores[w] = tz_scores_dense(&shape, all[k].data);
        if (all[k].sparse)
            scores[w] = (tz_scores){.data = all[k].data,
                                    .stride = {1},
                                    .index = g->at,
                                    .entries = all[k].used ? N + 1 : 1};
    }
    for (size_t i = 0; i < tz_rules_count(rules, TZ_INPUTS); i++) {
        const bool used = strcmp(tz_rules_name_of(rules, TZ_INPUTS, i), "x") == 0;
        tz_shape shape;
        int64_t bound;
        assert_int_equal(tz_rules_used(rules, TZ_INPUTS, i), used);
        assert_ok(tz_rules_input_shape(rules, i, lengths, &shape, &bound));
        numbers[i] = tz_input_numbers_dense(&shape, used ? g->x : with ? g->y : NULL);
    }
    return (tz_problem){.lengths = lengths, .scores = scores, .numbers = numbers};
}

/* ---- What it is asked ------------------------------------------------------------------------ */

typedef struct answers {
    double number[MOST];
    size_t count;
} answers;

static void add(answers *to, double number) {
    assert_true(to->count < MOST);
    to->number[to->count++] = number;
}

static void add_derivation(answers *to, const tz_rules *rules, const tz_derivation *d) {
    add(to, d->score);
    for (size_t u = 0; u < d->uses; u++) {
        add(to, tz_rules_name_of(rules, TZ_WEIGHTS, d->use[u].weight)[0]);
        for (unsigned q = 0; q < 3; q++)
            add(to, d->use[u].index[q]);
        add(to, d->use[u].score);
    }
    for (size_t i = 0; i < d->nodes; i++) {
        add(to, tz_rules_name_of(rules, TZ_RULES, d->node[i].rule)[0]);
        add(to, d->node[i].index[0]);
    }
}

static void ask_cells(answers *to, tz_chart *chart, const tz_rules *rules, const char *name,
                      size_t cells, bool shares) {
    double number[CELLS];
    const int32_t lengths[] = {N};
    const size_t w = weight_of(rules, name);
    tz_shape shape = shape_of(rules, w, lengths);
    tz_output output = tz_output_dense(&shape, number);
    if (shape.sparse)
        output.stride[0] = 1;
    for (int marginals = 0; marginals <= shares; marginals++) {
        for (size_t c = 0; c < cells; c++)
            number[c] = -1;
        assert_ok(marginals ? tz_marginals(chart, 0, w, &output)
                            : tz_through(chart, 0, w, &output));
        for (size_t c = 0; c < cells; c++)
            add(to, number[c]);
    }
}

/* Cells of weights that no rule uses are in no derivation. */
static void ask_unused(tz_chart *chart, const tz_rules *rules, double zero, bool shares) {
    double number[N + 1];
    const int32_t lengths[] = {N};
    const size_t w = weight_of(rules, "bonus");
    if (w == tz_rules_count(rules, TZ_WEIGHTS))
        return;
    tz_shape shape = shape_of(rules, w, lengths);
    const tz_output output = tz_output_dense(&shape, number);
    assert_ok(tz_through(chart, 0, w, &output));
    for (int i = 0; i <= N; i++)
        assert_true(number[i] == zero);
    if (!shares)
        return;
    assert_ok(tz_marginals(chart, 0, w, &output));
    for (int i = 0; i <= N; i++)
        assert_true(number[i] == 0);
}

static void ask_derivations(answers *to, tz_chart *chart, const tz_rules *rules, bool path) {
    const tz_derivation *d;
    tz_kbest *list;
    tz_sampler *sampler;
    if (path && tz_kbest_new(chart, 0, false, &list, NULL) == TZ_OK) {
        for (int k = 0; k < 5 && tz_kbest_next(list, &d) == TZ_OK; k++)
            add_derivation(to, rules, d);
        tz_kbest_free(list);
    }
    if (path && tz_best(chart, 0, TZ_GOAL, NULL, &d) == TZ_OK)
        add_derivation(to, rules, d);
    if (!path && tz_sampler_new(chart, 0, 3, false, &sampler) == TZ_OK) {
        for (int k = 0; k < 5 && tz_sampler_next(sampler, &d) == TZ_OK; k++) {
            double score, log_probability;
            add_derivation(to, rules, d);
            tz_status status =
                tz_structure(chart, 0, d->use, d->uses, &score, &log_probability, NULL);
            assert_true(status == TZ_OK || status == TZ_LAW);
            add(to, status);
            add(to, status == TZ_OK ? log_probability : 0);
        }
        tz_sampler_free(sampler);
    }
}

static void ask(answers *to, const tz_rules *rules, const tz_problem *problem, const char *semiring,
                unsigned flags) {
    tz_error error = {TZ_OK, ""};
    OWN(tz_semiring, made) = make_semiring(semiring, TZ_F64);
    OWN(tz_plan, plan) = make_plan(rules, made, TZ_FORCE | flags);
    OWN(tz_chart, chart) = make_chart(plan);
    if (tz_bind(chart, problem, 1, &error) != TZ_OK)
        fail_msg("%s: %s", semiring, error.message);
    assert_ok(tz_inside(chart));
    double value = goal_of(chart, 0);
    add(to, value);
    assert_ok(tz_outside(chart));
    const bool path = (made->laws & TZ_PATH) != 0 && made->gives == TZ_GIVES_SCORE;
    const bool shares = made->share != NULL && !path && made->gives == TZ_GIVES_SCORE;
    if (made->mark == NULL) {
        ask_cells(to, chart, rules, "piece", CELLS, shares);
        ask_cells(to, chart, rules, "emit", 6, shares);
        ask_cells(to, chart, rules, "link", N + 1, shares);
        ask_unused(chart, rules, made->gives == TZ_GIVES_SCORE ? -INFINITY : 0, shares);
        ask_derivations(to, chart, rules, path);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static const char *const semirings[] = {"max",     "log",           "count",    "bool",
                                        "entropy", "required(max)", "kbest(3)", "required(log)"};
enum { SEMIRINGS = sizeof semirings / sizeof *semirings };

static void assert_same(const answers *one, const answers *other, const char *what) {
    if (one->count != other->count ||
        memcmp(one->number, other->number, one->count * sizeof *one->number) != 0)
        fail_msg("%s: others", what);
}

TEST(answers) {
    random_state random = random_start("unused");
    tz_rules *rules[2] = {parse_rules(plain), parse_rules(more)};
    given g;
    make_given(&g, &random);
    assert_int_equal(rules[1]->warnings, 9);
    for (size_t s = 0; s < SEMIRINGS; s++)
        for (unsigned flags = 0; flags <= TZ_PLAIN; flags += TZ_PLAIN) {
            static answers expected, found;
            tz_scores scores[8];
            tz_input_numbers numbers[2];
            tz_problem problem = pose(rules[0], &g, true, scores, numbers);
            expected.count = 0;
            ask(&expected, rules[0], &problem, semirings[s], flags);
            for (int with = 0; with < 2; with++) {
                problem = pose(rules[1], &g, with, scores, numbers);
                found.count = 0;
                ask(&found, rules[1], &problem, semirings[s], flags);
                assert_same(&expected, &found, semirings[s]);
            }
        }
    tz_rules_free(rules[0]);
    tz_rules_free(rules[1]);
}

/* Facts are of declared weights. Nothing uses a cell of one that no rule uses. */
TEST(facts) {
    random_state random = random_start("unused facts");
    tz_rules *rules[2] = {parse_rules(plain), parse_rules(more)};
    given g;
    make_given(&g, &random);
    for (int required = 0; required < 2; required++)
        for (size_t s = 5; s < SEMIRINGS; s += 2) {
            static answers of[2];
            for (int r = 0; r < 2; r++) {
                tz_scores scores[8];
                tz_input_numbers numbers[2];
                tz_problem problem = pose(rules[r], &g, false, scores, numbers);
                const tz_cells cell = {.weight = weight_of(rules[r], "piece"),
                                       .index = {1, 3, TZ_ANY}};
                const tz_fact fact = {.required = required, .cells = &cell, .count = 1};
                problem.facts = &fact;
                problem.fact_count = 1;
                of[r].count = 0;
                ask(&of[r], rules[r], &problem, semirings[s], 0);
            }
            assert_same(&of[0], &of[1], semirings[s]);
            assert_true(of[0].number[0] > -INFINITY);
            tz_scores scores[8];
            tz_input_numbers numbers[2];
            tz_problem problem = pose(rules[1], &g, required, scores, numbers);
            const tz_cells cell = {.weight = weight_of(rules[1], "bonus"), .index = {2}};
            const tz_fact fact = {.required = required, .cells = &cell, .count = 1};
            problem.facts = &fact;
            problem.fact_count = 1;
            of[0].count = 0;
            ask(&of[0], rules[1], &problem, semirings[s], 0);
            assert_true(required ? of[0].number[0] == -INFINITY : of[0].number[0] > -INFINITY);
        }
    tz_rules_free(rules[0]);
    tz_rules_free(rules[1]);
}

/* A structure that uses a cell of a weight that no rule uses is none; neither is a used weight
 * without scores a problem. */
TEST(refused) {
    static const char text[] = "rules cuts\nlength n\nweight bonus[i] 0 <= i <= n\n"
                               "weight piece[i,j] 0 <= i < j <= n\nitem at[i] 0 <= i <= n\n"
                               "goal at[n]\naxiom\n--- start\nat[0]\n\n"
                               "at[i]\n--- next * piece[i,j]\nat[j]\n";
    static const double zeros[16];
    const int32_t lengths[] = {3};
    OWN(tz_rules, rules) = parse_rules(text);
    tz_error error = {TZ_OK, ""};
    double score, log_probability;
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("log", TZ_F64), 0);
    OWN(tz_chart, chart) = make_chart(plan);
    tz_shape shape = shape_of(rules, 1, lengths);
    for (int with = 0; with < 2; with++) {
        tz_scores scores[2] = {{.data = NULL}, tz_scores_dense(&shape, zeros)};
        tz_shape own = shape_of(rules, 0, lengths);
        if (with)
            scores[0] = tz_scores_dense(&own, zeros);
        const tz_problem problem = {.lengths = lengths, .scores = scores};
        const tz_use use[2] = {{.weight = 0, .index = {1}}, {.weight = 1, .index = {0, 3}}};
        run_inside(chart, &problem, 1);
        assert_int_equal(tz_structure(chart, 0, use, 2, &score, &log_probability, NULL), TZ_NONE);
        assert_ok(tz_structure(chart, 0, use + 1, 1, &score, &log_probability, NULL));
        assert_true(fabs(log_probability + log(4)) < 1e-15);
        scores[1].data = NULL;
        assert_int_equal(tz_bind(chart, &problem, 1, &error), TZ_BAD_ARGUMENT);
        assert_string_equal(error.message, "piece has no data");
    }
}

/* Only inputs are left over. */
TEST(inputs_alone) {
    static const char text[] = "rules cuts\nlength n\nweight piece[i,j] 0 <= i < j <= n\n"
                               "input x[i] < 3 1 <= i <= n\nitem at[i] 0 <= i <= n\ngoal at[n]\n"
                               "axiom\n--- start\nat[0]\n\nat[i]\n--- next * piece[i,j]\nat[j]\n";
    static const double zeros[16];
    static const int32_t given[3];
    const int32_t lengths[] = {3};
    OWN(tz_rules, rules) = parse_rules(text);
    tz_shape shape[2];
    int64_t bound;
    double value, score;
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("log", TZ_F64), 0);
    OWN(tz_chart, chart) = make_chart(plan);
    shape[0] = shape_of(rules, 0, lengths);
    assert_ok(tz_rules_input_shape(rules, 0, lengths, &shape[1], &bound));
    assert_true(shape[1].rank == 1 && shape[1].extent[0] == 3 && bound == 3);
    const tz_scores scores = tz_scores_dense(&shape[0], zeros);
    const tz_input_numbers numbers[2] = {{.data = NULL}, tz_input_numbers_dense(&shape[1], given)};
    const tz_use use = {.weight = 0, .index = {0, 3}};
    for (int with = -1; with < 2; with++) {
        const tz_problem problem = {
            .lengths = lengths, .scores = &scores, .numbers = with < 0 ? NULL : &numbers[with]};
        const tz_problem two[2] = {problem, problem};
        run_inside(chart, two, 2);
        value = goal_of(chart, 1);
        assert_true(fabs(value - log(4)) < 1e-15);
        assert_ok(tz_structure(chart, 1, &use, 1, &score, &value, NULL));
        assert_true(fabs(value + log(4)) < 1e-15);
    }
}

/* Where nothing derives the goal there is no derivation, whatever is asked. */
TEST(no_goal) {
    static const char *const texts[] = {
        "rules a\nlength n\nweight w[i] 0 <= i <= n\nitem at[i] 0 <= i <= n\ngoal at[n]\n"
        "at[i-1]\n--- next * w[i]\nat[i]\n",
        "rules b\nlength n\nweight w[i] 0 <= i <= n\nitem at[i] 0 <= i <= n\nitem top\ngoal top\n"
        "axiom\n--- start\nat[0]\n\nat[i-1]\n--- next * w[i]\nat[i]\n"};
    static const double zeros[8];
    const int32_t lengths[] = {4};
    for (size_t t = 0; t < 2; t++)
        for (size_t s = 0; s < 4; s++) {
            OWN(tz_rules, rules) = parse_rules(texts[t]);
            const tz_semiring *semiring = tz_semiring_find(semirings[s], TZ_F64);
            double value, item[5];
            const tz_derivation *best;
            OWN(tz_plan, plan) = make_plan(rules, semiring, 0);
            OWN(tz_chart, chart) = make_chart(plan);
            tz_shape shape = shape_of(rules, 0, lengths);
            const tz_scores scores = tz_scores_dense(&shape, zeros);
            const tz_problem problem = {.lengths = lengths, .scores = &scores};
            run_inside(chart, &problem, 1);
            value = goal_of(chart, 0);
            assert_true(value == (semiring->gives == TZ_GIVES_SCORE ? -INFINITY : 0));
            assert_ok(tz_outside(chart));
            if (s == 0)
                assert_int_equal(tz_best(chart, 0, TZ_GOAL, NULL, &best), TZ_NONE);
            shape = shape_of(rules, TZ_ITEM + 0, lengths);
            const tz_output output = tz_output_dense(&shape, item);
            assert_ok(tz_items(chart, 0, 0, &output));
            const double zero = semiring->gives == TZ_GIVES_SCORE ? -INFINITY : 0;
            for (int i = 0; i < 5; i++) /* of the second, items have values */
                assert_true((item[i] == zero) == (t == 0));
        }
}
