/* tree.h - a sentence's tree of constituents, each of which has a head.
 *
 * A *leaf* stands above one word: its category is the word's tag, or in a tree that was made from
 * dependencies (dependencies.h) the word's relation. Any other node has children, one of which is
 * its *head child*; its head word is that of the head child.
 *
 * Nothing here goes deeper into the stack for deeper trees.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_TREE_H
#define TZ_SENTENCES_TREES_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

#include "base/arena.h"

#define TZ_NO_NODE UINT32_MAX

typedef struct tz_tree_word {
    const char *form, *tag; /* as written; brackets as brackets, not -LRB- */
} tz_tree_word;

typedef struct tz_tree_node {
    const char *category;
    uint32_t begin, end;  /* words begin..end-1 */
    uint32_t parent;      /* the root's is TZ_NO_NODE */
    uint32_t first, next; /* the leftmost child; the sister to the right; TZ_NO_NODE: none */
    uint32_t head;        /* the head child; TZ_NO_NODE: a leaf */
    uint32_t head_word;   /* the word whose tag and form the node has */
} tz_tree_node;

/* Words count from 0. node[0] is the root; a node stands before its children, sisters from left to
 * right. So the nodes below x directly follow x. */
typedef struct tz_tree {
    uint32_t words, nodes;
    tz_tree_word *word;
    tz_tree_node *node;
} tz_tree;

/* Has the node no child? */
static inline bool tz_tree_leaf(const tz_tree_node *node) {
    return node->first == TZ_NO_NODE;
}
/* The first node after x and all nodes below x; tree->nodes after the last. Cost: the depth of
 * x. */
uint32_t tz_tree_behind(const tz_tree *tree, uint32_t x);
/* Have two trees the same words, tags, categories, form and heads? */
bool tz_tree_same(const tz_tree *a, const tz_tree *b);

/* ---- Making one ------------------------------------------------------------------------------ */

/* A node of a draft, in any order. */
typedef struct tz_draft_node {
    const char *category;
    uint32_t first, next; /* of the draft; TZ_NO_NODE: none */
    uint32_t head;        /* the head child; TZ_NO_NODE: a leaf, or not known yet */
    uint32_t word;        /* of a leaf */
} tz_draft_node;

/* Makes a tree of draft[root] and all below it, of `nodes` drafts; leaves from left to right are
 * words 0, 1, ... Where heads are not known, call tz_tree_heads (heads.h). Categories and `word`
 * are borrowed; the nodes are the arena's. TZ_NO_MEMORY. Cost: linear. */
tz_status tz_tree_number(tz_arena *arena, const tz_draft_node *draft, uint32_t nodes, uint32_t root,
                         tz_tree_word *word, tz_tree *ret_tree);
/* Fills in head_word where all head children are known. Cost: linear. */
void tz_tree_head_words(tz_tree *tree);

#endif
