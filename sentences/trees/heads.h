/* heads.h - finds the head child of each constituent of a Penn Treebank tree.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_HEADS_H
#define TZ_SENTENCES_TREES_HEADS_H

#include "sentences/trees/tree.h"

/* Fills head and head_word of all nodes by the rules of Collins 1999, Head-Driven Statistical
 * Models for Natural Language Parsing, appendix A, with NML and NX like NP. Cost: linear but for
 * the length of the longest list of categories. */
void tz_tree_heads(tz_tree *tree);

#endif
