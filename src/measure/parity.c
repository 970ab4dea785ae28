/* parity.c - see parity.h. SPDX-License-Identifier: MIT */
#include "measure/parity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/pipeline.h"

/* Runs `batch` problems in charts of `lanes`; the answers stay in the pipeline. */
static tz_status answer(const tz_plan *plan, const tz_semiring *semiring, const tz_workload *work,
                        size_t batch, size_t lanes, bool outside, tz_pipeline **ret_pipeline) {
    tz_status status = tz_pipeline_new(plan, semiring, work, batch, lanes, 1, ret_pipeline);
    unsigned stages =
        TZ_STAGE_BIND | TZ_STAGE_INSIDE | (outside ? TZ_STAGE_OUTSIDE | TZ_STAGE_MARGINALS : 0);
    return status == TZ_OK ? tz_pipeline_turn(&(tz_staged){*ret_pipeline, stages, false, 0}, 0)
                           : status;
}

static bool compare(const tz_pipeline *a, const tz_pipeline *b, bool outside, tz_error *ret_error) {
    size_t weights = tz_rules_count(a->work->rules, TZ_WEIGHTS);
    for (size_t p = 0; p < a->batch; p++) {
        for (size_t i = p * a->numbers; i < (p + 1) * a->numbers; i++) {
            if (memcmp(&a->value[i], &b->value[i], sizeof *a->value) == 0)
                continue;
            snprintf(ret_error->message, sizeof ret_error->message,
                     "problem %zu: %.17g in a batch, but %.17g alone and without vectors", p,
                     a->value[i], b->value[i]);
            return false;
        }
        for (size_t w = 0; outside && w < weights; w++) {
            size_t at = p * weights + w;
            const double *x = a->marginals[at], *y = b->marginals[at];
            for (size_t c = 0; x != NULL && y != NULL && c < a->room[at]; c++) {
                if (memcmp(&x[c], &y[c], sizeof *x) == 0)
                    continue;
                snprintf(ret_error->message, sizeof ret_error->message,
                         "problem %zu, marginal of %s, cell %zu: %.17g in a batch, but %.17g alone "
                         "and without vectors",
                         p, tz_rules_name_of(a->work->rules, TZ_WEIGHTS, w), c, x[c], y[c]);
                return false;
            }
        }
    }
    return true;
}

tz_status tz_parity(const tz_plan *plan, const tz_semiring *semiring, unsigned flags,
                    const tz_workload *work, size_t lanes, bool outside, bool *ret_same,
                    tz_error *ret_error) {
    tz_plan *plain = NULL;
    tz_pipeline *together = NULL, *alone = NULL;
    size_t batch = lanes < work->problems ? lanes : work->problems;
    tz_status status =
        tz_plan_new(work->rules, semiring, flags | TZ_NO_AVX512 | TZ_NO_AVX2, &plain, ret_error);
    if (status == TZ_OK)
        status = answer(plan, semiring, work, batch, batch, outside, &together);
    if (status == TZ_OK)
        status = answer(plain, semiring, work, batch, 1, outside, &alone);
    if (status == TZ_OK)
        *ret_same = compare(together, alone, outside, ret_error);
    for (size_t i = 0; i < 2 && status != TZ_OK; i++) {
        const tz_pipeline *p = i == 0 ? together : alone;
        if (p != NULL && p->error.message[0] != '\0')
            *ret_error = p->error;
    }
    tz_pipeline_free(together);
    tz_pipeline_free(alone);
    tz_plan_free(plain);
    return status;
}
