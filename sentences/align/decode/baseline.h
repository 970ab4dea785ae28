/* baseline.h - aligns texts without a model.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_DECODE_BASELINE_H
#define TZ_SENTENCES_ALIGN_DECODE_BASELINE_H

#include <stdbool.h>

#include "sentences/align/texts/links.h"

typedef enum tz_baseline_kind {
    TZ_BASELINE_IDENTITY, /* all pairs of equal words */
    TZ_BASELINE_LCS,      /* a longest common subsequence of words */
    /* The longest stretch that both texts have, up to stems, then the longest of what is left, and
     * so on; each word is used once, and stretches of fewer words than the cutoff are left out (as
     * Jing 2002 does: Computational Linguistics 28). Ties: first in the abstract, then in the
     * document. */
    TZ_BASELINE_BLOCKS,
} tz_baseline_kind;

typedef struct tz_baseline {
    tz_baseline_kind kind;
    uint32_t cutoff; /* fewest words of a block, at least 1 */
} tz_baseline;

/* Reads "identity", "lcs" or "blocks:N"; false for another text. */
bool tz_baseline_parse(const char *text, tz_baseline *ret_baseline);

/* The links of a document of n words and an abstract of m; memory is the arena's. Cost: time and
 * memory m n. TZ_NO_MEMORY. */
tz_status tz_baseline_align(const tz_baseline *baseline, tz_arena *arena, const tz_form *document,
                            size_t n, const tz_form *abstract, size_t m, tz_links *ret_links);

#endif
