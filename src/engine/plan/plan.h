/* plan.h - rules x semiring, with every index expression composed down to the columns of the loops.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_PLAN_H
#define TZ_ENGINE_PLAN_PLAN_H

#include "engine/plan/algebra.h"
#include "rules/polyhedra/form.h"

enum {
    TZ_MAX_EDGES = 8 /* bounds of a run that move with the split; steps with more go split by
                        split */
};

/* A pass over a chart. The tangents, in the same order, are the derivatives of its values as the
 * scores move. */
typedef enum tz_pass {
    TZ_PASS_INSIDE,
    TZ_PASS_OUTSIDE,
    TZ_PASS_WEIGHTS,  /* the outside of weights */
    TZ_PASS_TANGENTS, /* the tangents of pass p are pass TZ_PASS_TANGENTS + p */
    TZ_PASSES = 2 * TZ_PASS_TANGENTS
} tz_pass;

/* A term with its expressions over the columns of a nest. */
typedef struct tz_bound_term {
    tz_what what;
    uint16_t which;
    uint8_t rank;
    uint32_t address;          /* all but sparse weights: index into tz_chart.address */
    bool inner;                /* it depends on the split */
    bool still;                /* it does not depend on the run */
    bool tangent;              /* its cell is in the space of tangents */
    const tz_form *index;      /* [rank] */
    const tz_form *stage;      /* of an item of the target's group, where that has one stage */
    const tz_form *coordinate; /* [rank], where it has an address */
    const tz_constraint *constraint; /* weights: the domain */
    uint32_t constraints;
} tz_bound_term;

/* A conjunction. */
typedef struct tz_conditions {
    const tz_constraint **at;
    uint32_t count;
} tz_conditions;

/* The conditions that tie the entries of a sparse term, whose indices are the columns from `first`
 * on. They are over lengths and the columns up to the term's last. */
typedef struct tz_tie {
    uint8_t first;
    uint32_t number;        /* of the term, among those of the plan */
    tz_conditions own;      /* that mention no columns before it and are not in its domain */
    tz_conditions equation; /* that mention columns before it */
    tz_conditions other;
} tz_tie;

/* The entry conditions of a step with sparse weights. */
typedef struct tz_ties {
    tz_domain before; /* that mention no entry */
    tz_tie term[TZ_MAX_SPARSE];
    bool apart;   /* the loops are the same for all entries */
    bool lengths; /* other conditions mention lengths: which entries fit depends on them */
    bool staged;  /* or the target's stage */
    bool rows;    /* targets of two choices are the same row or have nothing in common */
} tz_ties;

typedef struct tz_bound_step {
    const tz_step *step;
    const tz_nest *nest;
    tz_bound_term target;
    tz_bound_term *term;
    uint16_t terms, stages; /* stages: the first givens, see tz_step */
    const tz_ties *ties;    /* where there are sparse weights */
    bool growing;           /* for longer lengths the loops cover those for shorter ones */
    bool edged;             /* split and run are one tile with edges */
    bool bundles;           /* targets of neighbouring stages are computed together, see bundle.c */
} tz_bound_step;

/* LISTED: strips of all instances. TRACED: strips as a semiring traces them, where an item whose
 * only premise is a fold is done together with the fold. */
typedef enum tz_strips { TZ_LISTED, TZ_TRACED, TZ_STRIPS } tz_strips;

struct tz_plan {
    const tz_rules *rules;
    tz_algebra wide, narrow;
    bool has_narrow;
    double exact; /* largest value of wide elements, see pass/exact.c */
    bool convex;  /* loops have no holes, and bounds that are linear in the givens */
    bool plain;   /* TZ_PLAIN: interpret.c computes the passes, and no weight has a place */
    bool growing; /* for longer lengths the stages of every kind cover those for shorter ones */
    bool nested;  /* longer lengths have all cells of shorter ones, at the same places */
    bool ends;    /* the index of some used cell depends on lengths, as weight[n] */
    uint8_t shared_lengths; /* lengths besides the first that lanes should share (bit l), else sums
                               are slow */
    /* One per step of the table; trace: of inside steps. There a presence has no terms: derivations
     * end at it. */
    tz_bound_step *inside, *outside, *weight_pass, *trace;
    /* Of each pass, one step for each term of each of its steps; those of step s are
     * tangent_first[s] .. tangent_first[s + 1] - 1. NULL where the semiring has no tangents. */
    tz_bound_step *tangent[TZ_PASS_TANGENTS];
    uint32_t *tangent_first[TZ_PASS_TANGENTS];
    struct tz_strip_plan *strips[TZ_STRIPS]; /* or NULL, see strips.h */
    const uint16_t *late; /* [rules] a step of each; NULL: of every node, the uses of its own rule
                             are found before what is below it, see trace/order.c */
    size_t most_terms;    /* of an instance, which may include a fold's; at least 1 */
    tz_plan *uses;        /* for a semiring with marks: the plan that counts uses, see
                             problem/check_facts.c */
    size_t addresses, sparse_terms;
    bool tied_lengths; /* the entries that fit some step depend on lengths */
    struct tz_arena *arena;
};

/* Does the pass compute tangents, and of which pass? */
static inline bool tz_pass_tangents(tz_pass pass) {
    return pass >= TZ_PASS_TANGENTS;
}
static inline tz_pass tz_pass_primal(tz_pass pass) {
    return pass >= TZ_PASS_TANGENTS ? pass - TZ_PASS_TANGENTS : pass;
}

/* Terms 0..terms-1 of an inside step in the order in which they are multiplied: those that depend
 * on its split, then the others. */
void tz_term_order(const tz_plan *plan, const tz_step *step, uint8_t *ret_order);

#endif
