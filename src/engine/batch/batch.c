/* batch.c - many problems of any lengths: grouped into charts (groups.c), shared among threads.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/threads.h"
#include "engine/ask/answers.h"
#include "engine/batch/queue.h"
#include "engine/chart/bind.h"
#include "engine/problem/check.h"

struct tz_charts {
    const tz_plan *plan;
    tz_chart **chart;
    size_t count;
};

tz_status tz_charts_new(const tz_plan *plan, tz_charts **ret_charts) {
    *ret_charts = calloc(1, sizeof **ret_charts);
    if (*ret_charts == NULL)
        return TZ_NO_MEMORY;
    (*ret_charts)->plan = plan;
    return TZ_OK;
}

void tz_charts_free(tz_charts *charts) {
    for (size_t t = 0; charts != NULL && t < charts->count; t++)
        tz_chart_free(charts->chart[t]);
    if (charts != NULL)
        free(charts->chart);
    free(charts);
}

/* At least as many charts as there are threads. */
static tz_status reserve_charts(tz_charts *charts, size_t threads) {
    if (threads <= charts->count)
        return TZ_OK;
    tz_chart **chart = realloc(charts->chart, threads * sizeof *chart);
    if (chart == NULL)
        return TZ_NO_MEMORY;
    charts->chart = chart;
    tz_status status = TZ_OK;
    while (charts->count < threads && status == TZ_OK) {
        status = tz_chart_new(charts->plan, &chart[charts->count]);
        charts->count += status == TZ_OK;
    }
    return status;
}

/* bound, at: room for the group's problems, and for where they are among all. Lanes that are left
 * repeat the last one. */
static tz_status run_group(tz_chart *chart, const tz_ordered *sorted, const tz_grouped *group,
                           tz_problem *bound, size_t *at, const tz_run_options *options,
                           tz_visit visit, void *user) {
    for (size_t i = 0; i < group->lanes; i++) {
        const size_t which = i < group->count ? i : group->count - 1;
        const tz_ordered *one = &sorted[group->first + which * group->step];
        bound[i] = *one->problem;
        at[i] = one->at;
    }
    tz_status status = tz_bind_checked(chart, bound, group->lanes, group->longest);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK && options->outside)
        status = tz_outside(chart);
    if (visit == tz_answer)
        return status == TZ_OK ? tz_answer_all(user, at, group->count, chart) : status;
    for (size_t i = 0; i < group->count && status == TZ_OK; i++)
        status = visit(user, at[i], chart, i);
    return status;
}

/* The first problem that tz_bind would refuse, and why; or count. */
static size_t first_bad(const tz_plan *plan, const tz_problem *problems, size_t count,
                        size_t threads, tz_status *ret_status) {
    size_t bad = count;
    tz_status why = TZ_OK;
#pragma omp parallel num_threads((int)threads) if (threads > 1)
    {
        tz_buffer sorting = {0};
#pragma omp for schedule(static)
        for (size_t i = 0; i < count; i++) {
            tz_status status = tz_check_problem(plan, &problems[i], true, &sorting, NULL);
            if (status == TZ_OK)
                continue;
#pragma omp critical
            if (i < bad) {
                bad = i;
                why = status;
            }
        }
        tz_buffer_free(&sorting);
    }
    (void)threads;
    *ret_status = why;
    return bad;
}

/* Why a group failed. */
static tz_status fail_group(const tz_chart *chart, const size_t *at, tz_status status,
                            tz_error *opt_error) {
    const tz_semiring *s = chart->plan->wide.semiring;
    if (status != TZ_BAD_SCORE || chart->inexact >= chart->lanes)
        return tz_fail(opt_error, status, "%s", tz_status_name(status));
    return tz_fail(
        opt_error, status,
        "problem %zu: the scores of some derivations, or of parts of them, add up beyond "
        "+-%g, where %s is not exact: give scores nearer to 0, -infinity for what is "
        "impossible%s",
        at[chart->inexact], chart->plan->exact, s->name,
        s->exact < 1e9 ? ", or compute with doubles" : "");
}

