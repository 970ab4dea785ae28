/* rulesets_jobs.c - see rulesets.h. SPDX-License-Identifier: MIT */
#include "bench/rulesets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { MOST_BYTES = 1 << 29, FEW_BYTES = 1 << 20 };

static void *need(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
        rulesets_fail("out of memory");
    return memory;
}

/* Problems of one size under one semiring. */
typedef struct pool {
    const ruleset_size *size;
    plain_algebra algebra;
    const tz_rules *rules;
    const tz_semiring *semiring;
    tz_plan *plan;
    tz_workload *work;
    size_t few, lanes, weights; /* sentences of a turn of one at a time; those the library binds */
    plain_problem *problem;     /* [work->problems] */
    double *value;              /* [work->problems] of the library */
} pool;

static const unsigned stages[RULESETS_QUESTIONS] = {
    [ASK_BEST] = TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_BEST,
    [ASK_SUM] = TZ_STAGE_BIND | TZ_STAGE_INSIDE,
    [ASK_MARGINALS] = TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_OUTSIDE | TZ_STAGE_MARGINALS,
};

/* ---- Problems -------------------------------------------------------------------------------- */

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

static tz_workload *new_work(const pool *p, tz_type type, const int32_t *length, size_t problems) {
    tz_workload *work;
    if (strcmp(p->size->rules, "delete-tree") == 0)
        return rulesets_trees(p->rules, type, length, problems);
    if (tz_workload_sparse(p->rules, type, length, problems, p->size->entries, 1, &work) != TZ_OK)
        rulesets_fail("out of memory");
    if (strcmp(p->size->rules, "plan7") == 0)
        rulesets_profiles(work);
    return work;
}

/* Seconds that the library takes for log Z or the best score, the first time. */
static double first_seconds(const pool *p) {
    tz_pipeline *alone;
    if (tz_pipeline_new(p->plan, p->semiring, p->work, 1, 1, 1, &alone) != TZ_OK)
        rulesets_fail("out of memory");
    const double start = tz_cpu_seconds();
    if (tz_pipeline_turn(&(tz_staged){alone, stages[ASK_SUM], false, 0}, 0) != TZ_OK)
        rulesets_fail("the library failed");
    tz_pipeline_free(alone);
    return tz_cpu_seconds() - start;
}

/* As many problems as a batch has, or one, where a batch takes too much memory or time. */
static void make_work(pool *p, double patience) {
    const size_t lengths = tz_rules_count(p->rules, TZ_LENGTHS);
    const tz_type type = p->algebra == PLAIN_MAX ? TZ_FLOAT : TZ_DOUBLE;
    int32_t *length = need(RULESETS_BATCH * lengths, sizeof *length);
    for (size_t i = 0; i < RULESETS_BATCH * lengths; i++)
        length[i] = p->size->length[i % lengths];
    p->work = new_work(p, type, length, 1);
    const size_t bytes = p->work->bytes;
    if (bytes * RULESETS_BATCH <= MOST_BYTES && first_seconds(p) * RULESETS_BATCH <= patience) {
        tz_workload_free(p->work);
        p->work = new_work(p, type, length, RULESETS_BATCH);
    }
    p->few = least_of(p->work->problems, 1 + FEW_BYTES / (1 + bytes));
    while (p->work->problems % p->few != 0)
        p->few--;
    free(length);
}

/* The library's values tell the yardsticks their scale. */
static void make_values(pool *p, double steps) {
    const size_t problems = p->work->problems;
    tz_pipeline *alone;
    p->value = need(problems, sizeof *p->value);
    p->problem = need(problems, sizeof *p->problem);
    if (tz_pipeline_new(p->plan, p->semiring, p->work, problems, 1, 1, &alone) != TZ_OK ||
        tz_pipeline_turn(&(tz_staged){alone, stages[ASK_SUM], false, 0}, 0) != TZ_OK)
        rulesets_fail("the library failed");
    for (size_t i = 0; i < problems; i++) {
        p->value[i] = alone->value[i];
        p->problem[i] = (plain_problem){p->work->problem[i].lengths, p->work->problem[i].scores,
                                        p->work->problem[i].numbers, p->value[i] / steps};
    }
    tz_pipeline_free(alone);
}

