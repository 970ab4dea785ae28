/* speed_jobs.c - see speed.h. SPDX-License-Identifier: MIT */
#include "speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "textbook.h"

double speed_growth[2];

void speed_fail(const char *message) {
    fflush(stdout);
    fprintf(stderr, "speed: %s\n", message);
    exit(1);
}

static void *need(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
        speed_fail("out of memory");
    return memory;
}

static size_t cells(const speed *s) {
    return ((size_t)s->n + 1) * ((size_t)s->n + 1);
}

/* ---- Start and end ------------------------------------------------------------------------- */

static tz_workload *make_work(const speed *s, tz_type type) {
    enum { MOST_BYTES = 1 << 28 };
    int32_t lengths[SPEED_POOL];
    size_t bytes, problems = SPEED_POOL;
    tz_workload *work;
    for (size_t p = 0; p < SPEED_POOL; p++)
        lengths[p] = s->n;
    if (tz_workload_bytes(s->rules, type, lengths, &bytes) != TZ_OK)
        speed_fail("a problem is too large");
    while (problems > 1 && bytes * problems > MOST_BYTES)
        problems /= 2;
    if (tz_workload_new(s->rules, type, lengths, problems, 1, &work) != TZ_OK)
        speed_fail("out of memory");
    return work;
}

void speed_start(speed *s, const char *rules, const char *semiring, tz_precision precision, int n) {
    tz_error error = {TZ_OK, ""};
    *s = (speed){.n = n,
                 .precision = precision,
                 .rules = tz_rules_find(rules),
                 .semiring = tz_semiring_find(semiring, precision)};
    if (tz_plan_new(s->rules, s->semiring, 0, &s->plan, &error) != TZ_OK)
        speed_fail(error.message);
    s->work = make_work(s, precision == TZ_F32 ? TZ_FLOAT : TZ_DOUBLE);
    if (tz_pipeline_lanes(s->plan, s->work, SPEED_POOL, &s->lanes) != TZ_OK)
        speed_fail("tz_run failed");

    size_t problems = s->work->problems;
    s->value = need(problems, sizeof *s->value);
    s->scale = need(problems, sizeof *s->scale);
    tz_pipeline *alone;
    if (tz_pipeline_new(s->plan, s->semiring, s->work, problems, 1, 1, &alone) != TZ_OK ||
        tz_pipeline_turn(&(tz_staged){alone, TZ_STAGE_BIND | TZ_STAGE_INSIDE, false, 0}, 0) !=
            TZ_OK)
        speed_fail("the library failed");
    for (size_t p = 0; p < problems; p++) {
        s->value[p] = alone->value[p];
        s->scale[p] = s->value[p] / n;
    }
    tz_pipeline_free(alone);
    if (strcmp(rules, "eisner") == 0) {
        s->arcs = need(problems * cells(s), sizeof *s->arcs);
        for (size_t p = 0; p < problems; p++) {
            const void *data = s->work->problem[p].scores[0].data;
            for (size_t c = 0; c < cells(s); c++)
                s->arcs[p * cells(s) + c] = precision == TZ_F32 ? ((const float *)data)[c]
                                                                : (float)((const double *)data)[c];
        }
    }
}

void speed_end(speed *s) {
    for (int j = 0; j < s->jobs; j++)
        if (s->job[j].free != NULL)
            s->job[j].free(s->job[j].state);
    tz_timings_free(&s->times);
    tz_workload_free(s->work);
    tz_plan_free(s->plan);
    free(s->value);
    free(s->scale);
    free(s->arcs);
}

static int add(speed *s, size_t sentences, tz_status (*run)(void *, size_t), void *state,
               void (*free_state)(void *)) {
    if (s->jobs == SPEED_JOBS)
        speed_fail("too many jobs");
    s->job[s->jobs] = (speed_job){{run, state, NULL}, sentences, state, free_state};
    return s->jobs++;
}

/* ---- The library --------------------------------------------------------------------------- */

static void free_library(void *state) {
    tz_staged *staged = state;
    tz_pipeline_free(staged->pipeline);
    free(staged);
}

