/* test_modes.c - the host's floating-point modes: whatever it rounds to, flushes to zero or traps,
 * answers have the bits that they have in the default modes, and the host has its modes and flags
 * again. What is asked is all that can be asked of a chart, of a batch and of limits; rules are
 * read and plans made in those modes too. SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* feenableexcept */
#endif
#include "tests/support/test.h"

#include "engine/batch/groups.h"
#include "tests/support/evaluate.h"
#include "tests/support/modes.h"
#include "tests/support/record.h"

enum { PROBLEMS = 7, LONGEST = 6, SAMPLES = 3, KBEST = 4 };

/* A rule set and problems of it. Nothing of it is made while the host's modes are set, but what is
 * read and made of `path`. */
typedef struct questions {
    const char *path; /* of the rules: NULL: built in */
    const tz_rules *rules;
    const char *semiring;
    tz_precision precision;
    random_problem own[PROBLEMS];
    tz_problem problem[PROBLEMS];
    /* What the semiring takes besides, twice, and the direction, the same numbers. */
    double *other[PROBLEMS][MAX_WEIGHTS];
    tz_scores others[PROBLEMS][2 * MAX_WEIGHTS];
    record *of; /* [PROBLEMS], while a batch is run */
} questions;

static void put(record *r, const void *bytes, size_t size) {
    assert_ok(record_bytes(r, bytes, size));
}

static void put_status(record *r, tz_status status) {
    put(r, &status, sizeof status);
}

static void put_derivation(record *r, const tz_derivation *d) {
    put(r, &d->score, sizeof d->score);
    for (size_t u = 0; u < d->uses; u++) {
        put(r, &d->use[u].score, sizeof d->use[u].score);
        put(r, d->use[u].index, sizeof d->use[u].index);
    }
    for (size_t n = 0; n < d->nodes; n++)
        put(r, &d->node[n], sizeof d->node[n]);
}

static void put_kbest(record *r, tz_chart *chart, size_t lane) {
    OWN(tz_kbest, list) = NULL;
    const tz_derivation *d;
    tz_status status = tz_kbest_new(chart, lane, true, &list, NULL);
    put_status(r, status);
    if (status == TZ_OK)
        put_status(r, tz_kbest_within(list, 30));
    for (unsigned k = 0; k < KBEST && status == TZ_OK; k++) {
        status = tz_kbest_next(list, &d);
        put_status(r, status);
        if (status == TZ_OK)
            put_derivation(r, d);
    }
}

static void put_samples(record *r, tz_chart *chart, size_t lane, bool without) {
    OWN(tz_sampler, sampler) = NULL;
    const tz_derivation *d;
    tz_status status = tz_sampler_new(chart, lane, 5, without, &sampler);
    put_status(r, status);
    for (unsigned k = 0; k < SAMPLES && status == TZ_OK; k++) {
        status = tz_sampler_next(sampler, &d);
        put_status(r, status);
        if (status == TZ_OK)
            put_derivation(r, d);
    }
}

/* Numbers of every item: inside, marginals, through. */
static void put_items(record *r, const tz_rules *rules, const int32_t *lengths, tz_chart *chart,
                      size_t lane) {
    for (size_t k = 0; tz_rules_name_of(rules, TZ_ITEMS, k) != NULL; k++) {
        size_t cells = 1;
        tz_shape shape = shape_of(rules, TZ_ITEM + k, lengths);
        for (unsigned q = 0; q < shape.rank; q++)
            cells *= (size_t)shape.extent[q];
        double *cell = need(calloc(cells + 1, sizeof *cell));
        tz_output output = tz_output_dense(&shape, cell);
        tz_status (*const ask[])(tz_chart *, size_t, size_t,
                                 const tz_output *) = {tz_items, tz_marginals, tz_through};
        for (unsigned a = 0; a < 3; a++) {
            put_status(r, ask[a](chart, lane, a > 0 ? TZ_ITEM + k : k, &output));
            put(r, cell, cells * sizeof *cell);
        }
        free(cell);
    }
}

static void put_tangents(record *r, const random_problem *p, tz_chart *chart, size_t lane,
                         size_t weights) {
    double change = 0;
    tz_status status = tz_goal_tangent(chart, lane, &change);
    put_status(r, status);
    put(r, &change, sizeof change);
    for (unsigned w = 0; w < weights && status == TZ_OK; w++) {
        double *cell = need(calloc(p->cells[w] + 1, sizeof *cell));
        tz_output output = problem_output(p, w, cell);
        put_status(r, tz_marginal_tangents(chart, lane, w, &output));
        put(r, cell, p->cells[w] * sizeof *cell);
        free(cell);
    }
}

