/* test_batch_law.c - a batch equals its problems one by one: the same bits, through every door of
 * the library, for all that can be asked.
 *
 * Rule sets: all (law.h). Problems: of equal and of mixed lengths, of scores that fit narrow
 * elements and that do not, with facts, directions and costs. Sizes: 1 to 17, and one more than a
 * full group: where lanes are left, they must change nothing. Questions, threads, lanes and the
 * instruction set are drawn for each size. What is right is what a chart of its
 * own answers about each problem.
 *
 * TZ_SEED is the seed, TZ_RULE_SETS how many random rule sets.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/batch/groups.h"
#include "engine/engine.h"
#include "engine/layout/address.h"
#include "tests/support/isas.h"
#include "tests/support/law.h"
#include "tests/support/random_rules.h"

enum { SIZES = 17, STEP = AMOUNT(1, 6), RANDOMS = AMOUNT(30, 5) };

/* Problems of the pool, in some order, asked at once. */
typedef struct batch {
    const pool *pool;
    tz_plan *plan; /* of an instruction set */
    size_t count, which[MOST_POOL];
    tz_problem problem[MOST_POOL];
    unsigned questions;
    bool backwards;
    random_state *random;
    char where[160];
} batch;

/* ---- Arrays ---------------------------------------------------------------------------------- */

enum { ARRAYS = 4 }; /* marginals, through, tangents, best */

/* What a list of a question has for a weight: the status, and a number for each cell. */
static const double *of_weight(const pool *pool, size_t problem, question question, size_t weight) {
    const double *at = pool->right[problem].of[question].at;
    for (size_t w = 0; w < weight; w++)
        at += 1 + pool->own[problem].p.cells[w];
    return at;
}

/* How often the best derivation uses each cell. */
static void count_uses(const pool *pool, size_t problem, size_t weight, double *cell) {
    const double *at = pool->right[problem].of[DERIVATIONS].at;
    const size_t uses = at[0] == TZ_OK ? (size_t)at[2] : 0;
    at += 3;
    for (size_t u = 0; u < uses; u++, at += TZ_MAX_RANK + 2) {
        int32_t index[TZ_MAX_RANK];
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            index[q] = (int32_t)at[1 + q];
        if (at[0] == (double)weight)
            cell[problem_cell(&pool->own[problem].p, (unsigned)weight, index)]++;
    }
}

static bool same_cells(const batch *b, size_t i, unsigned array, size_t weight, double *got) {
    static const question asked[ARRAYS] = {MARGINALS, THROUGH, TANGENTS, DERIVATIONS};
    static const char *const name[ARRAYS] = {"marginals", "through", "tangents", "best"};
    const pool *pool = b->pool;
    const tz_semiring *s = pool->semiring;
    const size_t cells = pool->own[b->which[i]].p.cells[weight];
    FREED(double, right) = need(calloc(cells + 1, sizeof *right));
    if (array == 3) {
        count_uses(pool, b->which[i], weight, right);
    } else {
        const double *at = of_weight(pool, b->which[i], asked[array], weight);
        for (size_t c = 0; c < cells; c++)
            right[c] = at[0] != TZ_NONE ? at[1 + c] : array == 1 ? s->value(s, s->zero) : 0;
    }
    size_t c = 0;
    while (c < cells && memcmp(&got[c], &right[c], sizeof *got) == 0)
        c++;
    if (c < cells) {
        char what[160];
        snprintf(what, sizeof what, "cell %zu of %s of weight %zu is %.17g, alone %.17g", c,
                 name[array], weight, got[c], right[c]);
        pool_complain(pool, b->which[i], what, b->where);
    }
    return c == cells;
}

/* Room for an array's numbers, [problems][weights]. */
static tz_output *arrays_new(const batch *b) {
    const size_t weights = tz_rules_count(b->pool->rules, TZ_WEIGHTS);
    tz_output *output = need(calloc(b->count * weights + 1, sizeof *output));
    for (size_t k = 0; k < b->count * weights; k++) {
        const random_problem *p = &b->pool->own[b->which[k / weights]].p;
        double *cell = need(calloc(p->cells[k % weights] + 1, sizeof *cell));
        output[k] = problem_output(p, (unsigned)(k % weights), cell);
    }
    return output;
}

