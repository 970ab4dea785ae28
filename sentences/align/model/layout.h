/* layout.h - the rule set that aligns a pair of texts, and where its weights stand in an array.
 *
 *   align-words    Model 1
 *   align-hmm      phrases are single words
 *   align-sparse   longer phrases are made from those of the same stems alone: few places
 *   align          longer phrases are made from any
 *   align-far      long documents, and jumps scored by powers of two
 *   align-map      jumps scored by syntax
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_MODEL_LAYOUT_H
#define TZ_SENTENCES_ALIGN_MODEL_LAYOUT_H

#include "sentences/align/model/aligner.h"

enum { TZ_LAYOUT_WEIGHTS = 5, TZ_LAYOUT_RULES = 6 };

/* Offsets into one array of doubles; -1: the rule set has no such weight. */
typedef struct tz_layout {
    const tz_rules *rules;
    size_t which;                      /* number of the rule set above: 0..TZ_LAYOUT_RULES - 1 */
    int32_t lengths[4];                /* m, n, P, Q */
    size_t weights;                    /* of the rule set */
    size_t offset[TZ_LAYOUT_WEIGHTS];  /* by weight */
    tz_shape shape[TZ_LAYOUT_WEIGHTS]; /* of dense weights */
    size_t size;                       /* of the array */
    size_t longer;                     /* places of longer phrases */
    ptrdiff_t
        word; /* single words: document word j, abstract word t, from 0, at word + t * step + j
               */
    size_t step;
    ptrdiff_t rewrite, phrase;   /* longer phrases: as a dense array, as a list */
    ptrdiff_t null;              /* of abstract word t, from 0, at null + t */
    ptrdiff_t jump, ahead, back; /* as tz_jumps_score, tz_jumps_score_far; jump: tz_cover_score */
} tz_layout;

/* Chooses the rule set for a document of n words, an abstract of m, and so many places of longer
 * phrases. TZ_TOO_LARGE, TZ_BAD_ARGUMENT. */
tz_status tz_layout_choose(const tz_aligner *aligner, size_t n, size_t m, size_t longer,
                           tz_layout *ret_layout);

/* The offset of the e-th place of longer phrases. */
size_t tz_layout_place(const tz_layout *layout, const tz_place *place, size_t e);
/* Does the use make an abstract phrase from a document phrase? If so, *ret_place is where. */
bool tz_layout_use(const tz_layout *layout, const tz_use *use, tz_place *ret_place);
/* Fills the array with the scores of jumps (under syntax by the cover) and of words from nowhere,
 * and with -INFINITY for longer phrases. */
void tz_layout_score(const tz_layout *layout, const tz_aligner *aligner, const tz_form *abstract,
                     tz_jump_cover *opt_cover, double *ret_score);
/* Adds the expected uses of jumps, which are overwritten, to the aligner's counts; returns their
 * sum. */
double tz_layout_take_jumps(const tz_layout *layout, const tz_aligner *aligner,
                            tz_jump_cover *opt_cover, double *uses, double *counts);
/* The term added to log R(x | y) for a document phrase of q words. */
double tz_layout_log_length(const tz_layout *layout, const tz_aligner *aligner, unsigned q);
/* The indices of the list of places, four for each: ret_index[4 * layout->longer]. */
void tz_layout_index(const tz_layout *layout, const tz_place *place, int32_t *ret_index);

/* The array as the scores of a problem and as outputs for marginals: [layout->weights]. */
void tz_layout_scores(const tz_layout *layout, const double *score, const int32_t *index,
                      tz_scores *ret_scores);
void tz_layout_outputs(const tz_layout *layout, double *data, tz_output *ret_outputs);

#endif