/* A structure's probability, and the decoder of least risk; of what has those. */
static void put_risk(record *r, const questions *q, tz_chart *chart, size_t lane) {
    OWN(tz_plan, plan) = NULL;
    const tz_derivation *best;
    double score[2] = {0, 0};
    put_status(r,
               tz_plan_new(q->rules, tz_semiring_find("max", q->precision), TZ_FORCE, &plan, NULL));
    OWN(tz_chart, decoder) = make_chart(plan);
    tz_status status = tz_bind_risk(decoder, chart, lane, NULL, NULL);
    put_status(r, status);
    if (status == TZ_OK)
        status = tz_best(decoder, 0, TZ_GOAL, NULL, &best);
    put_status(r, status);
    if (status == TZ_OK) {
        put_derivation(r, best);
        put_status(r, tz_structure(chart, lane, best->use, best->uses, &score[0], &score[1], NULL));
        put(r, score, sizeof score);
    }
}

static tz_status put_all(void *user, size_t problem, tz_chart *chart, size_t lane) {
    questions *q = user;
    record *r = &q->of[problem];
    const random_problem *p = &q->own[problem];
    const size_t weights = tz_rules_count(q->rules, TZ_WEIGHTS);
    double value[8];
    size_t count = 0;
    put_status(r, record_answers(r, chart, lane, weights, p->shape, p->cells));
    put_status(r, tz_item_values(chart, lane, TZ_GOAL, NULL, value, &count));
    put(r, value, count * sizeof *value);
    put_kbest(r, chart, lane);
    put_samples(r, chart, lane, false);
    put_samples(r, chart, lane, true);
    put_items(r, q->rules, p->lengths, chart, lane);
    put_tangents(r, p, chart, lane, weights);
    if (problem == 0)
        put_risk(r, q, chart, lane);
    return TZ_OK;
}

/* Everything, from the rules' text on: a chart of all problems, tz_run with a visitor that has the
 * host's modes, and arrays that tz_answer fills. */
static void answer(questions *q, unsigned threads, record *ret) {
    tz_rules *read = NULL;
    tz_semiring *semiring;
    OWN(tz_plan, plan) = NULL;
    char text[256] = "";
    double value[PROBLEMS] = {0}, products = 0;
    record of[PROBLEMS] = {{0}};
    if (q->path != NULL) {
        put_status(ret, tz_rules_read(q->path, &read, NULL));
        q->rules = read;
    }
    put_status(ret, tz_rules_degree(q->rules, false, text, sizeof text));
    put(ret, text, strlen(text));
    tz_rules_show(q->rules, TZ_FIGURES_TEXT, text, sizeof text);
    put(ret, text, strlen(text));
    put_status(ret, tz_semiring_new(q->semiring, q->precision, &semiring, NULL));
    const tz_status planned = tz_plan_new(q->rules, semiring, TZ_FORCE, &plan, NULL);
    put_status(ret, planned);
    if (planned == TZ_LAW) { /* required(log) and a closure: refused */
        tz_semiring_free(semiring);
        if (q->path != NULL)
            tz_rules_free(read);
        return;
    }
    put_status(ret, tz_plan_products(plan, q->own[0].lengths, &products));
    put(ret, &products, sizeof products);
    OWN(tz_chart, chart) = make_chart(plan);
    q->of = of;
    tz_status status = tz_bind(chart, q->problem, PROBLEMS, NULL);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK)
        status = tz_outside(chart);
    put_status(ret, status);
    for (size_t i = 0; i < PROBLEMS && status == TZ_OK; i++)
        put_all(q, i, chart, i);
    /* Where a problem fails, which others are visited depends on the threads. */
    const tz_run_options options = {.outside = true, .lanes = 2, .threads = threads};
    tz_answers answers = {.value = value};
    status = tz_run(plan, q->problem, PROBLEMS, &options, put_all, q, NULL);
    put_status(ret, status);
    put_status(ret, tz_run(plan, q->problem, PROBLEMS, &options, tz_answer, &answers, NULL));
    put(ret, value, status == TZ_OK ? sizeof value : 0);
    for (size_t i = 0; i < PROBLEMS; i++) {
        put(ret, of[i].data, status == TZ_OK ? of[i].size : 0);
        free(of[i].data);
    }
    tz_semiring_free(semiring);
    if (q->path != NULL)
        tz_rules_free(read);
}

