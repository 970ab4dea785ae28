/* trees.h - evaluates trees of constituents: figures of one sentence, by PARSEVAL (Black et al.
 * 1991).
 *
 * A constituent is its category and the words that it covers; equal ones are counted as often as
 * they occur. Leaves do not count. Words whose tag in the right tree is , . : `` or '' are left out
 * before constituents are compared, and with them constituents that cover nothing else.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_TREES_H
#define TZ_SENTENCES_EVAL_TREES_H

#include "sentences/eval/report.h"
#include "sentences/trees/tree.h"

enum {
    TZ_TREES_F1, /* of labelled constituents */
    TZ_TREES_PRECISION,
    TZ_TREES_RECALL,
    TZ_TREES_CROSSING,  /* constituents found that cross a right one */
    TZ_TREES_UNCROSSED, /* trees without crossing constituents */
    TZ_TREES_EXACT,     /* trees with the right constituents */
    TZ_TREES_TAGS,      /* words with the right tag */
    TZ_TREES_FIGURES
};
extern const tz_figure tz_trees_figure[TZ_TREES_FIGURES];

/* Two trees over the same number of words; punctuation: it counts like other words. ret_ratio:
 * [TZ_TREES_FIGURES]. Cost: in proportion to the words of all constituents. TZ_NO_MEMORY. */
tz_status tz_trees_measure(const tz_tree *gold, const tz_tree *system, bool punctuation,
                           tz_ratio *ret_ratio);

#endif
