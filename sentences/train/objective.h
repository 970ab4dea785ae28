/* objective.h - the loss of a batch, and its gradient.
 *
 * A tz_objective_class defines an objective: the semiring that it uses, and what it does with each
 * sentence before, during and after solving. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_OBJECTIVE_H
#define TZ_SENTENCES_TRAIN_OBJECTIVE_H

#include "sentences/learn/score.h"
#include "sentences/train/gradient.h"
#include "sentences/train/train.h"

typedef struct tz_objective tz_objective;

/* A sentence of the batch; the memory is reused for the next batch. */
typedef struct tz_example {
    const tz_sentence *sentence;
    tz_scored scored;
    tz_cell *right, *found; /* cells of the right answer and, for the perceptron, of the best; by
                               weight, then indices; a cell used twice is there twice */
    size_t rights, founds, right_capacity, found_capacity;
    double *amount[TZ_TASK_WEIGHTS]; /* likelihood: for each cell, laid out as scored.data */
    size_t amount_capacity[TZ_TASK_WEIGHTS];
    double loss;
    tz_status status;
} tz_example;

typedef struct tz_objective_class {
    const char *semiring;
    bool outside;
    /* Called when the sentence has been scored and its right cells are known. */
    tz_status (*prepare)(const tz_objective *objective, tz_example *slot);
    /* Called when its chart is ready. */
    tz_status (*ask)(const tz_objective *objective, tz_example *slot, tz_chart *chart, size_t lane);
    /* Adds the terms of the gradient. */
    tz_status (*terms)(const tz_objective *objective, tz_example *slot, tz_gradient_terms *terms);
} tz_objective_class;

extern const tz_objective_class tz_perceptron_class, tz_likelihood_class;

struct tz_objective {
    const tz_objective_class *class;
    const tz_model *model;
    double margin; /* perceptron */
    double least;  /* likelihood: smaller amounts of cells are taken as 0 */
    /* Does the weight tell places of the sentence apart (emit[i,a]), or not (trans[a,b])? */
    bool placed[TZ_TASK_WEIGHTS];
    unsigned threads;
    tz_plan *plan;
    tz_charts *charts; /* kept from batch to batch */
    tz_example *slot;
    tz_problem *problem;
    size_t slots, problems;
};

/* The model is borrowed; its weights may change between calls. TZ_NO_MEMORY, ... */
tz_status tz_objective_new(const tz_model *model, const tz_training *training,
                           tz_objective **ret_objective, tz_error *opt_error);
void tz_objective_free(tz_objective *objective);

/* Begins the gradient with the terms of these sentences, all of which have words, and adds their
 * losses, one after the other, to *loss. TZ_NO_MEMORY, TZ_TOO_LARGE, ... */
tz_status tz_objective_batch(tz_objective *objective, const tz_sentence *const *sentence,
                             size_t count, tz_gradient *gradient, double *loss,
                             tz_error *opt_error);

/* Do the rules derive every right answer? TZ_IO: no; the message says where. Cost: that of the best
 * derivations. */
tz_status tz_check_derivable(const tz_model *model, const tz_corpus *corpus, unsigned threads,
                             tz_error *opt_error);

/* The offset of a cell in its weight's array. */
static inline size_t tz_cell_place(const tz_shape *shape, const int32_t *index) {
    size_t place = 0;
    for (unsigned q = 0; q < shape->rank; q++)
        place = place * (size_t)shape->extent[q] + (size_t)(index[q] - shape->origin[q]);
    return place;
}

#endif
