/* speed.h - jobs of the library and of the yardsticks on the same sentences, timed in turn.
 * Failures end the program: there is nothing to measure then. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_SPEED_H
#define TZ_BENCH_SPEED_H

#include <stdbool.h>

#include "hand.h"
#include "measure/pipeline.h"

enum { SPEED_JOBS = 24, SPEED_POOL = 64 };

typedef struct speed_job {
    tz_job job;
    size_t sentences; /* of a turn */
    void *state;
    void (*free)(void *state);
} speed_job;

typedef struct speed {
    int n;
    tz_precision precision;
    const tz_rules *rules;
    const tz_semiring *semiring;
    tz_plan *plan;
    tz_workload *work;
    size_t lanes;  /* that the library binds together in a batch */
    double *value; /* [problem] the library's, one at a time */
    double *scale; /* [problem] for hand_bind */
    float *arcs;   /* eisner: of all problems, in float */
    speed_job job[SPEED_JOBS];
    int jobs;
    tz_timings times;
} speed;

/* Seconds of inside a sentence at n = 160 and 640, kept for the growth exponent. */
extern double speed_growth[2];

void speed_fail(const char *message) __attribute__((noreturn));

/* SPEED_POOL problems of length n (fewer where they are large), scores in the plan's precision. */
void speed_start(speed *s, const char *rules, const char *semiring, tz_precision precision, int n);
void speed_end(speed *s);

/* Each adds a job and returns its number. lanes 1: one sentence at a time; 0: as tz_run would. */
int speed_library(speed *s, size_t sentences, size_t lanes, unsigned stages);
/* The same, but only its last stage counts: for stages much longer than reading a clock. */
int speed_clocked(speed *s, size_t sentences, size_t lanes, unsigned stages);
int speed_textbook(speed *s, size_t sentences); /* eisner */
/* eisner; sentences are rounded to what is evaluated at once. */
int speed_hand(speed *s, hand_algebra algebra, size_t sentences, bool batch, unsigned stages);
/* A job of another one, to be timed with these. */
int speed_adopt(speed *s, const speed *other, int job);

/* Runs every job over some sentences and compares their answers: bit-equal under max, log Z within
 * 1e-12 and marginals within 1e-9. */
void speed_check(speed *s);
void speed_run(speed *s, double budget);

/* Seconds a sentence of job a without what b does (b < 0: nothing), and ratios of such. */
tz_middle speed_each(const speed *s, int a, int b);
tz_middle speed_ratio(const speed *s, int a, int b, int c, int d);

/* compress charged for `kept` of n words, bound, beside the loop of charged.h: time of the library
 * / of the loop, and the two in microseconds. */
tz_middle speed_charged(double budget, int n, int kept, double ret_microseconds[2]);

#endif
