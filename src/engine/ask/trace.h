/* trace.h - how best derivations are found again.
 *
 * The direct way: the instances of a step lie along one loop (or two) over the split, where each
 * operand stands at fixed strides, so the semiring looks through them at once. What that takes is
 * worked out when the plan is made (trace_plan.c) and when lengths are bound (trace_cells.c). The
 * general way (trace_scan.c) evaluates instance by instance: sparse weights, weights without a
 * place, more loops, index expressions of several variables, semirings without `find`.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_H
#define TZ_ENGINE_ASK_TRACE_H

#include "engine/ask/expand.h"

enum { TZ_TRACE_LOOPS = 2, TZ_TRACE_PAIRS = TZ_MAX_RANK / 2 };

/* base + sum of index[q] * (index q of the target) + outer * (outer loop) + last * (last loop). */
typedef struct tz_linear {
    int64_t base, index[TZ_MAX_RANK], outer, last;
} tz_linear;

/* Two indices a and b are worked out and kept as one pair: a + 2^31 in the lower half, so that no
 * borrow of a negative one reaches the upper, and b in the upper. */
#define TZ_PAIR_BIAS ((uint64_t)1 << 31)

/* What is to be added for changes of a and b. */
static inline int64_t tz_pair_change(int64_t a, int64_t b) {
    return a + b * ((int64_t)1 << 32);
}
static inline int64_t tz_pair(int64_t a, int64_t b) {
    return tz_pair_change(a + (int64_t)TZ_PAIR_BIAS, b);
}
static inline int32_t tz_pair_first(int64_t pair) {
    return (int32_t)(uint32_t)((uint64_t)pair ^ TZ_PAIR_BIAS);
}
static inline int32_t tz_pair_second(int64_t pair) {
    return (int32_t)(pair >> 32);
}
static inline void tz_pair_write(uint64_t pair, int32_t index[2]) {
    index[0] = (int32_t)(uint32_t)(pair ^ TZ_PAIR_BIAS);
    index[1] = (int32_t)(uint32_t)(pair >> 32);
}

/* Where an operand's element stands, in bytes. */
typedef struct tz_trace_cell {
    const char *origin; /* lane 0, for index values 0 */
    ptrdiff_t index[TZ_MAX_RANK], outer, last;
    ptrdiff_t split; /* of the last loop, in elements */
} tz_trace_cell;

/* A step of a kind that is traced directly. Its forms stand one after the other: conditions, which
 * must be >= 0; lower and upper bounds of the last loop, 0 and 0 where there is none; the indices
 * of premises, then of weights, as `pairs` pairs each; bounds of the loop around it. Its cells are
 * the target's, then the operands' in the order that a pass multiplies. */
typedef struct tz_trace_step {
    const tz_linear *form;
    const tz_trace_cell *cell;
    const uint16_t *which;        /* kinds of premises, then weights */
    uint16_t rule, node_premises; /* as the node names them */
    uint8_t operands, conditions, premises, weights;
    bool alone;                         /* where it has an instance, no other step has one */
    bool simple;                        /* at most one loop, of one lower and one upper bound */
    bool small;                         /* see tz_small_step */
    bool leaf;                          /* an axiom of at most a condition, and alone */
    uint8_t lowers, uppers;             /* of the last loop */
    uint8_t outer_lowers, outer_uppers; /* of the loop around it; 0: there is none */
} tz_trace_step;

/* base + index[0] * a + index[1] * b of the target's pair, where a has its bias; modulo 2^64. */
typedef struct tz_plane {
    uint64_t base, index[2];
} tz_plane;

enum { TZ_SMALL_PREMISES = 2, TZ_SMALL_OPERANDS = 3 };

/* A simple step of few parts, which most are, where no item has more than two indices. It is worked
 * out for the lengths so that little is left for an item: all but `change` is that of the loop's
 * first turn. Addresses are those of lane 0. */
typedef struct tz_small_step {
    tz_plane condition, turns; /* of the loop; condition: where `conditional` */
    tz_plane target, operand[TZ_SMALL_OPERANDS];
    ptrdiff_t split[TZ_SMALL_OPERANDS];
    uint8_t part[TZ_SMALL_OPERANDS]; /* which premise; TZ_SMALL_PREMISES: the weight */
    tz_plane premise[TZ_SMALL_PREMISES], weight[TZ_TRACE_PAIRS];               /* pairs */
    uint64_t premise_change[TZ_SMALL_PREMISES], weight_change[TZ_TRACE_PAIRS]; /* turn by turn */
    uint32_t premise_kind[TZ_SMALL_PREMISES], which;                           /* which: weight */
    uint32_t node_rule, node_premises;
    uint8_t operands, premises, weights;
    bool conditional, alone, wide; /* wide: the weight has more than two indices */
} tz_small_step;

static inline uint64_t tz_plane_value(const tz_plane *plane, uint64_t a, uint64_t b) {
    return plane->base + plane->index[0] * a + plane->index[1] * b;
}

/* How many turns the step's loop takes for a pair; not above 0: it has no instance. */
static inline int64_t tz_small_turns(const tz_small_step *step, uint64_t a, uint64_t b) {
    if (step->conditional && (int64_t)tz_plane_value(&step->condition, a, b) < 0)
        return 0;
    return (int64_t)tz_plane_value(&step->turns, a, b);
}

