/* pipeline.c - see pipeline.h. SPDX-License-Identifier: MIT */
#include "measure/pipeline.h"

#include <stdlib.h>

#include "base/clock.h"

tz_status tz_pipeline_new(const tz_plan *plan, const tz_semiring *semiring, const tz_workload *work,
                          size_t batch, size_t lanes, unsigned threads,
                          tz_pipeline **ret_pipeline) {
    size_t weights = tz_rules_count(work->rules, TZ_WEIGHTS);
    tz_pipeline *p = calloc(1, sizeof *p);
    *ret_pipeline = NULL;
    if (p == NULL)
        return TZ_NO_MEMORY;
    *p = (tz_pipeline){.plan = plan,
                       .semiring = semiring,
                       .work = work,
                       .batch = batch,
                       .lanes = lanes < batch ? lanes : batch,
                       .threads = threads,
                       .bound = calloc(batch, sizeof *p->bound),
                       .numbers = tz_semiring_numbers(semiring),
                       .value = calloc(batch * tz_semiring_numbers(semiring), sizeof *p->value),
                       .output = calloc(batch * weights + 1, sizeof *p->output),
                       .marginals = calloc(batch * weights + 1, sizeof *p->marginals),
                       .room = calloc(batch * weights + 1, sizeof *p->room)};
    tz_status status = p->bound != NULL && p->value != NULL && p->output != NULL &&
                               p->marginals != NULL && p->room != NULL
                           ? TZ_OK
                           : TZ_NO_MEMORY;
    if (status == TZ_OK && lanes > 0)
        status = tz_chart_new(plan, &p->chart);
    if (status != TZ_OK) {
        tz_pipeline_free(p);
        return status;
    }
    *ret_pipeline = p;
    return TZ_OK;
}

void tz_pipeline_free(tz_pipeline *p) {
    if (p == NULL)
        return;
    for (size_t i = 0;
         p->marginals != NULL && i < p->batch * tz_rules_count(p->work->rules, TZ_WEIGHTS); i++)
        free(p->marginals[i]);
    tz_chart_free(p->chart);
    free(p->bound);
    free(p->value);
    free(p->output);
    free(p->marginals);
    free(p->room);
    free(p);
}

/* Where the marginals of a problem's weight go: memory that is kept from turn to turn. */
static tz_status prepare_output(tz_pipeline *p, size_t slot, size_t weight) {
    size_t at = slot * tz_rules_count(p->work->rules, TZ_WEIGHTS) + weight, cells = 1;
    const tz_problem *problem = &p->bound[slot];
    tz_shape shape;
    tz_status status = tz_rules_shape(p->work->rules, weight, problem->lengths, &shape);
    if (status != TZ_OK)
        return status;
    for (unsigned q = 0; q < shape.rank; q++)
        cells *= (size_t)shape.extent[q]; /* the workload has as many scores */
    if (shape.sparse)
        cells = problem->scores[weight].entries;
    if (cells > p->room[at]) {
        free(p->marginals[at]);
        p->room[at] = 0;
        p->marginals[at] = calloc(cells + 1, sizeof(double));
        if (p->marginals[at] == NULL)
            return TZ_NO_MEMORY;
        p->room[at] = cells;
    }
    p->output[at] = tz_output_dense(&shape, p->marginals[at]);
    return TZ_OK;
}

/* Marginals of the problems of a chart, whose slots begin with this one. */
static tz_status ask_marginals(tz_pipeline *p, size_t slot, size_t count) {
    const size_t weights = tz_rules_count(p->work->rules, TZ_WEIGHTS);
    tz_status status = TZ_OK;
    for (size_t i = 0; i < count * weights && status == TZ_OK; i++)
        status = prepare_output(p, slot + i / weights, i % weights);
    return status == TZ_OK ? tz_marginals_all(p->chart, p->output + slot * weights) : status;
}

