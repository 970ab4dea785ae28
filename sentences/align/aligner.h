/* aligner.h - a model of how abstracts are made from documents, word by word: what an abstract word
 * is made from, and where in the document the next one is looked for.
 *
 *   p(alignment, abstract | document) = product over abstract words x, and of the jump to the end:
 *     from document word y:  (1 - null) jump(distance) R(x | y)
 *     from nowhere:          null R0(x); the place stays
 *   R(x | y) = part[SAME] [x = y] + part[STEM] [same stem] / Z_y + part[TABLE] t(x | y)
 *
 * after Daume & Marcu 2005 (Computational Linguistics 31), for phrases of one word, without
 * WordNet. Z_y: how many words of the vocabulary, which is that of the abstracts, have y's stem.
 * Rows of t have a Dirichlet prior: for every word of the vocabulary 2, and 4 more for y itself and
 * 3 more for words of y's stem; R0 has 2, every distance 0.01. Words are compared in lower case.
 *
 * A word that training did not see: in documents, it makes every word alike, as a row does; in an
 * abstract, it is one more word of the vocabulary.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_ALIGNER_H
#define TZ_SENTENCES_ALIGN_ALIGNER_H

#include <stdbool.h>

#include "base/text.h"
#include "sentences/align/forms.h"
#include "sentences/align/numbers.h"

enum { TZ_PART_SAME, TZ_PART_STEM, TZ_PART_TABLE, TZ_PARTS };

typedef struct tz_aligner {
    double null;
    double part[TZ_PARTS];
    int32_t reach;           /* of the longest document in training */
    double *jump;            /* [2 * reach + 2]: probability of distance -reach, ... */
    double floor;            /* of a distance beyond those */
    tz_numbers abstract;     /* the vocabulary: hashes of words */
    uint64_t *abstract_stem; /* [abstract.count] */
    double *null_count;      /* [abstract.count]: R0 is that over null_total */
    double null_total;
    tz_numbers document;     /* words that have a row of t */
    uint64_t *document_stem; /* [document.count] */
    double *total;           /* [document.count]: of the row, unseen words included */
    tz_numbers cell;         /* document word << 32 | abstract word, of one pair of texts */
    double *count;           /* [cell.count]: t is that over the row's total */
    tz_numbers stem;         /* of the vocabulary, and how many words have it */
    uint32_t *members;       /* [stem.count] */
    size_t capacity[4];      /* private: of arrays beside abstract, document, cell, stem */
} tz_aligner;

void tz_aligner_free(tz_aligner *aligner);

/* Adds the words of a document and its abstract to a zeroed aligner. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_aligner_add(tz_aligner *aligner, const tz_form *document, size_t n,
                         const tz_form *abstract, size_t m);
/* After the last: all parameters at the maximum of their prior; null as given. TZ_NO_MEMORY. */
tz_status tz_aligner_start(tz_aligner *aligner, double null);

/* Fills in stem and members from the vocabulary; part of tz_aligner_start. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_aligner_count_stems(tz_aligner *aligner);

/* The prior's fake count of a cell, and their sum over the vocabulary. */
double tz_aligner_fake(const tz_form *document, const tz_form *abstract);
double tz_aligner_fakes(const tz_aligner *aligner, const tz_form *document);

/* R(x | y), and what each part gives to it: ret_part[TZ_PARTS]. Constant time. */
double tz_aligner_rewrite(const tz_aligner *aligner, const tz_form *document,
                          const tz_form *abstract, double *ret_part);

/* The weights of `align-hmm` for a pair of texts: rewrite [(m + 1) * (n + 1)], null [m + 1], jump
 * [2 n + 2]; cells outside the domain are left alone. */
typedef struct tz_aligner_cells {
    double *rewrite, *null, *jump;
} tz_aligner_cells;
void tz_aligner_score(const tz_aligner *aligner, const tz_form *document, size_t n,
                      const tz_form *abstract, size_t m, const tz_aligner_cells *ret_score);

/* ---- aligner_file.c: little-endian, with a CRC-32 at the end; it holds no text --------------- */

/* The file is replaced all at once (replace.h). TZ_IO, TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_aligner_save(const tz_aligner *aligner, const char *path, tz_error *opt_error);
/* Does the file look like one? */
bool tz_aligner_file(const char *path);
/* TZ_IO: no aligner, or damaged; TZ_NO_MEMORY. In either case *ret_aligner is zeroed. */
tz_status tz_aligner_load(const char *path, tz_aligner *ret_aligner, tz_error *opt_error);

#endif