static const tz_rules *find_rules(const char *name, tz_rules **ret_read) {
    char path[1024];
    tz_error error;
    const tz_rules *rules = tz_rules_find(name);
    *ret_read = NULL;
    if (rules != NULL)
        return rules;
    snprintf(path, sizeof path, "gallery/%s", name);
    if (tz_gallery_read(path, ret_read, &error) != TZ_OK)
        rulesets_fail("%s", error.message);
    return *ret_read;
}

/* ---- Yardsticks as jobs ---------------------------------------------------------------------- */

typedef struct yard {
    const pool *pool;
    const plain_yardstick *stick;
    plain_room *room;
    size_t sentences;     /* of a turn */
    plain_answer *answer; /* [sentences] of the last turn */
} yard;

static tz_status run_yard(void *user, size_t turn) {
    yard *y = user;
    const size_t problems = y->pool->work->problems;
    for (size_t s = 0; s < y->sentences; s += y->stick->lanes)
        plain_solve(y->stick, y->room, y->pool->problem + (turn * y->sentences + s) % problems,
                    y->answer + s);
    return TZ_OK;
}

static size_t cells_of(const pool *p, size_t weight) {
    tz_shape shape;
    size_t cells = 1;
    if (p->work->problem[0].scores[weight].index != NULL)
        return p->work->problem[0].scores[weight].entries;
    if (tz_rules_shape(p->rules, weight, p->size->length, &shape) != TZ_OK)
        rulesets_fail("a weight without shape");
    for (unsigned q = 0; q < shape.rank; q++)
        cells *= (size_t)shape.extent[q];
    return cells;
}

/* NULL: there is no such yardstick, or there are not enough problems for it. */
static yard *yard_new(const pool *p, plain_form form, ruleset_question question) {
    const plain_yardstick *stick =
        plain_find(p->size->rules, p->algebra, form, tz_plan_isa(p->plan));
    if (stick == NULL || p->work->problems % stick->lanes != 0)
        return NULL;
    yard *y = need(1, sizeof *y);
    *y = (yard){.pool = p,
                .stick = stick,
                .room = plain_room_new(),
                .sentences = form == PLAIN_BATCH ? p->work->problems : p->few};
    y->answer = need(y->sentences, sizeof *y->answer);
    for (size_t s = 0; s < y->sentences; s++) {
        plain_answer *answer = &y->answer[s];
        if (question == ASK_BEST)
            answer->use = need(stick->uses(p->size->length), sizeof *answer->use);
        if (question != ASK_MARGINALS)
            continue;
        answer->marginal = need(p->weights, sizeof *answer->marginal);
        for (size_t w = 0; w < p->weights; w++)
            answer->marginal[w] = need(cells_of(p, w), sizeof(double));
    }
    return y;
}

static void yard_free(yard *y) {
    for (size_t s = 0; s < y->sentences; s++) {
        plain_answer *answer = &y->answer[s];
        for (size_t w = 0; answer->marginal != NULL && w < y->pool->weights; w++)
            free(answer->marginal[w]);
        free(answer->marginal);
        free(answer->use);
    }
    free(y->answer);
    plain_room_free(y->room);
    free(y);
}

/* ---- Parity ---------------------------------------------------------------------------------- */

static void same(const pool *p, const char *what, const yard *y, double found, double expected,
                 double tolerance) {
    if (!(found == expected || fabs(found - expected) <= tolerance))
        rulesets_fail("%s x %s, %zu lanes: %s is %.17g, the library's %.17g", p->size->rules,
                      p->semiring->name, y->stick->lanes, what, found, expected);
}

/* The sum of the scores that the best derivation uses. */
static double library_best(const pool *p, size_t problem) {
    tz_chart *chart;
    const tz_derivation *best;
    double sum = 0;
    if (tz_chart_new(p->plan, &chart) != TZ_OK ||
        tz_bind(chart, &p->work->problem[problem], 1, NULL) != TZ_OK || tz_inside(chart) != TZ_OK ||
        tz_best(chart, 0, TZ_GOAL, NULL, &best) != TZ_OK)
        rulesets_fail("the library finds no derivation");
    for (size_t u = 0; u < best->uses; u++)
        sum += best->use[u].score;
    tz_chart_free(chart);
    return sum;
}

static double yard_best(const pool *p, size_t problem, const plain_answer *answer) {
    double sum = 0;
    for (size_t u = 0; u < answer->uses; u++)
        sum += ((const float *)p->problem[problem]
                    .scores[answer->use[u].weight]
                    .data)[answer->use[u].cell];
    return sum;
}

