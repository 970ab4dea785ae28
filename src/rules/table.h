/* table.h - the content of a rule file, and the tables that the compiler derives from it.
 *
 * The one format shared by the reader, the compiler, the build-time generator (which prints it as
 * constant C tables) and the engine. Nothing in it mentions a semiring. Everything is const and
 * reached by pointer and count, so that a table can live in an arena or in read-only data.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TABLE_H
#define TZ_RULES_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

enum {
    TZ_MAX_LENGTHS = 6,
    TZ_MAX_VARIABLES = 16, /* of one rule */
    TZ_MAX_TERMS = 64,     /* premises and weights of one rule */
    TZ_MAX_SPARSE = 3,     /* sparse weights in one rule */
    TZ_MAX_COLUMNS = 32,   /* variables, or the givens and loops of a nest */
    TZ_MAX_GAUGES = 4,
    TZ_MAX_CONSTANT = 1 << 20,
    TZ_GROWS_FROM = 2 /* the least length that a chart grows from, see tz_kind.anew */
};

/* constant + sum of length[l] * (length l) + sum of column[c] * (column c). The columns depend on
 * where the form stands: the indices of an item, the variables of a rule, ... */
typedef struct tz_form {
    int32_t constant;
    int16_t length[TZ_MAX_LENGTHS];
    int16_t column[TZ_MAX_COLUMNS];
} tz_form;

typedef enum tz_relation { TZ_GE, TZ_EQ, TZ_NE } tz_relation; /* form >= 0, = 0, != 0 */

typedef struct tz_constraint {
    tz_form form;
    tz_relation relation;
} tz_constraint;

/* A conjunction. */
typedef struct tz_domain {
    const tz_constraint *at;
    uint32_t count;
} tz_domain;

/* ---- Loops, derived by nest.c ---------------------------------------------------------------- */

/* divisor * v >= form for a lower bound of v, divisor * v <= form for an upper one; divisor > 0. */
typedef struct tz_bound {
    tz_form form;
    int32_t divisor;
} tz_bound;

typedef struct tz_range {
    const tz_bound *lower, *upper;
    uint16_t lowers, uppers;
} tz_range;

/* Loops that visit every integer point of a system of constraints once. The columns of its forms
 * are the givens, then the loops from outermost to innermost; range[q] mentions only columns before
 * givens + q. Where `entry` does not hold for the givens there is no point. */
typedef struct tz_nest {
    uint8_t givens, loops, variables;
    tz_domain entry;         /* over lengths and givens */
    const tz_range *range;   /* [loops] */
    const tz_form *variable; /* [variables] the point, over lengths, givens and loops */
} tz_nest;

/* Where coordinate `outer` of a cell is k >= 1 above that of another cell of the kind, and those
 * before it are the same, coordinate `inner` is at most k * fall below. fall: over lengths, and
 * grows with them; a shear is kept only where it grows slower than the range of `inner`. See
 * box.h. */
typedef struct tz_shear {
    uint8_t outer, inner;
    tz_bound fall;
} tz_shear;

/* ---- What the file says ---------------------------------------------------------------------- */

/* Numbers that a problem gives: x[i] for the points of the domain, each from 0 to below the bound.
 */
typedef struct tz_rules_input {
    const char *name;
    const char *index_name[TZ_MAX_RANK];
    uint8_t rank;
    uint32_t line;
    tz_form bound;                /* over lengths */
    tz_domain domain;             /* columns: the indices */
    const char *domain_text;      /* as written, "" if none */
    const char *comment;          /* of its line, "" if none */
    tz_nest cells;                /* derived: no givens, the loops are the indices in order */
    tz_range extent[TZ_MAX_RANK]; /* derived: smallest and largest value of each index */
} tz_rules_input;

/* Names for the values 0, 1, ... of indices that run to a length. */
typedef struct tz_rules_labels {
    uint16_t length, names;
    const char *const *name;
    uint32_t line;
    const char *comment; /* of its line, "" if none */
} tz_rules_labels;

/* The index of the declared weight that a view uses: at[0], or the number of an input looked up at
 * `at`. Columns: the view's indices. */
typedef struct tz_view_index {
    bool looked_up;
    uint16_t input;
    tz_form at[TZ_MAX_RANK];
} tz_view_index;

/* A weight that rules multiply by: one that the file declares, or a view of one, which holds over a
 * and i the cells that uses such as emit[a,x[i]] look up. */
