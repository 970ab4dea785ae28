/* trace_plan.h - the steps of kinds whose best derivations are found again directly.
 *
 * The instances of such a step lie along one loop (or two) over the split, where each operand
 * stands at fixed strides, so the semiring looks through them at once. What that takes is worked
 * out when the plan is made (trace_plan.c), and for lengths when they are bound.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_TRACE_PLAN_H
#define TZ_ENGINE_PLAN_TRACE_PLAN_H

#include "engine/plan/plan.h"

/* Room for every index, in whole pairs; those of a small step's weight. */
enum {
    TZ_TRACE_LOOPS = 2,
    TZ_TRACE_PAIRS = (TZ_MAX_RANK + 1) / 2,
    TZ_TRACE_INDICES = 2 * TZ_TRACE_PAIRS,
    TZ_SMALL_PAIRS = 2
};

/* base + sum of index[q] * (index q of the target) + outer * (outer loop) + last * (last loop). */
typedef struct tz_linear {
    int64_t base, index[TZ_TRACE_INDICES], outer, last;
} tz_linear;

/* Two indices a and b are worked out and kept as one pair: a + 2^31 in the lower half, so that no
 * borrow of a negative one reaches the upper, and b in the upper. */
#define TZ_PAIR_BIAS ((uint64_t)1 << 31)

/* What is to be added for changes of a and b. */
static inline int64_t tz_pair_change(int64_t a, int64_t b) {
    return a + b * ((int64_t)1 << 32);
}
/* Where an operand's element stands, in bytes. */
typedef struct tz_trace_cell {
    const char *origin; /* lane 0, for index values 0 */
    ptrdiff_t index[TZ_TRACE_INDICES], outer, last;
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

/* A simple step of few parts, which most are, where no item has more than two indices, and no
 * weight of the rule set more than four. It is worked out for the lengths so that little is left
 * for an item: all but `change` is that of the loop's first turn. Addresses are those of lane 0. */
typedef struct tz_small_step {
    tz_plane condition, turns; /* of the loop; condition: where `conditional` */
    tz_plane target, operand[TZ_SMALL_OPERANDS];
    ptrdiff_t split[TZ_SMALL_OPERANDS];
    uint8_t part[TZ_SMALL_OPERANDS]; /* which premise; TZ_SMALL_PREMISES: the weight */
    tz_plane premise[TZ_SMALL_PREMISES], weight[TZ_SMALL_PAIRS];               /* pairs */
    uint64_t premise_change[TZ_SMALL_PREMISES], weight_change[TZ_SMALL_PAIRS]; /* turn by turn */
    uint32_t premise_kind[TZ_SMALL_PREMISES], which;                           /* which: weight */
    uint32_t node_rule, node_premises;
    uint8_t operands, premises, weights;
    bool conditional, alone, wide; /* wide: the weight has more than two indices */
} tz_small_step;

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
    unsigned pairs; /* of indices, for all kinds and weights: 1, 2 or TZ_TRACE_PAIRS */
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

/* Writes plan->tracing, or leaves it NULL where nothing is traced directly. */
tz_status tz_trace_plan_new(tz_plan *plan);

#endif
