/* reparse.h - a second look at trees: the best ones under neural scores of arcs (neural/neural.h),
 * which see the trees and labels that a parser and a labeller found without them; and their labels.
 *
 * Stacking, after Nivre & McDonald 2008, Integrating graph-based and transition-based dependency
 * parsers. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_REPARSE_H
#define TZ_SENTENCES_LEARN_REPARSE_H

#include "sentences/learn/pack.h"

typedef struct tz_reparser tz_reparser;

/* labels: the labeller's; their numbers are used for labels. They and the pack may be freed
 * afterwards. threads: at least 1. TZ_NONE: the pack has no such scores; TZ_IO: they are damaged,
 * or have other labels; TZ_NO_MEMORY. */
tz_status tz_reparser_new(const tz_pack *pack, const tz_labels *labels, unsigned threads,
                          tz_reparser **ret_reparser, tz_error *opt_error);
void tz_reparser_free(tz_reparser *reparser);

/* Finds the heads head[s][1..words] of sentence[s], with outline and at least one word: projective,
 * one word under the root. The result does not depend on the number of threads. Cost: O(n^3).
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_reparse(tz_reparser *reparser, const tz_sentence *const *sentence, size_t count,
                     int32_t *const *head, tz_error *opt_error);
/* The labels that go with sentence s of the last call, [1..words], until the next one. */
const int32_t *tz_reparsed_labels(const tz_reparser *reparser, size_t s);

#endif
