/* decode.c - see decode.h. SPDX-License-Identifier: MIT */
#include "learn/decode.h"

#include <stdlib.h>
#include <string.h>

#include "io/text.h"

/* One sentence: its scores, and the answer. */
typedef struct slot {
    double *data[TZ_TASK_WEIGHTS];
    size_t capacity[TZ_TASK_WEIGHTS];
    tz_scores scores[TZ_TASK_WEIGHTS];
    int32_t lengths[2];
    int32_t *answer;
    size_t answer_capacity;
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
};

tz_status tz_decoder_new(const tz_model *model, unsigned threads, tz_decoder **ret_decoder,
                         tz_error *opt_error) {
    *ret_decoder = NULL;
    tz_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        return TZ_NO_MEMORY;
    }
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
            for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++) {
                free(decoder->slot[s].data[w]);
            }
            free(decoder->slot[s].answer);
        }
        free(decoder->slot);
        free(decoder->problem);
        free(decoder->answer);
        tz_plan_free(decoder->plan);
        free(decoder);
    }
}

/* ---- Scores ---------------------------------------------------------------------------------- */

/* Adds up the weights of features, for each label. */
typedef struct sum {
    tz_features features;
    const tz_model *model;
    const float *weight;
    double *total;
} sum;

static void add_weights(tz_features *features) {
    sum *s = (sum *)features;
    size_t width = s->model->width;
    for (size_t f = 0; f < features->count; f++) {
        const float *row = s->weight + tz_model_row(s->model, features->key[f]);
        for (size_t a = 0; a < width; a++) {
            s->total[a] += (double)row[a];
        }
    }
}

/* All cells of a weight that the rules declare. */
static void fill(const tz_model *model, const float *weight, const tz_sentence *sentence,
                 size_t which, const tz_shape *shape, const int32_t *lengths, double *data) {
    const tz_task *task = model->task;
    sum sum = {.features.flush = add_weights, .model = model, .weight = weight};
    unsigned free_rank = shape->rank - task->labelled;
    size_t cells = 1;
    for (unsigned q = 0; q < free_rank; q++) {
        cells *= (size_t)shape->extent[q];
    }
    for (size_t c = 0; c < cells; c++) {
        tz_cell cell = {.weight = which};
        size_t rest = c;
        for (unsigned q = free_rank; q-- > 0; rest /= (size_t)shape->extent[q]) {
            cell.index[q] = shape->origin[q] + (int32_t)(rest % (size_t)shape->extent[q]);
        }
        sum.total = data + c * model->width;
        memset(sum.total, 0, model->width * sizeof *sum.total);
        if (tz_rules_declared(model->rules, which, lengths, cell.index)) {
            task->features(sentence, &cell, &sum.features);
            add_weights(&sum.features);
            sum.features.count = 0;
        }
    }
}

/* Room for the scores of a sentence, then the scores. */
static tz_status score(const tz_model *model, const float *weight, const tz_sentence *sentence,
                       slot *slot) {
    model->task->lengths(sentence, model->labels.count, slot->lengths);
    for (size_t w = 0; w < tz_rules_weights(model->rules); w++) {
        tz_shape shape;
        tz_status status = tz_rules_shape(model->rules, w, slot->lengths, &shape);
        if (status != TZ_OK) {
            return status;
        }
        size_t cells = 1;
        for (unsigned q = 0; q < shape.rank; q++) {
            if (__builtin_mul_overflow(cells, (size_t)shape.extent[q], &cells)) {
                return TZ_TOO_LARGE;
            }
        }
        void *data = slot->data[w];
        bool grown = tz_grow(&data, &slot->capacity[w], cells > 0 ? cells : 1, sizeof(double));
        slot->data[w] = data;
        if (!grown) {
            return TZ_NO_MEMORY;
        }
        if (cells > 0) {
            fill(model, weight, sentence, w, &shape, slot->lengths, slot->data[w]);
        }
        slot->scores[w] = tz_scores_dense(&shape, slot->data[w]);
    }
    size_t positions = (size_t)sentence->words + 1;
    void *answer = slot->answer;
    bool grown = tz_grow(&answer, &slot->answer_capacity, positions, sizeof *slot->answer);
    slot->answer = answer;
    if (!grown) {
        return TZ_NO_MEMORY;
    }
    memset(slot->answer, 0, positions * sizeof *slot->answer);
    return TZ_OK;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    tz_decoder *decoder = user;
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, &best);
    if (status == TZ_OK) {
        decoder->model->task->answer(best, decoder->slot[problem].answer);
    }
    return status == TZ_NONE ? TZ_OK : status;
}

static bool grow_slots(tz_decoder *decoder, size_t count) {
    size_t old = decoder->slots;
    void *slots = decoder->slot, *problems = decoder->problem, *answers = (void *)decoder->answer;
    bool grown = tz_grow(&slots, &decoder->slots, count, sizeof(slot));
    decoder->slot = slots;
    if (decoder->slots > old) {
        memset(decoder->slot + old, 0, (decoder->slots - old) * sizeof(slot));
    }
    grown = grown && tz_grow(&problems, &decoder->problems, count, sizeof(tz_problem));
    decoder->problem = problems;
    grown = grown && tz_grow(&answers, &decoder->answers, count, sizeof *decoder->answer);
    decoder->answer = answers;
    return grown;
}

tz_status tz_decode(tz_decoder *decoder, const float *weight, const tz_sentence *const *sentence,
                    size_t count, const int32_t *const **ret_answer, tz_error *opt_error) {
    if (!grow_slots(decoder, count)) {
        return TZ_NO_MEMORY;
    }
    const tz_model *model = decoder->model;
    slot *slots = decoder->slot;
#pragma omp parallel for num_threads((int)decoder->threads)                                        \
    schedule(dynamic) if (decoder->threads > 1)
    for (size_t s = 0; s < count; s++) {
        slots[s].status = score(model, weight, sentence[s], &slots[s]);
    }
    for (size_t s = 0; s < count; s++) {
        if (slots[s].status != TZ_OK) {
            return slots[s].status;
        }
        decoder->problem[s] = (tz_problem){.lengths = slots[s].lengths, .scores = slots[s].scores};
        decoder->answer[s] = slots[s].answer;
    }
    tz_run_options options = {.threads = decoder->threads};
    tz_status status =
        tz_run(decoder->plan, decoder->problem, count, &options, visit, decoder, opt_error);
    if (status == TZ_OK) {
        *ret_answer = decoder->answer;
    }
    return status;
}

tz_status tz_decode_score(tz_decoder *decoder, const float *weight, const tz_corpus *corpus,
                          size_t *ret_right, tz_error *opt_error) {
    enum { PORTION = 32 };
    size_t right = 0;
    for (size_t first = 0; first < corpus->count; first += PORTION) {
        size_t count = corpus->count - first < PORTION ? corpus->count - first : PORTION;
        const tz_sentence *sentence[PORTION];
        const int32_t *const *answer;
        for (size_t s = 0; s < count; s++) {
            sentence[s] = &corpus->sentence[first + s];
        }
        tz_status status = tz_decode(decoder, weight, sentence, count, &answer, opt_error);
        if (status != TZ_OK) {
            return status;
        }
        for (size_t s = 0; s < count; s++) {
            const int32_t *gold = decoder->model->task->gold(sentence[s]);
            for (int32_t w = 1; w <= sentence[s]->words; w++) {
                right += answer[s][w] == gold[w];
            }
        }
    }
    *ret_right = right;
    return TZ_OK;
}