int speed_library(speed *s, size_t sentences, size_t lanes, unsigned stages) {
    tz_staged *staged = need(1, sizeof *staged);
    staged->stages = stages;
    if (tz_pipeline_new(s->plan, s->semiring, s->work, sentences, lanes > 0 ? lanes : s->lanes, 1,
                        &staged->pipeline) != TZ_OK)
        speed_fail("out of memory");
    return add(s, sentences, tz_pipeline_turn, staged, free_library);
}

int speed_clocked(speed *s, size_t sentences, size_t lanes, unsigned stages) {
    int job = speed_library(s, sentences, lanes, stages);
    tz_staged *staged = s->job[job].state;
    staged->clocked = true;
    s->job[job].job.opt_clock = &staged->seconds;
    return job;
}

int speed_adopt(speed *s, const speed *other, int job) {
    const speed_job *from = &other->job[job];
    int adopted = add(s, from->sentences, from->job.run, from->state, NULL);
    s->job[adopted].job = from->job;
    return adopted;
}

/* ---- The textbook -------------------------------------------------------------------------- */

typedef struct textbook {
    const speed *speed;
    size_t sentences;
    float *chart;
    int *back;
    float value;
} textbook;

static tz_status run_textbook(void *user, size_t turn) {
    textbook *t = user;
    const speed *s = t->speed;
    for (size_t i = 0; i < t->sentences; i++) {
        size_t p = (turn * t->sentences + i) % s->work->problems;
        t->value = textbook_f32(s->n, s->arcs + p * cells(s), t->chart, t->back);
    }
    return TZ_OK;
}

static void free_textbook(void *state) {
    textbook *t = state;
    free(t->chart);
    free(t->back);
    free(t);
}

int speed_textbook(speed *s, size_t sentences) {
    textbook *t = need(1, sizeof *t);
    *t = (textbook){.speed = s,
                    .sentences = sentences,
                    .chart = need(textbook_cells(s->n), sizeof *t->chart),
                    .back = need(textbook_cells(s->n), sizeof *t->back)};
    return add(s, sentences, run_textbook, t, free_textbook);
}

/* ---- The hand-written one ------------------------------------------------------------------ */

typedef struct hand_job {
    const speed *speed;
    hand *hand;
    size_t lanes, groups; /* of lanes, a turn */
    unsigned stages;
    const void **arc;  /* [lanes] */
    double *scale;     /* [lanes] */
    double *value;     /* [lanes] */
    double **marginal; /* [groups * lanes] */
} hand_job;

static tz_status run_hand(void *user, size_t turn) {
    hand_job *h = user;
    const speed *s = h->speed;
    for (size_t g = 0; g < h->groups; g++) {
        for (size_t l = 0; l < h->lanes; l++) {
            size_t p = ((turn * h->groups + g) * h->lanes + l) % s->work->problems;
            h->arc[l] = s->work->problem[p].scores[0].data;
            h->scale[l] = s->scale[p];
        }
        if (!hand_bind(h->hand, h->arc, h->scale))
            return TZ_BAD_SCORE;
        if (h->stages & TZ_STAGE_INSIDE)
            hand_inside(h->hand, h->value);
        if (h->stages & TZ_STAGE_OUTSIDE)
            hand_outside(h->hand);
        if (h->stages & TZ_STAGE_MARGINALS)
            hand_marginals(h->hand, h->marginal + g * h->lanes);
    }
    return TZ_OK;
}

static void free_hand(void *state) {
    hand_job *h = state;
    for (size_t i = 0; h->marginal != NULL && i < h->groups * h->lanes; i++)
        free(h->marginal[i]);
    hand_free(h->hand);
    free(h->arc);
    free(h->scale);
    free(h->value);
    free(h->marginal);
    free(h);
}

int speed_hand(speed *s, hand_algebra algebra, size_t sentences, bool batch, unsigned stages) {
    hand_job *h = need(1, sizeof *h);
    h->speed = s;
    h->stages = stages;
    h->hand = hand_new(algebra, batch, tz_plan_isa(s->plan), s->n);
    if (h->hand == NULL)
        speed_fail("out of memory");
    h->lanes = hand_lanes(h->hand);
    h->groups = (sentences + h->lanes - 1) / h->lanes;
    h->arc = need(h->lanes, sizeof *h->arc);
    h->scale = need(h->lanes, sizeof *h->scale);
    h->value = need(h->lanes, sizeof *h->value);
    h->marginal = need(h->groups * h->lanes, sizeof *h->marginal);
    for (size_t i = 0; (stages & TZ_STAGE_MARGINALS) && i < h->groups * h->lanes; i++)
        h->marginal[i] = need(cells(s), sizeof **h->marginal);
    return add(s, h->groups * h->lanes, run_hand, h, free_hand);
}