/* A call of tz_run, of at least one problem. */
typedef struct run_call {
    const tz_plan *plan;
    const tz_problem *problems;
    size_t count, threads;
    const tz_run_options *options;
    tz_visit visit;
    void *user;
    tz_error *opt_error;
} run_call;

static tz_status run(void *call) {
    const run_call *c = call;
    const tz_plan *plan = c->plan;
    const tz_problem *problems = c->problems;
    const tz_run_options *options = c->options;
    size_t count = c->count, threads = c->threads, lengths = plan->rules->lengths;
    tz_error *opt_error = c->opt_error;
    tz_status why;
    size_t bad = first_bad(plan, problems, count, threads, &why);
    if (bad < count) {
        tz_error error;
        if (why == TZ_NO_MEMORY || tz_problem_check(plan, &problems[bad], &error) == TZ_OK)
            return tz_fail(opt_error, why, "problem %zu: %s", bad, tz_status_name(why));
        return tz_fail(opt_error, error.status, "problem %zu: %.900s", bad, error.message);
    }

    tz_status status = TZ_NO_MEMORY;
    tz_ordered *sorted = calloc(count, sizeof *sorted);
    tz_grouped *group = calloc(count, sizeof *group);
    tz_queue *queue = NULL;
    tz_charts own = {.plan = plan}, *charts = options->charts != NULL ? options->charts : &own;
    tz_problem *bound = NULL;
    size_t *at = NULL, wrong = threads; /* the thread that failed */
    if (sorted == NULL || group == NULL)
        goto done;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (tz_ordered){&problems[i], i, lengths};
    size_t lanes = 0, room, groups;
    status = tz_make_groups(plan, sorted, count, options->lanes, options->charts != NULL, group,
                            &groups, &lanes);
    if (status == TZ_OK)
        status = tz_queue_new(group, groups, threads, &queue);
    if (status != TZ_OK)
        goto done;
    status = TZ_NO_MEMORY;
    if (__builtin_mul_overflow(threads, lanes, &room) == 0) {
        bound = calloc(room, sizeof *bound);
        at = calloc(room, sizeof *at);
    }
    if (bound == NULL || at == NULL)
        goto done;
    status = reserve_charts(charts, threads);
    if (status != TZ_OK)
        goto done;
#pragma omp parallel num_threads((int)threads) if (threads > 1)
    {
        const size_t thread = tz_thread_number();
        const tz_grouped *next;
        tz_status so_far = TZ_OK;
        while (so_far == TZ_OK && (next = tz_queue_next(queue, thread)) != NULL) {
            tz_status result =
                run_group(charts->chart[thread], sorted, next, bound + thread * lanes,
                          at + thread * lanes, options, c->visit, c->user);
            if (result != TZ_OK) {
#pragma omp critical
                wrong = thread;
#pragma omp atomic write
                status = result;
            }
#pragma omp atomic read
            so_far = status;
        }
    }
done:
    if (wrong < threads)
        fail_group(charts->chart[wrong], at + wrong * lanes, status, opt_error);
    else if (status != TZ_OK)
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    for (size_t t = 0; t < own.count; t++)
        tz_chart_free(own.chart[t]);
    free(own.chart);
    free(sorted);
    free(group);
    tz_queue_free(queue);
    free(bound);
    free(at);
    return status;
}

tz_status tz_run(const tz_plan *plan, const tz_problem *problems, size_t count,
                 const tz_run_options *opt_options, tz_visit visit, void *user,
                 tz_error *opt_error) {
    tz_run_options options = opt_options != NULL ? *opt_options : (tz_run_options){0};
    size_t threads = options.threads > 0 ? options.threads : 1;
    if (count == 0)
        return TZ_OK;
    if (options.charts != NULL && options.charts->plan != plan)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "the charts are another plan's");
    if (threads > count)
        threads = count;
    run_call call = {plan, problems, count, threads, &options, visit, user, opt_error};
    return tz_with_threads((unsigned)threads, run, &call, opt_error);
}