/* One stage for one problem of a chart. */
static tz_status ask(tz_pipeline *p, unsigned stage, size_t slot, tz_chart *chart, size_t lane) {
    size_t weights = tz_rules_count(p->work->rules, TZ_WEIGHTS);
    const tz_use *use;
    size_t uses;
    tz_status status = TZ_OK;
    size_t count;
    if (stage == TZ_STAGE_INSIDE)
        status = tz_item_values(chart, lane, TZ_GOAL, NULL, &p->value[slot * p->numbers], &count);
    if (stage == TZ_STAGE_BEST)
        status = tz_best_uses(chart, lane, &use, &uses);
    for (size_t w = 0; w < weights && stage == TZ_STAGE_MARGINALS && status == TZ_OK; w++) {
        const tz_output *output = &p->output[slot * weights + w];
        status = prepare_output(p, slot, w);
        if (status == TZ_OK)
            status = p->semiring->share != NULL ? tz_marginals(chart, lane, w, output)
                                                : tz_through(chart, lane, w, output);
    }
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    tz_staged *s = user;
    tz_status status = TZ_OK;
    for (unsigned stage = 1; stage <= s->stages && status == TZ_OK; stage *= 2)
        if (s->stages & stage)
            status = ask(s->pipeline, stage, problem, chart, lane);
    return status;
}

/* One stage for `count` problems from `at` of the batch. */
static tz_status do_stage(tz_pipeline *p, unsigned stage, size_t at, size_t count) {
    tz_status status = stage == TZ_STAGE_BIND ? tz_bind(p->chart, p->bound + at, count, &p->error)
                       : stage == TZ_STAGE_INSIDE  ? tz_inside(p->chart)
                       : stage == TZ_STAGE_OUTSIDE ? tz_outside(p->chart)
                                                   : TZ_OK;
    if (stage == TZ_STAGE_MARGINALS && p->semiring->share != NULL)
        return ask_marginals(p, at, count);
    for (size_t l = 0; l < count && status == TZ_OK; l++)
        status = ask(p, stage, at + l, p->chart, l);
    return status;
}

tz_status tz_pipeline_turn(void *user, size_t turn) {
    tz_staged *s = user;
    tz_pipeline *p = s->pipeline;
    size_t problems = p->work->problems, first = turn % problems * (p->batch % problems) % problems;
    for (size_t i = 0; i < p->batch; i++)
        p->bound[i] = p->work->problem[(first + i) % problems];
    if (p->lanes == 0) {
        const tz_run_options options = {.outside = (s->stages & TZ_STAGE_OUTSIDE) != 0,
                                        .threads = p->threads};
        return tz_run(p->plan, p->bound, p->batch, &options, visit, s, &p->error);
    }
    tz_status status = TZ_OK;
    for (size_t at = 0; at < p->batch && status == TZ_OK; at += p->lanes) {
        size_t count = p->batch - at < p->lanes ? p->batch - at : p->lanes;
        for (unsigned stage = 1; stage <= s->stages && status == TZ_OK; stage *= 2) {
            bool last = s->clocked && 2 * stage > s->stages;
            double start = last ? tz_seconds() : 0;
            if (s->stages & stage)
                status = do_stage(p, stage, at, count);
            if (last)
                s->seconds += tz_seconds() - start;
        }
    }
    return status;
}

static tz_status widest(void *user, size_t problem, tz_chart *chart, size_t lane) {
    size_t *lanes = user;
    (void)problem, (void)chart;
    *lanes = lane + 1 > *lanes ? lane + 1 : *lanes;
    return TZ_OK;
}

tz_status tz_pipeline_lanes(const tz_plan *plan, const tz_workload *work, size_t batch,
                            size_t *ret_lanes, tz_error *opt_error) {
    size_t lanes = 1;
    tz_problem *problem = calloc(batch, sizeof *problem);
    if (problem == NULL)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < batch; i++)
        problem[i] = work->problem[i % work->problems];
    tz_status status =
        batch == 1 ? TZ_OK : tz_run(plan, problem, batch, NULL, widest, &lanes, opt_error);
    free(problem);
    if (status == TZ_OK)
        *ret_lanes = lanes;
    return status;
}
