/* train.c - see train.h. SPDX-License-Identifier: MIT */
#include "learn/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/philox.h"
#include "io/text.h"
#include "learn/decode.h"
#include "learn/score.h"

/* The sum over all steps of a weight is kept as sum = weight * steps - late, where late adds up
 * each change times the steps before it (Daume 2006, PhD thesis, figure 2.3): only the weights that
 * change are touched. */
typedef struct learner {
    tz_model *model;
    double *late;
    double steps;
    uint32_t *owner; /* per row: high bits of the first feature to change it, 0: none yet */
    unsigned char *shared;
    unsigned rank[TZ_TASK_WEIGHTS]; /* of the weights */
    float *mean, *best;             /* averaged weights: for measuring, and of the best epoch */
    tz_decoder *decoder;
    size_t *order; /* of the sentences */
    const tz_sentence **batch;
    tz_cell *gold, *guess;
    size_t gold_capacity, guess_capacity;
} learner;

/* ---- Changing weights ------------------------------------------------------------------------ */

typedef struct change {
    tz_features features;
    learner *learner;
    size_t label;
    float amount;
} change;

static void change_weights(tz_features *features) {
    change *c = (change *)features;
    learner *l = c->learner;
    for (size_t f = 0; f < features->count; f++) {
        uint64_t key = features->key[f];
        size_t at = tz_model_row(l->model, key), row = at / l->model->width;
        uint32_t mark = (uint32_t)(key >> 32) | 1;
        if (l->owner[row] == 0) {
            l->owner[row] = mark;
        }
        l->shared[row] |= l->owner[row] != mark;
        l->model->weight[at + c->label] += c->amount;
        l->late[at + c->label] += (double)c->amount * l->steps;
    }
}

static void change_cell(learner *l, const tz_sentence *sentence, const tz_cell *cell,
                        float amount) {
    change change = {.features.flush = change_weights, .learner = l, .amount = amount};
    if (l->model->task->labelled) {
        change.label = (size_t)cell->index[l->rank[cell->weight] - 1];
    }
    tz_cell_features(l->model, sentence, cell, &change.features);
    change_weights(&change.features);
}

static bool same_cell(const tz_cell *a, const tz_cell *b) {
    return a->weight == b->weight && memcmp(a->index, b->index, sizeof a->index) == 0;
}

static bool room_for_cells(learner *l, const tz_sentence *sentence) {
    size_t cells = 2 * (size_t)sentence->words + 1;
    void *gold = l->gold, *guess = l->guess;
    bool grown = tz_grow(&gold, &l->gold_capacity, cells, sizeof *l->gold);
    l->gold = gold;
    grown = grown && tz_grow(&guess, &l->guess_capacity, cells, sizeof *l->guess);
    l->guess = guess;
    return grown;
}

/* Towards the right answer and away from the other. Cells that both have would cancel. */
static tz_status learn(learner *l, const tz_sentence *sentence, const int32_t *answer) {
    const tz_variant *variant = l->model->variant;
    const int32_t *gold = l->model->task->gold(sentence);
    if (!room_for_cells(l, sentence)) {
        return TZ_NO_MEMORY;
    }
    size_t right = variant->cells(sentence, gold, l->gold);
    size_t guessed = variant->cells(sentence, answer, l->guess);
    for (size_t c = 0; c < right || c < guessed; c++) {
        if (c < right && c < guessed && same_cell(&l->gold[c], &l->guess[c])) {
            continue;
        }
        if (c < right) {
            change_cell(l, sentence, &l->gold[c], 1);
        }
        if (c < guessed) {
            change_cell(l, sentence, &l->guess[c], -1);
        }
    }
    return TZ_OK;
}

static void average(const learner *l, float *ret_mean) {
    for (size_t w = 0; w < tz_model_size(l->model); w++) {
        double mean = l->steps > 0 ? (double)l->model->weight[w] - l->late[w] / l->steps : 0;
        ret_mean[w] = (float)mean;
    }
}

/* ---- Epochs ---------------------------------------------------------------------------------- */

/* Fisher & Yates. */
static void shuffle(size_t *order, size_t count, uint64_t seed, unsigned epoch) {
    tz_stream stream = {.seed = seed, .number = epoch};
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)(tz_uniform(&stream) * (double)i);
        size_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/* TZ_NONE: told to stop. */
