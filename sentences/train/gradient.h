/* gradient.h - the gradient of the loss of a few sentences: rows of the table, and an amount for
 * each.
 *
 * It is found in two steps, each by several threads: every sentence lists its features, each with
 * *amounts* (the derivative of the loss by the scores that the feature is part of, one for each
 * label); then the table is cut into ranges of rows, and for each the lists are added up in the
 * order of the sentences. Sums are thereby the same for any number of threads.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_GRADIENT_H
#define TZ_SENTENCES_TRAIN_GRADIENT_H

#include "base/buffer.h"
#include "ranks/ranks.h"
#include "sentences/learn/model.h"
#include "sentences/train/state.h"

/* A feature: a row of the table, and the amounts that are added there. */
typedef struct tz_gradient_term {
    uint32_t row;
    uint32_t mark;   /* tells features of a row apart; not 0 */
    uint32_t amount; /* index of the first in tz_gradient_terms.amount */
} tz_gradient_term;

/* The terms of a sentence. */
typedef struct tz_gradient_terms {
    tz_gradient_term *term;
    double *amount;
    size_t terms, amounts, term_capacity, amount_capacity;
} tz_gradient_terms;

/* Terms stored elsewhere. */
typedef struct tz_gradient_view {
    const tz_gradient_term *term;
    const double *amount;
    size_t terms;
    double loss; /* for terms from another rank */
} tz_gradient_view;

/* A row of the table. */
typedef struct tz_gradient_row {
    uint32_t owner;                  /* mark of the first feature that had it; 0: none yet */
    uint32_t stamp;                  /* that of the gradient where the row is in it: then it has */
    uint32_t place : 31, shared : 1; /* this place in its shard; by more than one feature, ever */
} tz_gradient_row;

/* The rows first..last - 1 that are in the gradient: sum[p * width ..] is that of row[p]. */
typedef struct tz_shard {
    size_t first, last;
    uint32_t *row; /* in no order */
    double *sum;
    size_t rows, row_capacity, sum_capacity;
} tz_shard;

typedef struct tz_gradient {
    const tz_model *model;
    unsigned threads;
    uint32_t stamp;
    tz_gradient_row *row;
    tz_shard *shard; /* one for each thread */
    tz_gradient_terms *terms;
    tz_gradient_view *view;
    size_t capacity, views;
    bool shared;           /* own rows alone */
    tz_gathered told;      /* what ranks told each other of their terms, */
    tz_buffer own;         /* and this one of its */
    size_t *size;          /* [ranks]: how much is sent to each */
    size_t *place;         /* [ranks] */
    tz_gradient_term **to; /* [ranks] */
} tz_gradient;

/* TZ_NO_MEMORY. */
tz_status tz_gradient_new(const tz_model *model, unsigned threads, tz_gradient **ret_gradient);
void tz_gradient_free(tz_gradient *gradient);

/* Makes room for `count` sentences, with empty terms. TZ_NO_MEMORY. */
tz_status tz_gradient_begin(tz_gradient *gradient, size_t count);
/* Adds features, each with the amount[0..width-1]. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_gradient_terms_add(tz_gradient_terms *terms, const tz_model *model,
                                const uint64_t *key, size_t count, const double *amount);
/* Adds the terms of the first `count` sentences. TZ_NO_MEMORY. */
tz_status tz_gradient_sum(tz_gradient *gradient, size_t count);
/* From now on this rank adds up only its own rows (ranks/slices.h): call tz_gradient_sum_all. */
void tz_gradient_share(tz_gradient *gradient);
/* Adds up the terms of a batch whose sentences are spread over the ranks, in the order of the
 * batch, each rank its own rows. This rank has the first `count` terms since tz_gradient_begin,
 * which are sentences place[0..count - 1] of the batch, and their losses. TZ_NO_MEMORY; errors of
 * ranks.h. */
tz_status tz_gradient_sum_all(tz_gradient *gradient, size_t batch, size_t count,
                              const size_t *place, const double *loss, double *ret_loss,
                              tz_error *opt_error);
/* Adds up terms stored elsewhere, in the order of the views. TZ_NO_MEMORY. */
tz_status tz_gradient_sum_views(tz_gradient *gradient, const tz_gradient_view *view, size_t count);
/* Room for so many views. TZ_NO_MEMORY. */
tz_status tz_gradient_views(tz_gradient *gradient, size_t count);
/* Empties the gradient. */
void tz_gradient_clear(tz_gradient *gradient);
/* The sums of a row, or NULL where it has none. */
const double *tz_gradient_of(const tz_gradient *gradient, size_t row);
/* Joins the sets of features seen by the ranks. TZ_NO_MEMORY; errors of ranks.h. */
tz_status tz_gradient_join(tz_gradient *gradient, tz_error *opt_error);
/* Sends the data of all rows to rank 0, which writes them. Errors likewise. */
tz_status tz_gradient_rows_first(tz_gradient *gradient, tz_error *opt_error);
/* Writes or reads which features have been seen. Call on an empty gradient. */
void tz_gradient_state(tz_gradient *gradient, tz_state *state);

#endif
