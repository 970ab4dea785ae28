/* train.c - epochs over the sentences, and the best of them; see train.h. SPDX-License-Identifier:
 * MIT */
#include "sentences/train/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "ranks/slices.h"
#include "sentences/train/learner.h"

/* Fisher & Yates. */
static void shuffle(tz_learner *l) {
    tz_stream stream = {.seed = l->training->seed, .number = l->progress.epoch};
    for (size_t i = 0; i < l->progress.sentences; i++)
        l->order[i] = i;
    for (size_t i = l->progress.sentences; i > 1; i--) {
        size_t j = (size_t)(tz_uniform(&stream) * (double)i);
        size_t swap = l->order[i - 1];
        l->order[i - 1] = l->order[j];
        l->order[j] = swap;
    }
}

tz_status tz_learner_report(tz_learner *l) {
    bool end = l->training->report && !l->training->report(l->training->user, &l->progress);
    tz_status status = tz_ranks_any(end, &end, l->opt_error);
    return status == TZ_OK && end ? TZ_NONE : status;
}

/* What the epoch's batches take, evenly to all ranks. */
static tz_status deal_batches(tz_learner *l) {
    tz_status status = TZ_OK;
    size_t all = l->progress.sentences, batch = l->training->batch;
    memset(l->load, 0, tz_ranks() * sizeof *l->load);
    for (size_t first = 0; first < all && tz_ranks() > 1 && status == TZ_OK; first += batch)
        status = tz_deal_evenly(l->deal, l->order + first,
                                all - first < batch ? all - first : batch, l->work, l->load, l->to);
    return status == TZ_OK ? tz_deal_out(l->deal, l->corpus, l->to, l->opt_error) : status;
}

/* This rank's share of a batch, scored; and the gradient of the whole. */
static tz_status run_batch(tz_learner *l, const size_t *number, size_t count) {
    size_t mine = 0;
    double loss = 0;
    for (size_t s = 0; s < count; s++) {
        l->words += (uint64_t)l->deal->length[number[s]];
        if (!l->deal->held[number[s]])
            continue;
        l->batch[mine] = l->deal->held[number[s]];
        l->place[mine++] = s;
    }
    tz_status status =
        tz_objective_batch(l->objective, l->batch, mine, l->gradient, &loss, l->opt_error);
    for (size_t s = 0; s < mine && status == TZ_OK; s++)
        l->lost[s] = l->objective->slot[s].loss;
    return status == TZ_OK ? tz_gradient_sum_all(l->gradient, count, mine, l->place, l->lost,
                                                 &l->loss, l->opt_error)
                           : status;
}

