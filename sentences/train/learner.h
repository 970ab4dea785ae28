/* learner.h - a training in progress. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_LEARNER_H
#define TZ_SENTENCES_TRAIN_LEARNER_H

#include "sentences/learn/decode.h"
#include "sentences/train/deal.h"
#include "sentences/train/objective.h"
#include "sentences/train/optimiser.h"

typedef struct tz_learner {
    tz_model *model;
    tz_corpus *corpus;
    const tz_corpus *opt_dev;
    const tz_training *training;
    tz_objective *objective;
    tz_gradient *gradient;
    tz_optimiser *optimiser;
    tz_decoder *decoder;
    tz_deal *deal;             /* of the sentences that have words */
    size_t *order;             /* their order in this epoch */
    double *work;              /* [words]: the work of a sentence of so many */
    uint32_t *to;              /* [sentences]: the rank that each is dealt to */
    double *load;              /* [ranks] */
    const tz_sentence **batch; /* room for TZ_PORTION, too; so have: */
    size_t *place;             /* where they stand in the batch of all ranks */
    double *lost;              /* their losses */
    float *mean, *best;        /* weights to be used: now, and of the best epoch */
    uint64_t corpus_hash, dev_hash;
    /* The state of the training, also in the state file: */
    tz_training_progress progress;
    double loss;    /* of this epoch's sentences so far */
    uint64_t words; /* of theirs */
    unsigned since; /* epochs after the best one */
    bool converged; /* the optimiser has converged */
    tz_error *opt_error;
} tz_learner;

enum { TZ_PORTION = 64 }; /* sentences of which TZ_LBFGS adds up the gradient at once */

/* TZ_LBFGS_STEPS steps of limited-memory BFGS on all sentences (Liu & Nocedal 1989, Mathematical
 * Programming 45), by the library of that name (Okazaki). TZ_NONE: stopped, and the weights are
 * those before. TZ_NO_MEMORY, ... */
tz_status tz_lbfgs_epoch(tz_learner *learner);

/* Calls training.report on each rank, and agrees on whether to go on. TZ_NONE: no; errors of
 * ranks.h. */
tz_status tz_learner_report(tz_learner *learner);

/* Computes the hashes by which the state file identifies the data. TZ_NO_MEMORY. */
tz_status tz_learner_know(tz_learner *learner);
/* Save the learner to the state file, if there is to be one, and load it from there. Errors of
 * state.h, also for a file that was begun with other data or options. */
tz_status tz_learner_save(tz_learner *learner);
tz_status tz_learner_load(tz_learner *learner);

#endif
