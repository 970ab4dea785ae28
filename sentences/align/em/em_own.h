/* em_own.h - the parts of learning an aligner, for em_*.c alone.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_EM_EM_OWN_H
#define TZ_SENTENCES_ALIGN_EM_EM_OWN_H

#include "base/buffer.h"
#include "ranks/sums.h"
#include "sentences/align/em/em.h"
#include "sentences/align/model/kin.h"
#include "sentences/align/model/layout.h"

typedef struct tz_em_pair {
    uint64_t position;     /* among the pairs of all ranks */
    size_t at, n, m;       /* form[at..]: the document, then the abstract */
    size_t places, longer; /* longer.place[places..], so many */
    /* number[cells..], of n m pairs of words, by t then j; of the places: the cells, as they are
     * numbered in the pair's block. */
    size_t cells;
    tz_jump_cover *opt_cover; /* of the document; NULL: its trees are not known */
} tz_em_pair;

/* Pairs whose expectations are first added up among themselves, then to those of the blocks before
 * (ranks/sums.h). Blocks are the same for any number of ranks; each rank has some of them. */
typedef struct tz_em_block {
    size_t first, last; /* pairs, */
    size_t cell, cells; /* and em->cell[cell..], so many: the cells that they have */
    size_t round;       /* in which the block is added */
} tz_em_block;

/* Expected numbers of uses, for the aligner's cells or those of a block. */
typedef struct tz_em_uses {
    double *cell;
    double *rest; /* behind one another: */
    double *null, *jump, *length, *nulls, *jumps;
    double *log_likelihood; /* and this */
} tz_em_uses;

/* Distances by WordNet (near.h); empty without it. Rows are the document phrases in WordNet. */
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
    uint64_t position;               /* of the pair that is added next */
    tz_em_pair *pair;                /* once it has started: those of this rank's blocks, */
    size_t pairs, pair_capacity;     /* pairs of like lengths as neighbours */
    size_t longest;                  /* document of any rank */
    uint64_t texts_hash, trees_hash; /* of all pairs */
    tz_places longer;
    uint32_t *number; /* of cells, in their blocks */
    tz_em_block *block;
    size_t blocks, rounds; /* rounds of all ranks; in some this one may have no block */
    uint32_t *cell;        /* of the blocks */
    uint64_t *document_stem, *abstract_stem; /* of all phrases that have numbers */
    double *alike;      /* [document.count]: how many phrases over the vocabulary have the stems */
    double *fakes;      /* [document.count]: fake counts of the row, unseen words included */
    double unseen_gain; /* of the log prior, while unseen words of rows have more than those */
    double *log_value;  /* [cell.count]: log R */
    tz_em_uses uses, part; /* of all pairs; of a block */
    double *block_value;   /* log R of the block's cells */
    size_t rests;          /* uses.rest[rests] */
    uint32_t *rest_row;    /* [rests]: where they stand in the sums, behind the cells */
    tz_sums *sums;
    tz_plan *plan[TZ_LAYOUT_RULES];
    tz_charts *charts[TZ_LAYOUT_RULES];
    tz_buffer score, uses_of, problem; /* of a batch */
};

/* The cell as the aligner knows it. */
tz_rewrite tz_em_cell(const tz_em *em, size_t cell);
/* The prior's fake count of a cell. */
double tz_em_fake(const tz_em *em, const tz_rewrite *rewrite);

/* ---- em_deal.c ------------------------------------------------------------------------------- */

/* Deals the pairs of all ranks into blocks, and sends them to the ranks that have these.
 * TZ_NO_MEMORY; errors of ranks.h. */
tz_status tz_em_deal(tz_em *em, tz_error *error);

/* ---- em_numbers.c ---------------------------------------------------------------------------- */

/* Numbers the words, phrases and cells of all ranks in the order in which they come. TZ_NONE: the
 * abstracts or the documents have no word; TZ_TOO_LARGE; errors of tz_em_deal. */
tz_status tz_em_number(tz_em *em, tz_error *error);
/* Gives all ranks of_number[i] from the ranks that know phrase i; known[i]: this rank does. Errors
 * of tz_em_deal. */
tz_status tz_em_tell(uint64_t *of_number, const uint8_t *known, size_t count, tz_error *error);

/* ---- em_near.c ------------------------------------------------------------------------------- */

void tz_em_near_free(tz_em *em);
/* After tz_em_number. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_em_near_start(tz_em *em, tz_error *error);
/* Before a step. */
void tz_em_near_begin(tz_em *em);
/* wn(x | y) of a cell in row y of the table. */
double tz_em_near_value(const tz_em *em, size_t cell, uint32_t y);
/* Adds uses of WordNet's part in a cell whose value is not 0. */
void tz_em_near_use(tz_em *em, size_t cell, uint32_t y, double uses);
/* Fits eta to these uses. */
void tz_em_near_maximise(tz_em *em);

/* ---- em_maximise.c --------------------------------------------------------------------------- */

/* The uses whose numbers are at `cell` and `rest`. */
tz_em_uses tz_em_uses_in(const tz_em *em, double *cell, double *rest);
double tz_em_log_prior(const tz_em *em);
void tz_em_maximise(tz_em *em);

#endif
