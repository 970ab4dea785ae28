/* train.h - learning a model's weights: the averaged structured perceptron.
 *
 * Collins 2002 (Discriminative training methods for hidden Markov models, EMNLP), in minibatches
 * (Zhao & Huang 2013, Minibatch and parallelization for online large margin structured learning,
 * NAACL): all sentences of a batch are decoded with the same weights, at once, then the weights
 * move. The model that results is the mean of the weights after every batch. The same seed gives
 * the same model for any number of threads. SPDX-License-Identifier: MIT */
#ifndef TZ_LEARN_TRAIN_H
#define TZ_LEARN_TRAIN_H

#include "learn/model.h"

/* How far it has come. */
typedef struct tz_training_progress {
    unsigned epoch, epochs; /* from 1 */
    size_t done, sentences; /* of this epoch */
    double loss;            /* share of words with a wrong answer in this epoch so far */
    bool epoch_over;        /* all of its sentences are done; then */
    double accuracy, best;  /* on the development corpus: of this epoch, of the best; else NaN */
} tz_training_progress;

typedef struct tz_training {
    uint64_t seed;     /* of the order of sentences */
    unsigned epochs;   /* at most */
    unsigned patience; /* epochs without a better accuracy after which to stop; 0: never */
    unsigned batch;    /* sentences */
    unsigned threads;
    /* Called after every batch and every epoch; false ends the training with what there is. */
    bool (*report)(void *user, const tz_training_progress *progress);
    void *user;
} tz_training;

/* How the table of a model is used. */
typedef struct tz_table_use {
    size_t rows, used; /* used: by features that were ever changed */
    size_t shared;     /* of those, by more than one feature */
} tz_table_use;

/* Trains the model, whose weights are 0. Answers of `corpus` must be ones that the rules derive
 * (projective.h); its sentences without words are passed over. opt_dev: the weights are those of
 * the epoch with the best accuracy on it, the first of several. On failure the weights are of no
 * use. TZ_NO_MEMORY, ... */
tz_status tz_train(tz_model *model, const tz_corpus *corpus, const tz_corpus *opt_dev,
                   const tz_training *training, tz_table_use *ret_use, tz_error *opt_error);

#endif
