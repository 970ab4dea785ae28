/* run_limit.c - --keep, --drop, --rate: the best derivation within limits. SPDX-License-Identifier:
 * MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/threads.h"
#include "cli/run/run.h"

static const char command[] = TZ_RUN;

const char *tz_run_resource(const tz_runner *r) {
    return r->set.bounds.kind == TZ_RUN_DROP ? "dropped" : "kept";
}

int tz_run_open_limiter(tz_runner *r) {
    tz_error error = {TZ_OK, ""};
    size_t threads = (size_t)r->set.threads;
    if (tz_limiter_new(r->rules, tz_run_resource(r), r->set.precision, r->set.flags, &r->limiter,
                       &error) != TZ_OK) {
        if (error.status == TZ_NO_MEMORY)
            tz_message(command, "%s", error.message);
        return error.status == TZ_NO_MEMORY ? TZ_EXIT_INPUT
                                            : tz_usage_error(command, "%s", error.message);
    }
    r->limit_chart = calloc(threads, sizeof *r->limit_chart);
    for (size_t t = 0; t < threads; t++)
        if (r->limit_chart == NULL || tz_limit_chart_new(r->limiter, &r->limit_chart[t]) != TZ_OK) {
            tz_message(command, "out of memory");
            return TZ_EXIT_INPUT;
        }
    return 0;
}

void tz_run_close_limiter(tz_runner *r) {
    for (size_t t = 0; t < (size_t)r->set.threads && r->limit_chart != NULL; t++)
        tz_limit_chart_free(r->limit_chart[t]);
    free(r->limit_chart);
    tz_limiter_free(r->limiter);
}

int tz_run_open_decoder(tz_runner *r) {
    size_t threads = (size_t)r->set.threads;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_semiring_new(r->semiring->mark != NULL ? "required(max)" : "max",
                                       r->set.precision, &r->decoder_semiring, &error);
    if (status == TZ_OK)
        status = tz_plan_new(r->charged != NULL ? r->charged : r->rules, r->decoder_semiring,
                             r->set.flags, &r->decoder, &error);
    r->decoder_chart = calloc(threads, sizeof *r->decoder_chart);
    if (r->decoder_chart == NULL)
        status = TZ_NO_MEMORY;
    for (size_t t = 0; t < threads && status == TZ_OK; t++)
        status = tz_chart_new(r->decoder, &r->decoder_chart[t]);
    if (status == TZ_OK)
        return 0;
    return tz_failed(command, status, NULL);
}

void tz_run_close_decoder(tz_runner *r) {
    for (size_t t = 0; t < (size_t)r->set.threads && r->decoder_chart != NULL; t++)
        tz_chart_free(r->decoder_chart[t]);
    free(r->decoder_chart);
    tz_plan_free(r->decoder);
    tz_semiring_free(r->decoder_semiring);
}

/* The amounts that are allowed for n words; false, with a message, where there are none. */
static bool amounts_for(const tz_run_bounds *bounds, int64_t n, int64_t *ret_low, int64_t *ret_high,
                        tz_error *error) {
    const double unit = TZ_RATE_UNIT;
    if (bounds->kind != TZ_RUN_RATE) {
        *ret_low = *ret_high = bounds->amount;
        return true;
    }
    *ret_low = (bounds->lowest_rate * n + TZ_RATE_UNIT - 1) / TZ_RATE_UNIT;
    *ret_high = bounds->highest_rate * n / TZ_RATE_UNIT;
    if (*ret_low <= *ret_high)
        return true;
    tz_fail(error, TZ_BAD_ARGUMENT,
            "no number of %lld words is from %.9g to %.9g of them; the nearest rates are %.9g "
            "(%lld) and %.9g (%lld)",
            (long long)n, (double)bounds->lowest_rate / unit, (double)bounds->highest_rate / unit,
            (double)*ret_high / (double)n, (long long)*ret_high, (double)*ret_low / (double)n,
            (long long)*ret_low);
    return false;
}

static tz_status solve(tz_runner *r, tz_limit_chart *chart, tz_slot *slot, tz_error *error) {
    tz_problem given = tz_runner_problem(r, slot, TZ_RUN_ALL, NULL), *problem = &given;
    tz_limited limited;
    int64_t low, high;
    if (!amounts_for(&r->set.bounds, problem->lengths[0], &low, &high, error))
        return error->status;
    tz_status status = slot->impossible
                           ? TZ_NONE
                           : tz_limit(chart, problem, low, high, TZ_LIMIT_AUTO, &limited, error);
    if (status != TZ_OK && status != TZ_NONE)
        return status;
    const tz_limited *found = status == TZ_OK ? &limited : NULL;
    return tz_runner_end(r, slot, r->format->limited(r, slot, found));
}

/* Problems that are solved together. */
typedef struct solving {
    tz_runner *r;
    pthread_mutex_t lock; /* of what follows */
    tz_status status;
    size_t bad; /* the first problem that failed, and why */
    tz_error *error;
} solving;

static void solve_one(void *of, size_t p) {
    solving *s = of;
    tz_runner *r = s->r;
    tz_error wrong = {TZ_OK, ""};
    pthread_mutex_lock(&s->lock);
    bool failed = s->status != TZ_OK;
    pthread_mutex_unlock(&s->lock);
    if (failed)
        return;
    tz_status status =
        solve(r, r->limit_chart[tz_thread_number()], &r->slots[r->slot_of[p]], &wrong);
    if (status == TZ_OK)
        return;
    pthread_mutex_lock(&s->lock);
    if (s->status == TZ_OK || p < s->bad) {
        s->bad = p;
        s->status = wrong.status = status;
        *s->error = wrong;
    }
    pthread_mutex_unlock(&s->lock);
}

tz_status tz_runner_limit(tz_runner *r, size_t count, tz_error *error) {
    solving s = {.r = r, .lock = PTHREAD_MUTEX_INITIALIZER, .error = error};
    tz_parallel((size_t)r->set.threads, count, solve_one, &s);
    pthread_mutex_destroy(&s.lock);
    return s.status;
}
