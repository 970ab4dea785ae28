/* draft.h - the compiler's working form: kinds and steps before they have loops.
 * fold.c makes it from the rules, step by step (step.c); order.c finds the groups, stages.c their
 * stages, layout.c the memory layout; compile.c turns it into the tables. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_RULES_COMPILE_DRAFT_H
#define TZ_RULES_COMPILE_DRAFT_H

#include "base/arena.h"
#include "rules/polyhedra/nest.h"

enum { TZ_MAX_KINDS = 512, TZ_MAX_STEPS = 4096 };

/* Steps of the inside pass, of the outside pass, and of the weights. */
typedef enum tz_sort { TZ_SORT_INSIDE, TZ_SORT_OUTSIDE, TZ_SORT_WEIGHTS, TZ_SORTS } tz_sort;

/* target += sum over the points that satisfy every constraint of the product of the terms. */
typedef struct tz_draft_step {
    uint16_t rule;
    uint8_t variables;
    const char *variable_name[TZ_MAX_VARIABLES];
    tz_term target;
    tz_term *term; /* sparse weights first */
    uint16_t terms;
    uint8_t sparse;
    uint8_t within;            /* as a step's: closure.c */
    uint8_t stages;            /* likewise: parts.c */
    uint8_t *ready;            /* [terms] of how many stages a term's are complete when a step that
                                  is given so many is due; set with `stages` */
    tz_constraint *constraint; /* over the variables: all domains and the condition */
    uint32_t constraints;
} tz_draft_step;

typedef struct tz_draft {
    const char *file;
    tz_rules *rules;        /* the part that the file says is read, the rest is written */
    const tz_rule *written; /* its rules, as they stand in the file */
    tz_weight *weight;      /* its weights, as far as they are compiled */
    tz_arena *arena;
    tz_error *error;
    tz_kind *kind;       /* [TZ_MAX_KINDS] */
    tz_draft_step *step; /* [TZ_MAX_STEPS], those of one rule together, in file order */
    unsigned kinds, steps;
    tz_group *group;
    unsigned groups;
    tz_draft_step *made[TZ_SORTS]; /* the steps that the table's were built from, in their order */
    bool undivided;                /* sums are not taken apart */
    unsigned parts;                /* folds that are parts of sums */
    bool *unshared;    /* [rules] the rule is one step, which shares nothing; NULL: none is */
    const tz_rule *at; /* the rule being compiled, for messages; NULL: none */
} tz_draft;

/* Makes side conditions premises of the draft's rules. Their items are presences: kinds and steps
 * that are added to the draft. */
tz_status tz_join_sides(tz_draft *draft);
/* Restores the rules as written, except the numbers of their variables. */
tz_status tz_restore_sides(tz_draft *draft);
/* Makes kinds and steps of the rules, with work shared. */
tz_status tz_fold(tz_draft *draft);
/* Finds groups, their order and stages; where there is none, the error shows the cycle. */
tz_status tz_order(tz_draft *draft);
/* Finds the order of the kinds of one group, their stages, and the stages that its steps are
 * given. */
tz_status tz_find_stages(tz_draft *draft, tz_group *group, const uint16_t *kind, unsigned kinds);
/* `stages` of the outside step for term t of an inside step. */
uint8_t tz_stages_given(const tz_draft *draft, const tz_draft_step *step, unsigned t);
/* Finds the rules that may have a premise of a closure at the stage of their conclusion: sets
 * draft->unshared. Groups, steps and stages stay as they were. Errors as those of tz_order. */
tz_status tz_find_unshared(tz_draft *draft);
/* Cuts steps into those that stay within a stage of a closure, and others; after tz_order. */
tz_status tz_cut_closures(tz_draft *draft);
/* Is the kind an item of a closure? */
bool tz_is_closure(const tz_draft *draft, unsigned kind);
/* The function `to` of the target's indices minus `from` of a premise's; false where a number does
 * not fit. */
bool tz_stage_difference(const tz_draft_step *step, const tz_term *premise, const tz_form *from,
                         const tz_form *to, tz_form *ret);
/* Chooses the coordinates of every kind. */
tz_status tz_layout(tz_draft *draft);

/* The same for every dense weight, so that they line up with the loops of the inside steps. */
tz_status tz_layout_weights(tz_draft *draft);

/* Finds how far the coordinates of a kind or weight fall where its domain ties them together:
 * shear.c. */
tz_status tz_find_shears(tz_draft *draft, const tz_domain *domain, unsigned rank,
                         const tz_form *coordinate, const tz_range *range, const tz_shear **ret,
                         uint16_t *ret_count);

/* Finds the kinds whose items stay as they are where lengths grow; after tz_order. */
tz_status tz_find_staying(tz_draft *draft);

/* Cuts views, of the rules' weights, to the cells that rules can reach. */
tz_status tz_reach_views(tz_draft *draft, tz_weight *weight, unsigned weights);

/* Finds the lengths that lanes must share to be computed at once; after all steps are built. */
tz_status tz_find_lanes(tz_draft *draft);

/* Finds the cells of every dense weight that the steps use. */
tz_status tz_find_used(tz_draft *draft);

enum { TZ_MAX_PIECES = 64 };

/* A step without its TZ_NE constraints, as steps over disjoint convex sets of instances. */
typedef struct tz_pieces {
    tz_draft_step step[TZ_MAX_PIECES];
    unsigned count;
} tz_pieces;

tz_status tz_split_pieces(tz_draft *draft, const tz_draft_step *step, tz_pieces *ret);
/* The step with its loops; TZ_NONE if it has no instance. */
tz_status tz_build_step(tz_draft *draft, const tz_draft_step *step, tz_step *ret);

/* How well the layout so far lets neighbours be computed side by side: higher is better, 0: not at
 * all. */
tz_status tz_best_run(const tz_draft *draft, const tz_draft_step *step, int *ret_score);

/* The rule as one step, as it stands in the file, with nothing shared. */
tz_status tz_rule_step(const tz_draft *draft, const tz_rule *rule, tz_arena *arena,
                       tz_draft_step *ret);
/* The step's constraints as a system with so many givens; TZ_NE ones are left out. */
tz_status tz_step_system(const tz_draft *draft, const tz_draft_step *step, unsigned givens,
                         tz_system *ret_system);
/* The same without givens, and with TZ_NE ones as far as they cut off a face. TZ_NONE if the step
 * has no instance; *ret_system is to be freed on TZ_OK only. */
tz_status tz_step_hull(const tz_draft *draft, const tz_draft_step *step, tz_system *ret_system);
/* Bit set of the variables that the term's indices mention. */
uint32_t tz_term_variables(const tz_term *term);
/* Rank of the item, kind or weight that the term names. */
unsigned tz_term_rank(const tz_draft *draft, const tz_term *term);
/* Domain of the item, kind or weight that the term names. */
const tz_domain *tz_term_domain(const tz_draft *draft, const tz_term *term);

#endif
