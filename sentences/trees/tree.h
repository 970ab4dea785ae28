/* tree.h - a sentence's tree of constituents, each of which has a head.
 *
 * A *leaf* stands above one word: its category is the word's tag, or in a tree that was made from
 * dependencies (dependencies.h) the word's relation. Any other node has children, one of which is
 * its *head child*; its head word is that of the head child.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_TREE_H
#define TZ_SENTENCES_TREES_TREE_H

#include <stdint.h>

#include "base/arena.h"

#define TZ_NO_NODE UINT32_MAX

typedef struct tz_tree_word {
    const char *form, *tag; /* as written */
} tz_tree_word;

typedef struct tz_tree_node {
    const char *category;
    uint32_t begin, end;  /* words begin..end-1 */
    uint32_t parent;      /* TZ_NO_NODE: of the root */
    uint32_t first, next; /* the leftmost child; the sister to the right; TZ_NO_NODE: none */
    uint32_t head;        /* the head child; TZ_NO_NODE: a leaf */
    uint32_t head_word;   /* whose tag and form are the node's */
} tz_tree_node;

/* Words count from 0. node[0] is the root; a node stands before its children, sisters from left to
 * right, so that what is below node x stands in one stretch behind it. */
typedef struct tz_tree {
    uint32_t words, nodes;
    tz_tree_word *word;
    tz_tree_node *node;
} tz_tree;

#endif