static tz_status run_epoch(learner *l, const tz_corpus *corpus, const tz_training *t,
                           tz_training_progress *progress, tz_error *opt_error) {
    const tz_task *task = l->model->task;
    size_t wrong = 0, words = 0;
    for (size_t first = 0; first < progress->sentences; first += t->batch) {
        size_t left = progress->sentences - first, count = left < t->batch ? left : t->batch;
        for (size_t s = 0; s < count; s++) {
            l->batch[s] = &corpus->sentence[l->order[first + s]];
        }
        const int32_t *const *answer;
        tz_status status =
            tz_decode(l->decoder, l->model->weight, l->batch, count, &answer, opt_error);
        for (size_t s = 0; s < count && status == TZ_OK; s++) {
            const int32_t *gold = task->gold(l->batch[s]);
            for (int32_t w = 1; w <= l->batch[s]->words; w++) {
                wrong += answer[s][w] != gold[w];
            }
            words += (size_t)l->batch[s]->words;
            status = learn(l, l->batch[s], answer[s]);
        }
        if (status != TZ_OK) {
            return status;
        }
        l->steps++;
        progress->done = first + count;
        progress->loss = (double)wrong / (double)words;
        if (t->report && !t->report(t->user, progress)) {
            return TZ_NONE;
        }
    }
    return TZ_OK;
}

static tz_status run_epochs(learner *l, const tz_corpus *corpus, const tz_corpus *opt_dev,
                            const tz_training *t, tz_error *opt_error) {
    tz_training_progress progress = {.epochs = t->epochs, .accuracy = NAN, .best = NAN};
    for (size_t s = 0; s < corpus->count; s++) {
        if (corpus->sentence[s].words > 0) {
            l->order[progress.sentences++] = s;
        }
    }
    unsigned since = 0; /* the best epoch */
    tz_status status = TZ_OK;
    while (status == TZ_OK && progress.epoch < t->epochs &&
           (t->patience == 0 || since < t->patience)) {
        progress.epoch++;
        progress.epoch_over = false;
        shuffle(l->order, progress.sentences, t->seed, progress.epoch);
        status = run_epoch(l, corpus, t, &progress, opt_error);
        if (status != TZ_OK && status != TZ_NONE) {
            return status;
        }
        average(l, l->mean);
        since++;
        if (opt_dev && opt_dev->words > 0) {
            size_t right;
            tz_status measured = tz_decode_score(l->decoder, l->mean, opt_dev, &right, opt_error);
            if (measured != TZ_OK) {
                return measured;
            }
            progress.accuracy = (double)right / (double)opt_dev->words;
        }
        if (!(progress.accuracy <= progress.best)) { /* or there is none to compare */
            progress.best = progress.accuracy;
            memcpy(l->best, l->mean, tz_model_size(l->model) * sizeof *l->best);
            since = 0;
        }
        progress.epoch_over = true;
        if (t->report && !t->report(t->user, &progress)) {
            status = TZ_NONE;
        }
    }
    memcpy(l->model->weight, l->best, tz_model_size(l->model) * sizeof *l->best);
    return TZ_OK;
}

static tz_status find_ranks(const tz_rules *rules, unsigned *ret_rank) {
    const int32_t lengths[2] = {1, 1}; /* no matter which */
    for (size_t w = 0; w < tz_rules_weights(rules); w++) {
        tz_shape shape;
        tz_status status = tz_rules_shape(rules, w, lengths, &shape);
        if (status != TZ_OK) {
            return status;
        }
        ret_rank[w] = shape.rank;
    }
    return TZ_OK;
}

static tz_table_use table_use(const learner *l) {
    tz_table_use use = {.rows = (size_t)1 << l->model->bits};
    for (size_t r = 0; r < use.rows; r++) {
        use.used += l->owner[r] != 0;
        use.shared += l->shared[r] != 0;
    }
    return use;
}

tz_status tz_train(tz_model *model, const tz_corpus *corpus, const tz_corpus *opt_dev,
                   const tz_training *training, tz_table_use *ret_use, tz_error *opt_error) {
    size_t size = tz_model_size(model), rows = (size_t)1 << model->bits;
    learner l = {
        .model = model,
        .late = calloc(size, sizeof *l.late),
        .owner = calloc(rows, sizeof *l.owner),
        .shared = calloc(rows, sizeof *l.shared),
        .mean = malloc(size * sizeof *l.mean),
        .best = calloc(size, sizeof *l.best),
        .order = malloc((corpus->count + 1) * sizeof *l.order),
        .batch = malloc((training->batch + 1) * sizeof(tz_sentence *)),
    };
    tz_status status = TZ_NO_MEMORY;
    if (l.late && l.owner && l.shared && l.mean && l.best && l.order && l.batch) {
        status = tz_decoder_new(model, training->threads, &l.decoder, opt_error);
    }
    if (status == TZ_OK) {
        status = find_ranks(model->rules, l.rank);
    }
    if (status == TZ_OK) {
        status = run_epochs(&l, corpus, opt_dev, training, opt_error);
    }
    if (status == TZ_OK) {
        *ret_use = table_use(&l);
    }
    tz_decoder_free(l.decoder);
    free(l.late);
    free(l.owner);
    free(l.shared);
    free(l.mean);
    free(l.best);
    free(l.order);
    free((void *)l.batch);
    free(l.gold);
    free(l.guess);
    return status;
}
