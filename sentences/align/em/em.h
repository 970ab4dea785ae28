/* em.h - learns an aligner from documents and their abstracts, without alignments, by expectation
 * maximisation to a local maximum of the posterior (Dempster, Laird & Rubin 1977).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_EM_EM_H
#define TZ_SENTENCES_ALIGN_EM_EM_H

#include "sentences/align/model/aligner.h"
#include "sentences/align/wordnet/wordnet.h"

typedef struct tz_em_settings {
    tz_aligner_kind kind; /* HMM, MODEL1: t starts uniform over the pairs seen; phrases are single
                             words */
    unsigned abstract_most, document_most; /* most words of a phrase */
    tz_jump_kind jump;
    tz_phrase_length length;
    bool exact; /* whether the forms given are exact (forms.h); kept in the model */
    double prior[TZ_PRIORS];
    /* Rows of t start at the mean of their prior, with the fake count plus 1 in every cell, not at
     * its mode. Without any fake counts they always start there. */
    bool mean;
    double base;    /* added to the prior's fake count of the longer pairs that are seen */
    double null;    /* initial probability that an abstract word is from nowhere, in (0, 1) */
    bool keep_null; /* `null` stays as it is */
    unsigned threads;
    /* Called now and then during a step; false ends it. */
    bool (*opt_progress)(void *user, size_t done, size_t pairs);
    void *user;
} tz_em_settings;

/* What `trapeze train aligner` does unless told otherwise. */
tz_em_settings tz_em_defaults(void);

/* Log likelihood and objective of the parameters before a step. The objective is log likelihood
 * plus log prior, up to a constant; it does not fall. */
typedef struct tz_em_report {
    double log_likelihood, objective;
} tz_em_report;

typedef struct tz_em tz_em;

/* NULL when memory is out. */
tz_em *tz_em_new(void);
void tz_em_free(tz_em *em);
/* Before the first pair: lets phrases of up to so many words be looked up in WordNet, which is
 * borrowed until tz_em_free; for aligners of kind SEMI. Passages must have their words
 * (opt_word). */
void tz_em_use_wordnet(tz_em *em, const tz_wordnet *wordnet, unsigned abstract_most,
                       unsigned document_most);
/* Adds a pair of texts, copied. With several ranks (ranks/ranks.h), each adds its share.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_em_add(tz_em *em, const tz_passage *document, const tz_passage *abstract);
/* Sets the position, among the pairs of all ranks, of the next pair added; at first 0. Later pairs
 * follow it. */
void tz_em_at(tz_em *em, uint64_t position);
/* After the last pair: deals pairs out to ranks, in blocks, and sets the initial parameters.
 * TZ_NONE: there is no abstract word, or no document word; TZ_BAD_ARGUMENT: jumps are scored by
 * syntax, and a document has no trees, or trees with more or fewer words; TZ_TOO_LARGE,
 * TZ_NO_MEMORY. */
tz_status tz_em_start(tz_em *em, const tz_em_settings *settings, tz_error *error);
/* Computes expectations under the parameters; then, with `maximise`, the parameters that are best
 * for them. Gives the same bits for the same pairs in the same order, whatever the threads and
 * ranks. Cost: see layout.h. TZ_NONE where opt_progress ended it, TZ_NO_MEMORY, TZ_TOO_LARGE; after
 * an error the parameters are those from before. */
tz_status tz_em_step(tz_em *em, bool maximise, tz_em_report *ret_report, tz_error *error);
/* ---- em_state.c ------------------------------------------------------------------------------ */

/* Save the parameters after so many steps to a file (rank 0 writes it), and load them into an em
 * that has started from the same texts and settings (but for threads). TZ_IO, TZ_NO_MEMORY. */
tz_status tz_em_save(tz_em *em, const char *path, size_t steps, tz_error *opt_error);
tz_status tz_em_load(tz_em *em, const char *path, size_t *ret_steps, tz_error *opt_error);

/* ---- em_table.c ------------------------------------------------------------------------------ */

/* A phrase of p abstract words, made from q document words or from nowhere (opt_document NULL; then
 * abstract->stem has no meaning). */
typedef struct tz_em_entry {
    const tz_form *opt_document, *abstract;
    unsigned q, p;
    double t;    /* probability in the table, or R0 */
    double uses; /* expected number of times it is made so, by the last step */
} tz_em_entry;

typedef void (*tz_em_visit)(void *user, const tz_em_entry *entry);
/* After a step that did not maximise: visits words from nowhere, then all phrase pairs that occur
 * in a pair of texts, by document phrase, the likeliest first. TZ_NO_MEMORY. */
tz_status tz_em_table(const tz_em *em, tz_em_visit visit, void *user);

/* ---------------------------------------------------------------------------------------------- */

/* The parameters; owned by em. */
const tz_aligner *tz_em_aligner(const tz_em *em);
/* The number of abstract words in all pairs of all ranks. */
size_t tz_em_words(const tz_em *em);

#endif