typedef struct tz_weight {
    const char *name;
    const char *index_name[TZ_MAX_RANK];
    uint8_t rank;
    bool sparse;
    uint16_t declared;         /* which of the declared weights it is, or looks up */
    const tz_view_index *view; /* [views] of a view; NULL: it is the declared weight itself */
    uint8_t views;             /* the rank of the declared weight */
    uint32_t line;
    tz_domain domain;        /* columns: the indices */
    const char *domain_text; /* as written, "" if none */
    const char *comment;     /* of its line, "" if none */
    tz_nest cells;           /* derived: no givens, the loops are the indices in order */
    const tz_nest *used; /* [uses] derived, dense: the cells that steps use, as `cells`, and perhaps
                            some others; cells may be in several */
    uint16_t uses;       /* 0: steps use all cells */
    tz_range extent[TZ_MAX_RANK];           /* derived: smallest and largest value of each index */
    tz_form coordinate[TZ_MAX_RANK];        /* derived, dense: as a kind's */
    tz_range coordinate_range[TZ_MAX_RANK]; /* over lengths */
    const tz_shear *shear;                  /* [shears] derived, dense: as a kind's */
    uint16_t shears;
    const tz_shear *index_shear; /* [index_shears] derived, views: the same of indices */
    uint16_t index_shears;
    uint16_t outside, outsides; /* steps adding to it: weight_steps[outside .. +outsides) */
} tz_weight;

typedef struct tz_item {
    const char *name;
    const char *index_name[TZ_MAX_RANK];
    uint8_t rank;
    uint32_t line;
    tz_domain domain; /* columns: the indices */
    const char *domain_text;
    const char *comment;
    bool closure;                 /* its items may need one another in a circle */
    tz_range extent[TZ_MAX_RANK]; /* derived: smallest and largest value of each index */
} tz_item;

typedef enum tz_what { TZ_INSIDE, TZ_OUTSIDE, TZ_WEIGHT } tz_what;

/* One use of an item (later: a kind) or a weight, with an expression for each index. */
typedef struct tz_term {
    tz_what what;
    uint16_t which;
    tz_form index[TZ_MAX_RANK];
} tz_term;

/* A relation given by its tuples. */
typedef struct tz_listed {
    const char *name;
    const char *index_name[TZ_MAX_RANK];
    uint8_t rank;
    uint16_t tuples, values; /* values: tuples * rank */
    const int32_t *tuple;    /* [values] one after the other */
    uint32_t line;
    const char *tuples_text; /* as written */
    const char *comment;     /* of its line, "" if none */
} tz_listed;

/* Columns everywhere: the rule's variables, numbered by first appearance in premises, then weights,
 * then condition, then conclusion; variables that are summed out in a part of the sum come last. */
typedef struct tz_rule {
    const char *name;
    uint32_t line, column; /* of the name on the bar */
    uint8_t variables;
    const char *const *variable_name;
    const tz_term *premise, *side, *weight;
    uint16_t premises, sides, weights; /* sides: premises in brackets, which bring no value */
    tz_domain condition;
    const char *condition_text; /* as written, "" if none */
    tz_term conclusion;
} tz_rule;

/* resource NAME = total - resource[other], where other >= 0; else the sum of its charges. */
typedef struct tz_resource {
    const char *name;
    int other;
    tz_form total; /* over lengths */
    uint32_t line;
} tz_resource;

/* Using the weight consumes amount of the resource. */
typedef struct tz_charge {
    uint16_t resource, weight;
    tz_form amount; /* columns: the weight's indices */
    uint32_t line;
} tz_charge;

/* A use that is allowed but perhaps not meant. */
typedef struct tz_warning {
    uint32_t line, column;
    const char *text;
} tz_warning;

/* ---- What the compiler derives --------------------------------------------------------------- */

/* An item; or a fold: a product that the compiler stores once because several rules multiply it or
 * because a weight can be left out of the sum over splits; or a presence, which stands for an item
 * in side conditions: it is one where the item is not zero. Kinds 0..items-1 are the items. */
typedef struct tz_kind {
    const char *name; /* of a fold: the premises and weights it stands for */
    uint8_t rank;
    bool
        presence; /* its steps have the item as their only term; it and its steps have no outside */
    uint16_t group;
    tz_domain domain;                  /* columns: the indices */
    uint8_t stages;                    /* components of its stage */
    tz_form stage[TZ_MAX_RANK];        /* [stages] columns: the indices */
    tz_range stage_range[TZ_MAX_RANK]; /* [stages] over lengths */
    tz_form coordinate[TZ_MAX_RANK];   /* [rank] layout: outermost first, the last contiguous */
    tz_range coordinate_range[TZ_MAX_RANK]; /* over lengths */
    const tz_shear *shear;                  /* [shears] derived: rows that may lie closer */
    uint16_t shears;
    uint16_t inside, insides;      /* steps concluding it: steps[inside .. +insides) */
    uint16_t outside, outsides;    /* the same in outside_steps */
    uint16_t anew[TZ_MAX_LENGTHS]; /* 0: its items for a length of TZ_GROWS_FROM or more exist, with
                                      the same values, for every greater one, and none is solved for
                                      together with a new one; else 1 + a rule that prevents this */
} tz_kind;

