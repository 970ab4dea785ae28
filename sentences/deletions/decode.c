/* decode.c - see decode.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "sentences/deletions/language.h"

/* Rule sets for marginals and for the likeliest choice: */
typedef enum way { TREE, BIGRAMS, FLAT, WAYS } way;
static const char *const rules[WAYS] = {
    [TREE] = "delete-tree", [BIGRAMS] = "delete-tree-bigram", [FLAT] = "delete-flat"};
static const char *const semiring[] = {
    [TZ_DELETE_BY_MARGINALS] = "log", [TZ_DELETE_BY_BEST] = "max"};

/* All but the first two are made when they are first needed. */
struct tz_deletion_decoder {
    const tz_deletions *model;
    unsigned threads;
    tz_plan *plan[WAYS][2]; /* by tz_delete_by */
    tz_charts *charts[WAYS][2];
    tz_limiter *limiter[WAYS];
    tz_limit_chart **limit_chart[WAYS]; /* [threads] each */
};

static tz_status make_plan(tz_deletion_decoder *decoder, way way, tz_delete_by by,
                           tz_error *opt_error) {
    tz_plan **plan = &decoder->plan[way][by];
    tz_status status = TZ_OK;
    if (!*plan) {
        status = tz_plan_new(tz_rules_find(rules[way]), tz_semiring_find(semiring[by], TZ_F64), 0,
                             plan, opt_error);
    }
    if (status == TZ_OK && !decoder->charts[way][by])
        status = tz_charts_new(*plan, &decoder->charts[way][by]);
    return status;
}

tz_status tz_deletion_decoder_new(const tz_deletions *model, unsigned threads,
                                  tz_deletion_decoder **ret_decoder, tz_error *opt_error) {
    tz_status status = TZ_OK;
    tz_deletion_decoder *decoder = *ret_decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return TZ_NO_MEMORY;
    decoder->model = model;
    decoder->threads = threads;
    for (int by = 0; by < 2 && status == TZ_OK; by++)
        status = make_plan(decoder, TREE, (tz_delete_by)by, opt_error);
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
        for (int by = 0; by < 2; by++) {
            tz_charts_free(decoder->charts[w][by]);
            tz_plan_free(decoder->plan[w][by]);
        }
        for (unsigned t = 0; t < decoder->threads && decoder->limit_chart[w]; t++)
            tz_limit_chart_free(decoder->limit_chart[w][t]);
        free(decoder->limit_chart[w]);
        tz_limiter_free(decoder->limiter[w]);
    }
    free(decoder);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* The use of a weight of delete-flat. */
static void take_flat(tz_deletion_item *item, size_t weight, const int32_t *index) {
    if (weight == TZ_FLAT_HEAD_KEPT)
        item->keep[index[0] - 1] = 1;
    if (weight == TZ_FLAT_ROOT && item->opt_head)
        item->opt_head[index[0]] = 0;
    if (weight == TZ_FLAT_SIB && item->opt_head) /* h, s, m */
        item->opt_head[index[2]] = index[0];
}

static void take_derivation(tz_deletion_item *item, const tz_derivation *derivation) {
    memset(item->keep, 0, item->tree->words);
    for (size_t u = 0; u < derivation->uses; u++) {
        size_t weight = derivation->use[u].weight;
        const int32_t *index = derivation->use[u].index;
        if (item->opt_parses)
            take_flat(item, weight, index);
        else if (weight == TZ_DELETE_WORD)
            item->keep[index[1] - 1] = 1;
    }
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
    return how->by == TZ_DELETE_BY_BEST && (how->lambda != 0 || how->opt_lm);
}

static way way_of(const tz_deletion_how *how, const tz_deletion_item *item) {
    return item->opt_parses ? FLAT : by_bigrams(how) ? BIGRAMS : TREE;
}

/* The items of a run. */
typedef struct batch {
    tz_deletion_item **item;
    tz_problem *problem;
    size_t count;
    const tz_deletion_how *how;
} batch;

static tz_status visit_best(void *user, size_t problem, tz_chart *chart, size_t lane) {
    const batch *batch = user;
    tz_deletion_item *item = batch->item[problem];
    const tz_derivation *best;
    if (tz_deletion_rescored(batch->how))
        return tz_deletion_rescore(batch->how, chart, lane, item->arena, item);
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    if (status == TZ_OK)
        take_derivation(item, best);
    return status;
}

static tz_status visit_marginals(void *user, size_t problem, tz_chart *chart, size_t lane) {
    const batch *batch = user;
    tz_deletion_item *item = batch->item[problem];
    uint32_t words = item->tree->words;
    const uint32_t *leaf_word = item->problem.leaf_word;
    double *by_entry = tz_arena_array(item->arena, (size_t)words + 1, sizeof *by_entry);
    double *by_word = item->opt_marginal ? item->opt_marginal
                                         : tz_arena_array(item->arena, words, sizeof *by_word);
    tz_output output = {by_entry, {1}};
    if (!by_entry || !by_word)
        return TZ_NO_MEMORY;
    tz_status status = tz_goal(chart, lane, &item->score);
    if (status == TZ_OK)
        status = tz_marginals(chart, lane,
                              item->opt_parses ? (size_t)TZ_FLAT_HEAD_KEPT : (size_t)TZ_DELETE_WORD,
                              &output);
    if (status != TZ_OK)
        return status;
    for (uint32_t e = 0; e < words; e++)
        by_word[leaf_word ? leaf_word[e] : e] = fmin(by_entry[leaf_word ? e : e + 1], 1);
    tz_deletion_keep(words, by_word, batch->how->threshold, item->keep);
    return TZ_OK;
}

