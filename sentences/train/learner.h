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
    size_t *order;             /* of them, in this epoch */
    double *work;              /* [words]: what a sentence of so many takes */
    uint32_t *to;              /* [sentences]: the rank that each is dealt to */
    double *load;              /* [ranks] */
    const tz_sentence **batch; /* room for TZ_PORTION, too; so have: */
    size_t *place;             /* where they stand in the batch of all ranks */
    double *lost;              /* their losses */
    float *mean, *best;        /* weights to be used: now, and of the best epoch */
    uint64_t corpus_hash, dev_hash;
    /* Where it stands, and in the state file: */
    tz_training_progress progress;
    double loss;    /* of this epoch's sentences so far */
    uint64_t words; /* of theirs */
    unsigned since; /* epochs after the best one */
    bool converged; /* nothing more to be gained */
    tz_error *opt_error;
} tz_learner;

enum { TZ_PORTION = 64 }; /* sentences of which TZ_LBFGS adds up the gradient at once */

/* TZ_LBFGS_STEPS steps of limited-memory BFGS on all sentences (Liu & Nocedal 1989, Mathematical
 * Programming 45), by the library of that name (Okazaki). TZ_NONE: stopped, and the weights are
 * those before. TZ_NO_MEMORY, ... */
tz_status tz_lbfgs_epoch(tz_learner *learner);

/* Tells all ranks whether to go on: what training.report says of each. TZ_NONE: no; errors of
 * ranks.h. */
tz_status tz_learner_report(tz_learner *learner);

/* Works out what the state file knows the data by. TZ_NO_MEMORY. */
tz_status tz_learner_know(tz_learner *learner);
/* Saves the learner to the state file, if there is to be one; and loads it from there. Errors of
 * state.h, also for a file that was begun with other data or options. */
tz_status tz_learner_save(tz_learner *learner);
tz_status tz_learner_load(tz_learner *learner);

#endif
