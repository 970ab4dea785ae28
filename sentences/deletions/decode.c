/* decode.c - see decode.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "sentences/features/bigrams.h"

enum { BIGRAMS = 2, WAYS }; /* of tz_delete_by, and the best by bigrams */

struct tz_deletion_decoder {
    const tz_deletions *model;
    unsigned threads;
    tz_plan *plan[WAYS];
    tz_charts *charts[WAYS];
    tz_limiter *limiter;          /* made when it is first needed, */
    tz_limit_chart **limit_chart; /* [threads]: as these */
};

tz_status tz_deletion_decoder_new(const tz_deletions *model, unsigned threads,
                                  tz_deletion_decoder **ret_decoder, tz_error *opt_error) {
    static const struct {
        const char *rules, *semiring;
    } way[WAYS] = {[TZ_DELETE_BY_MARGINALS] = {"delete-tree", "log"},
                   [TZ_DELETE_BY_BEST] = {"delete-tree", "max"},
                   [BIGRAMS] = {"delete-tree-bigram", "max"}};
    tz_status status = TZ_OK;
    tz_deletion_decoder *decoder = *ret_decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return TZ_NO_MEMORY;
    decoder->model = model;
    decoder->threads = threads;
    for (int w = 0; w < WAYS && status == TZ_OK; w++) {
        status = tz_plan_new(tz_rules_find(way[w].rules), tz_semiring_find(way[w].semiring, TZ_F64),
                             0, &decoder->plan[w], opt_error);
        if (status == TZ_OK)
            status = tz_charts_new(decoder->plan[w], &decoder->charts[w]);
    }
    if (status != TZ_OK) {
        tz_deletion_decoder_free(decoder);
        *ret_decoder = NULL;
    }
    return status;
}

void tz_deletion_decoder_free(tz_deletion_decoder *decoder) {
    if (!decoder)
        return;
    for (int w = 0; w < WAYS; w++) {
        tz_charts_free(decoder->charts[w]);
        tz_plan_free(decoder->plan[w]);
    }
    for (unsigned t = 0; t < decoder->threads && decoder->limit_chart; t++)
        tz_limit_chart_free(decoder->limit_chart[t]);
    free(decoder->limit_chart);
    tz_limiter_free(decoder->limiter);
    free(decoder);
}

/* ---- Answers --------------------------------------------------------------------------------- */

static void take_derivation(tz_deletion_item *item, const tz_derivation *derivation) {
    memset(item->keep, 0, item->tree->words);
    for (size_t u = 0; u < derivation->uses; u++)
        if (derivation->use[u].weight == TZ_DELETE_WORD)
            item->keep[derivation->use[u].index[1] - 1] = 1;
    item->score = derivation->score;
}

void tz_deletion_keep(uint32_t words, const double *marginal, double threshold, uint8_t *ret_keep) {
    uint32_t likeliest = 0;
    for (uint32_t w = 0; w < words; w++) {
        ret_keep[w] = marginal[w] > threshold;
        likeliest = marginal[w] > marginal[likeliest] ? w : likeliest;
    }
    if (words > 0)
        ret_keep[likeliest] = 1;
}

/* ---- Of any length --------------------------------------------------------------------------- */

static bool by_bigrams(const tz_deletion_how *how) {
    return how->by == TZ_DELETE_BY_BEST && how->lambda != 0;
}

/* The items of a run. */
typedef struct batch {
    tz_deletion_item **item;
    tz_problem *problem;
    size_t count;
    double threshold;
} batch;

static tz_status visit_best(void *user, size_t problem, tz_chart *chart, size_t lane) {
    const batch *batch = user;
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, &best);
    if (status == TZ_OK)
        take_derivation(batch->item[problem], best);
    return status;
}

static tz_status visit_marginals(void *user, size_t problem, tz_chart *chart, size_t lane) {
    const batch *batch = user;
    tz_deletion_item *item = batch->item[problem];
    uint32_t words = item->tree->words;
    double *by_entry = tz_arena_array(item->arena, words, sizeof *by_entry);
    double *by_word = item->opt_marginal ? item->opt_marginal
                                         : tz_arena_array(item->arena, words, sizeof *by_word);
    tz_output output = {by_entry, {1}};
    if (!by_entry || !by_word)
        return TZ_NO_MEMORY;
    tz_status status = tz_goal(chart, lane, &item->score);
    if (status == TZ_OK)
        status = tz_marginals(chart, lane, TZ_DELETE_WORD, &output);
    if (status != TZ_OK)
        return status;
    for (uint32_t e = 0; e < words; e++)
        by_word[item->problem.leaf_word[e]] = fmin(by_entry[e], 1);
    tz_deletion_keep(words, by_word, batch->threshold, item->keep);
    return TZ_OK;
}

static tz_status run_free(tz_deletion_decoder *decoder, const tz_deletion_how *how, batch *batch,
                          tz_error *opt_error) {
    for (size_t i = 0; i < batch->count; i++) {
        const tz_deletion_problem *problem = &batch->item[i]->problem;
        batch->problem[i] = (tz_problem){.lengths = problem->lengths, .scores = problem->scores};
    }
    bool marginals = how->by == TZ_DELETE_BY_MARGINALS;
    int way = by_bigrams(how) ? BIGRAMS : (int)how->by;
    tz_run_options options = {
        .outside = marginals, .threads = decoder->threads, .charts = decoder->charts[way]};
    return tz_run(decoder->plan[way], batch->problem, batch->count, &options,
                  marginals ? visit_marginals : visit_best, batch, opt_error);
}

/* ---- Of a given length ----------------------------------------------------------------------- */

