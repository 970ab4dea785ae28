/* test_kbest_large.c - lists of best derivations at full size, and what they take: memory in
 * proportion to what is asked, every allocation allowed to fail, misuse refused.
 *
 * At n = 60 enumeration is out of reach, so identities are checked, over all built-in rule sets.
 * Tolerance: S = 1 + sum of |score|, times the rounding of as many sums as there are uses, here and
 * there; measured: 5.2e-14 S, float 3.4e-5 S. TZ_SEED is the seed. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "engine/ask/kbest/room.h"
#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/oom.h"
#include "tests/support/structures.h"

/* ---- Identities ------------------------------------------------------------------------------ */

/* A derivation's proof tree, and the uses that it does not tell: weights may have indices that no
 * item of the rule has. */
typedef struct shape {
    size_t nodes, uses;
    tz_node *node;
    tz_use *use;
} shape;

static shape shape_new(const tz_derivation *d) {
    shape s = {d->nodes, d->uses, malloc(d->nodes * sizeof *d->node),
               malloc((d->uses + 1) * sizeof *d->use)};
    assert_true(s.node && s.use);
    memcpy(s.node, d->node, d->nodes * sizeof *d->node);
    for (size_t u = 0; u < d->uses; u++)
        s.use[u] = d->use[u];
    return s;
}

static void shape_free(shape *s) {
    free(s->node);
    free(s->use);
}

static int compare_shapes(const void *a, const void *b) {
    const shape *x = a, *y = b;
    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? -1 : 1;
    if (x->uses != y->uses)
        return x->uses < y->uses ? -1 : 1;
    int order = memcmp(x->node, y->node, x->nodes * sizeof *x->node);
    for (size_t u = 0; u < x->uses && order == 0; u++)
        order = memcmp(x->use[u].index, y->use[u].index, sizeof x->use[u].index);
    return order;
}

enum { K = 150, WORDS = 60 };

/* The first is tz_best's, scores do not increase, each is the sum of its uses, no derivation comes
 * twice; from two lists, one of them asked now and then. */
static void check_identities(tz_chart *chart, const random_problem *p, bool is_float,
                             double *worst) {
    const tz_derivation *d, *best, *same;
    shape shapes[K];
    size_t count = 0;
    double before = INFINITY;
    tz_kbest *list = make_kbest(chart, 0, false);
    tz_kbest *other = make_kbest(chart, 0, false);
    for (; count < K && tz_kbest_next(list, &d) == TZ_OK; count++) {
        double sum = 0, size = 1;
        for (size_t u = 0; u < d->uses; u++) {
            double score = problem_score(p, d->use[u].weight, d->use[u].index);
            sum += score;
            size += fabs(score);
        }
        note_worst(worst, fabs(sum - d->score) / size);
        double rounding = (is_float ? 0x1p-24 : 0x1p-53) * (double)(d->uses + 1);
        assert_true(fabs(sum - d->score) <= 2 * rounding * size);
        assert_true(d->score <= before && d->score > -INFINITY);
        before = d->score;
        if (count == 0) {
            best = best_of(chart, 0);
            assert_true(best->score == d->score && best->nodes == d->nodes);
            assert_memory_equal(best->node, d->node, d->nodes * sizeof *d->node);
        }
        shapes[count] = shape_new(d);
        for (size_t c = 0; count % 50 == 49 && c < 50; c++)
            assert_ok(tz_kbest_next(other, &same));
        if (count % 50 == 49) {
            assert_true(same->nodes == d->nodes);
            assert_memory_equal(same->node, d->node, d->nodes * sizeof *d->node);
        }
    }
    assert_int_equal(count, K);
    qsort(shapes, count, sizeof *shapes, compare_shapes);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || compare_shapes(&shapes[i - 1], &shapes[i]) != 0);
        if (i > 0)
            shape_free(&shapes[i - 1]);
    }
    shape_free(&shapes[count - 1]);
    tz_kbest_free(list);
    tz_kbest_free(other);
}

/* Enough for lists of this length? Sets whose labels are data have few derivations with two. */
static bool has_derivations(const tz_rules *rules, double least, random_state *random) {
    OWNED(random_problem, p) = {0};
    problem_of_size(rules, WORDS, equal_scores, random, &p);
    OWNED(evaluation, e) = evaluate(rules, "count", &p);
    return evaluation_goal(&e) >= least;
}

/* Makes some of the cells impossible; are there `least` derivations without them? */
static bool mask_leaves(const tz_rules *rules, random_problem *p, double least,
                        random_state *random) {
    mask_problem(rules, p, random);
    evaluation e = evaluate(rules, "count", p);
    bool enough = evaluation_goal(&e) >= least;
    evaluation_free(&e);
    return enough;
}

