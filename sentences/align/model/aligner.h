/* aligner.h - a model of how abstracts are made from documents, phrase by phrase: from which
 * document phrase a phrase of the abstract is made, and where in the document the next one is.
 *
 *   p(alignment, abstract | document) = product over segments of the abstract, and of the jump to
 *   the end:
 *     phrase x from document phrase y of q words:  (1 - null) jump(distance) length(q) R(x | y)
 *     word x from nowhere:                         null R0(x); the place stays
 *   R(x | y) = sum over parts k of part[k] R_k(x | y); parts.h lists them
 *
 * after Daume & Marcu 2005 (Computational Linguistics 31). Phrases have up to abstract_most and
 * document_most words. The *vocabulary* has the words of the abstracts.
 *
 * Rows of t, the table of phrase pairs, have a Dirichlet prior: fake counts of prior[ANY] for every
 * word of the vocabulary, in rows of single words; in any row prior[SAME] for the same phrase and
 * prior[STEM] for phrases of the same stems. R0 has prior[ANY] for every word.
 *
 * A word that training did not see makes every word with equal probability if it is in a document,
 * and is one more word of the vocabulary if it is in an abstract. Phrases are treated likewise.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_MODEL_ALIGNER_H
#define TZ_SENTENCES_ALIGN_MODEL_ALIGNER_H

#include <stdbool.h>

#include "base/text.h"
#include "sentences/align/model/jumps.h"
#include "sentences/align/model/parts.h"
#include "sentences/align/model/phrases.h"
#include "sentences/align/wordnet/near.h"
#include "sentences/features/tables/numbers.h"

typedef enum tz_aligner_kind {
    TZ_ALIGNER_SEMI,   /* the model above */
    TZ_ALIGNER_HMM,    /* t alone, of single words; its rows start uniform (em.h) */
    TZ_ALIGNER_MODEL1, /* the same, and the pointer goes anywhere: each place, and nowhere, has the
                        * same probability (IBM Model 1) */
    TZ_ALIGNER_KINDS
} tz_aligner_kind;

/* length(q): learned; 1 / document_most; 1. */
typedef enum tz_phrase_length {
    TZ_LENGTH_TRAINED,
    TZ_LENGTH_UNIFORM,
    TZ_LENGTH_NONE,
    TZ_LENGTH_KINDS
} tz_phrase_length;

enum { TZ_PRIOR_ANY, TZ_PRIOR_SAME, TZ_PRIOR_STEM, TZ_PRIORS };

typedef struct tz_aligner {
    tz_aligner_kind kind;
    unsigned abstract_most, document_most; /* most words of a phrase: 1..TZ_MOST_PHRASE */
    bool exact;                            /* capitals make another word */
    bool loose; /* phrases of several words may be made from any others, not from those of the same
                 * stems alone */
    tz_phrase_length length_kind;
    double prior[TZ_PRIORS];
    double unseen; /* more than the fake count, for words of the vocabulary that a row lacks */
    double null;
    double part[TZ_PARTS];
    double length[TZ_MOST_PHRASE]; /* of document phrases of 1, 2, ... words */
    tz_jumps jumps;
    tz_numbers abstract; /* hashes of phrases; single words, the vocabulary, first */
    size_t vocabulary;   /* how many of them are words */
    double *null_count;  /* [vocabulary]: R0 is null_count / null_total */
    double null_total;
    tz_numbers document;   /* phrases that have a row of t; single words first */
    size_t document_words; /* how many of them are words */
    double *total;         /* [document.count]: sum of the row, unseen words included */
    tz_numbers cell;       /* document phrase << 32 | abstract phrase, of one pair of texts */
    double *count;         /* [cell.count]: t is count / the row's total */
    tz_numbers stem;       /* stems of the vocabulary, and how many words have each */
    uint32_t *members;     /* [stem.count] */
    tz_near near;          /* where it has learned with WordNet */
} tz_aligner;

/* "semi", "hmm", "model1"; "trained", "uniform", "none". NULL for ..._KINDS. */
const char *tz_aligner_kind_name(tz_aligner_kind kind);
const char *tz_length_name(tz_phrase_length kind);

void tz_aligner_free(tz_aligner *aligner);

/* How many phrases over the vocabulary have the same stems as form[length]; a word outside the
 * vocabulary adds none. */
double tz_aligner_alike(const tz_aligner *aligner, const tz_form *form, unsigned length);

/* Looks up a document phrase of q words and an abstract phrase of p words that may be made from
 * it. */
void tz_aligner_look_up(const tz_aligner *aligner, const tz_form *document, unsigned q,
                        const tz_form *abstract, unsigned p, tz_rewrite *ret);
/* The prior's fake count of a cell. */
double tz_aligner_fake(const tz_aligner *aligner, const tz_rewrite *rewrite);
/* R0(x) of an abstract word. */
double tz_aligner_from_nowhere(const tz_aligner *aligner, const tz_form *abstract);

/* ---- aligner_file.c: little-endian, with a CRC-32 at the end; it holds no text --------------- */

/* Replaces the file atomically (replace.h). TZ_IO, TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_aligner_save(const tz_aligner *aligner, const char *path, tz_error *opt_error);
/* Does the file begin like an aligner's? */
bool tz_aligner_file(const char *path);
/* TZ_IO: no aligner, or damaged; TZ_NO_MEMORY. In either case *ret_aligner is zeroed. */
tz_status tz_aligner_load(const char *path, tz_aligner *ret_aligner, tz_error *opt_error);

#endif