/* The pair of a premise, of a turn. */
static inline uint64_t tz_small_premise(const tz_small_step *step, unsigned premise, uint64_t a,
                                        uint64_t b, size_t turn) {
    return tz_plane_value(&step->premise[premise], a, b) + step->premise_change[premise] * turn;
}

/* Writes the use of the weight, of a turn. */
static inline void tz_small_use(const tz_small_step *step, uint64_t a, uint64_t b, size_t turn,
                                tz_use *use) {
    use->weight = step->which;
    tz_pair_write(tz_plane_value(&step->weight[0], a, b) + step->weight_change[0] * turn,
                  use->index);
    use->index[2] = use->index[3] = 0;
    if (step->wide)
        tz_pair_write(tz_plane_value(&step->weight[1], a, b) + step->weight_change[1] * turn,
                      use->index + 2);
}

/* Steps of a kind, and the same but for leaves, where all are small. */
typedef struct tz_trace_steps {
    const tz_trace_step *step, *end;
    const tz_small_step *small, *small_end;
} tz_trace_steps;

typedef struct tz_trace_kind {
    tz_trace_steps through;    /* those that a fold's may be done with; none where the kind is not
                                  traced directly */
    tz_trace_steps apart;      /* each as the rules have it, for lists of instances */
    const tz_small_step *sole; /* what every item of the kind has for its only instance, or NULL */
    tz_plane leaf;             /* where it is at least 0 an item is a leaf */
    uint32_t leaf_rule;
} tz_trace_kind;

/* What of a plan all its charts share; pointers are to its own forms and cells. */
struct tz_trace_plan {
    unsigned pairs; /* of indices, for all kinds and weights */
    tz_trace_kind *kind;
    tz_trace_step *step;
    size_t steps, forms, cells, terms;
    uint16_t *which;                   /* [terms] */
    tz_linear *form;                   /* without the lengths */
    int64_t (*length)[TZ_MAX_LENGTHS]; /* [forms] */
    tz_trace_cell *cell;               /* without contents */
    const tz_bound_term **operand;     /* [cells] */
    const tz_nest **nest;              /* [cells] of the step that the cell is of */
    /* [cells] what the givens of the cell's step are, over the target's indices; or NULL */
    const tz_form **given;
};

/* The same for what is bound. */
struct tz_trace_chart {
    uint64_t version; /* of the layout that kinds and the cells' strides fit */
    bool filled;      /* all else fits the lengths and arrays that follow */
    int32_t length[TZ_MAX_LENGTHS];
    const void *inside, *weight;
    tz_trace_kind *kind;
    tz_trace_step *step;
    tz_small_step *small; /* [steps], where they are small */
    tz_linear *form;
    tz_trace_cell *cell;
};

/* Writes plan->tracing, or leaves it NULL where nothing is traced directly. */
tz_status tz_trace_plan_new(tz_plan *plan);
/* chart->trace.cells for a new chart. */
tz_status tz_trace_chart_new(tz_chart *chart);
void tz_trace_chart_free(tz_chart *chart);
/* Sets it up for a lane of the chart. */
void tz_trace_prepare(tz_chart *chart, size_t lane);

/* Is there a direct step that gives the item one derivation and no more, an axiom? The lane has
 * been prepared. */
bool tz_trace_is_leaf(const tz_chart *chart, unsigned kind, const int32_t *index);

#define TZ_NO_TURN SIZE_MAX

/* An item still to do. */
typedef struct tz_pending {
    int64_t pair[TZ_TRACE_PAIRS];
    uint32_t kind;
} tz_pending;

/* A derivation on its way. There is room for what one item more adds. */
typedef struct tz_tracer {
    tz_chart *chart;
    size_t lane, behind;     /* behind: so many bytes its elements stand behind those of lane 0 */
    tz_pending *pending;     /* end of the stack */
    const tz_buffer *bottom; /* where the stack begins */
    tz_node *node;           /* ends of the lists */
    tz_use *use;
} tz_tracer;

/* A derivation as it is traced: nodes in preorder, uses in the same order, those of dense weights
 * without scores (tz_sort_uses fills them in). */
typedef struct tz_traced {
    tz_buffer *pending, *node, *use; /* memory for it */
    size_t nodes, uses;
} tz_traced;

/* The best derivation of a kind's cell that is not zero; the lane has been prepared. TZ_NONE where
 * times does not keep what `find` asks of it; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_trace_item(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        tz_traced *to);

/* Takes an item off the stack and adds its best instance, found the general way; false if there is
 * none. */
bool tz_trace_scan(tz_tracer *t);

/* Adds an instance of an item: a node unless it is a fold, premises, uses. */
void tz_trace_add(tz_tracer *t, unsigned kind, const int32_t *index, const tz_instance *instance);

/* The uses of a lane's derivation in the documented order, in *ret_sorted, with the scores of dense
 * weights filled in. sorting: memory to work in. */
tz_status tz_sort_uses(const tz_chart *chart, size_t lane, const tz_use *use, size_t count,
                       tz_buffer *sorting, tz_buffer *ret_sorted);

#endif
