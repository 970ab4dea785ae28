/* decode_limit.c - see decode_limit.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/decode_limit.h"

#include <stdlib.h>

#include "base/threads.h"
#include "sentences/learn/score.h"

/* What a thread needs. */
typedef struct worker {
    tz_limit_chart *chart;
    tz_scored scored;
    tz_status status;
    tz_error error;
} worker;

struct tz_limit_decoder {
    const tz_model *model;
    tz_limiter *limiter;
    unsigned workers;
    worker *worker;
};

tz_status tz_limit_decoder_new(const tz_model *model, const char *resource, unsigned threads,
                               tz_limit_decoder **ret_decoder, tz_error *opt_error) {
    *ret_decoder = NULL;
    tz_limit_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return TZ_NO_MEMORY;
    decoder->model = model;
    decoder->worker = calloc(threads, sizeof *decoder->worker);
    tz_status status = decoder->worker ? tz_limiter_new(model->rules, resource, TZ_F64, 0,
                                                        &decoder->limiter, opt_error)
                                       : TZ_NO_MEMORY;
    for (; status == TZ_OK && decoder->workers < threads; decoder->workers++) {
        status = tz_limit_chart_new(decoder->limiter, &decoder->worker[decoder->workers].chart);
        if (status != TZ_OK)
            break;
    }
    if (status != TZ_OK) {
        tz_limit_decoder_free(decoder);
        return status;
    }
    *ret_decoder = decoder;
    return TZ_OK;
}

void tz_limit_decoder_free(tz_limit_decoder *decoder) {
    if (decoder) {
        for (unsigned w = 0; w < decoder->workers; w++) {
            tz_limit_chart_free(decoder->worker[w].chart);
            tz_scored_free(&decoder->worker[w].scored);
        }
        free(decoder->worker);
        tz_limiter_free(decoder->limiter);
        free(decoder);
    }
}

static tz_status decode(const tz_limit_decoder *decoder, worker *worker,
                        const tz_sentence *sentence, int64_t amount, int32_t *answer) {
    const tz_model *model = decoder->model;
    tz_scored *scored = &worker->scored;
    tz_limited limited;
    answer[0] = 0;
    for (int32_t w = 1; w <= sentence->words; w++)
        answer[w] = -1;
    tz_status status = tz_score_sentence(model, model->weight, sentence, scored);
    if (status != TZ_OK)
        return status;
    tz_problem problem = {.lengths = scored->lengths, .scores = scored->scores};
    status =
        tz_limit(worker->chart, &problem, amount, amount, TZ_LIMIT_AUTO, &limited, &worker->error);
    if (status == TZ_OK)
        model->variant->answer(limited.derivation, answer);
    return status == TZ_NONE ? TZ_OK : status;
}

/* Sentences that are decoded together. */
typedef struct decoding {
    tz_limit_decoder *decoder;
    const tz_sentence *const *sentence;
    size_t count;
    const int64_t *amount;
    int32_t *const *answer;
} decoding;

static void decode_part(void *of, size_t part) {
    const decoding *d = of;
    worker *worker = &d->decoder->worker[part];
    worker->status = TZ_OK;
    worker->error = (tz_error){TZ_OK, ""};
    for (size_t s = part; s < d->count && worker->status == TZ_OK; s += d->decoder->workers)
        worker->status = decode(d->decoder, worker, d->sentence[s], d->amount[s], d->answer[s]);
}

tz_status tz_decode_limited(tz_limit_decoder *decoder, const tz_sentence *const *sentence,
                            size_t count, const int64_t *amount, int32_t *const *answer,
                            tz_error *opt_error) {
    unsigned workers = decoder->workers;
    decoding d = {decoder, sentence, count, amount, answer};
    tz_parallel(workers, workers, decode_part, &d);
    for (unsigned w = 0; w < workers; w++) {
        const worker *worker = &decoder->worker[w];
        if (worker->status != TZ_OK) {
            if (opt_error)
                *opt_error = worker->error;
            return worker->status;
        }
    }
    return TZ_OK;
}
