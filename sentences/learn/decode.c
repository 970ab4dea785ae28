/* decode.c - see decode.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/threads.h"

/* One sentence: its scores, and the answer. */
typedef struct slot {
    tz_scored scored;
    int32_t *answer;
    size_t capacity;
    tz_status status;
} slot;

struct tz_decoder {
    const tz_model *model;
    unsigned threads;
    tz_plan *plan;
    slot *slot;
    tz_problem *problem;
    const int32_t **answer;
    size_t slots, problems, answers;
    tz_adjust_scores *opt_adjust;
    void *user; /* of it */
};

tz_status tz_decoder_new(const tz_model *model, unsigned threads, tz_decoder **ret_decoder,
                         tz_error *opt_error) {
    *ret_decoder = NULL;
    tz_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return TZ_NO_MEMORY;
    decoder->model = model;
    decoder->threads = threads;
    tz_status status =
        tz_plan_new(model->rules, tz_semiring_find("max", TZ_F64), 0, &decoder->plan, opt_error);
    if (status != TZ_OK) {
        free(decoder);
        return status;
    }
    *ret_decoder = decoder;
    return TZ_OK;
}

void tz_decoder_free(tz_decoder *decoder) {
    if (decoder) {
        for (size_t s = 0; s < decoder->slots; s++) {
            tz_scored_free(&decoder->slot[s].scored);
            free(decoder->slot[s].answer);
        }
        free(decoder->slot);
        free(decoder->problem);
        free(decoder->answer);
        tz_plan_free(decoder->plan);
        free(decoder);
    }
}

void tz_decoder_adjust(tz_decoder *decoder, tz_adjust_scores *opt_adjust, void *user) {
    decoder->opt_adjust = opt_adjust;
    decoder->user = user;
}

/* The scores of a sentence, and room for its answer. */
static tz_status prepare(const tz_model *model, const float *weight, const tz_sentence *sentence,
                         slot *slot) {
    size_t positions = (size_t)sentence->words + 1;
    if (!TZ_GROW(slot->answer, &slot->capacity, positions))
        return TZ_NO_MEMORY;
    memset(slot->answer, 0, positions * sizeof *slot->answer);
    return tz_score_sentence(model, weight, sentence, &slot->scored);
}

/* Sentences that are prepared together. */
typedef struct preparing {
    const tz_decoder *decoder;
    const float *weight;
    const tz_sentence *const *sentence;
} preparing;

static void prepare_one(void *of, size_t s) {
    const preparing *p = of;
    const tz_decoder *d = p->decoder;
    slot *slot = &d->slot[s];
    slot->status = prepare(d->model, p->weight, p->sentence[s], slot);
    if (slot->status == TZ_OK && d->opt_adjust)
        d->opt_adjust(d->user, s, &slot->scored);
}

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    tz_decoder *decoder = user;
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    if (status == TZ_OK)
        decoder->model->variant->answer(best, decoder->slot[problem].answer);
    return status == TZ_NONE ? TZ_OK : status;
}

static bool grow_slots(tz_decoder *decoder, size_t count) {
    return TZ_GROW_ZEROED(decoder->slot, &decoder->slots, count) &&
           TZ_GROW(decoder->problem, &decoder->problems, count) &&
           TZ_GROW(decoder->answer, &decoder->answers, count);
}

tz_status tz_decode(tz_decoder *decoder, const float *weight, const tz_sentence *const *sentence,
                    size_t count, const int32_t *const **ret_answer, tz_error *opt_error) {
    if (!grow_slots(decoder, count))
        return TZ_NO_MEMORY;
    slot *slots = decoder->slot;
    preparing p = {decoder, weight, sentence};
    tz_parallel(decoder->threads, count, prepare_one, &p);
    for (size_t s = 0; s < count; s++) {
        if (slots[s].status != TZ_OK)
            return slots[s].status;
        decoder->problem[s] =
            (tz_problem){.lengths = slots[s].scored.lengths, .scores = slots[s].scored.scores};
        decoder->answer[s] = slots[s].answer;
    }
    tz_run_options options = {.threads = decoder->threads};
    tz_status status =
        tz_run(decoder->plan, decoder->problem, count, &options, visit, decoder, opt_error);
    for (size_t s = 0; s < count; s++)
        tz_scored_trim(&slots[s].scored);
    if (status == TZ_OK)
        *ret_answer = decoder->answer;
    return status;
}

static tz_right agreement(const tz_task *task, const tz_sentence *sentence, const int32_t *answer) {
    if (task->agreement)
        return (tz_right){task->agreement(sentence, answer), 1};
    tz_right right = {0, sentence->words};
    const int32_t *gold = task->gold(sentence);
    for (int32_t w = 1; w <= sentence->words; w++)
        right.right += answer[w] == gold[w];
    return right;
}

tz_status tz_decode_right(tz_decoder *decoder, const float *weight, const tz_sentence *sentence,
                          size_t count, tz_right *ret_right, tz_error *opt_error) {
    enum { PORTION = 32 };
    const tz_sentence *portion[PORTION];
    for (size_t first = 0; first < count; first += PORTION) {
        size_t size = count - first < PORTION ? count - first : PORTION;
        const int32_t *const *answer;
        for (size_t s = 0; s < size; s++)
            portion[s] = &sentence[first + s];
        tz_status status = tz_decode(decoder, weight, portion, size, &answer, opt_error);
        if (status != TZ_OK)
            return status;
        for (size_t s = 0; s < size; s++)
            ret_right[first + s] = portion[s]->words > 0
                                       ? agreement(decoder->model->task, portion[s], answer[s])
                                       : (tz_right){0, 0};
    }
    return TZ_OK;
}

double tz_right_share(const tz_right *right, size_t count) {
    double sum = 0, all = 0;
    for (size_t s = 0; s < count; s++) {
        sum += right[s].right;
        all += right[s].all;
    }
    return all > 0 ? sum / all : 0;
}

tz_status tz_decode_score(tz_decoder *decoder, const float *weight, const tz_corpus *corpus,
                          double *ret_share, tz_error *opt_error) {
    tz_right *right = malloc((corpus->count + 1) * sizeof *right);
    if (!right)
        return TZ_NO_MEMORY;
    tz_status status =
        tz_decode_right(decoder, weight, corpus->sentence, corpus->count, right, opt_error);
    if (status == TZ_OK)
        *ret_share = tz_right_share(right, corpus->count);
    free(right);
    return status;
}