/* Values to the rounding of their sums, derivations by what they score. */
static void check_best(const pool *p, const yard *y) {
    for (size_t s = 0; s < y->stick->lanes; s++) {
        const double close = 1e-5 * (1 + fabs(p->value[s]));
        same(p, "the best score", y, y->answer[s].value, p->value[s], close);
        same(p, "the best derivation's score", y, yard_best(p, s, &y->answer[s]),
             library_best(p, s), close);
    }
}

static void check_sums(const pool *p, const yard *y) {
    for (size_t s = 0; s < y->sentences; s++)
        same(p, "log Z", y, y->answer[s].value, p->value[s], 1e-12 * fabs(p->value[s]));
}

/* Of the first sentences, since the library may take long. */
static void check_marginals(const pool *p, const yard *y) {
    const size_t sentences = y->stick->lanes;
    tz_pipeline *alone;
    if (tz_pipeline_new(p->plan, p->semiring, p->work, sentences, 1, 1, &alone) != TZ_OK ||
        tz_pipeline_turn(&(tz_staged){alone, stages[ASK_MARGINALS], false, 0}, 0) != TZ_OK)
        rulesets_fail("the library failed");
    for (size_t s = 0; s < sentences; s++)
        for (size_t w = 0; w < p->weights; w++)
            for (size_t c = 0; c < cells_of(p, w); c++)
                same(p, tz_rules_name_of(p->rules, TZ_WEIGHTS, w), y, y->answer[s].marginal[w][c],
                     alone->marginals[s * p->weights + w][c], 1e-9);
    tz_pipeline_free(alone);
}