static void make_questions(const tz_rules *rules, random_state *random, questions *q) {
    static const score_source source[] = {plain_scores, masked_scores, large_scores, tiny_scores};
    const size_t weights = tz_rules_count(rules, TZ_WEIGHTS);
    for (unsigned i = 0; i < PROBLEMS; i++) {
        random_problem *p = &q->own[i];
        int32_t lengths[TZ_MAX_LENGTHS];
        set_affordable_lengths(rules, i < 3 ? LONGEST : 1 + (int32_t)random_below(random, LONGEST),
                               2, lengths);
        make_problem(rules, lengths, source[i % 4], random, p);
        q->problem[i] = p->problem;
        q->problem[i].inputs = q->problem[i].direction = q->others[i];
        for (size_t w = 0; w < weights; w++) {
            double *other = q->other[i][w] = calloc(p->cells[w] + 1, sizeof *other);
            assert_non_null(other);
            for (size_t c = 0; c < p->cells[w]; c++)
                other[c] = random_between(random, -2, 2);
            q->others[i][w] = p->scores[w];
            q->others[i][w].data = other;
            q->others[i][weights + w] = q->others[i][w];
        }
    }
}

static void free_questions(questions *q) {
    for (unsigned i = 0; i < PROBLEMS; i++) {
        random_problem_free(&q->own[i]);
        for (unsigned w = 0; w < MAX_WEIGHTS; w++)
            free(q->other[i][w]);
    }
}

/* All that one may ask, in the default modes and in some of a host's. */
static void check(questions *q, const char *name, unsigned first, unsigned modes) {
    record right = {0};
    answer(q, 1, &right);
    for (unsigned i = first; i < first + modes; i++) {
        const host_modes m = modes_of(i % MODES);
        record got = {0};
        char of[64];
        const seen_modes entered = enter_modes(&m);
        answer(q, 1 + i % 3, &got);
        const bool back = leave_modes(&entered);
        name_modes(&m, of);
        if (got.size != right.size || memcmp(got.data, right.data, right.size) != 0)
            fail_msg("%s x %s: other bits with %s", name, q->semiring, of);
        if (!back)
            fail_msg("%s x %s: the host's modes are others after %s", name, q->semiring, of);
        free(got.data);
    }
    free(right.data);
}

static const char *const semirings[] = {"log",  "max",     "log",      "count",
                                        "log",  "entropy", "ties",     "required(log)",
                                        "bool", "max",     "kbest(3)", "costs(2)"};
enum { SEMIRINGS = sizeof semirings / sizeof *semirings, EACH = AMOUNT(3, 1) };

TEST(built_in) {
    random_state random = random_start("the host's modes");
    unsigned turn = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        questions q = {.rules = tz_rules_builtin(i)};
        char path[1024];
        snprintf(path, sizeof path, "%s/rules/%s.rules", TZ_SOURCE_ROOT, tz_rules_name(q.rules));
        make_questions(q.rules, &random, &q);
        for (unsigned s = 0; s < EACH; s++, turn++) {
            q.semiring = semirings[turn % SEMIRINGS];
            q.precision = turn % 4 == 2 ? TZ_F32 : TZ_F64;
            q.path = s == 1 ? path : NULL;
            q.rules = tz_rules_builtin(i);
            check(&q, tz_rules_name(tz_rules_builtin(i)), 5 * turn, AMOUNT(5, 2));
        }
        free_questions(&q);
    }
}

/* Closures, inputs, side conditions, sparse weights. */
TEST(gallery) {
    random_state random = random_start("the host's modes, gallery");
    unsigned turn = 0;
    for (size_t i = 0; tz_gallery_name(i) != NULL; i++) {
        OWN(tz_rules, rules) = NULL;
        assert_ok(tz_gallery_read(tz_gallery_name(i), &rules, NULL));
        questions q = {.rules = rules};
        make_questions(rules, &random, &q);
        for (unsigned s = 0; s < 2; s++, turn++) {
            q.semiring = s == 0 ? "log" : semirings[turn % SEMIRINGS];
            q.precision = turn % 4 == 3 ? TZ_F32 : TZ_F64;
            check(&q, tz_gallery_name(i), 5 * turn, AMOUNT(4, 1));
        }
        free_questions(&q);
    }
}

/* Every mode that there is, at the length and scores at which the guess of a scale fails as well.
 */
TEST(all_modes) {
    random_state random = random_start("the host's modes, all of them");
    static const score_source source[] = {plain_scores, wide_scores, large_scores};
    for (unsigned s = 0; s < 3; s++) {
        questions q = {.rules = find_rules("eisner"), .semiring = "log"};
        for (unsigned i = 0; i < PROBLEMS; i++) {
            problem_of_size(q.rules, AMOUNT(24, 10), source[s], &random, &q.own[i]);
            q.problem[i] = q.own[i].problem;
        }
        check(&q, "eisner", 0, MODES);
        free_questions(&q);
    }
}

