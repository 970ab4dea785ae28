/* bench_measure.c - one case of `trapeze bench`: check that the answers are right, then take times.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trapeze/kernel.h>

#include "cli/bench/bench.h"
#include "measure/lengths.h"
#include "measure/parity.h"
#include "measure/pipeline.h"
#include "measure/probe.h"
#include "rules/table.h"
#include "rules/tell/cost.h"

enum {
    POOL = 64,            /* different sentences at least */
    MOST_BYTES = 1 << 30, /* of scores; else fewer sentences */
    LOWER = 20,           /* scores of closures, so that what goes round adds up */
    TO_INSIDE = TZ_STAGE_BIND | TZ_STAGE_INSIDE,
    TO_OUTSIDE = TO_INSIDE | TZ_STAGE_OUTSIDE
};

#define CLOCKED 1e-5

/* A task's time is that of its stages less that of `without`; 0: of nothing. */
static const struct {
    const char *name;
    unsigned stages, without;
} tasks[TZ_BENCH_TASKS] = {
    [TZ_BENCH_VALUE] = {"value", TO_INSIDE, 0},
    [TZ_BENCH_GRADIENT] = {"gradient", TO_OUTSIDE | TZ_STAGE_MARGINALS, 0},
    [TZ_BENCH_BIND] = {"bind", TZ_STAGE_BIND, 0},
    [TZ_BENCH_INSIDE] = {"inside", TO_INSIDE, TZ_STAGE_BIND},
    [TZ_BENCH_OUTSIDE] = {"outside", TO_OUTSIDE, TO_INSIDE},
    [TZ_BENCH_MARGINALS] = {"marginals", TO_OUTSIDE | TZ_STAGE_MARGINALS, TO_OUTSIDE},
    [TZ_BENCH_BEST] = {"best", TO_INSIDE | TZ_STAGE_BEST, TO_INSIDE},
};

const char *tz_bench_task_name(tz_bench_task task) {
    return tasks[task].name;
}

typedef struct measuring {
    const tz_bench_case *of;
    tz_plan *plan;
    tz_workload *work;
    size_t lanes;
    tz_staged staged[2 * TZ_BENCH_TASKS];
    tz_job job[2 * TZ_BENCH_TASKS];
    size_t jobs;
    tz_pipeline *pipeline;
    tz_timings times;
} measuring;

/* The case in front of what is wrong with it. */
static tz_status explain(const tz_bench_case *of, tz_status status, tz_error *error) {
    char what[sizeof error->message], n[32] = "mixed lengths";
    if (of->n >= 0)
        snprintf(n, sizeof n, "n = %ld", (long)of->n);
    if (status == TZ_DIVERGES)
        snprintf(
            what, sizeof what,
            "%s: take a semiring that sums them (log, entropy, kbest(K), ties) or picks one (max, "
            "bool), and rules whose circles use weights",
            tz_status_name(status));
    else
        snprintf(what, sizeof what, "%s",
                 error->message[0] != '\0' ? error->message : tz_status_name(status));
    snprintf(error->message, sizeof error->message, "%.64s x %.32s, %s: %.800s",
             tz_rules_name(of->rules), of->semiring, n, what);
    error->status = status;
    return status;
}

/* ---- Sentences ----------------------------------------------------------------------------- */

/* Those that are run: charged, under resource(..). */
static const tz_rules *rules_of(const tz_bench_case *of) {
    return of->asked->rules != NULL ? of->asked->rules : of->rules;
}

/* Of a sentence of n words. */
static void set_lengths(const tz_bench_case *of, int32_t n, int32_t *ret_lengths) {
    tz_workload_lengths(of->rules, n, of->labels, ret_lengths);
    tz_put_named_lengths(of->named, of->rules, ret_lengths);
    if (of->asked->rules != NULL)
        ret_lengths[of->rules->lengths] = tz_charged_limit(of->asked, of->rules, ret_lengths);
}

