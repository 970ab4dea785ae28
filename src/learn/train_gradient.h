/* train_gradient.h - the gradient of the loss of a few sentences: which rows of the table it has,
 * and how much.
 *
 * In two steps, each done by several threads: every sentence lists its features, each with
 * *amounts* (the derivative of the loss by the scores that the feature is part of, one for each
 * label); then the table is cut into ranges of rows, and for each the lists are added up in the
 * order of the sentences. Sums are thereby the same for any number of threads.
 * SPDX-License-Identifier: MIT
 */
#ifndef TZ_LEARN_TRAIN_GRADIENT_H
#define TZ_LEARN_TRAIN_GRADIENT_H

#include "learn/model.h"

/* A feature: a row of the table, and the amounts that are added there. */
typedef struct tz_term {
    uint32_t row;
    uint32_t mark;   /* tells features of a row apart; not 0 */
    uint32_t amount; /* of tz_terms.amount: the first */
} tz_term;

/* Those of a sentence. */
typedef struct tz_terms {
    tz_term *term;
    double *amount;
    size_t terms, amounts, term_capacity, amount_capacity;
} tz_terms;

/* What is known of a row. */
typedef struct tz_row {
    uint32_t owner; /* mark of the first feature that had it; 0: none yet */
    bool shared;    /* by more than one feature */
    bool touched;   /* it is listed */
} tz_row;

typedef struct tz_gradient {
    const tz_model *model;
    unsigned threads;
    double *sum; /* tz_model_size */
    tz_row *row;
    uint32_t *list; /* rows that have been touched: of shard s, from list[first row of s] on */
    size_t *listed; /* how many, for each shard */
    tz_terms *terms;
    size_t capacity;
} tz_gradient;

/* threads: also the number of shards. TZ_NO_MEMORY. */
tz_status tz_gradient_new(const tz_model *model, unsigned threads, tz_gradient **ret_gradient);
void tz_gradient_free(tz_gradient *gradient);

/* Room for `count` sentences, whose terms are empty. TZ_NO_MEMORY. */
tz_status tz_gradient_begin(tz_gradient *gradient, size_t count);
/* Adds features, each with the amount[0..width-1]. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_terms_add(tz_terms *terms, const tz_model *model, const uint64_t *key, size_t count,
                       const double *amount);
/* Adds the terms of all sentences to the sums, and lists the rows they touch. */
void tz_gradient_sum(tz_gradient *gradient, size_t count);

/* The first row of a shard, 0 <= shard <= threads. */
static inline size_t tz_gradient_shard(const tz_gradient *gradient, unsigned shard) {
    return ((size_t)shard << gradient->model->bits) / gradient->threads;
}

#endif