TEST(identities) {
    random_state random = random_start("kbest at full size");
    double worst[2] = {0, 0};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        if (!has_derivations(rules, 10 * K, &random))
            continue;
        /* With sanitizers one of the three in turn. */
        for (unsigned s = AMOUNT(0, i % 3); s < AMOUNT(3, i % 3 + 1); s++) {
            random_problem p;
            problem_of_size(rules, WORDS, s == 2 ? integer_scores : plain_scores, &random, &p);
            while (s == 2 && !mask_leaves(rules, &p, K, &random)) {
                random_problem_free(&p);
                problem_of_size(rules, WORDS, integer_scores, &random, &p);
            }
            OWNED(evaluation, e) = evaluate_as(rules, "max", s == 1 ? TZ_F32 : TZ_F64, &p);
            check_identities(e.chart, &p, s == 1, &worst[s == 1]);
            random_problem_free(&p);
        }
    }
    print_message("# error / S %.2g, float %.2g\n", worst[0], worst[1]);
}

/* The same order for any number of lanes, either precision and every instruction set. */
TEST(one_order) {
    enum { K = 60, SETUPS = 4 };
    random_state random = random_start("kbest order");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        random_problem p[3];
        tz_problem problem[3];
        tz_plan *plan[SETUPS];
        tz_chart *chart[SETUPS];
        tz_kbest *list[SETUPS];
        for (int l = 0; l < 3; l++) {
            problem_of_size(rules, 9 + 4 * l, integer_scores, &random, &p[l]);
            problem[l] = p[l].problem;
        }
        for (unsigned s = 0; s < SETUPS; s++) {
            const tz_semiring *max = tz_semiring_find("max", s == 1 ? TZ_F32 : TZ_F64);
            assert_ok(
                tz_plan_new(rules, max, TZ_FORCE | (s == 2 ? TZ_NO_AVX2 : 0), &plan[s], NULL));
            chart[s] = make_chart(plan[s]);
            run_inside(chart[s], s == 3 ? problem : problem + 1, s == 3 ? 3 : 1);
            list[s] = make_kbest(chart[s], s == 3 ? 1 : 0, false);
        }
        for (unsigned k = 0; k < K; k++) {
            const tz_derivation *d[SETUPS];
            tz_status status = tz_kbest_next(list[0], &d[0]);
            assert_true(status == TZ_OK || (status == TZ_NONE && k > 0));
            for (unsigned s = 0; s < SETUPS; s++) {
                if (s > 0)
                    assert_int_equal(tz_kbest_next(list[s], &d[s]), status);
                if (status == TZ_NONE)
                    continue;
                assert_true(d[s]->score == d[0]->score && d[s]->nodes == d[0]->nodes);
                assert_memory_equal(d[s]->node, d[0]->node, d[0]->nodes * sizeof(tz_node));
            }
        }
        for (unsigned s = 0; s < SETUPS; s++) {
            tz_kbest_free(list[s]);
            tz_chart_free(chart[s]);
            tz_plan_free(plan[s]);
        }
        free_problems(p, 3);
    }
}

/* ---- What it takes --------------------------------------------------------------------------- */

/* Ten times as many derivations take at most ten times the blocks of memory (of 16 kB, but for long
 * arrays and the 512 kB that the chart keeps), and 10,000 a few MB. */
TEST(memory) {
    enum { FIRST = 32 /* blocks */ };
    static const char *const names[] = {"eisner", "compress", "sibling"};
    random_state random = random_start("kbest memory");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const tz_rules *rules = find_rules(names[i]);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, 40, plain_scores, &random, &p);
        OWNED(evaluation, e) = evaluate(rules, "max", &p);
        size_t blocks[3], asked = 0;
        const tz_derivation *d;
        tz_kbest *list = make_kbest(e.chart, 0, false);
        for (; asked < 100; asked++)
            assert_ok(tz_kbest_next(list, &d));
        tz_kbest_free(list);
        asked = 0;
        size_t before = oom_live(); /* what the chart keeps for its lists included */
        list = make_kbest(e.chart, 0, false);
        for (unsigned step = 0; step < 3; step++) {
            static const size_t k[] = {100, 1000, 10000};
            for (; asked < k[step]; asked++)
                assert_ok(tz_kbest_next(list, &d));
            blocks[step] = oom_live() - before;
        }
        tz_kbest_free(list);
        print_message("# %s: k = 100, 1000, 10000 take %zu, %zu, %zu blocks\n", names[i], blocks[0],
                      blocks[1], blocks[2]);
        assert_int_equal(oom_live(), before);
        for (unsigned step = 0; step < 3; step++)
            blocks[step] += FIRST;
        assert_true(blocks[1] <= 10 * blocks[0] && blocks[2] <= 10 * blocks[1]);
        assert_true(blocks[2] < 1500);
    }
}

typedef struct attempt {
    tz_chart *chart;
    bool again; /* repeat a call that fails */
    structures *expected;
} attempt;

/* The chart's next list allocates all anew. */
static void drop_spare(tz_chart *chart) {
    tz_kbest_discard(chart->spare);
    chart->spare = NULL;
}

