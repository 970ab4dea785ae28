/* decode.h - chooses the words of a sentence to keep, by a model of deletions: from one tree, by
 * the rule set `delete-tree`, or from all trees that a parser scores, by `delete-flat`.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_DECODE_H
#define TZ_SENTENCES_DELETIONS_DECODE_H

#include "sentences/deletions/scores.h"

typedef enum tz_delete_by {
    TZ_DELETE_BY_MARGINALS, /* the words that are kept with a probability above the threshold, or
                               the likeliest one */
    TZ_DELETE_BY_BEST       /* the likeliest choice of words */
} tz_delete_by;

typedef struct tz_deletion_how {
    tz_delete_by by;
    double threshold; /* 0..1 */
    /* The score of a choice, for TZ_DELETE_BY_BEST: its log probability, plus `bonus` for each word
     * kept, plus `lambda` times the log probability of these words by a bigram model
     * (features/outline/bigrams.h). */
    double bonus, lambda;
    const struct tz_sketch *bigrams; /* not NULL where lambda is not 0 */
    /* Not NULL: instead of bigrams, the score has `weight` times the log probability of the words
     * by this model (lm.h), of any order. The search is still by bigrams: those above, or the
     * model's own where lambda is 0. Where this differs from the score, the answer is the
     * best-scoring of the `candidates` >= 1 best choices of the search. */
    const struct tz_lm *opt_lm;
    double weight;
    size_t candidates;
} tz_deletion_how;

/* A tree to be decoded; or a sentence, where `tree` may be any tree of it. */
typedef struct tz_deletion_item {
    const tz_outward *tree;
    /* Not NULL: marginals are over all trees, and the likeliest choice is the best pair of a tree
     * and its words, with the parser's score as part of the score; `tree` gives the words alone.
     * Set in all items of a call or in none. Needs a model of TZ_TREES_TAGS, lambda 0 and opt_lm
     * NULL. */
    const tz_parses *opt_parses;
    int32_t *opt_head; /* [words + 1], written: the tree of the likeliest choice over all trees */
    const uint32_t *opt_word; /* [words]: numbers of the words in the language model */
    int64_t amount; /* 1..words: the likeliest choice of so many words, by probability alone; 0:
                       none is set */
    uint8_t *keep;  /* [words], written: which words are kept */
    double *opt_marginal; /* [words], written: P(word is kept) */
    /* written: the score of the choice; by marginals, the log probability of all choices (at most
     * 0: the rest is the probability of constituents that are kept empty), which over all trees is
     * not normalised */
    double score;
    tz_status status;       /* private */
    struct tz_arena *arena; /* private */
    tz_deletion_problem problem;
} tz_deletion_item;

typedef struct tz_deletion_decoder tz_deletion_decoder;

/* The model is borrowed. threads >= 1; results do not depend on them. TZ_NO_MEMORY. */
tz_status tz_deletion_decoder_new(const tz_deletions *model, unsigned threads,
                                  tz_deletion_decoder **ret_decoder, tz_error *opt_error);
void tz_deletion_decoder_free(tz_deletion_decoder *decoder);

/* Decodes trees of one word or more. opt_marginal is written by TZ_DELETE_BY_MARGINALS where there
 * is no amount. Cost: linear in the entries, times the nodes; with an amount, times n; with
 * bigrams, times n^3, and for each candidate what tz_kbest_next takes. Over all trees: n^3, with an
 * amount several times; and the memory of scores.h, of all items at once. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_deletion_decode(tz_deletion_decoder *decoder, const tz_deletion_how *how,
                             tz_deletion_item *item, size_t count, tz_error *opt_error);

/* Sets ret_keep[words] for the words likelier than the threshold; where there is none, for the
 * likeliest, the first of several. */
void tz_deletion_keep(uint32_t words, const double *marginal, double threshold, uint8_t *ret_keep);

#endif
