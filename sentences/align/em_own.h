/* em_own.h - what the learning of an aligner consists of, for em_*.c alone.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_EM_OWN_H
#define TZ_SENTENCES_ALIGN_EM_OWN_H

#include "base/buffer.h"
#include "sentences/align/em.h"
#include "sentences/align/kin.h"
#include "sentences/align/layout.h"

typedef struct tz_em_pair {
    size_t at, n, m;       /* form[at..]: the document, then the abstract */
    size_t places, longer; /* longer.place[places..], so many */
    size_t cells;          /* number[cells..]: of n m pairs of words, by t then j; of the places */
    tz_jump_cover *opt_cover; /* of the document; NULL: its trees are not known */
} tz_em_pair;

/* Expected numbers of uses. */
typedef struct tz_em_uses {
    double nulls, jumps;
    double length[TZ_MOST_PHRASE];
    double *jump, *null, *cell; /* of the aligner's distances, vocabulary, cells */
} tz_em_uses;

/* What WordNet says (near.h); without it nothing. Rows are those document phrases that are in it.
 */
typedef struct tz_em_near {
    uint8_t *distance; /* [cell.count] */
    uint32_t *row;     /* [document.count]; TZ_NO_NUMBER: not in WordNet */
    size_t rows, distances;
    uint32_t *count;   /* [rows * distances]: so many phrases of the abstracts are so far away */
    double *log_total; /* [rows] */
    double *uses;      /* [rows]: expected ones of this part, */
    double away;       /* and the sum of their distances */
} tz_em_near;

struct tz_em {
    tz_arena *arena;  /* of covers */
    tz_labels labels; /* of all covers */
    tz_kin kin;       /* of all phrases; its wordnet is NULL: without */
    unsigned kin_abstract_most, kin_document_most;
    tz_em_near near;
    tz_aligner aligner;
    tz_em_settings settings;
    tz_form *form;
    uint32_t *stop; /* [forms]: tz_passage.opt_stop; 0: not known */
    size_t forms, form_capacity, stop_capacity, words;
    tz_em_pair *pair;
    size_t pairs, pair_capacity;
    tz_places longer;
    uint32_t *number;                        /* of cells */
    size_t *order;                           /* [pairs]: pairs of like lengths are neighbours */
    uint64_t *document_stem, *abstract_stem; /* of all phrases that have numbers */
    double *alike;      /* [document.count]: how many phrases over the vocabulary have the stems */
    double *fakes;      /* [document.count]: fake counts of the row, unseen words included */
    double unseen_gain; /* of the log prior, while unseen words of rows have more than those */
    double *log_value;  /* [cell.count]: log R */
    tz_em_uses uses;
    tz_plan *plan[TZ_LAYOUT_RULES];
    tz_charts *charts[TZ_LAYOUT_RULES];
    tz_buffer score, uses_of, problem; /* of a batch */
};

/* The cell as it is known to the aligner. */
tz_rewrite tz_em_cell(const tz_em *em, size_t cell);
/* Its fake count. */
double tz_em_fake(const tz_em *em, const tz_rewrite *rewrite);

/* ---- em_near.c ------------------------------------------------------------------------------- */

void tz_em_near_free(tz_em *em);
/* When cells have numbers. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_em_near_start(tz_em *em);
/* Before a step. */
void tz_em_near_begin(tz_em *em);
/* wn(x | y) of a cell in row y of the table. */
double tz_em_near_value(const tz_em *em, size_t cell, uint32_t y);
/* Uses of this part in a cell whose value is not 0. */
void tz_em_near_use(tz_em *em, size_t cell, uint32_t y, double uses);
/* eta, by these uses. */
void tz_em_near_maximise(tz_em *em);

/* ---- em_maximise.c --------------------------------------------------------------------------- */

double tz_em_log_prior(const tz_em *em);
void tz_em_maximise(tz_em *em);

#endif
