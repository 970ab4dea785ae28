/* batch.c - many problems of any lengths: sorted, grouped into charts, shared among threads.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "engine/marginals.h"
#include "engine/threads.h"

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

static size_t this_thread(void) {
#ifdef _OPENMP
    return (size_t)omp_get_thread_num();
#else
    return 0;
#endif
}

typedef struct order {
    const tz_problem *problem;
    size_t at, lengths;
} order;

/* Problems of the sorted order that are bound together, a group; or groups that one thread takes
 * one after the other, a share. */
typedef struct range {
    size_t first, count;
} range;

/* The longest first, so that threads end together. */
static int by_lengths(const void *a, const void *b) {
    const order *x = a, *y = b;
    for (size_t l = 0; l < x->lengths; l++)
        if (x->problem->lengths[l] != y->problem->lengths[l])
            return x->problem->lengths[l] > y->problem->lengths[l] ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static bool same_lengths(const order *a, const order *b) {
    return memcmp(a->problem->lengths, b->problem->lengths,
                  a->lengths * sizeof *a->problem->lengths) == 0;
}

/* May b join a group whose first (longest) member is a, with little padding? */
static bool close_enough(const tz_plan *plan, const tz_problem *a, const tz_problem *b) {
    for (size_t l = 0; l < plan->rules->lengths; l++) {
        int32_t less = a->lengths[l], more = b->lengths[l];
        if (less != more && plan->alike >> l & 1)
            return false;
        if (less > more) {
            int32_t swap = less;
            less = more;
            more = swap;
        }
        if (more - less > more / 16)
            return false;
    }
    return true;
}

/* Cuts the sorted order into groups of at most so many lanes (0: as many as are best); returns how
 * many there are, and the lanes of the widest. */
static size_t make_groups(const tz_plan *plan, const order *sorted, size_t count, size_t lanes,
                          range *ret_groups, size_t *ret_widest) {
    size_t groups = 0, room = 0;
    *ret_widest = 1;
    for (size_t i = 0; i < count; i++) {
        range *last = groups > 0 ? &ret_groups[groups - 1] : NULL;
        if (last != NULL && last->count < room &&
            close_enough(plan, sorted[last->first].problem, sorted[i].problem)) {
            last->count++;
            *ret_widest = last->count > *ret_widest ? last->count : *ret_widest;
            continue;
        }
        if (lanes > 0)
            room = lanes;
        else if (last == NULL || !same_lengths(&sorted[last->first], &sorted[i]))
            room = tz_best_lanes(plan, sorted[i].problem->lengths);
        ret_groups[groups++] = (range){i, 1};
    }
    return groups;
}

/* Groups of the same lengths go to one thread, whose chart then works out a pass for them once; but
 * not so many that threads would end apart. Returns how many shares there are. */
static size_t make_shares(const order *sorted, const range *group, size_t groups, size_t threads,
                          range *ret_shares) {
    enum { LEAST = 8 }; /* shares of a thread */
    size_t shares = 0, most = groups / (LEAST * threads) + 1;
    for (size_t g = 0; g < groups; g++) {
        range *last = shares > 0 ? &ret_shares[shares - 1] : NULL;
        if (last != NULL && last->count < most &&
            same_lengths(&sorted[group[last->first].first], &sorted[group[g].first]))
            last->count++;
        else
            ret_shares[shares++] = (range){g, 1};
    }
    return shares;
}

/* bound, at: room for the group's problems, and for where they are among all. */
static tz_status run_group(tz_chart *chart, const order *sorted, const range *group,
                           tz_problem *bound, size_t *at, const tz_run_options *options,
                           tz_visit visit, void *user) {
    for (size_t i = 0; i < group->count; i++) {
        bound[i] = *sorted[group->first + i].problem;
        at[i] = sorted[group->first + i].at;
    }
    tz_status status = tz_bind_checked(chart, bound, group->count);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK && options->outside)
        status = tz_outside(chart);
    if (visit == tz_answer)
        return status == TZ_OK ? tz_answer_all(user, at, chart) : status;
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
    order *sorted = calloc(count, sizeof *sorted);
    range *group = calloc(count, sizeof *group), *share = calloc(count, sizeof *share);
    tz_charts own = {.plan = plan}, *charts = options->charts != NULL ? options->charts : &own;
    tz_problem *bound = NULL;
    size_t *at = NULL;
    if (sorted == NULL || group == NULL || share == NULL)
        goto done;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (order){&problems[i], i, lengths};
    qsort(sorted, count, sizeof *sorted, by_lengths);
    size_t lanes, room;
    size_t groups = make_groups(plan, sorted, count, options->lanes, group, &lanes);
    size_t shares = make_shares(sorted, group, groups, threads, share);
    if (__builtin_mul_overflow(threads, lanes, &room) == 0) {
        bound = calloc(room, sizeof *bound);
        at = calloc(room, sizeof *at);
    }
    if (bound == NULL || at == NULL)
        goto done;
    status = reserve_charts(charts, threads);
    if (status != TZ_OK)
        goto done;
#pragma omp parallel for schedule(dynamic) num_threads((int)threads) if (threads > 1)
    for (size_t s = 0; s < shares; s++)
        for (size_t g = share[s].first; g < share[s].first + share[s].count; g++) {
            tz_status so_far;
#pragma omp atomic read
            so_far = status;
            if (so_far != TZ_OK)
                break;
            size_t thread = this_thread();
            tz_status result =
                run_group(charts->chart[thread], sorted, &group[g], bound + thread * lanes,
                          at + thread * lanes, options, c->visit, c->user);
            if (result != TZ_OK) {
#pragma omp atomic write
                status = result;
            }
        }
done:
    if (status != TZ_OK)
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    for (size_t t = 0; t < own.count; t++)
        tz_chart_free(own.chart[t]);
    free(own.chart);
    free(sorted);
    free(group);
    free(share);
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