static tz_status make_limiter(tz_deletion_decoder *decoder, tz_error *opt_error) {
    tz_status status = TZ_OK;
    if (!decoder->limiter)
        status = tz_limiter_new(tz_rules_find("delete-tree"), "kept", TZ_F64, 0, &decoder->limiter,
                                opt_error);
    if (status == TZ_OK && !decoder->limit_chart) {
        decoder->limit_chart = calloc(decoder->threads, sizeof *decoder->limit_chart);
        status = decoder->limit_chart ? TZ_OK : TZ_NO_MEMORY;
    }
    for (unsigned t = 0; t < decoder->threads && status == TZ_OK; t++)
        if (!decoder->limit_chart[t])
            status = tz_limit_chart_new(decoder->limiter, &decoder->limit_chart[t]);
    return status;
}

/* All lengths at once take no longer than bisection and what it leaves open, where trees are small.
 */
static tz_status run_limited(tz_limit_chart *chart, tz_deletion_item *item, tz_error *error) {
    tz_problem problem = {.lengths = item->problem.lengths, .scores = item->problem.scores};
    const double *value;
    size_t count;
    const tz_derivation *best;
    tz_status status = tz_limit_curve(chart, &problem, &value, &count, error);
    if (status == TZ_OK)
        status = tz_limit_best(chart, item->amount, &best);
    if (status == TZ_OK)
        take_derivation(item, best);
    return status;
}

/* ---- Items ----------------------------------------------------------------------------------- */

/* bigram[i * (words + 2) + j]: lambda log P(word j | word i), of words from 1, and of the ends. */
static tz_status score_bigrams(const tz_deletion_how *how, const tz_outward *tree, tz_arena *arena,
                               double **ret_bigram) {
    size_t width = (size_t)tree->words + 2;
    uint64_t *word = tz_arena_array(arena, width, sizeof *word);
    double *bigram = *ret_bigram = tz_arena_array(arena, width * width, sizeof *bigram);
    if (!word || !bigram)
        return TZ_NO_MEMORY;
    word[0] = tz_word_outside(0).lower;
    word[width - 1] = tz_word_outside(1).lower;
    for (uint32_t x = 0; x < tree->nodes; x++)
        if (tree->node[x].first == TZ_NO_NODE)
            word[tree->node[x].begin + 1] = tree->node[x].word;
    for (size_t i = 0; i < width; i++)
        for (size_t j = i + 1; j < width; j++)
            bigram[i * width + j] =
                how->lambda * tz_bigrams_log_prob(how->bigrams, word[i], word[j]);
    return TZ_OK;
}

static tz_status prepare(const tz_deletions *model, const tz_deletion_how *how,
                         tz_deletion_item *item) {
    double *bigram, bonus = how->by == TZ_DELETE_BY_BEST && item->amount <= 0 ? how->bonus : 0;
    item->arena = tz_arena_new();
    if (!item->arena)
        return TZ_NO_MEMORY;
    if (item->amount > 0 || !by_bigrams(how))
        return tz_deletion_score(model, item->tree, bonus, item->arena, &item->problem);
    tz_status status = score_bigrams(how, item->tree, item->arena, &bigram);
    return status == TZ_OK ? tz_deletion_score_bigrams(model, item->tree, bonus, bigram,
                                                       item->arena, &item->problem)
                           : status;
}

static tz_status first_failure(const tz_deletion_item *item, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (item[i].status != TZ_OK)
            return item[i].status;
    return TZ_OK;
}

/* Those with an amount are done at once, the others become a batch. */
static tz_status decode(tz_deletion_decoder *decoder, const tz_deletion_how *how,
                        tz_deletion_item *item, size_t count, batch *batch, tz_error *opt_error) {
    tz_status status = TZ_OK;
    bool limited = false;
    for (size_t i = 0; i < count; i++)
        if (item[i].amount > 0)
            limited = true;
        else
            batch->item[batch->count++] = &item[i];
    if (limited)
        status = make_limiter(decoder, opt_error);
    if (status != TZ_OK)
        return status;
#pragma omp parallel for num_threads((int)decoder->threads)                                        \
    schedule(dynamic) if (decoder->threads > 1)
    for (size_t i = 0; i < count; i++) {
        item[i].status = prepare(decoder->model, how, &item[i]);
        if (item[i].status == TZ_OK && item[i].amount > 0)
            item[i].status = run_limited(decoder->limit_chart[tz_thread_number()], &item[i], NULL);
    }
    status = first_failure(item, count);
    return status == TZ_OK && batch->count > 0 ? run_free(decoder, how, batch, opt_error) : status;
}

typedef struct decode_call {
    tz_deletion_decoder *decoder;
    const tz_deletion_how *how;
    tz_deletion_item *item;
    size_t count;
    tz_error *opt_error;
} decode_call;

static tz_status call_decode(void *call) {
    const decode_call *c = call;
    batch batch = {.item = calloc(c->count + 1, sizeof *batch.item),
                   .problem = calloc(c->count + 1, sizeof *batch.problem),
                   .threshold = c->how->threshold};
    for (size_t i = 0; i < c->count; i++)
        c->item[i].arena = NULL;
    tz_status status = batch.item && batch.problem
                           ? decode(c->decoder, c->how, c->item, c->count, &batch, c->opt_error)
                           : TZ_NO_MEMORY;
    for (size_t i = 0; i < c->count; i++) {
        tz_arena_free(c->item[i].arena);
        c->item[i].arena = NULL;
    }
    free(batch.item);
    free(batch.problem);
    return status;
}

tz_status tz_deletion_decode(tz_deletion_decoder *decoder, const tz_deletion_how *how,
                             tz_deletion_item *item, size_t count, tz_error *opt_error) {
    decode_call call = {decoder, how, item, count, opt_error};
    return tz_with_threads(decoder->threads, call_decode, &call, opt_error);
}
