/* pipeline.h - the calls that turn a workload's scores into answers, stage by stage, as jobs to be
 * timed. What a stage costs is the difference of two jobs, or, where it lasts much longer than
 * reading a clock, what its own clock says. SPDX-License-Identifier: MIT */
#ifndef TZ_MEASURE_PIPELINE_H
#define TZ_MEASURE_PIPELINE_H

#include "measure/timing.h"
#include "measure/workload.h"

/* Each needs the ones before it, but for the last two. */
enum {
    TZ_STAGE_BIND = 1 << 0,   /* tz_bind; with tz_run, nothing alone */
    TZ_STAGE_INSIDE = 1 << 1, /* tz_inside and tz_item_values */
    TZ_STAGE_OUTSIDE = 1 << 2,
    TZ_STAGE_MARGINALS = 1 << 3, /* of every weight, or tz_through without `share` */
    TZ_STAGE_BEST = 1 << 4       /* after inside: tz_best_uses */
};

typedef struct tz_pipeline {
    const tz_plan *plan;
    const tz_semiring *semiring;
    const tz_workload *work;
    size_t batch;     /* problems of a turn */
    size_t lanes;     /* bound to a chart at a time; 0: the batch is given to tz_run */
    unsigned threads; /* of tz_run */

    tz_chart *chart;
    tz_problem *bound;  /* [batch] */
    size_t numbers;     /* of a goal: tz_semiring_numbers */
    double *value;      /* [batch * numbers] goals of the last turn */
    tz_output *output;  /* [batch * weights] marginals of the last turn, row-major */
    double **marginals; /* [batch * weights] their memory */
    size_t *room;       /* [batch * weights] cells there is memory for */
    tz_error error;     /* what is said of a turn that failed; "": nothing */
} tz_pipeline;

/* plan, semiring and work must outlive it. The turns take the workload's problems in order, again
 * and again. TZ_NO_MEMORY. */
tz_status tz_pipeline_new(const tz_plan *plan, const tz_semiring *semiring, const tz_workload *work,
                          size_t batch, size_t lanes, unsigned threads, tz_pipeline **ret_pipeline);
void tz_pipeline_free(tz_pipeline *pipeline);

/* A pipeline with its stages is the `user` of tz_pipeline_turn. */
typedef struct tz_staged {
    tz_pipeline *pipeline;
    unsigned stages;
    bool clocked;   /* charts only: the last of the stages is timed by itself, */
    double seconds; /* and took so long so far */
} tz_staged;
tz_status tz_pipeline_turn(void *staged, size_t turn);

/* How many problems tz_run binds together of a batch of this workload. */
tz_status tz_pipeline_lanes(const tz_plan *plan, const tz_workload *work, size_t batch,
                            size_t *ret_lanes, tz_error *opt_error);

#endif