static tz_status make_work(measuring *m) {
    const tz_bench_case *of = m->of;
    tz_type type = of->precision == TZ_F32 ? TZ_FLOAT : TZ_DOUBLE;
    size_t lengths = tz_rules_count(rules_of(of), TZ_LENGTHS), bytes, problems = of->batch;
    tz_status status = TZ_OK;
    while (of->lengths == NULL && problems < POOL)
        problems += of->batch;
    int32_t *all = calloc(problems * lengths + 1, sizeof *all);
    if (all == NULL)
        return TZ_NO_MEMORY;
    for (size_t p = 0; p < problems; p++)
        set_lengths(of, of->lengths != NULL ? of->lengths[p] : of->n, all + p * lengths);
    if (of->lengths == NULL) {
        status = tz_workload_bytes(rules_of(of), type, all, &bytes);
        while (status == TZ_OK && problems > 1 && bytes > MOST_BYTES / problems)
            problems = (problems + 1) / 2;
    }
    if (status == TZ_OK)
        status = tz_workload_new(rules_of(of), type, all, problems, of->seed, &m->work);
    if (status == TZ_OK && tz_has_closures(rules_of(of)))
        tz_workload_lower(m->work, LOWER);
    free(all);
    return status;
}

/* Semiring products of a turn; NaN where they are too many to count. */
static double count_products(const measuring *m) {
    const tz_bench_case *of = m->of;
    int32_t lengths[TZ_MAX_LENGTHS], last = -1;
    double sum = 0, products = 0;
    int32_t *sorted = calloc(of->batch, sizeof *sorted);
    if (sorted == NULL)
        return NAN;
    for (size_t i = 0; i < of->batch; i++)
        sorted[i] = of->lengths != NULL ? of->lengths[i] : of->n;
    tz_sort_lengths(sorted, of->batch);
    for (size_t i = 0; i < of->batch; i++) {
        if (sorted[i] != last) {
            set_lengths(of, sorted[i], lengths);
            if (tz_plan_products(m->plan, lengths, &products) != TZ_OK)
                products = NAN;
            last = sorted[i];
        }
        sum += products;
    }
    free(sorted);
    return sum;
}

/* ---- The machine's peak -------------------------------------------------------------------- */

/* About the bytes of a chart: of the boxes that the items' indices span. */
static size_t chart_bytes(const measuring *m) {
    const tz_bench_case *of = m->of;
    const tz_rules *rules = rules_of(of);
    int32_t lengths[TZ_MAX_LENGTHS];
    int32_t n = of->n;
    double cells = 0, sum = 0;
    for (size_t i = 0; of->lengths != NULL && i < of->batch; i++)
        sum += of->lengths[i];
    if (of->lengths != NULL)
        n = (int32_t)(sum / (double)of->batch);
    set_lengths(of, n, lengths);
    for (unsigned k = 0; k < rules->kinds; k++)
        cells += tz_kind_cells(rules, k, lengths);
    double bytes = cells * (double)(m->lanes > 0 ? m->lanes : 1) *
                   (of->precision == TZ_F32 ? sizeof(float) : sizeof(double));
    return bytes < 1e12 ? (size_t)bytes : (size_t)1e12;
}

static double peak_products(const measuring *m) {
    tz_peak peak;
    if (tz_probe(tz_plan_isa(m->plan), m->of->precision, chart_bytes(m), &peak) != TZ_OK)
        return NAN;
    return tz_peak_products(&peak, m->of->precision) * m->of->threads;
}

/* ---- Times --------------------------------------------------------------------------------- */

/* The number of the job with these stages, made if need be; -1 for none. */
static int job_of(measuring *m, unsigned stages, bool clocked) {
    if (stages == 0)
        return -1;
    for (size_t j = 0; j < m->jobs; j++)
        if (m->staged[j].stages == stages && m->staged[j].clocked == clocked)
            return (int)j;
    tz_staged *staged = &m->staged[m->jobs];
    *staged = (tz_staged){m->pipeline, stages, clocked, 0};
    m->job[m->jobs] = (tz_job){tz_pipeline_turn, staged, clocked ? &staged->seconds : NULL};
    return (int)m->jobs++;
}

/* The jobs a and b whose difference is the task's time. The difference of two long times would be
 * all noise where the stage is the short part of them, and a clock around a short stage too coarse:
 * from CLOCKED seconds a chart on, the stage is clocked. */
static tz_status jobs_of(measuring *m, tz_bench_task task, int *ret_a, int *ret_b) {
    tz_staged trial = {m->pipeline, tasks[task].stages, true, 0};
    tz_status status = TZ_OK;
    bool clocked = false;
    if (m->lanes > 0 && tasks[task].without != 0) {
        size_t charts = (m->of->batch + m->lanes - 1) / m->lanes;
        status = tz_pipeline_turn(&trial, 0);
        trial.seconds = 0;
        if (status == TZ_OK)
            status = tz_pipeline_turn(&trial, 1);
        clocked = trial.seconds >= CLOCKED * (double)charts;
    }
    *ret_a = job_of(m, tasks[task].stages, clocked);
    *ret_b = clocked ? -1 : job_of(m, tasks[task].without, false);
    return status;
}

