/* decode.h - chooses the words of a sentence to keep, by a model of deletions: from one tree, by
 * the rule set `delete-tree`, or from all trees that a parser scores, by `delete-flat`.
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

typedef struct tz_deletion_how {
    tz_delete_by by;
    double threshold; /* 0..1 */
    /* Of the likeliest choice: its score is its log probability, plus `bonus` for each word, plus
     * `lambda` times the log probability of its words by a bigram model
     * (features/outline/bigrams.h). */
    double bonus, lambda;
    const struct tz_sketch *bigrams; /* not NULL where lambda is not 0 */
    /* Not NULL: the score has `weight` times the log probability of the words by this model (lm.h),
     * of any order, and bigrams have no part in it. The search is by bigrams all the same: those
     * above, or where lambda is 0 the model's own. Where that is not the same, the best of the
     * `candidates` choices that it finds best is taken: 1 or more. */
    const struct tz_lm *opt_lm;
    double weight;
    size_t candidates;
} tz_deletion_how;

/* A tree on its way; or a sentence, of which it is any tree. */
typedef struct tz_deletion_item {
    const tz_outward *tree;
    /* Not NULL: whatever the tree, marginals are those over all trees, and the likeliest choice is
     * that of the best tree and words together, where the parser's score is part of the score. In a
     * call, of all items or of none. The model is of TZ_TREES_TAGS; lambda is 0, opt_lm NULL. */
    const tz_parses *opt_parses;
    int32_t *opt_head; /* [words + 1], written: of the likeliest choice over all trees, its tree */
    const uint32_t *opt_word; /* [words], of a language model: their numbers there */
    int64_t amount; /* > 0: the likeliest choice of so many words, 1..words, by probability alone */
    uint8_t *keep;  /* [words], written: which words are kept */
    double *opt_marginal; /* [words], written: P(word is kept) */
    /* written: the score of the choice; of marginals the log probability of all choices (at most 0:
     * the rest is that of constituents kept empty), over all trees not normalised */
    double score;
    tz_status status;       /* private */
    struct tz_arena *arena; /* private */
    tz_deletion_problem problem;
} tz_deletion_item;

typedef struct tz_deletion_decoder tz_deletion_decoder;

/* The model is borrowed. threads: at least 1; they change no result. TZ_NO_MEMORY. */
tz_status tz_deletion_decoder_new(const tz_deletions *model, unsigned threads,
                                  tz_deletion_decoder **ret_decoder, tz_error *opt_error);
void tz_deletion_decoder_free(tz_deletion_decoder *decoder);

/* Trees with one word or more. opt_marginal is written by TZ_DELETE_BY_MARGINALS where there is no
 * amount. Cost: linear in the entries, times the nodes; with an amount, times n; with bigrams,
 * times n^3, and for each candidate what tz_kbest_next takes. Of all trees: n^3, with an amount
 * several times; and the memory of scores.h, of all items at once. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_deletion_decode(tz_deletion_decoder *decoder, const tz_deletion_how *how,
                             tz_deletion_item *item, size_t count, tz_error *opt_error);

/* Keeps the words that are likelier than the threshold; and the likeliest, the first of several,
 * where there is none: ret_keep[words]. */
void tz_deletion_keep(uint32_t words, const double *marginal, double threshold, uint8_t *ret_keep);

#endif
