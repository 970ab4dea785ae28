/* test_kbest.c - are lists of best derivations what sorting all derivations gives?
 *
 * For lengths of a few words, over all built-in rule sets and random ones: scores and structures
 * are those of enumeration, and the order, ties included, is that of an eager recursion (eager.h).
 * TZ_SEED is the seed; TZ_RULE_SETS says how many random rule sets.
 *
 * Tolerance: scores 1e-15 S (float 5e-7 S), S = max(1, sum of |score| over the structure);
 * measured: 4.5e-16 and 2e-7. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/eager.h"
#include "tests/support/evaluate.h"
#include "tests/support/random_rules.h"
#include "tests/support/structures.h"

enum { LANES = 3, LIMIT = 2000, EAGER_LIMIT = 300 };

static const score_source sources[] = {integer_scores, equal_scores,  masked_integers,
                                       plain_scores,   masked_scores, mixed_scores};
enum { SOURCES = sizeof sources / sizeof *sources, INTEGERS = 3 };

typedef struct totals {
    size_t lists, derivations, ties, eager;
    double error[2]; /* by precision */
} totals;

static tz_chart *run(const tz_plan *plan, const tz_problem *problem, unsigned lanes) {
    tz_chart *chart = make_chart(plan);
    run_inside(chart, problem, lanes);
    return chart;
}

static void check_same(const tz_derivation *a, const tz_derivation *b) {
    assert_true(a->score == b->score && a->uses == b->uses && a->nodes == b->nodes);
    assert_memory_equal(a->node, b->node, a->nodes * sizeof *a->node);
    for (size_t u = 0; u < a->uses; u++) {
        assert_true(a->use[u].weight == b->use[u].weight && a->use[u].score == b->use[u].score);
        assert_memory_equal(a->use[u].index, b->use[u].index, sizeof a->use[u].index);
    }
}

/* The structures of enumeration that are possible, with their scores, greatest first. */
static void find_truth(const tz_rules *rules, const structures *all, const random_problem *p,
                       structures *ret) {
    for (size_t i = 0; i < all->count; i++) {
        double size;
        structure *to = structures_add(ret, all->at[i].uses, NAN);
        for (size_t u = 0; u < to->uses; u++) {
            const int32_t *use = all->at[i].use[u];
            to->use[u][0] =
                (int32_t)declared_use(rules, p, (unsigned)use[0], &use[1], &to->use[u][1]);
        }
        qsort(to->use, to->uses, sizeof *to->use, compare_uses);
        to->score = structure_score(to, p, &size);
        if (to->score == -INFINITY)
            free(ret->at[--ret->count].use);
    }
    if (ret->count > 0)
        qsort(ret->at, ret->count, sizeof *ret->at, compare_scores);
}

/* Are two lists the same as sets, one by one? Leaves them sorted by structure. */
static void check_same_set(structures *a, structures *b) {
    assert_int_equal(a->count, b->count);
    if (a->count == 0)
        return;
    qsort(a->at, a->count, sizeof *a->at, compare_structures);
    qsort(b->at, b->count, sizeof *b->at, compare_structures);
    for (size_t i = 0; i < a->count; i++)
        if (compare_structures(&a->at[i], &b->at[i]) != 0)
            fail_msg("structure %zu is another one", i);
}

/* The whole list of one lane. */
static void check_list(tz_chart *chart, size_t lane, const random_problem *p, const structures *all,
                       bool exact, bool is_float, totals *t) {
    structures truth = {0}, got = {0};
    const tz_derivation *d, *best;
    find_truth(chart->plan->rules, all, p, &truth);
    eager *eager = eager_new(chart, lane, EAGER_LIMIT);
    tz_kbest *list = make_kbest(chart, lane, false);
    tz_status status;
    double worst = 0;
    for (size_t i = 0; (status = tz_kbest_next(list, &d)) == TZ_OK; i++) {
        assert_true(i < truth.count);
        structures_add_derivation(&got, d);
        double size, score = structure_score(&got.at[i], p, &size);
        /* The score is that of its uses, and of the i-th best. */
        note_worst(&worst, fabs(d->score - score) / size);
        if (exact)
            assert_true(d->score == truth.at[i].score);
        if (i == 0) {
            best = best_of(chart, lane);
            check_same(d, best);
        } else {
            assert_true(got.at[i - 1].score >= d->score);
            t->ties += got.at[i - 1].score == d->score;
        }
        for (size_t u = 0; u < d->uses; u++)
            assert_true(d->use[u].score == problem_score(p, d->use[u].weight, d->use[u].index));
        if (eager != NULL) {
            assert_true(i < eager_count(eager) && eager_score(eager, i) == d->score);
            assert_true(eager_has_nodes(eager, i, d));
        }
    }
    assert_int_equal(status, TZ_NONE);
    assert_int_equal(tz_kbest_next(list, &d), TZ_NONE);
    assert_null(d);
    t->lists++;
    t->derivations += got.count;
    t->eager += eager != NULL;
    if (eager != NULL)
        assert_int_equal(eager_count(eager), got.count);
    note_worst(&t->error[is_float], worst);
    assert_true(worst <= (is_float ? 5e-7 : 1e-15));
    check_same_set(&got, &truth);
    structures_free(&got);
    structures_free(&truth);
    eager_free(eager);
    tz_kbest_free(list);
}

