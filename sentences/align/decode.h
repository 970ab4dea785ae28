/* decode.h - the best alignment of two texts by an aligner.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_DECODE_H
#define TZ_SENTENCES_ALIGN_DECODE_H

#include "sentences/align/aligner.h"
#include "sentences/align/links.h"

typedef struct tz_decoded_link {
    double posterior;       /* probability of the link */
    double share[TZ_PARTS]; /* of the parts in R(x | y); they sum to 1 */
} tz_decoded_link;

typedef struct tz_decoded {
    tz_links links;
    double score, log_likelihood;    /* of the best alignment; of all */
    const tz_decoded_link *opt_link; /* [links.count] */
} tz_decoded;

/* Charts, reused from pair to pair. */
typedef struct tz_align_decoder tz_align_decoder;
/* TZ_NO_MEMORY. */
tz_status tz_align_decoder_new(tz_align_decoder **ret_decoder);
void tz_align_decoder_free(tz_align_decoder *decoder);

/* Memory is the arena's. posteriors: fill in log_likelihood and opt_link, at several times the
 * cost, which is m n^2. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_decode_words(tz_align_decoder *decoder, const tz_aligner *aligner, tz_arena *arena,
                          const tz_form *document, size_t n, const tz_form *abstract, size_t m,
                          bool posteriors, tz_decoded *ret_decoded, tz_error *error);

#endif
