/* limits.h - the parts of finding best derivations within limits on a resource.
 *
 * A price on the resource turns the limited problem into plain ones (bisect.c), whose best values
 * bound it from above. Where the bound leaves the answer open, it is found on the part of the
 * deductions that can still matter (forest.c, amounts.c), or by the charged rules (charged.c),
 * whose items hold the amount as an index. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LIMITS_LIMITS_H
#define TZ_ENGINE_LIMITS_LIMITS_H

#include "engine/ask/expand.h"

/* A resource whose amount determines the limited one's: the limited resource itself, or its
 * rest. */
typedef struct tz_limit_side {
    size_t resource;
    bool rest; /* the limited amount is a total, given by the lengths, minus this one */
    tz_rules *charged;
    tz_plan *plan; /* of the charged rules; NULL where there are none */
} tz_limit_side;

struct tz_limiter {
    const tz_rules *rules;
    size_t resource;
    tz_plan *plan;
    tz_limit_side side[2];
    unsigned sides;
};

/* The amount of the priced resource that a use of a weight consumes: base + sum of index[q] *
 * (index q). */
typedef struct tz_amount {
    bool charged;
    int64_t base, index[TZ_MAX_RANK];
} tz_amount;

/* A copied derivation of the plain rules, with the given scores, whose sum in the order of the uses
 * is its score, and with its amount of the priced resource. */
typedef struct tz_kept {
    tz_derivation derivation;
    double size; /* sum of |score| */
    int64_t amount;
    tz_buffer uses, nodes, by_node, positions;
} tz_kept;

enum { TZ_MOST_THIN = 64 /* see tz_forest_grow */ };

/* An item at index values in the part of the deductions that is kept. */
typedef struct tz_forest_node {
    uint32_t kind;
    int32_t index[TZ_MAX_RANK];
    int64_t stage[TZ_MAX_RANK];
    double best;       /* its best score in the chart */
    double room;       /* the most that a derivation of it may score below `best` */
    ptrdiff_t cell;    /* its cell in the chart */
    int64_t low, high; /* amounts of derivations within the room; low > high: none */
    size_t value;      /* of amount low, in tz_forest.value */
} tz_forest_node;

/* An instance that concludes a node's item. */
typedef struct tz_forest_edge {
    tz_instance instance;
    double score;   /* of its weights */
    double room;    /* of its premises */
    int64_t amount; /* that its weights consume */
    size_t premise; /* the first, in tz_forest.premise */
    uint32_t premises;
} tz_forest_edge;

/* All items of derivations whose score is at most `distance` below the best one's, and the
 * instances of one item; instances are made again when needed, since there can be n times as many.
 * The arrays grow; their counts say where they end. */
typedef struct tz_forest {
    tz_buffer node, value, prefix;
    tz_buffer edge, premise; /* of one node, see tz_forest_expand */
    tz_buffer heap;          /* nodes to be expanded, the last in order of evaluation on top */
    tz_buffer order; /* nodes in order of expansion: each after all nodes that it is a premise of */
    tz_buffer slot;  /* [cells of the chart] node + 1 */
    tz_buffer
        least; /* [cells] the least distance of a node's derivations that fit below its best */
    size_t nodes, edges, premises, values, heaped, ordered;
    unsigned thin;   /* see tz_forest_grow */
    double distance; /* see tz_forest_grow */
    double next;     /* the least distance of anything left out; INFINITY: nothing was */
    double work;     /* see tz_forest_grow */
} tz_forest;

/* The instances of a node that are within its room, one after the other. */
typedef struct tz_forest_scan {
    tz_expansion strips;
    double best, room;              /* of the node */
    size_t at;                      /* the instance's place in its part of a strip */
    double left;                    /* the room that the instance leaves to its premises */
    bool placed;                    /* the fields from `steady` to `stride` are set for this part */
    bool steady;                    /* all instances of the strip use the same cells of weights */
    bool weighed;                   /* the scores of these cells have been looked up */
    ptrdiff_t cell[TZ_MAX_TERMS];   /* [premises] of the part's first instance */
    ptrdiff_t stride[TZ_MAX_TERMS]; /* [premises] from cell to cell along the strip */
    double least;                   /* room that an instance must leave; for thin forests */
    unsigned ties;                  /* number of instances that may leave no more than that */
    double shortfall;               /* the least by which an instance exceeds the room */
} tz_forest_scan;

struct tz_limit_chart {
    const tz_limiter *limiter;
    tz_chart *chart;
    tz_chart *charged[2];
    tz_forest forest;
    tz_kept kept[4];
    tz_buffer curve;
    size_t curve_count;
    tz_buffer facts, cells; /* in the form of the charged rules */

    /* The problem at hand: */
    const tz_problem *problem;
    const tz_limit_side *side; /* whose resource is priced */
    double price;              /* of the chart's pass; 0: none */
    int64_t total;             /* of the limited amount and its rest, where that is declared */
    tz_lane_scores *source;    /* [weights] as they were given */
    tz_amount *amount;         /* [weights] */
    tz_scores *bound;          /* [weights] as they are bound */
    tz_buffer *room;           /* [weights] scores of `bound` that are not the source's */
    tz_buffer *order;          /* [weights] sparse ones: entries in the order of their indices */
    bool *ordered;             /* [weights] `order` has been made; made when first needed */
    bool has_curve;            /* the curve of this problem is known */
    const tz_limit_side
        *curve_side; /* whose charged chart holds the curve; NULL: the forest does */
};

/* The state of the search for the best derivation with low <= amount <= high of the priced
 * resource. */
