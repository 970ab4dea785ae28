/* score.h - scores a sentence's cells under a model, and leads back from cells to features.
 *
 * Scores are linear in the weights. tz_score_sentence applies that map, tz_score_back its
 * transpose: from an amount for each cell (a marginal, a derivative of a loss) to an amount for
 * each feature. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_SCORE_H
#define TZ_SENTENCES_LEARN_SCORE_H

#include "sentences/learn/model.h"

/* The scores of one sentence; the memory is reused for the next. Empty when zeroed. */
typedef struct tz_scored {
    int32_t lengths[2];                /* for tz_problem, like the */
    tz_scores scores[TZ_TASK_WEIGHTS]; /* dense arrays; their */
    tz_shape shape[TZ_TASK_WEIGHTS];
    double *data[TZ_TASK_WEIGHTS]; /* values, with no gaps in the last dimension */
    size_t cells[TZ_TASK_WEIGHTS], capacity[TZ_TASK_WEIGHTS];
    /* For each part with templates: the stems of all positions, and the room for them. */
    uint64_t *stem[TZ_TASK_PARTS];
    size_t stems[TZ_TASK_PARTS];
    double *total; /* of the labels */
    int32_t *squares;
    size_t totals;
} tz_scored;

void tz_scored_free(tz_scored *scored);
/* Frees arrays of more than TZ_SCORED_KEPT cells, with their scores. Otherwise each of several
 * tz_scored that take turns would grow to the n^3 cells of the longest sentence. */
enum { TZ_SCORED_KEPT = 1 << 19 };
void tz_scored_trim(tz_scored *scored);

/* Sets the lengths, and makes arrays of their shapes with this value in all cells. TZ_TOO_LARGE,
 * TZ_NO_MEMORY. */
tz_status tz_scored_fill(const tz_model *model, const tz_sentence *sentence, double value,
                         tz_scored *scored);

/* Scores all cells that the rules declare; others are 0. `weight` replaces the model's weights; if
 * it is the model's own, the model's bytes are used where it has them. A part's features are
 * computed once for each tuple of indices that it sees. TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_score_sentence(const tz_model *model, const float *weight, const tz_sentence *sentence,
                            tz_scored *scored);

/* Takes the features key[0..count-1], each of which gets amount[a] for label a, 0 <= a < width. */
typedef void tz_take_features(void *user, const uint64_t *key, size_t count, const double *amount);

/* The transpose: passes to `take` every tuple's features, in a fixed order, with the sum of the
 * amounts of its cells, unless that is 0 for all labels. amount[w]: for each weight of the rules an
 * array like scored->data[w], 0 for cells that are not declared. `scored`: as tz_score_sentence
 * left it for the sentence. */
void tz_score_back(const tz_model *model, const tz_sentence *sentence, const tz_scored *scored,
                   const double *const *amount, tz_take_features *take, void *user);

/* Adds the features of one declared cell, of all its parts; the label among its indices is not
 * read. */
void tz_cell_features(const tz_model *model, const tz_sentence *sentence, const tz_cell *cell,
                      tz_features *features);

#endif