/* Each structure once, with its greatest score: at its first place in the list of all. */
static void check_distinct(tz_chart *chart, size_t lane) {
    const tz_derivation *a, *b;
    OWNED(structures, seen) = {0};
    bool ambiguous = chart->plan->rules->ambiguous;
    if (ambiguous && chart->plan->rules->declareds > 0)
        return; /* uses do not tell where a table was looked up: structures may look alike */
    OWN(tz_kbest, every) = make_kbest(chart, lane, false);
    OWN(tz_kbest, distinct) = make_kbest(chart, lane, true);
    while (tz_kbest_next(every, &a) == TZ_OK) {
        structures_add_derivation(&seen, a);
        bool again = false;
        for (size_t i = 0; i + 1 < seen.count && ambiguous && !again; i++)
            again = compare_structures(&seen.at[i], &seen.at[seen.count - 1]) == 0;
        if (again)
            continue;
        assert_ok(tz_kbest_next(distinct, &b));
        check_same(a, b);
    }
    assert_int_equal(tz_kbest_next(distinct, &b), TZ_NONE);
}

/* Lanes of different lengths; false where one has too many derivations. */
static bool check_rules(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS], unsigned lanes,
                        unsigned source, tz_precision precision, random_state *random, totals *t) {
    structures all[LANES] = {{0}};
    random_problem p[LANES];
    tz_problem problem[LANES];
    bool few = true;
    for (unsigned lane = 0; lane < lanes && few; lane++)
        few = tz_enumerate(rules, lengths[lane], LIMIT, structures_collect, &all[lane]) == TZ_OK;
    for (unsigned lane = 0; lane < lanes && few; lane++) {
        make_problem(rules, lengths[lane], sources[source], random, &p[lane]);
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS) && precision == TZ_F32; w++)
            for (size_t c = 0; c < p[lane].cells[w]; c++)
                p[lane].data[w][c] = (float)p[lane].data[w][c];
        problem[lane] = p[lane].problem;
        if (tz_has_sides(rules)) { /* what there is depends on the scores */
            problem_cells cells = {rules, &p[lane]};
            structures_free(&all[lane]);
            all[lane] = (structures){0};
            assert_ok(tz_enumerate_possible(rules, lengths[lane], LIMIT, is_possible, &cells,
                                            structures_collect, &all[lane]));
        }
    }
    if (few) {
        OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("max", precision), TZ_FORCE);
        OWN(tz_chart, chart) = run(plan, problem, lanes);
        for (unsigned lane = 0; lane < lanes; lane++) {
            check_list(chart, lane, &p[lane], &all[lane], source < INTEGERS, precision == TZ_F32,
                       t);
            if (all[lane].count < 300)
                check_distinct(chart, lane);
        }
    }
    for (unsigned lane = 0; lane < lanes; lane++) {
        structures_free(&all[lane]);
        if (few)
            random_problem_free(&p[lane]);
    }
    return few;
}

static void report(const totals *t) {
    print_message("# %zu lists of %zu derivations, %zu ties, %zu orders; error / S %.2g, float "
                  "%.2g\n",
                  t->lists, t->derivations, t->ties, t->eager, t->error[0], t->error[1]);
}

TEST(builtin) {
    random_state random = random_start("kbest");
    totals t = {.lists = 0};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned source = 0; source < SOURCES; source++)
            for (unsigned precision = 0; precision < 2; precision++) {
                int32_t lengths[LANES][TZ_MAX_LENGTHS];
                for (int32_t n = 0; n <= 6; n += LANES) {
                    for (int32_t lane = 0; lane < LANES; lane++)
                        set_lengths(rules, n + lane < 6 ? n + lane : 6, 2, lengths[lane]);
                    check_rules(rules, lengths, n == 6 ? 1 : LANES, source, (tz_precision)precision,
                                &random, &t);
                }
            }
    }
    report(&t);
    assert_true(t.derivations > 50000 && t.ties > 10000 && t.eager > 700);
}

TEST(random) {
    random_state random = random_start("kbest of random rules");
    unsigned sets = random_rule_sets(AMOUNT(80, 10)), accepted = 0;
    totals t = {.lists = 0};
    rules_text *text = need(malloc(sizeof *text));
    for (unsigned number = 0; number < sets; number++) {
        random_state own = {random.at * 1000003 + number};
        make_random_rules(&own, text);
        OWN(tz_rules, rules) = NULL;
        if (tz_rules_parse("random.rules", text->at, text->size, &rules, NULL) != TZ_OK)
            continue;
        accepted++;
        bool few = false;
        for (unsigned most = 5; most >= 2 && !few; most--) {
            int32_t lengths[LANES][TZ_MAX_LENGTHS];
            unsigned lanes = 1 + (unsigned)random_below(&own, LANES);
            for (unsigned lane = 0; lane < lanes; lane++)
                for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
                    lengths[lane][l] = (int32_t)random_below(&own, most + 1);
            few = check_rules(rules, lengths, lanes, number % SOURCES,
                              (tz_precision)(number / SOURCES % 2), &own, &t);
        }
    }
    free(text);
    report(&t);
    assert_true(accepted > sets / 4 && t.derivations > sets);
}