static void check(const yard *y, ruleset_question question) {
    const pool *p = y->pool;
    if (run_yard((void *)y, 0) != TZ_OK)
        rulesets_fail("a yardstick failed");
    if (question == ASK_BEST)
        check_best(p, y);
    else
        check_sums(p, y);
    if (question == ASK_MARGINALS)
        check_marginals(p, y);
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* The jobs of one algebra: for each of its questions and ways one, or -1. */
typedef struct timed {
    tz_status (*run)(void *user, size_t turn);
    void *user;
    size_t sentences; /* of a turn */
    double seconds;   /* of the processor, so far */
} timed;

typedef struct jobs {
    timed job[RULESETS_QUESTIONS * RULESETS_WAYS];
    int count, at[RULESETS_QUESTIONS][RULESETS_WAYS];
} jobs;

static tz_status run_timed(void *user, size_t turn) {
    timed *t = user;
    const double start = tz_cpu_seconds();
    tz_status status = t->run(t->user, turn);
    t->seconds += tz_cpu_seconds() - start;
    return status;
}

static void add(jobs *j, int question, int way, tz_status (*run)(void *, size_t), void *user,
                size_t sentences) {
    j->at[question][way] = j->count;
    j->job[j->count++] = (timed){run, user, sentences, 0};
}

static void add_library(const pool *p, jobs *j, ruleset_question question, ruleset_way way) {
    const bool batch = way == BY_LIBRARY_BATCH;
    const size_t sentences = batch ? p->work->problems : p->few;
    tz_staged *staged = need(1, sizeof *staged);
    if (tz_pipeline_new(p->plan, p->semiring, p->work, sentences, batch ? p->lanes : 1, 1,
                        &staged->pipeline) != TZ_OK)
        rulesets_fail("out of memory");
    staged->stages = stages[question];
    add(j, question, way, tz_pipeline_turn, staged, sentences);
}

static void add_yard(const pool *p, jobs *j, ruleset_question question, ruleset_way way) {
    const plain_form form = way == BY_TEXTBOOK ? PLAIN_TEXTBOOK
                            : way == BY_VECTOR ? PLAIN_VECTOR
                                               : PLAIN_BATCH;
    yard *y = yard_new(p, form, question);
    if (y == NULL)
        return;
    check(y, question);
    add(j, question, way, run_yard, y, y->sentences);
}

static tz_middle ratio(const jobs *j, const tz_timings *times, ruleset_question q, ruleset_way a,
                       ruleset_way b) {
    if (j->at[q][a] < 0 || j->at[q][b] < 0)
        return (tz_middle){0, 0};
    return tz_ratio(times, j->at[q][a], -1, j->at[q][b], -1);
}

static void take_times(jobs *j, double budget, ruleset_times *ret) {
    tz_timings times;
    tz_job job[RULESETS_QUESTIONS * RULESETS_WAYS];
    for (int i = 0; i < j->count; i++)
        job[i] = (tz_job){run_timed, &j->job[i], &j->job[i].seconds};
    if (tz_time(job, (size_t)j->count, budget, &times) != TZ_OK)
        rulesets_fail("a job failed");
    for (size_t i = 0; i < times.samples * times.jobs; i++)
        times.seconds[i] *= 1e6 / (double)j->job[i % times.jobs].sentences;
    for (int q = 0; q < RULESETS_QUESTIONS; q++)
        for (int w = 0; w < RULESETS_WAYS; w++)
            if (j->at[q][w] >= 0) {
                ret[q].microseconds[w] = tz_difference(&times, j->at[q][w], -1);
                ret[q].to_vector = ratio(j, &times, q, BY_LIBRARY, BY_VECTOR);
                ret[q].to_textbook = ratio(j, &times, q, BY_LIBRARY, BY_TEXTBOOK);
                ret[q].to_batch = ratio(j, &times, q, BY_LIBRARY_BATCH, BY_BATCH);
            }
    tz_timings_free(&times);
}

static void free_jobs(jobs *j) {
    for (int i = 0; i < j->count; i++)
        if (j->job[i].run == run_yard) {
            yard_free(j->job[i].user);
        } else {
            tz_pipeline_free(((tz_staged *)j->job[i].user)->pipeline);
            free(j->job[i].user);
        }
}

static void measure(const pool *p, double budget, ruleset_times *ret) {
    jobs j = {.count = 0};
    memset(j.at, -1, sizeof j.at);
    for (ruleset_question q = ASK_BEST; q < RULESETS_QUESTIONS; q++) {
        if ((q == ASK_BEST) != (p->algebra == PLAIN_MAX))
            continue;
        add_library(p, &j, q, BY_LIBRARY);
        add_yard(p, &j, q, BY_VECTOR);
        add_yard(p, &j, q, BY_TEXTBOOK);
        if (p->work->problems < RULESETS_BATCH)
            continue;
        add_library(p, &j, q, BY_LIBRARY_BATCH);
        add_yard(p, &j, q, BY_BATCH);
    }
    take_times(&j, budget, ret);
    free_jobs(&j);
}

static unsigned flags_of(tz_isa isa) {
    return isa == TZ_ISA_BASELINE ? TZ_NO_AVX2 : isa == TZ_ISA_AVX2 ? TZ_NO_AVX512 : 0;
}

static void make_pool(pool *p, tz_isa isa, double patience) {
    tz_error error;
    p->semiring =
        p->algebra == PLAIN_MAX ? tz_semiring_find("max", TZ_F32) : tz_semiring_find("log", TZ_F64);
    p->weights = tz_rules_count(p->rules, TZ_WEIGHTS);
    if (tz_plan_new(p->rules, p->semiring, flags_of(isa), &p->plan, &error) != TZ_OK)
        rulesets_fail("%s", error.message);
    if (isa < TZ_ISAS && tz_plan_isa(p->plan) != isa)
        rulesets_fail("this machine or this build lacks the instruction set (-Disa=all)");
    const plain_yardstick *stick =
        plain_find(p->size->rules, p->algebra, PLAIN_VECTOR, tz_plan_isa(p->plan));
    make_work(p, patience);
    make_values(p, stick != NULL ? stick->steps(p->size->length) : 1);
    if (tz_pipeline_lanes(p->plan, p->work, p->work->problems, &p->lanes, NULL) != TZ_OK)
        rulesets_fail("tz_run failed");
}

static void free_pool(pool *p) {
    free(p->value);
    free(p->problem);
    tz_workload_free(p->work);
    tz_plan_free(p->plan);
}

void rulesets_measure(const ruleset_size *size, tz_isa isa, double budget, double patience,
                      ruleset_times ret_times[RULESETS_QUESTIONS]) {
    tz_rules *read;
    const tz_rules *rules = find_rules(size->rules, &read);
    memset(ret_times, 0, RULESETS_QUESTIONS * sizeof *ret_times);
    for (plain_algebra a = PLAIN_MAX; a < PLAIN_ALGEBRAS; a++) {
        pool p = {.size = size, .algebra = a, .rules = rules};
        make_pool(&p, isa, patience);
        measure(&p, budget, ret_times);
        free_pool(&p);
    }
    tz_rules_free(read);
}
