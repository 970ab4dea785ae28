/* timing.c - see timing.h. SPDX-License-Identifier: MIT */
#include "measure/timing.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/sort.h"

#define LEAST_SECONDS 0.002
enum { LEAST_SAMPLES = 3, MOST_SAMPLES = 1001 };

typedef struct clocked {
    size_t turn, turns;
    double elapsed; /* in the last sample */
} clocked;

static tz_status sample(const tz_job *job, clocked *state, double *ret_seconds) {
    double start = tz_seconds(), own = job->opt_clock != NULL ? *job->opt_clock : 0;
    for (size_t i = 0; i < state->turns; i++) {
        tz_status status = job->run(job->user, state->turn++);
        if (status != TZ_OK)
            return status;
    }
    state->elapsed = tz_seconds() - start;
    double seconds = job->opt_clock != NULL ? *job->opt_clock - own : state->elapsed;
    *ret_seconds = seconds / (double)state->turns;
    return TZ_OK;
}

/* As many turns as last long enough for the clock's own cost and grain to vanish. */
static tz_status calibrate(const tz_job *job, clocked *state) {
    double seconds = 0;
    state->turns = 1;
    tz_status status = sample(job, state, &seconds); /* memory is touched, caches filled */
    while (status == TZ_OK && (status = sample(job, state, &seconds)) == TZ_OK &&
           state->elapsed < LEAST_SECONDS)
        state->turns *= 2;
    return status;
}

tz_status tz_time(const tz_job *job, size_t jobs, double budget, tz_timings *ret) {
    *ret = (tz_timings){.jobs = jobs};
    clocked *state = calloc(jobs, sizeof *state);
    double *seconds = calloc(jobs * MOST_SAMPLES, sizeof *seconds);
    tz_status status = state != NULL && seconds != NULL ? TZ_OK : TZ_NO_MEMORY;
    for (size_t j = 0; j < jobs && status == TZ_OK; j++)
        status = calibrate(&job[j], &state[j]);
    double start = tz_seconds();
    size_t samples = 0;
    while (status == TZ_OK && samples < MOST_SAMPLES &&
           (samples < LEAST_SAMPLES || tz_seconds() - start < budget)) {
        for (size_t j = 0; j < jobs && status == TZ_OK; j++)
            status = sample(&job[j], &state[j], &seconds[samples * jobs + j]);
        samples++;
    }
    free(state);
    if (status != TZ_OK) {
        free(seconds);
        return status;
    }
    ret->samples = samples;
    ret->seconds = seconds;
    return TZ_OK;
}

void tz_timings_free(tz_timings *timings) {
    free(timings->seconds);
    *timings = (tz_timings){0};
}

tz_middle tz_middle_of(double *value, size_t count) {
    tz_sort_numbers(value, count);
    return (tz_middle){tz_quantile(value, count, 0.5),
                       (tz_quantile(value, count, 0.75) - tz_quantile(value, count, 0.25)) / 2};
}

static double job_seconds(const tz_timings *t, size_t sample, int job) {
    return job < 0 ? 0 : t->seconds[sample * t->jobs + (size_t)job];
}

tz_middle tz_difference(const tz_timings *t, int a, int b) {
    double value[MOST_SAMPLES];
    for (size_t s = 0; s < t->samples; s++)
        value[s] = job_seconds(t, s, a) - job_seconds(t, s, b);
    return tz_middle_of(value, t->samples);
}

tz_middle tz_ratio(const tz_timings *t, int a, int b, int c, int d) {
    double value[MOST_SAMPLES];
    for (size_t s = 0; s < t->samples; s++)
        value[s] = (job_seconds(t, s, a) - job_seconds(t, s, b)) /
                   (job_seconds(t, s, c) - job_seconds(t, s, d));
    return tz_middle_of(value, t->samples);
}

double tz_growth(double n1, double time1, double n2, double time2) {
    if (!(n1 > 0 && n2 > 0 && n1 != n2 && time1 > 0 && time2 > 0))
        return NAN;
    return log(time2 / time1) / log(n2 / n1);
}
