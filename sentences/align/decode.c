/* decode.c - see decode.h. SPDX-License-Identifier: MIT */
#include "sentences/align/decode.h"

#include <stdlib.h>

enum { REWRITE, NULLS, JUMPS, WEIGHTS };

struct tz_align_decoder {
    tz_plan *max_plan, *log_plan;
    tz_chart *max_chart, *log_chart;
};

tz_status tz_align_decoder_new(tz_align_decoder **ret_decoder) {
    const tz_rules *rules = tz_rules_find("align-hmm");
    tz_align_decoder *d = *ret_decoder = calloc(1, sizeof *d);
    if (d && tz_plan_new(rules, tz_semiring_find("max", TZ_F64), 0, &d->max_plan, NULL) == TZ_OK &&
        tz_plan_new(rules, tz_semiring_find("log", TZ_F64), 0, &d->log_plan, NULL) == TZ_OK &&
        tz_chart_new(d->max_plan, &d->max_chart) == TZ_OK &&
        tz_chart_new(d->log_plan, &d->log_chart) == TZ_OK)
        return TZ_OK;
    tz_align_decoder_free(d);
    *ret_decoder = NULL;
    return TZ_NO_MEMORY;
}

void tz_align_decoder_free(tz_align_decoder *d) {
    if (!d)
        return;
    tz_chart_free(d->max_chart);
    tz_chart_free(d->log_chart);
    tz_plan_free(d->max_plan);
    tz_plan_free(d->log_plan);
    free(d);
}

static tz_status best(tz_align_decoder *d, const tz_problem *problem, tz_arena *arena, size_t m,
                      tz_decoded *ret, tz_error *error) {
    const tz_derivation *derivation;
    ret->links = (tz_links){0, tz_arena_array(arena, m, sizeof *ret->links.link)};
    tz_status status = ret->links.link ? tz_bind(d->max_chart, problem, 1, error) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_inside(d->max_chart);
    if (status == TZ_OK)
        status = tz_best(d->max_chart, 0, &derivation);
    if (status != TZ_OK)
        return status;
    for (size_t u = 0; u < derivation->uses; u++) {
        const tz_use *use = &derivation->use[u];
        if (use->weight == REWRITE)
            ret->links.link[ret->links.count++] =
                (tz_link){(uint32_t)use->index[1] - 1, (uint32_t)use->index[0] - 1};
    }
    tz_links_sort(&ret->links);
    ret->score = derivation->score;
    return TZ_OK;
}

static tz_status all(tz_align_decoder *d, const tz_problem *problem, const tz_shape *shape,
                     double *marginal, double *ret_log_z, tz_error *error) {
    tz_output output = tz_output_dense(shape, marginal);
    tz_status status = tz_bind(d->log_chart, problem, 1, error);
    if (status == TZ_OK)
        status = tz_inside(d->log_chart);
    if (status == TZ_OK)
        status = tz_goal(d->log_chart, 0, ret_log_z);
    if (status == TZ_OK)
        status = tz_outside(d->log_chart);
    return status == TZ_OK ? tz_marginals(d->log_chart, 0, REWRITE, &output) : status;
}

tz_status tz_decode_words(tz_align_decoder *d, const tz_aligner *aligner, tz_arena *arena,
                          const tz_form *document, size_t n, const tz_form *abstract, size_t m,
                          bool posteriors, tz_decoded *ret, tz_error *error) {
    const size_t cells[WEIGHTS] = {(n + 1) * (m + 1), m + 1, 2 * n + 2};
    int32_t lengths[] = {(int32_t)m, (int32_t)n};
    double *data[WEIGHTS];
    tz_scores scores[WEIGHTS];
    tz_shape shape[WEIGHTS];
    *ret = (tz_decoded){0};
    for (size_t w = 0; w < WEIGHTS; w++) {
        tz_status status = tz_rules_shape(tz_rules_find("align-hmm"), w, lengths, &shape[w]);
        if (status != TZ_OK)
            return status;
        if (!(data[w] = tz_arena_array(arena, cells[w], sizeof **data)))
            return TZ_NO_MEMORY;
        scores[w] = tz_scores_dense(&shape[w], data[w]);
    }
    tz_aligner_score(aligner, document, n, abstract, m,
                     &(tz_aligner_cells){data[REWRITE], data[NULLS], data[JUMPS]});
    tz_problem problem = {.lengths = lengths, .scores = scores};
    tz_status status = best(d, &problem, arena, m, ret, error);
    if (status != TZ_OK || !posteriors)
        return status;
    double *marginal = tz_arena_array(arena, cells[REWRITE], sizeof *marginal);
    tz_decoded_link *link = tz_arena_array(arena, ret->links.count, sizeof *link);
    if (!marginal || !link)
        return TZ_NO_MEMORY;
    status = all(d, &problem, &shape[REWRITE], marginal, &ret->log_likelihood, error);
    for (size_t l = 0; l < ret->links.count && status == TZ_OK; l++) {
        size_t j = ret->links.link[l].document, t = ret->links.link[l].abstract;
        double sum = tz_aligner_rewrite(aligner, &document[j], &abstract[t], link[l].share);
        link[l].posterior = marginal[(t + 1) * (n + 1) + j + 1];
        for (size_t k = 0; k < TZ_PARTS; k++)
            link[l].share[k] /= sum;
    }
    ret->opt_link = link;
    return status;
}
