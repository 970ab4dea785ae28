/* batch.c - many problems of any lengths: grouped into charts (groups.c), shared among threads.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "base/threads.h"
#include "engine/ask/answers.h"
#include "engine/batch/queue.h"
#include "engine/layout/space.h"
#include "engine/problem/bind.h"
#include "engine/problem/spread.h"

/* So many problems at least take a thread of their own to check: some 100 microseconds, several
 * times as long as to wake it. */
enum { CHECKED = 256 };

/* Products that take as long as to check a problem, and to begin with a group of them. */
enum { CHECK = 1 << 10, GROUP = 1 << 10 };

double tz_thread_cost = 8e6;

struct tz_charts {
    const tz_plan *plan;
    tz_chart **chart;
    size_t count;
};

tz_status tz_charts_new(const tz_plan *plan, tz_charts **ret_charts) {
    *ret_charts = NULL;
    if (plan == NULL)
        return TZ_BAD_ARGUMENT;
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

/* "span[0,3,1]". Truncates. */
static void item_text(const tz_item *item, const int32_t *index, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%s", item->name);
    for (unsigned q = 0; q < item->rank && used < size; q++)
        used += (size_t)snprintf(text + used, size - used, "%s%d%s", q == 0 ? "[" : ",",
                                 (int)index[q], q + 1u == item->rank ? "]" : "");
}

static tz_status fail_diverging(const tz_chart *chart, const size_t *at, tz_error *opt_error) {
    const tz_semiring *s = chart->plan->wide.semiring;
    char item[160];
    size_t lane = 0, which = 0;
    int32_t index[TZ_MAX_RANK];
    tz_diverging(chart, &lane, &which, index);
    item_text(&chart->plan->rules->item[which], index, item, sizeof item);
    if (s->star == NULL && !(s->laws & TZ_PATH))
        return tz_fail(opt_error, TZ_DIVERGES,
                       "problem %zu: %s needs itself, and semiring %s has no star, which sums the "
                       "derivations that go round: use one that has, such as max or log, or give "
                       "some score on the way the value -infinity",
                       at[lane], item, s->name);
    return tz_fail(opt_error, TZ_DIVERGES,
                   "problem %zu: %s needs itself, and under %s the derivations that go round %s: "
                   "give lower scores to what is on the way, or -infinity",
                   at[lane], item, s->name,
                   s->laws & TZ_PATH ? "are as good each time, or better" : "add up without limit");
}

/* Why a group failed. */
static tz_status fail_group(const tz_chart *chart, const size_t *at, tz_status status,
                            tz_error *opt_error) {
    const tz_semiring *s = chart->plan->wide.semiring;
    if (status == TZ_DIVERGES)
        return fail_diverging(chart, at, opt_error);
    if (status != TZ_BAD_SCORE || chart->inexact >= chart->lanes)
        return tz_space_fail(chart, status, opt_error);
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
    size_t parts; /* in which problems are checked */
    const tz_run_options *options;
    tz_visit visit;
    void *user;
    const tz_modes *modes; /* the caller's */
    tz_watching waiting;   /* while the calling thread waits for others */
    tz_queue *queue;
    tz_chart **chart;  /* [threads] */
    size_t done;       /* problems, by all threads */
    size_t lanes;      /* at most */
    tz_problem *bound; /* [threads][lanes] */
    size_t *at;        /* [threads][lanes] */
    const tz_ordered *sorted;
    pthread_mutex_t lock; /* of what follows, which says what failed */
    size_t bad;           /* a problem, or a thread */
    tz_status status;
} run_call;

/* The first of all is kept. */
static void note_failure(run_call *c, size_t bad, tz_status status) {
    pthread_mutex_lock(&c->lock);
    if (c->status == TZ_OK || bad < c->bad) {
        c->bad = bad;
        c->status = status;
    }
    pthread_mutex_unlock(&c->lock);
}

static bool has_failed(run_call *c) {
    pthread_mutex_lock(&c->lock);
    bool failed = c->status != TZ_OK;
    pthread_mutex_unlock(&c->lock);
    return failed;
}

/* The watch, for the thread that is at work. */
static tz_watching watching_of(run_call *c) {
    return tz_watching_of(c->options->watch, tz_thread_number() == 0, &c->done);
}

/* While this thread waits for others. */
static void look(void *call) {
    run_call *c = call;
    tz_watch_look(&c->waiting, false);
}

static void check_part(void *call, size_t part) {
    run_call *c = call;
    tz_given memory = {0};
    tz_watching watching = watching_of(c);
    const size_t each = c->count / c->parts, more = c->count % c->parts;
    const size_t first = part * each + (part < more ? part : more);
    tz_status status = TZ_OK;
    for (size_t i = first; i < first + each + (part < more) && status == TZ_OK; i++) {
        status = tz_check_given(c->plan, &c->problems[i], &memory, NULL);
        if (status == TZ_OK && tz_watch_stops(&watching, CHECK))
            status = TZ_STOPPED;
        if (status != TZ_OK)
            note_failure(c, i, status);
    }
    tz_given_free(&memory);
}

/* The first problem that tz_bind would refuse is told. */
static tz_status check_all(run_call *c, tz_error *opt_error) {
    tz_error error;
    const size_t most = (c->count + CHECKED - 1) / CHECKED;
    c->waiting = watching_of(c);
    c->parts = c->threads < most ? c->threads : most;
    tz_parallel_wait(c->parts, c->parts, check_part, c->options->watch != NULL ? look : NULL, c);
    if (c->status == TZ_OK)
        return TZ_OK;
    if (c->status == TZ_STOPPED)
        return tz_fail(opt_error, TZ_STOPPED, "%s", tz_status_name(TZ_STOPPED));
    if (tz_problem_check(c->plan, &c->problems[c->bad], &error) == TZ_OK)
        return tz_fail(opt_error, c->status, "problem %zu: %s", c->bad, tz_status_name(c->status));
    return tz_fail(opt_error, error.status, "problem %zu: %.900s", c->bad, error.message);
}

/* The visitor is the caller's, and so are the modes that it has. */
static tz_status visit_one(const run_call *c, size_t problem, tz_chart *chart, size_t lane) {
    tz_modes left;
    tz_modes_return(c->modes);
    tz_status status = c->visit(c->user, problem, chart, lane);
    tz_modes_take(&left);
    return status;
}

/* A thread's next group. Lanes that are left repeat the last problem. */
static tz_status run_group(const run_call *c, size_t thread, const tz_grouped *group) {
    tz_chart *chart = c->chart[thread];
    tz_problem *bound = c->bound + thread * c->lanes;
    size_t *at = c->at + thread * c->lanes;
    for (size_t i = 0; i < group->lanes; i++) {
        const size_t which = i < group->count ? i : group->count - 1;
        const tz_ordered *one = &c->sorted[group->first + which * group->step];
        bound[i] = *one->problem;
        at[i] = one->at;
    }
    tz_status status = tz_bind_given(chart, bound, group->lanes, group->longest);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK && c->options->outside)
        status = tz_outside(chart);
    if (c->visit == tz_answer)
        return status == TZ_OK ? tz_answer_all(c->user, at, group->count, chart) : status;
    for (size_t i = 0; i < group->count && status == TZ_OK; i++)
        status = tz_watch_look(&chart->watching, true) ? TZ_STOPPED : visit_one(c, at[i], chart, i);
    return status;
}

