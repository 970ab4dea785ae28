/* compress_measure.c - see compress_measure.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/compress_measure.h"

#include <math.h>
#include <stdlib.h>

#include "sentences/features/sentence/kept.h"
#include "sentences/features/templates/features_compress.h"
#include "sentences/learn/score.h"

/* ---- Figures --------------------------------------------------------------------------------- */

static void agree(const tz_sentence *sentence, const int32_t *answer, tz_agreement *agreement) {
    tz_overlap o = tz_kept_overlap(answer, sentence->compression, sentence->words);
    agreement->sentences++;
    agreement->exact += o.both == o.kept && o.both == o.gold;
    agreement->f1 += tz_overlap_f1(&o);
    agreement->both += o.both;
    agreement->kept += o.kept;
    agreement->gold += o.gold;
    agreement->words += sentence->words;
}

typedef struct measuring {
    const tz_model *model;
    const float *weight;
    tz_plan *plan;
    tz_chart *chart;
    tz_limiter *limiter;
    tz_limit_chart *limits;
    tz_scored scored;
    int32_t *answer;
    size_t capacity;
    tz_compress_figures figures;
} measuring;

static tz_status measure_free(measuring *m, const tz_sentence *sentence, const tz_problem *problem,
                              tz_error *opt_error) {
    const tz_derivation *best;
    tz_status status = tz_bind(m->chart, problem, 1, opt_error);
    status = status == TZ_OK ? tz_inside(m->chart) : status;
    status = status == TZ_OK ? tz_best(m->chart, 0, TZ_GOAL, NULL, &best) : status;
    if (status == TZ_OK) {
        m->model->variant->answer(best, m->answer);
        agree(sentence, m->answer, &m->figures.free);
    }
    return status;
}

static tz_status measure_held(measuring *m, const tz_sentence *sentence, const tz_problem *problem,
                              tz_error *opt_error) {
    int64_t gold = 0;
    tz_limited limited;
    for (int32_t w = 1; w <= sentence->words; w++)
        gold += sentence->compression[w] >= 0;
    tz_status status = tz_limit(m->limits, problem, gold, gold, TZ_LIMIT_AUTO, &limited, opt_error);
    if (status == TZ_OK) {
        m->model->variant->answer(limited.derivation, m->answer);
        agree(sentence, m->answer, &m->figures.held);
    }
    return status;
}

static tz_status measure_lengths(measuring *m, const tz_sentence *sentence,
                                 const tz_problem *problem, tz_error *opt_error) {
    for (int64_t kept = 1; kept <= sentence->words; kept++) {
        tz_limited limited;
        tz_status status =
            tz_limit(m->limits, problem, kept, kept, TZ_LIMIT_DUAL, &limited, opt_error);
        if (status != TZ_OK && status != TZ_NONE)
            return status;
        m->figures.pairs += status == TZ_OK;
        m->figures.bisected += status == TZ_OK && limited.exact;
    }
    return TZ_OK;
}

