/* train.c - epochs over the sentences, and the best of them; see train.h. SPDX-License-Identifier:
 * MIT */
#include "sentences/train/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "sentences/train/learner.h"

/* Fisher & Yates. */
static void shuffle(tz_learner *l) {
    tz_stream stream = {.seed = l->training->seed, .number = l->progress.epoch};
    memcpy(l->order, l->sentence, l->progress.sentences * sizeof *l->order);
    for (size_t i = l->progress.sentences; i > 1; i--) {
        size_t j = (size_t)(tz_uniform(&stream) * (double)i);
        size_t swap = l->order[i - 1];
        l->order[i - 1] = l->order[j];
        l->order[j] = swap;
    }
}

static bool go_on(const tz_learner *l) {
    return !l->training->report || l->training->report(l->training->user, &l->progress);
}

/* The rest of an epoch. TZ_NONE: told to stop. */
static tz_status run_batches(tz_learner *l) {
    tz_training_progress *p = &l->progress;
    while (p->done < p->sentences) {
        size_t left = p->sentences - p->done;
        size_t count = left < l->training->batch ? left : l->training->batch;
        for (size_t s = 0; s < count; s++) {
            l->batch[s] = &l->corpus->sentence[l->order[p->done + s]];
            l->words += (uint64_t)l->batch[s]->words;
        }
        tz_status status =
            tz_objective_batch(l->objective, l->batch, count, l->gradient, &l->loss, l->opt_error);
        if (status == TZ_OK)
            status = tz_gradient_sum(l->gradient, count);
        if (status != TZ_OK)
            return status;
        tz_optimiser_step(l->optimiser, l->gradient, (double)count / (double)p->sentences);
        p->done += count;
        p->loss = l->loss / (double)l->words;
        if (!go_on(l))
            return TZ_NONE;
    }
    return TZ_OK;
}

/* Are these weights the best so far? */
static tz_status measure(tz_learner *l) {
    const tz_corpus *dev = l->opt_dev;
    tz_optimiser_finish(l->optimiser, l->mean);
    l->since++;
    if (dev && dev->words > 0) {
        tz_status status =
            tz_decode_score(l->decoder, l->mean, dev, &l->progress.accuracy, l->opt_error);
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
        l->words = full ? l->corpus->words : 0;
    }
    shuffle(l);
    tz_status status = full ? tz_lbfgs_epoch(l) : run_batches(l);
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
    return status == TZ_OK && !go_on(l) ? TZ_NONE : status;
}

static tz_status run_epochs(tz_learner *l) {
    const tz_training *t = l->training;
    tz_status status = t->resume ? tz_learner_load(l) : TZ_OK;
    while (status == TZ_OK &&
           (!l->progress.epoch_over || (l->progress.epoch < t->epochs && !l->converged &&
                                        (t->patience == 0 || l->since < t->patience))))
        status = run_epoch(l);
    memcpy(l->model->weight, l->best, tz_model_size(l->model) * sizeof *l->best);
    return status;
}

static tz_table_use table_use(const tz_learner *l) {
    tz_table_use use = {.rows = (size_t)1 << l->model->bits};
    for (size_t r = 0; r < use.rows; r++) {
        use.used += l->gradient->row[r].owner != 0;
        use.shared += l->gradient->row[r].shared;
    }
    return use;
}

static tz_status begin(tz_learner *l) {
    const tz_training *t = l->training;
    size_t size = tz_model_size(l->model), batch = t->batch > TZ_PORTION ? t->batch : TZ_PORTION;
    l->mean = malloc(size * sizeof *l->mean);
    l->best = calloc(size, sizeof *l->best);
    l->sentence = malloc((l->corpus->count + 1) * sizeof *l->sentence);
    l->order = malloc((l->corpus->count + 1) * sizeof *l->order);
    l->batch = malloc(batch * sizeof(tz_sentence *));
    if (!l->mean || !l->best || !l->sentence || !l->order || !l->batch)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < l->corpus->count; s++)
        if (l->corpus->sentence[s].words > 0)
            l->sentence[l->progress.sentences++] = s;
    tz_status status = tz_decoder_new(l->model, t->threads, &l->decoder, l->opt_error);
    if (status == TZ_OK)
        status = tz_objective_new(l->model, t, &l->objective, l->opt_error);
    if (status == TZ_OK)
        status = tz_gradient_new(l->model, t->threads, &l->gradient);
    if (status == TZ_OK)
        status = tz_optimiser_new(l->model, t, &l->optimiser);
    return status == TZ_OK && t->opt_state ? tz_learner_know(l) : status;
}

tz_status tz_train(tz_model *model, const tz_corpus *corpus, const tz_corpus *opt_dev,
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
        *ret_use = table_use(&l);
    tz_decoder_free(l.decoder);
    tz_objective_free(l.objective);
    tz_gradient_free(l.gradient);
    tz_optimiser_free(l.optimiser);
    free(l.mean);
    free(l.best);
    free(l.sentence);
    free(l.order);
    free((void *)l.batch);
    return status;
}
