/* train.h - learns a model's weights from sentences with right answers.
 *
 * Objectives:
 *   perceptron   Collins 2002 (Discriminative training methods for hidden Markov models, EMNLP), in
 *                minibatches (Zhao & Huang 2013, Minibatch and parallelization for online large
 *                margin structured learning, NAACL): towards the right answer, away from the best
 *                one. With a margin, the best one is by score plus the margin for each of the right
 *                answer's cells that it lacks (Taskar, Guestrin & Koller 2003, NIPS): hinge loss.
 *   likelihood   minus the log of the right answer's probability, exp(score) / Z, and
 *                l2 / 2 * |weights|^2 once for all sentences (Lafferty, McCallum & Pereira 2001,
 *                ICML). The gradient of a feature is its expected count, by marginals, minus its
 *                count in the right answer. Sentences whose right answer has impossible parts
 *                (template.h) are passed over.
 * All sentences of a batch are scored with the same weights, at once, then the weights move
 * (optimiser.c says how). The same seed gives the same model for any number of threads, and
 * whether training was stopped in between or not. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_TRAIN_H
#define TZ_SENTENCES_TRAIN_TRAIN_H

#include "sentences/features/outline/outline.h"
#include "sentences/learn/model.h"

typedef enum tz_objective_kind { TZ_PERCEPTRON, TZ_LIKELIHOOD } tz_objective_kind;
/* The perceptron is averaged; likelihood takes one of the others. */
typedef enum tz_optimiser_kind { TZ_AVERAGE, TZ_ADAGRAD, TZ_ADAM, TZ_LBFGS } tz_optimiser_kind;

/* An epoch is a pass over the sentences. With TZ_LBFGS it is this many steps, after which L-BFGS
 * forgets its history, so that training can go on from there. */
enum { TZ_LBFGS_STEPS = 20 };

/* How far training has come. */
typedef struct tz_training_progress {
    unsigned epoch, epochs; /* from 1 */
    size_t done, sentences; /* in this epoch */
    double loss;     /* per word, in this epoch so far: the right answers' cells that the best ones
                        lack, or minus log likelihood; with TZ_LBFGS, now, with the penalty */
    bool epoch_over; /* all of its sentences are done; then */
    double accuracy, best; /* on the development corpus: of this epoch, of the best; else NaN */
} tz_training_progress;

typedef struct tz_training {
    tz_objective_kind objective;
    tz_optimiser_kind optimiser;
    double margin;     /* perceptron: at least 0 */
    double rate, l2;   /* likelihood: above 0 (TZ_LBFGS has none); at least 0 */
    double least;      /* likelihood: smaller differences of counts are taken as 0, since most parts
                          are improbable and take most of the work. 0 where the gradient must be
                          exact, as for TZ_LBFGS */
    uint64_t seed;     /* of the order of sentences */
    unsigned epochs;   /* at most */
    unsigned patience; /* epochs without a better accuracy after which to stop; 0: never */
    unsigned batch;    /* sentences */
    unsigned threads;
    /* Called after every batch and every epoch; false stops the training. */
    bool (*report)(void *user, const tz_training_progress *progress);
    void *user;
    /* A file that is replaced after every epoch and when training is stopped; with resume it must
     * exist, and training goes on from it. The numbers of threads and epochs may then differ. */
    const char *opt_state;
    bool resume;
} tz_training;

/* How the table of a model is used. */
typedef struct tz_table_use {
    size_t rows, used; /* used: by features that were ever changed */
    size_t shared;     /* of those, by more than one feature */
} tz_table_use;

/* Trains the model, whose weights are 0. Sentences of `corpus` without words are passed over. With
 * several ranks, the corpus is this rank's share, and is emptied: sentences are dealt anew for each
 * epoch (deal.h). Model and state are the same for any number of ranks; rank 0 writes the state.
 * opt_dev: the weights are those of the epoch with the best accuracy on it, the first of several.
 * On failure the weights cannot be used. TZ_NONE: stopped by `report`, with the state written if
 * there is to be one. TZ_IO: a right answer that the rules do not derive (a tree that crosses,
 * ...), or an error of the state file. TZ_NO_MEMORY, ... */
tz_status tz_train(tz_model *model, tz_corpus *corpus, const tz_corpus *opt_dev,
                   const tz_training *training, tz_table_use *ret_use, tz_error *opt_error);

#endif