/* ---- Checks -------------------------------------------------------------------------------- */

static void same(const speed *s, const char *what, double found, double expected,
                 double tolerance) {
    char message[256];
    if (found == expected || fabs(found - expected) <= tolerance)
        return;
    snprintf(message, sizeof message, "%s x %s, n = %d: %s gives %.17g, the library %.17g",
             tz_rules_name(s->rules), s->semiring->name, s->n, what, found, expected);
    speed_fail(message);
}

/* Marginals of the first sentences of a turn. */
static void same_marginals(const speed *s, const char *what, double *const *found, size_t weights,
                           size_t sentences) {
    tz_pipeline *alone;
    const unsigned stages = TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_OUTSIDE | TZ_STAGE_MARGINALS;
    sentences = sentences < s->work->problems ? sentences : s->work->problems;
    if (tz_pipeline_new(s->plan, s->semiring, s->work, sentences, 1, 1, &alone) != TZ_OK ||
        tz_pipeline_turn(&(tz_staged){alone, stages, false, 0}, 0) != TZ_OK)
        speed_fail("the library failed");
    for (size_t at = 0; at < sentences * weights; at++)
        for (size_t c = 0; c < alone->room[at]; c++)
            same(s, what, found[at][c], alone->marginals[at][c], 1e-9);
    tz_pipeline_free(alone);
}

void speed_check(speed *s) {
    size_t problems = s->work->problems, weights = tz_rules_count(s->rules, TZ_WEIGHTS);
    bool log = strcmp(s->semiring->name, "log") == 0;
    for (int j = 0; j < s->jobs; j++) {
        const speed_job *job = &s->job[j];
        if (job->free == NULL)
            continue; /* its owner checks it */
        if (job->job.run(job->state, 0) != TZ_OK)
            speed_fail("a job failed");
        if (job->free == free_textbook && !log) {
            same(s, "the textbook", (double)((textbook *)job->state)->value,
                 s->value[(job->sentences - 1) % problems], 0);
        } else if (job->free == free_hand) {
            const hand_job *h = job->state;
            for (size_t l = 0; (h->stages & TZ_STAGE_INSIDE) && l < h->lanes; l++) {
                double value = s->value[((h->groups - 1) * h->lanes + l) % problems];
                same(s, "the hand-written one", h->value[l], value, log ? 1e-12 * fabs(value) : 0);
            }
            if (h->stages & TZ_STAGE_MARGINALS)
                same_marginals(s, "the hand-written one", h->marginal, 1, h->lanes);
        } else if (job->free == free_library) {
            const tz_staged *staged = job->state;
            const tz_pipeline *p = staged->pipeline;
            for (size_t i = 0; (staged->stages & TZ_STAGE_INSIDE) && i < p->batch; i++)
                same(s, "a batch", p->value[i], s->value[i % problems], 0);
            if (staged->stages & TZ_STAGE_MARGINALS)
                same_marginals(s, "a batch", p->marginals, weights, p->lanes);
        }
    }
}

/* ---- Times --------------------------------------------------------------------------------- */

void speed_run(speed *s, double budget) {
    tz_job job[SPEED_JOBS];
    for (int j = 0; j < s->jobs; j++)
        job[j] = s->job[j].job;
    if (tz_time(job, (size_t)s->jobs, budget, &s->times) != TZ_OK)
        speed_fail("a job failed");
    /* from a turn to a sentence */
    for (size_t i = 0; i < s->times.samples * s->times.jobs; i++)
        s->times.seconds[i] /= (double)s->job[i % s->times.jobs].sentences;
}

tz_middle speed_each(const speed *s, int a, int b) {
    return tz_difference(&s->times, a, b);
}

tz_middle speed_ratio(const speed *s, int a, int b, int c, int d) {
    return tz_ratio(&s->times, a, b, c, d);
}