/* ---- Facts and limits ------------------------------------------------------------------------ */

static void put_facts(const tz_rules *rules, const tz_problem *problem, record *r) {
    tz_fact *facts;
    tz_status status = tz_facts_new(rules, problem, &facts, NULL);
    put_status(r, status);
    if (status == TZ_OK)
        put(r, facts->cells, facts->count * sizeof *facts->cells);
    tz_facts_free(facts);
}

static void put_limits(const tz_rules *rules, const tz_problem *problem, int32_t n, record *r) {
    OWN(tz_limiter, limiter) = NULL;
    OWN(tz_limit_chart, chart) = NULL;
    tz_limited limited;
    const double *curve;
    size_t amounts = 0;
    const tz_derivation *d;
    put_status(r, tz_limiter_new(rules, "kept", TZ_F64, 0, &limiter, NULL));
    assert_ok(tz_limit_chart_new(limiter, &chart));
    for (int64_t keep = 0; keep <= n; keep++)
        for (tz_limit_method m = TZ_LIMIT_AUTO; m <= TZ_LIMIT_DUAL; m++) {
            tz_status status = tz_limit(chart, problem, keep, keep, m, &limited, NULL);
            put_status(r, status);
            if (status != TZ_OK)
                continue;
            put(r, &limited.bound, sizeof limited.bound);
            put_derivation(r, limited.derivation);
        }
    tz_status status = tz_limit_curve(chart, problem, &curve, &amounts, NULL);
    put_status(r, status);
    put(r, curve, status == TZ_OK ? amounts * sizeof *curve : 0);
    for (int64_t keep = 0; keep <= n && status == TZ_OK; keep++) {
        tz_status found = tz_limit_best(chart, keep, &d);
        put_status(r, found);
        if (found == TZ_OK)
            put_derivation(r, d);
    }
}

TEST(facts_and_limits) {
    enum { WORDS = 7 };
    random_state random = random_start("the host's modes, facts and limits");
    static const char *const sets[] = {"compress", "compress-sibling-single-root", "delete-tree"};
    for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
        const tz_rules *rules = find_rules(sets[i]);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, WORDS, plain_scores, &random, &p);
        const tz_cells cells = {0, {0, TZ_ANY}};
        const tz_fact fact = {true, &cells, 1};
        tz_problem known = p.problem;
        known.facts = &fact;
        known.fact_count = 1;
        record right = {0};
        put_limits(rules, &p.problem, WORDS, &right);
        put_facts(rules, &known, &right);
        for (unsigned m = i; m < MODES; m += AMOUNT(3, 10)) {
            const host_modes modes = modes_of(m);
            record got = {0};
            const seen_modes entered = enter_modes(&modes);
            put_limits(rules, &p.problem, WORDS, &got);
            put_facts(rules, &known, &got);
            assert_true(leave_modes(&entered));
            assert_int_equal(got.size, right.size);
            assert_memory_equal(got.data, right.data, right.size);
            free(got.data);
        }
        free(right.data);
    }
}

/* ---- Visitors -------------------------------------------------------------------------------- */

/* A visitor is the host's: it has the host's modes, whichever thread it is called from, and what it
 * sets there is its own. */
typedef struct visit {
    host_modes modes;
    seen_modes seen[PROBLEMS];
} visit;

static tz_status see(void *user, size_t problem, tz_chart *chart, size_t lane) {
    visit *v = user;
    double value;
    v->seen[problem] = see_modes();
    tz_status status = tz_goal(chart, lane, &value);
    if (!v->modes.traps)
        fesetround(FE_TOWARDZERO);
    return status;
}

TEST(visitors) {
    const tz_rules *rules = find_rules("eisner");
    random_state random = random_start("the modes of visitors");
    questions q = {.rules = rules};
    make_questions(rules, &random, &q);
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("log", TZ_F64), 0);
    for (unsigned m = 0; m < MODES; m++) {
        visit v = {.modes = modes_of(m)};
        const tz_run_options options = {.lanes = 2, .threads = 1 + m % 3};
        const seen_modes entered = enter_modes(&v.modes);
        tz_status status = tz_run(plan, q.problem, PROBLEMS, &options, see, &v, NULL);
        assert_true(leave_modes(&entered));
        assert_ok(status);
        for (unsigned i = 0; i < PROBLEMS; i++)
            assert_int_equal(v.seen[i].control, entered.control);
    }
    free_questions(&q);
}

BEFORE_TESTS {
    tz_thread_cost = 0;
}
