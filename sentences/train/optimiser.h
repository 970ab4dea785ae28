/* optimiser.h - moves weights by the gradient of a batch's loss.
 *
 * Only rows that the batch has features in are touched. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_OPTIMISER_H
#define TZ_SENTENCES_TRAIN_OPTIMISER_H

#include "sentences/train/gradient.h"
#include "sentences/train/state.h"
#include "sentences/train/train.h"

typedef struct tz_optimiser tz_optimiser;

/* Moves model->weight, which begin at 0. Reads training->optimiser, rate, l2 and threads. With
 * TZ_LBFGS there are no steps, only tz_optimiser_finish's copy. TZ_NO_MEMORY. */
tz_status tz_optimiser_new(tz_model *model, const tz_training *training,
                           tz_optimiser **ret_optimiser);
void tz_optimiser_free(tz_optimiser *optimiser);

/* Moves against the gradient, and empties it. share: the batch's share of all sentences, and so of
 * the L2 penalty. */
void tz_optimiser_step(tz_optimiser *optimiser, tz_gradient *gradient, double share);
/* Once after each epoch: applies the rest of the penalty, and writes the weights to be used,
 * averaged where the optimiser does so, to ret_weight[0..tz_model_size - 1]. */
void tz_optimiser_finish(tz_optimiser *optimiser, float *ret_weight);

/* The same where each rank has the gradient of its own rows (ranks/slices.h), moves their weights,
 * and tells the others. TZ_NO_MEMORY; errors of ranks.h. */
tz_status tz_optimiser_step_all(tz_optimiser *optimiser, tz_gradient *gradient, double share,
                                tz_error *opt_error);
tz_status tz_optimiser_finish_all(tz_optimiser *optimiser, float *ret_weight, tz_error *opt_error);
/* Sends the data of all rows to rank 0, which writes them. Errors likewise. */
tz_status tz_optimiser_rows_first(tz_optimiser *optimiser, tz_error *opt_error);

/* Writes or reads all that the next steps depend on but the weights. */
void tz_optimiser_state(tz_optimiser *optimiser, tz_state *state);

#endif