/* Mutually dependent kinds, computed together: for every stage in lexicographic order, for every
 * kind in the order given, every step that concludes it. Outside runs all of it backwards.
 *
 * The components of a stage are loops around kinds, one inside the other: the kind at `at` of the
 * order has as many loops around it as its stage has components, and the outermost joined[at] of
 * them are around the kind before it as well. A step is given `stages` of them; where its target
 * has more, it comes before the loops over these, with the likes of it in the order given.
 *
 * The kinds closed .. closed+closeds-1 of the order are those of its closure. Their values x at one
 * stage solve x = M x + b: b is what their other steps give, and M what their steps `within` do. */
typedef struct tz_group {
    const uint16_t *kind;
    const uint8_t *joined; /* [kinds] */
    uint16_t kinds, closed, closeds;
    uint8_t stages; /* the most that a kind has */
} tz_group;

enum { TZ_ALL_LENGTHS = 0xff };

/* target (+)= sum over the points of the nest of the product of the terms.
 * The columns of target, terms and tie order are the step's variables: those of the rule it comes
 * from, in that order. */
typedef struct tz_step {
    uint16_t rule;
    uint8_t variables;
    uint8_t sparse;          /* how many of the terms are sparse weights; they come first */
    uint8_t shared_lengths;  /* lengths that lanes must share to be computed at once (bit l; all but
                                these make no difference: invalid instances are zero because an
                                operand is), or TZ_ALL_LENGTHS */
    uint8_t spilled_lengths; /* the same where items that a lane lacks may hold anything: lanes.c */
    uint8_t within;          /* 1 + the term that is solved for together with the target, an item of
                                its closure at its own stage (outside steps: the outside value of
                                one); 0: there is none */
    uint8_t stages;          /* components of the target's stage that it is given; weights: none */
    bool has_split, has_run; /* the innermost loop is the run, the one around it the split: the
                                target does not depend on it (of a weight's one cell, on neither) */
    bool rectangular;        /* the run's range does not depend on the split */
    tz_term target;
    const tz_term *term;
    uint16_t terms;
    tz_nest nest;  /* givens: `stages` of the target's stage, then the indices of each sparse
                      term */
    tz_nest trace; /* inside steps; givens: the target's indices, then those of sparse terms */
} tz_step;

/* A change of scale that changes no answer. At every point of every inside step, the target's form
 * is the sum of the forms of its terms, and 0 if it is a presence; so if each weight's element is
 * multiplied by x to the power of its form, each kind's value is multiplied by x to the power of
 * its own, and marginals stay. */
typedef struct tz_gauge {
    const tz_form *kind, *weight; /* [kinds], [weights] (without lengths); columns: the indices */
    uint16_t kinds, weights;      /* as in the rule set */
} tz_gauge;

struct tz_rules {
    const char *name;
    const char *const *cite;
    uint32_t cites;
    const double *count; /* declared numbers of structures for n = 1, 2, ... */
    uint32_t counts;
    bool ambiguous;
    bool derivations; /* derivations are counted: each is a structure of its own */
    const char *const *length_name;
    uint16_t lengths;
    const char *comment;     /* the comment block above `rules`, lines joined by \n; "" if none */
    const tz_weight *weight; /* weights that rules multiply by, in order of `declared` */
    uint16_t weights;
    const tz_weight *declared; /* with inputs, or weights that no rule uses: the weights as in the
                                  file */
    uint16_t declareds;
    const tz_rules_input *input;
    uint16_t inputs;
    const tz_rules_labels *labels;
    uint16_t labelled;
    const tz_item *item;
    uint16_t items;
    const tz_listed *relation;
    uint16_t relations;
    /* A rule with such relations in its condition becomes several consecutive rules, one for each
     * choice of tuples to which it can apply. Rules that need an item which nothing derives are
     * left out. */
    const tz_rule *rule;
    uint16_t rule_count;
    const tz_rule *written; /* with relations: the rules as in the file, without those left out */
    uint16_t writtens;
    const tz_resource *resource;
    uint16_t resources;
    const tz_charge *charge; /* of `weight` */
    uint16_t charges;
    const tz_charge *declared_charge; /* of `declared`, as in the file */
    uint16_t declared_charges;
    tz_term goal; /* over lengths */
    uint32_t goal_line, goal_column;
    const tz_warning *warning; /* in order of the file */
    uint16_t warnings;

