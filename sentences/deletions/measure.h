/* measure.h - measures a model of deletions on pairs, and finds the threshold that suits them best.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_MEASURE_H
#define TZ_SENTENCES_DELETIONS_MEASURE_H

#include "sentences/deletions/decode.h"

/* A tree, and which of its words should be kept: at least one. */
typedef struct tz_deletion_gold {
    const tz_outward *tree;
    const uint8_t *keep;
} tz_deletion_gold;

/* Sums over sentences. */
typedef struct tz_deletion_agreement {
    size_t sentences, exact; /* all; those with all words right */
    double words, right;     /* all; those rightly kept or dropped */
    double both, kept, gold; /* words kept by both, by the model, by the gold compression */
    double f1;               /* sum of the sentences' F1, 2 both / (kept + gold) */
} tz_deletion_agreement;

/* Adds a sentence to a zeroed or earlier sum. */
void tz_deletion_agree(const tz_deletion_gold *gold, const uint8_t *keep,
                       tz_deletion_agreement *sum);

typedef struct tz_deletion_figures {
    tz_deletion_agreement best;      /* the likeliest choice of words */
    tz_deletion_agreement marginals; /* words likelier than the threshold */
    tz_deletion_agreement held;      /* the likeliest choice of as many words as the gold
                                        compression has */
    double threshold;
    double log_z; /* mean log probability of all choices */
} tz_deletion_figures;

typedef struct tz_deletion_measuring {
    bool tune, held;
    unsigned threads;
    /* NULL: measures with one tree; else with all trees by the scores that this gives for
     * gold[index], of at most TZ_ALL_TREES_WORDS words, in the arena's memory. */
    tz_status (*opt_parses)(void *user, size_t index, tz_arena *arena, tz_parses *ret_parses);
    void *user;
} tz_deletion_measuring;

/* tune: sets the model's threshold to the multiple of 1/100 with the best mean F1, the lowest of
 * several. held: fills figures.held. Over all trees log_z is not normalised. Cost: that of
 * decoding. TZ_NO_MEMORY, ... */
tz_status tz_deletions_measure(tz_deletions *model, const tz_deletion_gold *gold, size_t count,
                               const tz_deletion_measuring *how, tz_deletion_figures *ret_figures,
                               tz_error *opt_error);

#endif
