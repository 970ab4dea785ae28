/* em_own.h - what the learning of an aligner consists of, for em_*.c alone.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_EM_OWN_H
#define TZ_SENTENCES_ALIGN_EM_OWN_H

#include "base/buffer.h"
#include "sentences/align/em.h"
#include "sentences/align/layout.h"

typedef struct tz_em_pair {
    size_t at, n, m;       /* form[at..]: the document, then the abstract */
    size_t places, longer; /* longer.place[places..], so many */
    size_t cells;          /* number[cells..]: of n m pairs of words, by t then j; of the places */
} tz_em_pair;

/* Expected numbers of uses. */
typedef struct tz_em_uses {
    double nulls, jumps;
    double length[TZ_MOST_PHRASE];
    double *jump, *null, *cell; /* of the aligner's distances, vocabulary, cells */
} tz_em_uses;

struct tz_em {
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

/* ---- em_maximise.c --------------------------------------------------------------------------- */

double tz_em_log_prior(const tz_em *em);
void tz_em_maximise(tz_em *em);

#endif
