/* brackets.h - reads trees in brackets, as in treebanks: (S (NP (NNS Dogs)) (VP (VBP bark))).
 *
 * One or more trees a line, or a tree over several lines. Blanks are space, tab, CR and LF, and
 * nothing else. An outer bracket without category, or of category ROOT or TOP, is left out where
 * there is one constituent in it. Trees are cleaned as they are read: traces (-NONE-) are left out
 * with the constituents that become empty; a category is cut at the first '-', '=' or '|', unless
 * it begins with '-' (-LRB-). -LRB-, -RRB-, -LSB-, -RSB-, -LCB- and -RCB- in words stand for
 * brackets. Heads are found by Collins' rules (heads.h).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_BRACKETS_H
#define TZ_SENTENCES_TREES_BRACKETS_H

#include "base/lines.h"
#include "base/text.h"
#include "sentences/trees/tree.h"

enum {
    TZ_BRACKETS_LINE = 1 << 26, /* bytes of a line: a sensible limit */
    TZ_BRACKETS_NODES = 1 << 24 /* of a tree before cleaning, at most */
};

typedef struct tz_brackets tz_brackets;

/* `lines` is borrowed until tz_brackets_free. NULL when memory is out. keep_going: a bracket in the
 * first column always begins a tree, so that a wrong tree does not spoil the next ones. */
tz_brackets *tz_brackets_new(tz_lines *lines, bool keep_going);
void tz_brackets_free(tz_brackets *brackets);

/* The next tree; all its memory is the arena's. TZ_NONE after the last; TZ_IO with FILE:LINE:COLUMN
 * (columns are characters from 1) for an error, after which nothing can be read, or with keep_going
 * the next call goes on with the next tree; TZ_NO_MEMORY. Cost: linear. */
tz_status tz_brackets_next(tz_brackets *brackets, tz_arena *arena, tz_tree *ret_tree,
                           tz_error *opt_error);
/* The line on which the tree read last begins, from 1. */
size_t tz_brackets_line(const tz_brackets *brackets);

/* Appends the tree, without an outer bracket and without LF. Brackets in words, and round ones in
 * categories, are written -LRB- and so on, blanks as no-break spaces. opt_dropped[x] != 0: node x
 * has "-DEL" after its category. */
void tz_brackets_write(const tz_tree *tree, const uint8_t *opt_dropped, tz_text *text);

#endif
