/* tree.h - the one tree that models of trees are asked about. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_FUZZ_TREE_H
#define TZ_TESTS_FUZZ_TREE_H

#include "fuzz.h"
#include "sentences/trees/brackets.h"

/* Of the arena. */
static inline tz_tree fuzz_tree(tz_arena *arena) {
    static const char text[] = "(S (NP (DT the) (NNS dogs)) (VP (VBP bark) (ADVP (RB now))))";
    tz_tree tree;
    fuzz_text in = fuzz_lines(text, sizeof text - 1, TZ_BRACKETS_LINE);
    tz_brackets *brackets = tz_brackets_new(in.lines, false);
    FUZZ_CHECK(arena != NULL && brackets != NULL);
    FUZZ_CHECK(tz_brackets_next(brackets, arena, &tree, NULL) == TZ_OK);
    tz_brackets_free(brackets);
    fuzz_lines_free(&in);
    return tree;
}

#endif
