/* decode.h - which words of a sentence are kept, by a model of deletions and the rule set
 * `delete-tree`.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_DECODE_H
#define TZ_SENTENCES_DELETIONS_DECODE_H

#include "sentences/deletions/scores.h"

typedef enum tz_delete_by {
    TZ_DELETE_BY_MARGINALS, /* the words that are kept with a probability above the threshold; at
                               least the likeliest one */
    TZ_DELETE_BY_BEST       /* the likeliest choice of words */
} tz_delete_by;

/* A tree on its way. */
typedef struct tz_deletion_item {
    const tz_outward *tree;
    int64_t amount; /* > 0: the likeliest choice of so many words, 1..words, whatever was chosen */
    uint8_t *keep;  /* [words], written: which words are kept */
    double *opt_marginal; /* [words], written: P(word is kept) */
    /* written: the log probability of the choice, or of marginals that of all choices (at most 0:
     * the rest is that of constituents kept empty) */
    double log_probability;
    tz_status status; /* private */
    struct tz_arena *arena;
    tz_deletion_problem problem;
} tz_deletion_item;

typedef struct tz_deletion_decoder tz_deletion_decoder;

/* The model is borrowed. threads: at least 1; they change no result. TZ_NO_MEMORY. */
tz_status tz_deletion_decoder_new(const tz_deletions *model, unsigned threads,
                                  tz_deletion_decoder **ret_decoder, tz_error *opt_error);
void tz_deletion_decoder_free(tz_deletion_decoder *decoder);

/* Trees with one word or more. threshold: 0..1. opt_marginal is written by TZ_DELETE_BY_MARGINALS
 * where there is no amount. Cost: linear in the entries, times the nodes; with an amount, times n.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_deletion_decode(tz_deletion_decoder *decoder, tz_delete_by by, double threshold,
                             tz_deletion_item *item, size_t count, tz_error *opt_error);

/* Keeps the words that are likelier than the threshold; and the likeliest, the first of several,
 * where there is none: ret_keep[words]. */
void tz_deletion_keep(uint32_t words, const double *marginal, double threshold, uint8_t *ret_keep);

#endif
