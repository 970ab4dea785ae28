/* em.h - learns an aligner from documents and their abstracts, without any alignments: expectation
 * maximisation, to a maximum of the posterior (Dempster, Laird & Rubin 1977).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_EM_EM_H
#define TZ_SENTENCES_ALIGN_EM_EM_H

#include "sentences/align/model/aligner.h"
#include "sentences/align/wordnet/wordnet.h"

typedef struct tz_em_settings {
    tz_aligner_kind kind; /* HMM, MODEL1: t starts even over what is seen; phrases of one word */
    unsigned abstract_most, document_most; /* words of a phrase */
    tz_jump_kind jump;
    tz_phrase_length length;
    bool exact; /* of the forms that are given: kept in the model */
    double prior[TZ_PRIORS];
    /* Rows of t start at the mean of their prior, with 1 more than the fake count in all cells, not
     * at its mode. Where there are no fake counts at all, they always do. */
    bool mean;
    double base;    /* fake count of longer pairs that are seen, besides those of the prior */
    double null;    /* at first: the share of abstract words from nowhere, above 0 and below 1 */
    bool keep_null; /* at last, too */
    unsigned threads;
    /* Called now and then during a step; false ends it. */
    bool (*opt_progress)(void *user, size_t done, size_t pairs);
    void *user;
} tz_em_settings;

/* What `trapeze train aligner` does unless told otherwise. */
tz_em_settings tz_em_defaults(void);

/* Figures of the parameters before a step. The objective is log likelihood plus log prior, up to a
 * constant; it does not fall. */
typedef struct tz_em_report {
    double log_likelihood, objective;
} tz_em_report;

typedef struct tz_em tz_em;

/* NULL when memory is out. */
tz_em *tz_em_new(void);
void tz_em_free(tz_em *em);
/* Before the first pair: phrases of up to so many words are looked up in WordNet, which is borrowed
 * until tz_em_free; for aligners of the kind SEMI. The words of the pairs must be known (opt_word).
 */
void tz_em_use_wordnet(tz_em *em, const tz_wordnet *wordnet, unsigned abstract_most,
                       unsigned document_most);
/* Adds a pair of texts, copied. With several ranks (ranks/ranks.h), each adds its share.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_em_add(tz_em *em, const tz_passage *document, const tz_passage *abstract);
/* The next pair stands here among those of all ranks, the ones after it behind it; at first 0. */
void tz_em_at(tz_em *em, uint64_t position);
/* After the last pair: parameters as at the start. Pairs are dealt out to ranks, in blocks.
 * TZ_NONE: there is no abstract word, or no document word; TZ_BAD_ARGUMENT: jumps are scored by
 * syntax, and a document has no trees, or those of more or fewer words; TZ_TOO_LARGE, TZ_NO_MEMORY.
 */
tz_status tz_em_start(tz_em *em, const tz_em_settings *settings, tz_error *error);
/* Expectations under the parameters; then, where `maximise` says so, the parameters that they make
 * best. The same bits for the same pairs in the same order, whatever the threads and ranks. Cost:
 * see layout.h. TZ_NONE where progress ended it, TZ_NO_MEMORY, TZ_TOO_LARGE; then the parameters
 * are those of before. */
tz_status tz_em_step(tz_em *em, bool maximise, tz_em_report *ret_report, tz_error *error);
/* ---- em_state.c ------------------------------------------------------------------------------ */

/* The parameters after so many steps, to a file (by rank 0) and back, which takes an em that has
 * started from the same texts and settings (but for threads). TZ_IO, TZ_NO_MEMORY. */
tz_status tz_em_save(tz_em *em, const char *path, size_t steps, tz_error *opt_error);
tz_status tz_em_load(tz_em *em, const char *path, size_t *ret_steps, tz_error *opt_error);

/* ---- em_table.c ------------------------------------------------------------------------------ */

/* What p abstract words are made of: q document words, or nothing (NULL; then .abstract->stem says
 * nothing). */
typedef struct tz_em_entry {
    const tz_form *opt_document, *abstract;
    unsigned q, p;
    double t;    /* probability in the table, or R0 */
    double uses; /* how often it is made so, by the last step's expectations */
} tz_em_entry;

typedef void (*tz_em_visit)(void *user, const tz_em_entry *entry);
/* After a step that did not maximise: words from nowhere, then all pairs of phrases that stand in a
 * pair of texts, by document phrase, the likeliest first. TZ_NO_MEMORY. */
tz_status tz_em_table(const tz_em *em, tz_em_visit visit, void *user);

/* ---------------------------------------------------------------------------------------------- */

/* The parameters; em's. */
const tz_aligner *tz_em_aligner(const tz_em *em);
/* Abstract words of all pairs of all ranks. */
size_t tz_em_words(const tz_em *em);

#endif
