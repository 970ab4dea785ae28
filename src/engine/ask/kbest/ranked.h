/* ranked.h - the lists of best derivations behind tz_kbest, one for every item asked for.
 *
 * Huang & Chiang 2005 (IWPT), algorithm 3: the r-th derivation of an item is an instance together
 * with a rank in the list of each premise. A list keeps its derivations so far, and a heap of
 * candidates for the next one. Folds have lists like items. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_RANKED_H
#define TZ_ENGINE_ASK_KBEST_RANKED_H

#include <math.h>

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/layout/space.h"
#include "kernels/strips.h"

typedef struct tz_ranked tz_ranked;

/* A factor of an instance's product. */
typedef struct tz_factor {
    const void *element; /* a weight's; NULL: the factor is a premise */
    uint16_t premise;    /* its number, where element is NULL */
} tz_factor;

/* An instance that some derivation of a list uses. A premise with a single derivation needs no
 * list, nor does a premise with a single instance that itself has one premise: its list would be
 * that premise's. So an edge's premises are the others; it keeps the nodes of those left out. */
typedef struct tz_hyperedge {
    tz_ranked **premise; /* [premises] in the order of the step */
    tz_node *node;       /* [nodes] in preorder */
    uint8_t *before;     /* [premises + 1] number of nodes before each premise, and of all */
    tz_use *use;         /* [uses] its own, then those of the premises left out */
    tz_factor *factor;   /* [factors] in the order that a pass multiplies, or one of equal bits */
    uint16_t premises, nodes, uses, factors;
    uint16_t through;      /* the premise that is another's only one, or `premises` */
    uint16_t through_uses; /* uses of that other */
    bool through_is_item;  /* that other is an item; a fold has no node */
    uint32_t number;       /* in its list */
} tz_hyperedge;

typedef struct tz_ranking {
    const tz_hyperedge *edge;
    double score;
    const void *element;
    uint32_t rank[]; /* [premises] */
} tz_ranking;

/* A derivation that may come next in a list. */
typedef struct tz_candidate {
    double score;
    uint32_t number;     /* of the instance */
    tz_ranking *ranking; /* NULL: that instance with the best of each premise */
} tz_candidate;

/* The instances number first, first + 1, ... of a list. */
typedef struct tz_ranked_strip {
    const tz_strip *strip;
    const uint64_t *number; /* the numbers that its forms take besides the item's; then the
                               entries */
    int64_t low;            /* the turn of the first */
    uint32_t first;
} tz_ranked_strip;

/* The number of nodes and uses of an item, with all below it. */
typedef struct tz_subtree_size {
    uint32_t nodes, uses;
} tz_subtree_size;

/* Part of a derivation: an item with all below it, or the items that a fold stands for. */
typedef struct tz_subtree {
    const tz_node *node;         /* [nodes] in preorder */
    const tz_subtree_size *size; /* [nodes] of each node; NULL: not computed yet */
    const tz_use *use;           /* [uses] in the same order; dense weights without scores */
    size_t nodes, uses;
} tz_subtree;

/* An item's list. The members that every step reads come first, in one cache line. */
struct tz_ranked {
    const void *cell;   /* the best element */
    tz_ranking **best;  /* [bests]; the first is there before it is found, for its element */
    tz_candidate *heap; /* the first of them on top */
    size_t candidates, bests;
    uint32_t heap_room, best_room;
    uint16_t left; /* of the last derivation, premises whose next rank has not been tried */
    bool expanded;
    bool over;      /* there is no further derivation */
    bool hole;      /* the first candidate has been taken and its place is empty */
    bool unordered; /* numbers are not in the order of ties */
    bool traced;
    tz_subtree subtree; /* of the best derivation, where traced */
    uint32_t kind;
    int32_t index[TZ_MAX_RANK];
    tz_ranked_strip *strip;
    size_t strips;
    tz_ranking *few[2]; /* the first memory of `best` */
};

/* A derivation: nodes in preorder, uses sorted. */
typedef struct tz_written {
    tz_buffer node, unsorted, use, by_node, positions;
    size_t nodes, uses;
} tz_written;

struct tz_kbest {
    tz_chart *chart;
    uint64_t epoch; /* of the chart */
    size_t lane;
    bool distinct;
    char *room;  /* memory to be given out, of `block` at first, then of the arena */
    size_t left; /* of it */
    tz_arena *arena;
    tz_ranked **slot; /* hash table of lists by cell; a power of two */
    size_t slots, lists;
    tz_ranked *goal; /* NULL: it has no derivation */
    size_t next;     /* rank in its list */
    double within;   /* the most that a score may be below the best */
    uint32_t **seen; /* hash table of structures; a power of two */
    size_t seens, structures;
    tz_derivation derivation;
    /* Memory that the chart's next list takes over: */
    tz_buffer block;                      /* for what the list keeps */
    tz_buffer asking, strips, candidates; /* for lists */
    tz_buffer pending, node, use;         /* for tracing */
    tz_buffer parts, sorting;
    tz_written written;
};

/* Is the element, whose score this is, zero? Zero scores -INFINITY. */
static inline bool tz_kbest_zero(const tz_kbest *kbest, double score, const void *element) {
    return !(score > -INFINITY) && tz_is_zero(kbest->chart, element);
}

#endif
