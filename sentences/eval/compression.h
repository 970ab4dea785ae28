/* compression.h - evaluates a compression by leaving out words: figures of one sentence.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_COMPRESSION_H
#define TZ_SENTENCES_EVAL_COMPRESSION_H

#include "sentences/eval/ngrams.h"
#include "sentences/eval/report.h"

typedef struct tz_compression {
    const uint8_t *keep;     /* [words]: 1 or 0 */
    const int32_t *opt_head; /* [words]: the head of a kept word in the compression's tree, 0 for
                                the root, else a kept word counted from 1; -1 for a dropped word */
} tz_compression;

typedef struct tz_source {
    size_t words;
    const char *const *word;
    const char *const *opt_tag; /* fine tags (XPOS) */
    const int32_t *form;        /* the same number for the same word */
    const int32_t *characters;  /* of each word */
    size_t references;          /* at least 1 */
    tz_compression *reference;
} tz_source;

/* The figures, in the order of a report. MEAN: the mean over sentences; else the words, n-grams or
 * arcs of all sentences are counted together. */
enum {
    TZ_KEPT_F1,
    TZ_KEPT_PRECISION,
    TZ_KEPT_RECALL,
    TZ_MEAN_KEPT_F1,
    TZ_MEAN_KEPT_PRECISION,
    TZ_MEAN_KEPT_RECALL,
    TZ_EXACT_MATCH,
    TZ_ACCURACY,
    TZ_MEAN_ACCURACY,
    TZ_SSA,
    TZ_MEAN_SSA,
    TZ_NGRAM_F1,                               /* TZ_NGRAM figures: words, pairs, ... */
    TZ_MEAN_NGRAM_F1 = TZ_NGRAM_F1 + TZ_NGRAM, /* TZ_NGRAM figures */
    TZ_ARCS_F1 = TZ_MEAN_NGRAM_F1 + TZ_NGRAM,
    TZ_ARCS_PRECISION,
    TZ_ARCS_RECALL,
    TZ_MEAN_ARCS_F1,
    TZ_RATE_WORDS,
    TZ_MEAN_RATE_WORDS,
    TZ_RATE_CHARACTERS,
    TZ_MEAN_RATE_CHARACTERS,
    TZ_WITH_DEFECT, /* for each tz_defect (defects.h), the share of sentences with it */
    TZ_COMPRESSION_FIGURES = TZ_WITH_DEFECT + 6
};
extern const tz_figure tz_compression_figure[TZ_COMPRESSION_FIGURES];

/* The figures of one sentence, averaged over its references: ret_ratio[TZ_COMPRESSION_FIGURES].
 *
 * Kept words are compared by their positions. Where neither side keeps any, precision, recall and
 * F1 are 1; where only one side keeps none, all three are 0. Accuracy: words that both keep or both
 * drop, of all words. SSA, simple string accuracy: 1 - edits / length of the reference, where edits
 * are the fewest insertions, deletions and substitutions of words, compared by form, that make the
 * reference of the system's compression (Bangalore, Rambow & Whittaker 2000); it may be below 0,
 * and is not defined where the reference keeps nothing. N-grams of the kept words are compared by
 * form, without regard to where they stand; arcs (Riezler et al. 2003) by the positions of both
 * ends, the root's included. Where neither has any n-gram or arc, or a tree is not known, that
 * sentence does not count. Characters are those of the words, without blanks. TZ_NO_MEMORY. */
tz_status tz_compression_measure(const tz_source *source, const tz_compression *system,
                                 tz_ratio *ret_ratio);

#endif
