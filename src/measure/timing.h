/* timing.h - times jobs. They are timed in turn, so that any disturbance of the machine meets all
 * of them, and compared sample by sample. SPDX-License-Identifier: MIT */
#ifndef TZ_MEASURE_TIMING_H
#define TZ_MEASURE_TIMING_H

#include <stddef.h>

#include <trapeze/trapeze.h>

typedef struct tz_job {
    /* Does the work of one turn; turn counts up from 0, so that each can take other data. */
    tz_status (*run)(void *user, size_t turn);
    void *user;
    const double *opt_clock; /* seconds so far, where run times a part of its work itself */
} tz_job;

typedef struct tz_timings {
    size_t jobs, samples;
    double *seconds; /* [sample * jobs + job] of one turn; freed with tz_timings_free */
} tz_timings;

/* Runs every job once (to warm up; unless TZ_OK comes back, that is the result), then samples for
 * about `budget` seconds in all and at least three times. A sample of a job is as many turns as
 * take two milliseconds. TZ_NO_MEMORY. */
tz_status tz_time(const tz_job *job, size_t jobs, double budget, tz_timings *ret);
void tz_timings_free(tz_timings *timings);

/* The middle of count > 0 values and how far they spread: half the distance between the quartiles.
 * Sorts them. */
typedef struct tz_middle {
    double median, spread;
} tz_middle;
tz_middle tz_middle_of(double *value, size_t count);

/* Seconds of a turn of job a, less those of job b (b < 0: nothing). */
tz_middle tz_difference(const tz_timings *timings, int a, int b);
/* The middle of the samples' (a - b) / (c - d), where b and d may be -1. */
tz_middle tz_ratio(const tz_timings *timings, int a, int b, int c, int d);

/* The exponent e with time ~ n^e through two points; NaN where there is none. */
double tz_growth(double n1, double time1, double n2, double time2);

#endif