/* The rest of an epoch. TZ_NONE: told to stop. */
static tz_status run_batches(tz_learner *l) {
    tz_training_progress *p = &l->progress;
    while (p->done < p->sentences) {
        size_t left = p->sentences - p->done;
        size_t count = left < l->training->batch ? left : l->training->batch;
        tz_status status = run_batch(l, l->order + p->done, count);
        if (status != TZ_OK)
            return status;
        status = tz_optimiser_step_all(l->optimiser, l->gradient,
                                       (double)count / (double)p->sentences, l->opt_error);
        if (status != TZ_OK)
            return status;
        p->done += count;
        p->loss = l->loss / (double)l->words;
        status = tz_learner_report(l);
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}

/* How right the answers of the development corpus are; each rank finds a part of them. */
static tz_status score_dev(tz_learner *l) {
    const tz_corpus *dev = l->opt_dev;
    size_t first = dev->count * tz_rank() / tz_ranks();
    size_t count = dev->count * (tz_rank() + 1) / tz_ranks() - first;
    tz_right *right = malloc((count + 1) * sizeof *right);
    tz_gathered all = {0};
    if (!right)
        return TZ_NO_MEMORY;
    tz_status status =
        tz_decode_right(l->decoder, l->mean, dev->sentence + first, count, right, l->opt_error);
    if (status == TZ_OK)
        status = tz_ranks_gather(right, count * sizeof *right, &all, l->opt_error);
    if (status == TZ_OK)
        l->progress.accuracy = tz_right_share((const tz_right *)(const void *)all.data, dev->count);
    tz_gathered_free(&all);
    free(right);
    return status;
}

/* Are these weights the best so far? */
static tz_status measure(tz_learner *l) {
    const tz_corpus *dev = l->opt_dev;
    tz_status finished = tz_optimiser_finish_all(l->optimiser, l->mean, l->opt_error);
    if (finished != TZ_OK)
        return finished;
    l->since++;
    if (dev && dev->words > 0) {
        tz_status status = score_dev(l);
        if (status != TZ_OK)
            return status;
    }
    if (!(l->progress.accuracy <= l->progress.best)) { /* or there is none to compare */
        l->progress.best = l->progress.accuracy;
        memcpy(l->best, l->mean, tz_model_size(l->model) * sizeof *l->best);
        l->since = 0;
    }
    return TZ_OK;
}

/* The epoch that is under way, or the next. TZ_NONE: told to stop. */
static tz_status run_epoch(tz_learner *l) {
    tz_training_progress *p = &l->progress;
    bool full = l->training->optimiser == TZ_LBFGS;
    if (p->epoch_over) {
        p->epoch++;
        p->epoch_over = false;
        p->done = 0;
        l->loss = 0;
        l->words = full ? l->deal->words : 0;
    }
    tz_status status = TZ_OK;
    if (!full) {
        shuffle(l);
        status = deal_batches(l);
    }
    if (status == TZ_OK)
        status = full ? tz_lbfgs_epoch(l) : run_batches(l);
    if (status == TZ_NONE) {
        tz_status saved = tz_learner_save(l);
        return saved == TZ_OK ? TZ_NONE : saved;
    }
    if (status == TZ_OK)
        status = measure(l);
    if (status == TZ_OK) {
        p->epoch_over = true;
        status = tz_learner_save(l);
    }
    return status == TZ_OK ? tz_learner_report(l) : status;
}

static tz_status run_epochs(tz_learner *l) {
    const tz_training *t = l->training;
    tz_status status = t->resume ? tz_learner_load(l) : TZ_OK;
    if (status == TZ_OK && !t->resume && tz_ranks() > 1) /* where one is lost, all are */
        status = tz_learner_save(l);
    while (status == TZ_OK &&
           (!l->progress.epoch_over || (l->progress.epoch < t->epochs && !l->converged &&
                                        (t->patience == 0 || l->since < t->patience))))
        status = run_epoch(l);
    memcpy(l->model->weight, l->best, tz_model_size(l->model) * sizeof *l->best);
    return status;
}

static tz_status table_use(const tz_learner *l, tz_table_use *ret_use) {
    size_t rows = (size_t)1 << l->model->bits;
    bool own = l->gradient->shared; /* rows; else what is known is known of all */
    uint64_t count[2] = {0};
    for (size_t r = own ? tz_slice_first(rows, tz_rank()) : 0;
         r < (own ? tz_slice_last(rows, tz_rank()) : rows); r++) {
        count[0] += l->gradient->row[r].owner != 0;
        count[1] += l->gradient->row[r].shared;
    }
    tz_status status = own ? tz_ranks_add(count, 2, l->opt_error) : TZ_OK;
    *ret_use = (tz_table_use){rows, (size_t)count[0], (size_t)count[1]};
    return status;
}

/* The cells of the weights, for each number of words that occurs. */
static tz_status estimate_work(tz_learner *l) {
    int32_t most = 0;
    for (size_t i = 0; i < l->deal->count; i++)
        most = l->deal->length[i] > most ? l->deal->length[i] : most;
    l->work = calloc((size_t)most + 1, sizeof *l->work);
    tz_status status = l->work ? TZ_OK : TZ_NO_MEMORY;
    for (int32_t words = 1; words <= most && status == TZ_OK; words++) {
        int32_t lengths[2];
        l->model->task->lengths(&(tz_sentence){.words = words}, l->model->labels.count, lengths);
        for (size_t w = 0; w < tz_rules_count(l->model->rules, TZ_WEIGHTS) && status == TZ_OK;
             w++) {
            tz_shape shape;
            double cells = 1;
            status = tz_rules_shape(l->model->rules, w, lengths, &shape);
            for (unsigned q = 0; q < shape.rank && status == TZ_OK; q++)
                cells *= shape.extent[q];
            l->work[words] += cells;
        }
    }
    return status;
}

static tz_status begin_deal(tz_learner *l) {
    tz_status status = tz_deal_new(l->corpus, &l->deal, l->opt_error);
    if (status != TZ_OK)
        return status;
    size_t count = l->progress.sentences = l->deal->count;
    l->order = malloc((count + 1) * sizeof *l->order);
    l->to = calloc(count + 1, sizeof *l->to);
    l->load = calloc(tz_ranks(), sizeof *l->load);
    return l->order && l->to && l->load ? estimate_work(l) : TZ_NO_MEMORY;
}

static tz_status begin(tz_learner *l) {
    const tz_training *t = l->training;
    size_t size = tz_model_size(l->model), batch = t->batch > TZ_PORTION ? t->batch : TZ_PORTION;
    l->mean = malloc(size * sizeof *l->mean);
    l->best = calloc(size, sizeof *l->best);
    l->batch = malloc(batch * sizeof(tz_sentence *));
    l->place = malloc(batch * sizeof *l->place);
    l->lost = malloc(batch * sizeof *l->lost);
    if (!l->mean || !l->best || !l->batch || !l->place || !l->lost)
        return TZ_NO_MEMORY;
    tz_status status = begin_deal(l);
    if (status == TZ_OK)
        status = tz_decoder_new(l->model, t->threads, &l->decoder, l->opt_error);
    if (status == TZ_OK)
        status = tz_objective_new(l->model, t, &l->objective, l->opt_error);
    if (status == TZ_OK)
        status = tz_gradient_new(l->model, t->threads, &l->gradient);
    if (status == TZ_OK && t->optimiser != TZ_LBFGS)
        tz_gradient_share(l->gradient);
    if (status == TZ_OK)
        status = tz_optimiser_new(l->model, t, &l->optimiser);
    return status == TZ_OK && t->opt_state ? tz_learner_know(l) : status;
}

tz_status tz_train(tz_model *model, tz_corpus *corpus, const tz_corpus *opt_dev,
                   const tz_training *training, tz_table_use *ret_use, tz_error *opt_error) {
    tz_learner l = {
        .model = model,
        .corpus = corpus,
        .opt_dev = opt_dev,
        .training = training,
        .progress = {.epochs = training->epochs, .epoch_over = true, .accuracy = NAN, .best = NAN},
        .opt_error = opt_error};
    tz_status status = tz_check_derivable(model, corpus, training->threads, opt_error);
    if (status == TZ_OK)
        status = begin(&l);
    if (status == TZ_OK)
        status = run_epochs(&l);
    if (status == TZ_OK)
        status = table_use(&l, ret_use);
    tz_decoder_free(l.decoder);
    tz_objective_free(l.objective);
    tz_gradient_free(l.gradient);
    tz_optimiser_free(l.optimiser);
    free(l.mean);
    free(l.best);
    tz_deal_free(l.deal);
    free(l.order);
    free(l.work);
    free(l.to);
    free(l.load);
    free(l.place);
    free(l.lost);
    free((void *)l.batch);
    return status;
}
