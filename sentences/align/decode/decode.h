/* decode.h - aligns two texts by an aligner.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_DECODE_DECODE_H
#define TZ_SENTENCES_ALIGN_DECODE_DECODE_H

#include "sentences/align/model/aligner.h"
#include "sentences/align/texts/links.h"

typedef struct tz_decode_settings {
    bool posterior;  /* links with a posterior probability above 0.5, not the best alignment */
    bool all_links;  /* link all pairs of words of a phrase pair, also where both are the same
                        words */
    bool posteriors; /* fill in log_likelihood, and `posterior` and `share` of each phrase */
    bool likely;     /* fill in likely links */
    size_t most;     /* how many of the best alignments; 1 with posterior */
} tz_decode_settings;

typedef struct tz_decoded_phrase {
    tz_phrase_pair pair;    /* single words where links are decoded by their posteriors */
    double posterior;       /* probability of the pair */
    double share[TZ_PARTS]; /* shares of the parts in R(x | y); they sum to 1 */
} tz_decoded_phrase;

typedef struct tz_decoded {
    size_t phrases;
    tz_decoded_phrase *phrase; /* [phrases]: by place in the abstract */
    tz_links links;
    tz_links likely; /* pairs with a posterior probability above 0.1, whether links or not */
    double score;    /* log probability of this alignment and the abstract; 0 with posterior */
    double log_likelihood; /* log of the sum over all alignments */
} tz_decoded;

/* Charts, reused from pair to pair. */
typedef struct tz_align_decoder tz_align_decoder;
/* The aligner and WordNet are borrowed. opt_wordnet: for an aligner that has learned with it.
 * TZ_BAD_ARGUMENT: the aligner has learned with another copy, or with one while none is given;
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_align_decoder_new(const tz_aligner *aligner, const tz_wordnet *opt_wordnet,
                               tz_align_decoder **ret_decoder);
void tz_align_decoder_free(tz_align_decoder *decoder);

/* Fills in the first *ret_count >= 1 of ret_decoded[settings->most], best first. Where nothing can
 * make the abstract, all of it comes from nowhere, with a score of -INFINITY. Memory is the
 * arena's. Cost: see layout.h; posteriors take several times that. TZ_BAD_ARGUMENT: the aligner's
 * jumps are scored by syntax, and the document has no trees, or trees with more or fewer words;
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_decode_phrases(tz_align_decoder *decoder, tz_arena *arena, const tz_passage *document,
                            const tz_passage *abstract, const tz_decode_settings *settings,
                            tz_decoded *ret_decoded, size_t *ret_count, tz_error *error);

#endif
