/* outward.h - a tree of constituents as deletions see it: from each head outwards, in numbers.
 *
 * A constituent with one child is that child: its parent sees the category at the top of such a
 * chain, its children see the categories from the bottom upwards. Nodes are numbered from 0, the
 * root, each before its children, which come in the order H, L^1, L^2, ..., R^1, R^2, ... from the
 * head outwards, each with all below it. So deletions are decided one after the other along `next`.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_OUTWARD_H
#define TZ_SENTENCES_DELETIONS_OUTWARD_H

#include <trapeze/trapeze.h>

#include "sentences/trees/tree.h"

enum { TZ_ANCESTORS = 3 }; /* categories from a constituent upwards that its children see */

typedef enum tz_head_side { TZ_SIDE_HEAD, TZ_SIDE_LEFT, TZ_SIDE_RIGHT } tz_head_side;

typedef struct tz_outward_node {
    uint64_t category, tag, word;    /* hashes; tag and word are the head word's */
    uint64_t ancestor[TZ_ANCESTORS]; /* seen by its children: its own category, its parent's, ...;
                                        above the root there is none */
    uint32_t begin, end;             /* words begin..end-1 */
    uint32_t parent, first, next;    /* `first`: its head child; `next`: its parent's next child;
                                        TZ_NO_NODE: none */
    uint32_t inner;                  /* the next sister towards the head; TZ_NO_NODE: none */
    tz_head_side side;
} tz_outward_node;

typedef struct tz_outward {
    uint32_t words, nodes;
    tz_outward_node *node;
    uint32_t *number; /* [nodes of the tree]: the number of each here */
} tz_outward;

/* Is the node the head child of a constituent? The root is not. */
static inline bool tz_outward_is_head(const tz_outward *tree, uint32_t node) {
    return tree->node[node].parent != TZ_NO_NODE && tree->node[node].side == TZ_SIDE_HEAD;
}

/* Numbers a tree. Memory is the arena's. Cost: linear in the nodes. TZ_BAD_ARGUMENT: no word;
 * TZ_NO_MEMORY. */
tz_status tz_outward_new(tz_arena *arena, const tz_tree *tree, tz_outward *ret_outward);

#endif