/* A sentence that has no derivation (arcs that are impossible) is passed over. */
static tz_status measure_sentence(measuring *m, const tz_sentence *sentence, bool all_lengths,
                                  tz_error *opt_error) {
    tz_status status = tz_score_sentence(m->model, m->weight, sentence, &m->scored);
    tz_problem problem = {.lengths = m->scored.lengths, .scores = m->scored.scores};
    status = status == TZ_OK ? measure_free(m, sentence, &problem, opt_error) : status;
    status = status == TZ_OK ? measure_held(m, sentence, &problem, opt_error) : status;
    if (status == TZ_OK && all_lengths)
        status = measure_lengths(m, sentence, &problem, opt_error);
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status make(measuring *m, const tz_corpus *corpus, tz_error *opt_error) {
    int32_t longest = 0;
    for (size_t s = 0; s < corpus->count; s++) {
        int32_t words = corpus->sentence[s].words;
        longest = words > longest ? words : longest;
    }
    m->answer = calloc((size_t)longest + 1, sizeof *m->answer);
    if (!m->answer)
        return TZ_NO_MEMORY;
    const tz_rules *rules = m->model->rules;
    tz_status status = tz_plan_new(rules, tz_semiring_find("max", TZ_F64), 0, &m->plan, opt_error);
    return status == TZ_OK ? tz_chart_new(m->plan, &m->chart) : status;
}

static tz_status make_limits(measuring *m, tz_error *opt_error) {
    tz_status status = tz_limiter_new(m->model->rules, "kept", TZ_F64, 0, &m->limiter, opt_error);
    return status == TZ_OK ? tz_limit_chart_new(m->limiter, &m->limits) : status;
}

static void clear(measuring *m) {
    tz_limit_chart_free(m->limits);
    tz_limiter_free(m->limiter);
    tz_chart_free(m->chart);
    tz_plan_free(m->plan);
    tz_scored_free(&m->scored);
    free(m->answer);
}

tz_status tz_compress_measure(const tz_model *model, const float *weight, const tz_corpus *corpus,
                              bool all_lengths, tz_compress_figures *ret_figures,
                              tz_error *opt_error) {
    measuring m = {.model = model, .weight = weight};
    tz_status status = make(&m, corpus, opt_error);
    status = status == TZ_OK ? make_limits(&m, opt_error) : status;
    for (size_t s = 0; s < corpus->count && status == TZ_OK; s++)
        if (corpus->sentence[s].words > 0)
            status = measure_sentence(&m, &corpus->sentence[s], all_lengths, opt_error);
    if (status == TZ_OK)
        *ret_figures = m.figures;
    clear(&m);
    return status;
}

/* ---- The keep weight ------------------------------------------------------------------------- */

enum { TRIALS = 17 };

/* Adds each trial's figures. The feature's weight counts once for each arc, and every kept word has
 * one: that is as good as adding to the scores of the arcs. */
static tz_status try_sentence(measuring *m, const tz_sentence *sentence, const double *added,
                              tz_agreement *found, tz_error *opt_error) {
    enum { ARC = 0 }; /* the weight of the rules: arc or sib */
    double total = 0;
    tz_status status = tz_score_sentence(m->model, m->weight, sentence, &m->scored);
    for (size_t t = 0; t < TRIALS && status == TZ_OK; t++) {
        for (size_t c = 0; c < m->scored.cells[ARC]; c++)
            m->scored.data[ARC][c] += added[t] - total;
        total = added[t];
        tz_problem problem = {.lengths = m->scored.lengths, .scores = m->scored.scores};
        m->figures.free = found[t];
        status = measure_free(m, sentence, &problem, opt_error);
        found[t] = m->figures.free;
    }
    return status == TZ_NONE ? TZ_OK : status;
}

static double value(const tz_agreement *a, tz_tune to) {
    return to == TZ_TUNE_F1      ? a->f1
           : to == TZ_TUNE_EXACT ? (double)a->exact
                                 : -fabs(a->kept - a->gold);
}

tz_status tz_compress_tune(tz_model *model, const tz_corpus *corpus, tz_tune to, double *ret_added,
                           tz_error *opt_error) {
    static const double share[] = {0, 0.01, 0.02, 0.04, 0.06, 0.09, 0.13, 0.18, 0.25};
    measuring m = {.model = model, .weight = model->weight};
    tz_agreement found[TRIALS] = {0};
    double added[TRIALS], most = (double)tz_model_greatest(model);
    size_t best = 0;
    for (size_t t = 0; t < TRIALS; t++)                             /* the one nearest to 0 first */
        added[t] = (t % 2 ? most : -most) * share[(t + 1) / 2] + 0; /* no -0 */
    tz_status status = make(&m, corpus, opt_error);
    for (size_t s = 0; s < corpus->count && status == TZ_OK; s++)
        if (corpus->sentence[s].words > 0)
            status = try_sentence(&m, &corpus->sentence[s], added, found, opt_error);
    for (size_t t = 0; t < TRIALS; t++)
        best = value(&found[t], to) > value(&found[best], to) ? t : best;
    if (status == TZ_OK) {
        model->weight[tz_model_row(model, tz_compress_keep())] += (float)added[best];
        *ret_added = added[best];
    }
    clear(&m);
    return status;
}