static void fill_row(const measuring *m, tz_bench_task task, double products, double peak, int a,
                     int b, tz_bench_row *row) {
    tz_middle turn = tz_difference(&m->times, a, b);
    bool counted = task == TZ_BENCH_VALUE || task == TZ_BENCH_INSIDE;
    double each = turn.median / (double)m->of->batch;
    const tz_semiring *semiring = m->of->asked->semiring;
    const tz_kernels *kernels = semiring->kernels;
    const bool narrow = kernels != NULL && kernels->narrow != NULL;
    *row = (tz_bench_row){
        .measured = *m->of,
        .task = task,
        .isa = tz_plan_isa(m->plan),
        .lanes = m->lanes,
        .microseconds = 1e6 * each,
        .spread = turn.median > 0 ? turn.spread / turn.median : NAN,
        .sentences = each > 0 ? 1 / each : NAN,
        .products = counted && each > 0 ? products / turn.median : NAN,
        .growth = NAN,
        .ratio = NAN,
        .bytes = (double)(narrow ? kernels->narrow->size : semiring->size),
    };
    /* Elements of several numbers are not multiplied by one multiplication. */
    row->share = semiring->values == NULL ? row->products / peak : NAN;
}

static tz_status take_times(measuring *m, tz_bench_row *ret_rows) {
    int a[TZ_BENCH_TASKS], b[TZ_BENCH_TASKS], wanted = 0;
    tz_status status = TZ_OK;
    for (unsigned t = 0; t < TZ_BENCH_TASKS && status == TZ_OK; t++) {
        if (!(m->of->tasks & (1u << t)))
            continue;
        status = jobs_of(m, (tz_bench_task)t, &a[t], &b[t]);
        wanted++;
    }
    if (status == TZ_OK)
        status = tz_time(m->job, m->jobs, m->of->seconds * wanted, &m->times);
    if (status != TZ_OK)
        return status;
    double products = count_products(m), peak = peak_products(m);
    for (unsigned t = 0; t < TZ_BENCH_TASKS; t++)
        if (m->of->tasks & (1u << t))
            fill_row(m, (tz_bench_task)t, products, peak, a[t], b[t], &ret_rows[t]);
    return TZ_OK;
}

static tz_status prepare(measuring *m, tz_error *error) {
    const tz_bench_case *of = m->of;
    tz_status status = tz_plan_new(rules_of(of), of->asked->semiring, of->flags, &m->plan, error);
    if (status == TZ_OK)
        status = make_work(m);
    bool same = false;
    size_t lanes = 1;
    if (status == TZ_OK)
        status = tz_pipeline_lanes(m->plan, m->work, of->batch, &lanes, error);
    bool outside = (of->tasks & ~(1u << TZ_BENCH_VALUE | 1u << TZ_BENCH_BIND |
                                  1u << TZ_BENCH_INSIDE | 1u << TZ_BENCH_BEST)) != 0;
    if (status == TZ_OK)
        status = tz_parity(m->plan, of->asked->semiring, of->flags, m->work, lanes, outside, &same,
                           error);
    if (status == TZ_OK && !same)
        status = TZ_BAD_ARGUMENT;
    m->lanes = of->by_run ? 0 : lanes;
    if (status == TZ_OK)
        status = tz_pipeline_new(m->plan, of->asked->semiring, m->work, of->batch, m->lanes,
                                 of->threads, &m->pipeline);
    return status;
}

tz_status tz_bench_measure(const tz_bench_case *of, tz_bench_row ret_rows[TZ_BENCH_TASKS],
                           tz_error *ret_error) {
    measuring m = {.of = of};
    *ret_error = (tz_error){TZ_OK, ""};
    tz_status status = prepare(&m, ret_error);
    if (status == TZ_OK)
        status = take_times(&m, ret_rows);
    if (status != TZ_OK && m.pipeline != NULL && m.pipeline->error.message[0] != '\0')
        *ret_error = m.pipeline->error;
    tz_timings_free(&m.times);
    tz_pipeline_free(m.pipeline);
    tz_workload_free(m.work);
    tz_plan_free(m.plan);
    return status == TZ_OK ? TZ_OK : explain(of, status, ret_error);
}