    const tz_kind *kind;
    uint16_t kinds;
    const tz_group *group;
    uint16_t groups;
    /* weight_step: the outside value of each weight, summed over its uses. */
    const tz_step *step, *outside_step, *weight_step;
    uint16_t steps, outside_steps, weight_steps;

    const tz_gauge *gauge; /* independent; if a gauge's form of the goal grows with the lengths, the
                              first one's does */
    uint8_t gauges;

    struct tz_arena *arena; /* NULL for a built-in table */
};

/* Is the weight a view that looks up other cells or numbers where this length differs? */
static inline bool tz_view_mentions(const tz_weight *weight, unsigned length) {
    bool mentions = false;
    for (unsigned q = 0; q < (weight->view != NULL ? weight->views : 0u); q++)
        for (unsigned f = 0; f < TZ_MAX_RANK; f++)
            mentions |= weight->view[q].at[f].length[length] != 0;
    return mentions;
}

/* The weights as in the file; a problem gives their scores. */
static inline const tz_weight *tz_declared_weights(const tz_rules *rules, unsigned *ret_count) {
    *ret_count = rules->declareds > 0 ? rules->declareds : rules->weights;
    return rules->declareds > 0 ? rules->declared : rules->weight;
}

/* Does some rule multiply by a weight of the file? If not, its scores need not be given. */
static inline bool tz_weight_used(const tz_rules *rules, unsigned declared) {
    bool used = rules->declareds == 0;
    for (unsigned w = 0; w < rules->weights && !used; w++)
        used = rules->weight[w].declared == declared;
    return used;
}

/* Does some view look up an input's numbers? If not, these need not be given. */
static inline bool tz_input_used(const tz_rules *rules, unsigned input) {
    bool used = false;
    for (unsigned w = 0; w < rules->weights && !used; w++)
        for (unsigned q = 0; rules->weight[w].view != NULL && q < rules->weight[w].views; q++)
            used |= rules->weight[w].view[q].looked_up && rules->weight[w].view[q].input == input;
    return used;
}

static inline const tz_charge *tz_declared_charges(const tz_rules *rules, unsigned *ret_count) {
    *ret_count = rules->declareds > 0 ? rules->declared_charges : rules->charges;
    return rules->declareds > 0 ? rules->declared_charge : rules->charge;
}

/* Is the step's target a presence: one where the step's only term is not zero? */
static inline bool tz_is_presence(const tz_rules *rules, const tz_step *step) {
    return step->target.what == TZ_INSIDE && rules->kind[step->target.which].presence;
}

/* Does some rule have a side condition? */
static inline bool tz_has_sides(const tz_rules *rules) {
    for (unsigned r = 0; r < rules->rule_count; r++)
        if (rules->rule[r].sides > 0)
            return true;
    return false;
}

/* May some items need one another in a circle? */
static inline bool tz_has_closures(const tz_rules *rules) {
    for (unsigned i = 0; i < rules->items; i++)
        if (rules->item[i].closure)
            return true;
    return false;
}

/* Is the kind solved for, together with others or itself? */
static inline bool tz_is_closed(const tz_rules *rules, unsigned kind) {
    const tz_group *group = &rules->group[rules->kind[kind].group];
    return group->closeds > 0 && kind < rules->items && rules->item[kind].closure;
}

/* The rules as in the file. */
static inline const tz_rule *tz_rules_written(const tz_rules *rules, unsigned *ret_count) {
    *ret_count = rules->writtens > 0 ? rules->writtens : rules->rule_count;
    return rules->writtens > 0 ? rules->written : rules->rule;
}

/* Is the amount the sum of its charges? That may be one of none, where no rule uses what is
 * charged. Else it is only the rest of another. */
bool tz_resource_is_sum(const tz_rules *rules, size_t resource);

/* Finds the resource that complements this one: in every derivation the amounts of both sum to
 * *ret_total. A total below 0 means that there is no derivation. If several complement it, this is
 * the first declared. TZ_NONE: none does. TZ_BAD_ARGUMENT: a number or length is out of range. */
tz_status tz_rules_resource_complement(const tz_rules *rules, size_t resource,
                                       const int32_t *lengths, size_t *ret_other,
                                       int64_t *ret_total);

#endif