static void run_part(void *call, size_t thread) {
    run_call *c = call;
    tz_chart *chart = c->chart[thread];
    const tz_grouped *next;
    chart->watching = watching_of(c);
    while (!has_failed(c) && (next = tz_queue_next(c->queue, thread)) != NULL) {
        tz_status status = run_group(c, thread, next);
        __atomic_fetch_add(&c->done, next->count, __ATOMIC_RELAXED);
        if (status == TZ_OK && tz_watch_stops(&chart->watching, GROUP))
            status = TZ_STOPPED;
        if (status != TZ_OK) {
            note_failure(c, thread, status);
            break;
        }
    }
    chart->watching = (tz_watching){0};
}

/* How many threads are worth their waking; a visitor may take any time. */
static size_t threads_for(const run_call *c, const tz_grouped *group, size_t groups) {
    double cost = 0;
    for (size_t g = 0; g < groups; g++)
        cost += group[g].cost;
    const double most = 1 + cost / tz_thread_cost;
    return c->visit != tz_answer || most > (double)c->threads ? c->threads : (size_t)most;
}

static tz_status run(run_call *c, tz_error *opt_error) {
    const tz_plan *plan = c->plan;
    const tz_problem *problems = c->problems;
    const tz_run_options *options = c->options;
    size_t count = c->count, threads = 1, lengths = plan->rules->lengths;
    tz_status status = check_all(c, opt_error);
    if (status != TZ_OK)
        return status;
    status = TZ_NO_MEMORY;
    tz_ordered *sorted = calloc(count, sizeof *sorted);
    tz_grouped *group = calloc(count, sizeof *group);
    tz_charts own = {.plan = plan}, *charts = options->charts != NULL ? options->charts : &own;
    if (sorted == NULL || group == NULL)
        goto done;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (tz_ordered){&problems[i], i, lengths};
    size_t room, groups;
    status = tz_make_groups(plan, sorted, count, options->lanes, options->charts != NULL, group,
                            &groups, &c->lanes);
    if (status == TZ_OK)
        threads = threads_for(c, group, groups);
    if (status == TZ_OK)
        status = tz_queue_new(group, groups, threads, &c->queue);
    if (status != TZ_OK)
        goto done;
    status = TZ_NO_MEMORY;
    if (__builtin_mul_overflow(threads, c->lanes, &room) == 0) {
        c->bound = calloc(room, sizeof *c->bound);
        c->at = calloc(room, sizeof *c->at);
    }
    if (c->bound == NULL || c->at == NULL)
        goto done;
    status = reserve_charts(charts, threads);
    if (status != TZ_OK)
        goto done;
    c->sorted = sorted;
    c->chart = charts->chart;
    tz_parallel_wait(threads, threads, run_part, options->watch != NULL ? look : NULL, c);
    if (c->status != TZ_OK)
        fail_group(charts->chart[c->bad], c->at + c->bad * c->lanes, c->status, opt_error);
    status = c->status;
done:
    if (status != TZ_OK && c->status == TZ_OK)
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    for (size_t t = 0; t < own.count; t++)
        tz_chart_free(own.chart[t]);
    free(own.chart);
    free(sorted);
    free(group);
    tz_queue_free(c->queue);
    free(c->bound);
    free(c->at);
    return status;
}

tz_status tz_run(const tz_plan *plan, const tz_problem *problems, size_t count,
                 const tz_run_options *opt_options, tz_visit visit, void *user,
                 tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_run_options options = opt_options != NULL ? *opt_options : (tz_run_options){0};
    size_t threads = options.threads > 0 ? options.threads : 1;
    if (plan == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "there is no plan");
    if (count == 0)
        return TZ_OK;
    if (options.charts != NULL && options.charts->plan != plan)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "the charts are another plan's");
    if (threads > count)
        threads = count;
    run_call call = {.plan = plan,
                     .problems = problems,
                     .count = count,
                     .threads = threads,
                     .options = &options,
                     .visit = visit,
                     .user = user,
                     .modes = &modes_of_caller,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    if (options.watch != NULL)
        options.watch->of = count;
    tz_status status = run(&call, opt_error);
    if (options.watch != NULL)
        options.watch->done = call.done;
    pthread_mutex_destroy(&call.lock);
    return status;
}