static tz_status run_free(tz_deletion_decoder *decoder, const tz_deletion_how *how, batch *batch,
                          tz_error *opt_error) {
    for (size_t i = 0; i < batch->count; i++) {
        const tz_deletion_problem *problem = &batch->item[i]->problem;
        batch->problem[i] = (tz_problem){.lengths = problem->lengths, .scores = problem->scores};
    }
    bool marginals = how->by == TZ_DELETE_BY_MARGINALS;
    way way = way_of(how, batch->item[0]);
    tz_status status = make_plan(decoder, way, how->by, opt_error);
    if (status != TZ_OK)
        return status;
    tz_run_options options = {
        .outside = marginals, .threads = decoder->threads, .charts = decoder->charts[way][how->by]};
    return tz_run(decoder->plan[way][how->by], batch->problem, batch->count, &options,
                  marginals ? visit_marginals : visit_best, batch, opt_error);
}

/* ---- Of a given length ----------------------------------------------------------------------- */

static tz_status make_limiter(tz_deletion_decoder *decoder, way way, tz_error *opt_error) {
    tz_status status = TZ_OK;
    tz_limiter **limiter = &decoder->limiter[way];
    if (!*limiter)
        status = tz_limiter_new(tz_rules_find(rules[way]), "kept", TZ_F64, 0, limiter, opt_error);
    if (status == TZ_OK && !decoder->limit_chart[way]) {
        decoder->limit_chart[way] = calloc(decoder->threads, sizeof *decoder->limit_chart[way]);
        status = decoder->limit_chart[way] ? TZ_OK : TZ_NO_MEMORY;
    }
    for (unsigned t = 0; t < decoder->threads && status == TZ_OK; t++)
        if (!decoder->limit_chart[way][t])
            status = tz_limit_chart_new(*limiter, &decoder->limit_chart[way][t]);
    return status;
}

/* Of one tree, all lengths at once take no longer than bisection and what it leaves open, where it
 * is small. */
static tz_status run_limited(tz_limit_chart *chart, tz_deletion_item *item, tz_error *error) {
    tz_problem problem = {.lengths = item->problem.lengths, .scores = item->problem.scores};
    const double *value;
    size_t count;
    const tz_derivation *best;
    tz_limited limited;
    if (item->opt_parses) {
        tz_status found =
            tz_limit(chart, &problem, item->amount, item->amount, TZ_LIMIT_AUTO, &limited, error);
        if (found == TZ_OK)
            take_derivation(item, limited.derivation);
        return found;
    }
    tz_status status = tz_limit_curve(chart, &problem, &value, &count, error);
    if (status == TZ_OK)
        status = tz_limit_best(chart, item->amount, &best);
    if (status == TZ_OK)
        take_derivation(item, best);
    return status;
}

/* ---- Items ----------------------------------------------------------------------------------- */

static tz_status prepare(const tz_deletions *model, const tz_deletion_how *how,
                         tz_deletion_item *item) {
    double *bigram, bonus = how->by == TZ_DELETE_BY_BEST && item->amount <= 0 ? how->bonus : 0;
    item->arena = tz_arena_new();
    if (!item->arena)
        return TZ_NO_MEMORY;
    if (item->opt_parses) {
        return tz_deletion_score_flat(model, item->tree, bonus, item->opt_parses, item->arena,
                                      &item->problem);
    }
    if (item->amount > 0 || !by_bigrams(how))
        return tz_deletion_score(model, item->tree, bonus, item->arena, &item->problem);
    tz_status status = tz_deletion_bigrams(how, item, item->arena, &bigram);
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

/* Items that are prepared together. */
typedef struct preparing {
    const tz_deletion_decoder *decoder;
    const tz_deletion_how *how;
    tz_deletion_item *item;
    tz_limit_chart **limit_chart;
} preparing;

static void prepare_one(void *of, size_t i) {
    const preparing *p = of;
    tz_deletion_item *item = &p->item[i];
    item->status = prepare(p->decoder->model, p->how, item);
    if (item->status == TZ_OK && item->amount > 0)
        item->status = run_limited(p->limit_chart[tz_thread_number()], item, NULL);
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
        status = make_limiter(decoder, item[0].opt_parses ? FLAT : TREE, opt_error);
    if (status != TZ_OK)
        return status;
    preparing p = {decoder, how, item, decoder->limit_chart[item[0].opt_parses ? FLAT : TREE]};
    tz_parallel(decoder->threads, count, prepare_one, &p);
    status = first_failure(item, count);
    return status == TZ_OK && batch->count > 0 ? run_free(decoder, how, batch, opt_error) : status;
}

tz_status tz_deletion_decode(tz_deletion_decoder *decoder, const tz_deletion_how *how,
                             tz_deletion_item *item, size_t count, tz_error *opt_error) {
    if (count == 0)
        return TZ_OK;
    batch batch = {.item = calloc(count, sizeof *batch.item),
                   .problem = calloc(count, sizeof *batch.problem),
                   .how = how};
    for (size_t i = 0; i < count; i++)
        item[i].arena = NULL;
    tz_status status = batch.item && batch.problem
                           ? decode(decoder, how, item, count, &batch, opt_error)
                           : TZ_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        tz_arena_free(item[i].arena);
        item[i].arena = NULL;
    }
    free(batch.item);
    free(batch.problem);
    return status;
}
