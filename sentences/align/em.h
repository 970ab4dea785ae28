/* em.h - learns an aligner from documents and their abstracts, without any alignments: expectation
 * maximisation, to a maximum of the posterior (Dempster, Laird & Rubin 1977).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_EM_H
#define TZ_SENTENCES_ALIGN_EM_H

#include "sentences/align/aligner.h"

typedef struct tz_em_settings {
    tz_aligner_kind kind; /* HMM, MODEL1: t starts even over what is seen; phrases of one word */
    unsigned abstract_most, document_most; /* words of a phrase */
    tz_jump_kind jump;
    tz_length_kind length;
    bool exact; /* of the forms that are given: kept in the model */
    double prior[TZ_PRIORS];
    /* Rows of t start at the mean of their prior, with 1 more than the fake count in all cells, not
     * at its mode. Where there are no fake counts at all, they always do. */
    bool mean;
    double base;    /* fake count of longer pairs that are seen, besides those of the prior */
    double null;    /* at first: the share of abstract words from nowhere, above 0 and below 1 */
    bool keep_null; /* at last, too */
    unsigned threads;
} tz_em_settings;

/* What `trapeze train aligner` does unless told otherwise. */
tz_em_settings tz_em_defaults(void);

/* Of the parameters before a step. Objective: log likelihood and log prior, but for a constant; it
 * does not fall. */
typedef struct tz_em_report {
    double log_likelihood, objective;
} tz_em_report;

typedef struct tz_em tz_em;

/* NULL when memory is out. */
tz_em *tz_em_new(void);
void tz_em_free(tz_em *em);
/* Adds a pair of texts, copied. TZ_NO_MEMORY. */
tz_status tz_em_add(tz_em *em, const tz_passage *document, const tz_passage *abstract);
/* After the last pair: parameters as at the start. TZ_NONE: there is no abstract word, or no
 * document word; TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_em_start(tz_em *em, const tz_em_settings *settings);
/* Expectations under the parameters; then, where `maximise` says so, the parameters that they make
 * best. The same bits for the same pairs in the same order, whatever the threads. Cost: see
 * layout.h. TZ_NO_MEMORY, TZ_TOO_LARGE; then the parameters are those of before. */
tz_status tz_em_step(tz_em *em, bool maximise, tz_em_report *ret_report, tz_error *error);
/* The parameters; em's. */
const tz_aligner *tz_em_aligner(const tz_em *em);
/* Abstract words of all pairs. */
size_t tz_em_words(const tz_em *em);

#endif