/* Compares them and frees them. */
static bool arrays_same(const batch *b, unsigned array, tz_output *output) {
    const size_t weights = tz_rules_count(b->pool->rules, TZ_WEIGHTS);
    bool same = true;
    for (size_t k = 0; k < b->count * weights && output != NULL; k++) {
        same = same && same_cells(b, k / weights, array, k % weights, output[k].data);
        free(output[k].data);
    }
    free(output);
    return same;
}

/* ---- tz_bind --------------------------------------------------------------------------------- */

static bool check_lane(batch *b, size_t i, tz_chart *chart, size_t lane, tz_chart *decoder) {
    answers got;
    pool_read(b->pool, b->which[i], chart, lane, decoder, b->questions, b->backwards, &got);
    const bool same = pool_same(b->pool, b->which[i], &got, b->questions, b->where);
    free_answers(&got);
    return same;
}

static bool by_bind(batch *b) {
    const pool *pool = b->pool;
    OWN(tz_chart, chart) = make_chart(b->plan);
    OWN(tz_chart, decoder) = pool->decoder != NULL ? make_chart(pool->decoder) : NULL;
    run_outside(chart, b->problem, b->count);
    bool same = true;
    for (size_t i = 0; i < b->count && same; i++)
        same = check_lane(b, i, chart, i, decoder);
    if (same && pool->semiring->share != NULL) {
        tz_output *all = arrays_new(b);
        assert_ok(tz_marginals_all(chart, all));
        same = arrays_same(b, 0, all);
    }
    return same;
}

/* ---- tz_run, with a visitor ------------------------------------------------------------------ */

typedef struct visited {
    const batch *batch;
    answers got[MOST_POOL];
} visited;

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    visited *v = user;
    const batch *b = v->batch;
    OWN(tz_chart, decoder) = NULL;
    if (b->pool->decoder != NULL && tz_chart_new(b->pool->decoder, &decoder) != TZ_OK)
        return TZ_NO_MEMORY;
    pool_read(b->pool, b->which[problem], chart, lane, decoder, b->questions, b->backwards,
              &v->got[problem]);
    return TZ_OK;
}

/* Any number of lanes and threads, and new charts or ones that are kept. */
static tz_run_options any_options(batch *b) {
    tz_run_options ret = {.outside = true, .threads = 1 + (unsigned)random_below(b->random, 3)};
    if (random_below(b->random, 3) == 0)
        ret.lanes = 1 + (unsigned)random_below(b->random, SIZES);
    if (random_below(b->random, 2) == 0)
        assert_ok(tz_charts_new(b->plan, &ret.charts));
    size_t used = strlen(b->where);
    snprintf(b->where + used, sizeof b->where - used, ", %u threads, lanes %u, charts %s",
             ret.threads, ret.lanes, ret.charts != NULL ? "kept" : "new");
    return ret;
}

static void run_batch(const batch *b, const tz_run_options *options, tz_visit visit, void *user) {
    tz_error error;
    if (tz_run(b->plan, b->problem, b->count, options, visit, user, &error) != TZ_OK)
        fail_msg("%s x %s%s: %s", b->pool->rules->name, b->pool->semiring->name, b->where,
                 error.message);
}

static bool by_run(batch *b) {
    tz_run_options options = any_options(b);
    visited v = {.batch = b};
    run_batch(b, &options, visit, &v);
    bool same = true;
    for (size_t i = 0; i < b->count; i++) {
        same = same && pool_same(b->pool, b->which[i], &v.got[i], b->questions, b->where);
        free_answers(&v.got[i]);
    }
    tz_charts_free(options.charts);
    return same;
}

/* ---- tz_answer ------------------------------------------------------------------------------- */