typedef struct tz_limit_search {
    int64_t low, high;
    int64_t target; /* low or high: the end that the price pushes towards; the bound is for it */
    tz_kept *near;  /* end of the bracket: best for its price, on this side of the target */
    tz_kept *far;   /* end of the bracket: best for its price, at the target or beyond it */
    tz_kept *best;  /* best known within the limits; best->derivation.node is NULL where none is */
    double price;   /* of the chart's last pass */
    double bound;   /* no derivation in the limits scores more, by that pass */
    bool certain;   /* `best` is proved to be the best */
    bool priced;    /* the chart holds the pass at `price` */
    unsigned steps;
} tz_limit_search;

/* ---- Scores under a price, priced.c --------------------------------------------------------- */

/* Takes a problem and evaluates it without a price. Errors of tz_bind. */
tz_status tz_limit_take(tz_limit_chart *c, const tz_problem *problem, tz_error *opt_error);
/* Evaluates the problem with price * amount added to every score. TZ_BAD_SCORE where that leaves
 * the range. */
tz_status tz_limit_price(tz_limit_chart *c, double price);
/* Evaluates the problem with every score but -INFINITY replaced by amount * direction. */
tz_status tz_limit_amounts(tz_limit_chart *c, int direction);
/* The given score of a cell. TZ_NO_MEMORY. */
tz_status tz_limit_score(tz_limit_chart *c, unsigned weight, const int32_t *index,
                         double *ret_score);
int64_t tz_limit_amount(const tz_limit_chart *c, unsigned weight, const int32_t *index);
/* Copies a derivation of the plain rules or of charged ones. */
tz_status tz_limit_keep(tz_limit_chart *c, const tz_derivation *derivation, tz_kept *to);

/* The limited amount of so much of a side's resource, and the other way round. */
static inline int64_t tz_limit_convert(const tz_limit_chart *c, const tz_limit_side *side,
                                       int64_t amount) {
    return side->rest ? c->total - amount : amount;
}

/* An interval of limited amounts as one of a side's resource, and the other way round. */
static inline void tz_limit_ends(const tz_limit_chart *c, const tz_limit_side *side, int64_t *low,
                                 int64_t *high) {
    int64_t first = tz_limit_convert(c, side, *low), last = tz_limit_convert(c, side, *high);
    *low = side->rest ? last : first;
    *high = side->rest ? first : last;
}

/* ---- Bisection, bisect.c --------------------------------------------------------------------- */

/* Bisects, after tz_limit_take; `search` has low and high. TZ_NONE: there is no derivation, or all
 * have amounts below low, or all above high. */
tz_status tz_limit_bisect(tz_limit_chart *c, tz_limit_search *search);

/* Narrows low..high to the least and greatest amount of derivations, by two passes. TZ_NONE. */
tz_status tz_limit_clip(tz_limit_chart *c, int64_t *low, int64_t *high);

/* ---- The exact program on what is left: forest.c, scan.c, amounts.c ------------------------- */

/* Grows the forest of the chart's derivations that are at most `distance` below the best one. thin:
 * takes only so many instances of a node, the best ones; 0: all. Its work is the instances looked
 * at, and a constant for each strip of them; it gives up, with *ret_done false, where the work
 * exceeds the limit. */
tz_status tz_forest_grow(tz_limit_chart *c, double distance, unsigned thin, double limit,
                         bool *ret_done);
void tz_forest_scan_start(tz_forest_scan *scan, tz_limit_chart *c, const tz_forest_node *node);
/* The next instance; false past the last. */
bool tz_forest_scan_next(tz_forest_scan *scan, tz_limit_chart *c);
/* Fills `edge` with the node's instances whose premises have amounts. */
tz_status tz_forest_expand(tz_limit_chart *c, const tz_forest_node *node);
/* Finds the best score of each amount 0..most at each node, over the derivations within its room.
 * Gives up as tz_forest_grow does; the work is a tenth for each pair of amounts. */
tz_status tz_forest_evaluate(tz_limit_chart *c, int64_t most, double limit, bool *ret_done);
/* The best score of the goal with this amount, as given; -INFINITY if there is none. */
double tz_forest_goal(const tz_limit_chart *c, int64_t amount);
/* A derivation with that score; there must be one. */
tz_status tz_forest_trace(tz_limit_chart *c, int64_t amount, tz_kept *to);
void tz_forest_free(tz_forest *forest);
/* Finds the best derivation within the limits in forests of growing distance from the bound that
 * bisection left, and sets search->best and ->certain, which stays false where this takes more work
 * than the limit. If the chart holds no priced pass, the forest has all derivations. TZ_NONE. */
tz_status tz_limit_prune(tz_limit_chart *c, tz_limit_search *search, double limit);

/* ---- The exact program of the charged rules, charged.c --------------------------------------- */

/* The side whose charged rules need to hold the fewest amounts for the priced amounts low..high;
 * *ret_most is the largest of them. NULL if there are no charged rules. */
const tz_limit_side *tz_charged_choose(const tz_limit_chart *c, int64_t low, int64_t high,
                                       int64_t *ret_most);
/* Evaluates the charged rules of a side. */
tz_status tz_charged_evaluate(tz_limit_chart *c, const tz_limit_side *side, int64_t low,
                              int64_t high);
/* The best score with this priced amount, one of those evaluated; -INFINITY if there is none. */
double tz_charged_goal(const tz_limit_chart *c, const tz_limit_side *side, int64_t amount);
/* The derivation with that score. TZ_NONE. */
tz_status tz_charged_trace(tz_limit_chart *c, const tz_limit_side *side, int64_t amount,
                           tz_kept *to);

#endif