/* Lists a few derivations; those that come are right, whatever failed before. */
static int list_some(void *user) {
    const attempt *a = user;
    tz_kbest *list;
    tz_status status = tz_kbest_new(a->chart, 0, true, &list, NULL);
    for (size_t i = 0; status == TZ_OK && i < a->expected->count; i++) {
        const tz_derivation *d;
        status = tz_kbest_next(list, &d);
        if (status == TZ_NO_MEMORY && a->again)
            status = tz_kbest_next(list, &d);
        if (status != TZ_OK)
            break;
        const structure *s = &a->expected->at[i];
        assert_true(d->score == s->score && d->uses == s->uses);
        for (size_t u = 0; u < d->uses; u++)
            assert_memory_equal(d->use[u].index, &s->use[u][1], sizeof d->use[u].index);
    }
    tz_kbest_free(list);
    drop_spare(a->chart);
    assert_true(status == TZ_OK || status == TZ_NO_MEMORY);
    return status == TZ_OK ? 0 : 1;
}

TEST(out_of_memory) {
    static const char *const names[] = {"eisner", "skip-note", "cky"};
    random_state random = random_start("kbest out of memory");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const tz_rules *rules = find_rules(names[i]);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, 6, plain_scores, &random, &p);
        OWNED(evaluation, e) = evaluate(rules, "max", &p);
        OWNED(structures, expected) = {0};
        const tz_derivation *d;
        tz_kbest *list = make_kbest(e.chart, 0, true);
        for (unsigned k = 0; k < 150 && tz_kbest_next(list, &d) == TZ_OK; k++)
            structures_add_derivation(&expected, d);
        tz_kbest_free(list);
        drop_spare(e.chart);
        assert_true(expected.count > 10);
        assert_true(
            oom_sweep(names[i], list_some, &(attempt){e.chart, false, &expected}, 1, false) > 8);
        oom_sweep("and again", list_some, &(attempt){e.chart, true, &expected}, 1, true);
    }
}

/* ---- Misuse ---------------------------------------------------------------------------------- */

static void least_plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    double x = *(const double *)a, y = *(const double *)b;
    *(double *)ret = x == -INFINITY || (y != -INFINITY && y < x) ? y : x;
}

static void least_times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    (void)self;
    *(double *)ret = *(const double *)a + *(const double *)b;
}

TEST(misuse) {
    static const tz_semiring least = {.name = "least",
                                      .laws = TZ_COMMUTATIVE | TZ_IDEMPOTENT | TZ_PATH | TZ_EXACT,
                                      .plus = least_plus,
                                      .times = least_times};
    const tz_semiring *refused[] = {tz_semiring_find("log", TZ_F64),
                                    tz_semiring_find("bool", TZ_F64), &least};
    const tz_rules *rules = find_rules("eisner");
    random_state random = random_start("kbest misuse");
    OWNED(random_problem, p) = {0};
    problem_of_size(rules, 5, plain_scores, &random, &p);
    tz_kbest *list;
    const tz_derivation *d;
    tz_plan *plan;
    tz_chart *chart;
    for (unsigned s = 0; s < sizeof refused / sizeof *refused; s++) {
        plan = make_plan(rules, refused[s], 0);
        chart = make_chart(plan);
        run_inside(chart, &p.problem, 1);
        assert_int_equal(tz_kbest_new(chart, 0, false, &list, NULL), TZ_LAW);
        assert_null(list);
        tz_chart_free(chart);
        tz_plan_free(plan);
    }
    plan = make_plan(rules, tz_semiring_find("max", TZ_F64), 0);
    chart = make_chart(plan);
    assert_int_equal(tz_kbest_new(chart, 0, false, &list, NULL), TZ_BAD_ARGUMENT);
    assert_ok(tz_bind(chart, &p.problem, 1, NULL));
    assert_int_equal(tz_kbest_new(chart, 0, false, &list, NULL), TZ_BAD_ARGUMENT);
    assert_ok(tz_inside(chart));
    assert_int_equal(tz_kbest_new(chart, 1, false, &list, NULL), TZ_BAD_ARGUMENT);
    list = make_kbest(chart, 0, false);
    assert_ok(tz_kbest_next(list, &d));
    /* What does not touch inside values does not end the list; what does, ends it. */
    assert_ok(tz_outside(chart));
    assert_ok(tz_kbest_next(list, &d));
    assert_ok(tz_inside(chart));
    assert_int_equal(tz_kbest_next(list, &d), TZ_BAD_ARGUMENT);
    assert_null(d);
    tz_kbest_free(list);
    list = make_kbest(chart, 0, false);
    assert_ok(tz_bind(chart, &p.problem, 1, NULL));
    assert_int_equal(tz_kbest_next(list, &d), TZ_BAD_ARGUMENT);
    tz_kbest_free(list);
    /* No derivation: an empty list. */
    for (size_t c = 0; c < p.cells[0]; c++)
        p.data[0][c] = -INFINITY;
    run_inside(chart, &p.problem, 1);
    list = make_kbest(chart, 0, false);
    assert_int_equal(tz_kbest_next(list, &d), TZ_NONE);
    tz_kbest_free(list);
    tz_kbest_free(NULL);
    tz_chart_free(chart);
    tz_plan_free(plan);
}
