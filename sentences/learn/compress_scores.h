/* compress_scores.h - the scores of the compressor's cells: those of the linear model and, where
 * there are any, the neural ones (neural/neural.h), added up; or those that a sentence was given.
 *
 * The linear model's scores are in units of its greatest weight, the others are natural logs.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_COMPRESS_SCORES_H
#define TZ_SENTENCES_LEARN_COMPRESS_SCORES_H

#include "sentences/learn/score.h"
#include "sentences/neural/neural.h"

typedef enum tz_scorer_kind { TZ_SCORER_BOTH, TZ_SCORER_LINEAR, TZ_SCORER_NEURAL } tz_scorer_kind;

typedef struct tz_compress_scorer {
    const tz_model *model;   /* a compressor; borrowed */
    const tz_neural *neural; /* borrowed; NULL: none */
    tz_scorer_kind only;
    double greatest; /* greatest |weight| of the model, above 0 */
} tz_compress_scorer;

tz_compress_scorer tz_compress_scorer_of(const tz_model *model);

/* Scores all cells of the rules. room: memory reused for the next sentence. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_compress_score(const tz_compress_scorer *scorer, const tz_sentence *sentence,
                            tz_neural_scores *room, tz_scored *ret_scored);

/* Does the answer keep punctuation alone, though the sentence has words? Then the scores no longer
 * let punctuation head a compression, so that the best one has a word. Not with given scores. */
bool tz_compress_lacks_words(const tz_sentence *sentence, const int32_t *answer, tz_scored *scored);

/* For the scores of a sentence (NULL: one without given scores): the factor that makes them natural
 * logs; the probability above which minimum risk keeps a word; the amount added for each kept word,
 * by which as many words are kept as should be. */
double tz_compress_scale(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence);
double tz_compress_threshold(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence);
double tz_compress_bonus(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence);
/* The size of scores: the linear model's greatest weight, more where others are added. */
double tz_compress_unit(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence);

#endif