static bool by_answer(batch *b) {
    const pool *pool = b->pool;
    const tz_semiring *s = pool->semiring;
    const size_t most = tz_semiring_numbers(s);
    const bool can[ARRAYS] = {s->share != NULL, true, s->multiples != NULL,
                              (s->laws & TZ_PATH) != 0};
    tz_output *output[ARRAYS] = {NULL};
    double value[MOST_POOL], *values = need(calloc(b->count * most, sizeof *values));
    size_t number[MOST_POOL];
    for (unsigned a = 0; a < ARRAYS; a++)
        if (can[a] && random_below(b->random, 4) > 0)
            output[a] = arrays_new(b);
    const tz_answers to = {.value = value,
                           .values = values,
                           .number = number,
                           .marginals = output[0],
                           .through = output[1],
                           .tangents = output[2],
                           .best = output[3]};
    tz_run_options options = any_options(b);
    run_batch(b, &options, tz_answer, (void *)&to);
    bool same = true;
    for (size_t i = 0; i < b->count; i++) {
        const numbers *goal = &pool->right[b->which[i]].of[GOAL];
        if (number[i] != (size_t)goal->at[0] ||
            memcmp(values + i * most, goal->at + 1, number[i] * sizeof *values) != 0 ||
            memcmp(&value[i], &goal->at[goal->count - 1], sizeof *value) != 0) {
            pool_complain(pool, b->which[i], "other values of the goal", b->where);
            same = false;
        }
    }
    for (unsigned a = 0; a < ARRAYS; a++)
        same = arrays_same(b, a, output[a]) && same;
    free(values);
    tz_charts_free(options.charts);
    return same;
}

/* ---- All ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*same)(batch *batch);
} door[] = {{"tz_bind", by_bind}, {"tz_run", by_run}, {"tz_answer", by_answer}};
enum { DOORS = sizeof door / sizeof *door, ANSWER = DOORS - 1 };

typedef struct law {
    random_state *random;
    isas isas;
    unsigned rule_sets, wrong, batches[DOORS];
    size_t problems;
} law;

/* So many problems of the pool, which begin anywhere, through a door. */
static void check_door(law *l, const pool *pool, size_t count, unsigned d) {
    static batch b;
    const unsigned flags = l->isas.flags[random_below(l->random, l->isas.count)];
    const size_t first = random_below(l->random, pool->count);
    b = (batch){.pool = pool,
                .count = count,
                .questions = any_questions(l->random),
                .backwards = random_below(l->random, 2),
                .random = l->random};
    snprintf(b.where, sizeof b.where, "; by %s, %zu %s", door[d].name, count,
             pool->equal ? "of these lengths" : "of mixed lengths");
    b.plan = make_plan(pool->rules, pool->semiring, TZ_FORCE | flags);
    for (size_t i = 0; i < count; i++) {
        b.which[i] = (first + i) % pool->count;
        b.problem[i] = pool->problem[b.which[i]];
    }
    l->wrong += !door[d].same(&b);
    l->batches[d]++;
    l->problems += count;
    tz_plan_free(b.plan);
}

/* The arrays of tz_answer cost little; else by turns. */
static void check_size(law *l, const pool *pool, size_t count) {
    check_door(l, pool, count, (unsigned)random_below(l->random, ANSWER));
    check_door(l, pool, count, ANSWER);
}

static void check_rules(void *user, const tz_rules *rules, const char *text) {
    law *l = user;
    static pool pool;
    bool any = false;
    for (unsigned equal = 0; equal < 2; equal++) {
        const tz_precision precision = random_below(l->random, 2) ? TZ_F64 : TZ_F32;
        /* Most can be asked under log. */
        const char *semiring = equal ? "log" : any_semiring(rules, l->random);
        if (!pool_make(rules, text, semiring, precision, equal, SIZES, l->random, &pool))
            continue;
        any = true;
        for (size_t count = 1; count <= SIZES; count += STEP)
            check_size(l, &pool, count);
        double cells;
        const size_t full = tz_best_lanes(pool.plan, pool.own[0].p.lengths, &(int){-1}, &cells);
        if (full + 1 < MOST_POOL)
            check_size(l, &pool, full + 1);
        pool_free(&pool);
    }
    l->rule_sets += any;
}

TEST(one_by_one) {
    random_state random = random_start("one by one");
    law l = {.random = &random, .isas = isas_here()};
    each_rule_set(random_rule_sets(RANDOMS), &random, check_rules, &l);
    print_message("# %u rule sets, %zu problems", l.rule_sets, l.problems);
    for (unsigned d = 0; d < DOORS; d++)
        print_message(", %u batches by %s", l.batches[d], door[d].name);
    print_message("\n");
    assert_int_equal(l.wrong, 0);
    assert_true(l.rule_sets > AMOUNT(60, 15));
}

BEFORE_TESTS {
    tz_thread_cost = 1e-6; /* all threads that are allowed */
}
