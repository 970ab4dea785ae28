/* program.h - the form of rule sets while they are rewritten.
 *
 * A program is a list of rules over a table of items. The whole search has one table, which only
 * grows: an item stands for the same value in every program, whatever rules derive it there. So two
 * programs that reach a product in different ways share its item. Rules never change once made, and
 * are shared as well; everything lives in one arena.
 *
 * Functions return TZ_OK; TZ_NO_MEMORY; TZ_NONE where there is no result: a rule without instances,
 * a rewriting that does not apply; TZ_TOO_LARGE where a case is not covered.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_OPTIMISE_PROGRAM_H
#define TZ_RULES_OPTIMISE_PROGRAM_H

#include "base/arena.h"
#include "base/text.h"
#include "rules/compile/eliminate.h"
#include "rules/polyhedra/prove.h"
#include "rules/read/read.h"

enum {
    TZ_OPT_FACTORS = 12, /* premises and weights of one rule */
    TZ_OPT_RULES = 256,  /* of one program */
    TZ_OPT_ITEMS = 4096
};

/* A rule, with columns for twice as many variables as a rule may have: room to put one rule into
 * another. In a tidy rule, used variables are numbered by first appearance. */
typedef struct tz_opt_rule tz_opt_rule;
struct tz_opt_rule {
    const char *name; /* of the rule in the file that it comes from */
    const char *note; /* how it was made, "" if it is from the file */
    unsigned variables;
    const char *variable_name[TZ_MAX_COLUMNS];
    unsigned premises, factors; /* the premises come first */
    tz_term factor[TZ_OPT_FACTORS];
    unsigned conditions;
    tz_constraint condition[TZ_MAX_CONSTRAINTS];
    tz_term conclusion;

    /* Once it is tidy: */
    unsigned degree[TZ_MAX_LENGTHS]; /* how its number of instances grows with each length */
    unsigned total;                  /* sum of these */
    uint64_t hash;
    bool sparse;                /* it has a sparse weight */
    struct tz_opt_taken *taken; /* split.c */
};

typedef struct tz_opt_item {
    const char *name, *base; /* base: the name of a made item if no other has it */
    const char *index_name[TZ_MAX_RANK];
    unsigned rank;
    tz_domain domain;              /* columns: the indices */
    const char *domain_text;       /* as in the file; NULL: made */
    const char *comment;           /* "" where the definition explains the item */
    const char *step;              /* made: the kind of step that led to it */
    bool within;                   /* its domain is limited to the values that one rule needs */
    const tz_opt_rule *definition; /* for a product, the rule that defines it; else NULL */
} tz_opt_item;

/* Counts of rules by total degree. */
typedef struct tz_opt_cost {
    unsigned rules[TZ_MAX_VARIABLES + 1];
} tz_opt_cost;

typedef struct tz_opt_program {
    const tz_opt_rule *rule[TZ_OPT_RULES];
    unsigned rules;
    tz_term goal;
} tz_opt_program;

/* Data of a search. */
typedef struct tz_opt {
    const tz_rules *rules;
    tz_arena *arena;
    tz_opt_item *item; /* [TZ_OPT_ITEMS] */
    unsigned items;
    unsigned most; /* most rules of a program */
} tz_opt;

/* ---- program.c ------------------------------------------------------------------------------- */

/* Reads the rules of the file. TZ_TOO_LARGE: a rule has more than TZ_OPT_FACTORS factors. */
tz_status tz_opt_read(tz_opt *opt, tz_opt_program *ret);
const tz_domain *tz_opt_domain(const tz_opt *opt, const tz_term *term);
unsigned tz_opt_rank(const tz_opt *opt, const tz_term *term);
const char *tz_opt_name(const tz_opt *opt, const tz_term *term);
/* Adds a rule. TZ_TOO_LARGE: there would be too many. */
tz_status tz_opt_add(const tz_opt *opt, tz_opt_program *program, const tz_opt_rule *rule);
/* Removes rules that no derivation of the goal uses. */
void tz_opt_sweep(tz_opt_program *program);
/* Does some rule conclude the item? */
bool tz_opt_derives(const tz_opt_program *program, unsigned item);
/* Is the item a premise of the rule? */
bool tz_opt_asks(const tz_opt_rule *rule, unsigned item);
/* Does a premise of some rule of the item name the item? */
bool tz_opt_recursive(const tz_opt_program *program, unsigned item);
uint64_t tz_opt_hash(const tz_opt_program *program);
tz_opt_cost tz_opt_cost_of(const tz_opt_program *program);
/* Compares costs. Below 0: a is better, with fewer rules of the highest degree, or as many and
 * fewer of the next one, ... */
int tz_opt_compare(const tz_opt_cost *a, const tz_opt_cost *b);
unsigned tz_opt_highest(const tz_opt_cost *cost);
/* A new item, without rank and domain. TZ_TOO_LARGE: there are too many. */
tz_status tz_opt_new_item(tz_opt *opt, const char *name, uint16_t *ret_item);
/* Gives the items of the program different names. */
tz_status tz_opt_name_items(tz_opt *opt, const tz_opt_program *program);
/* A formatted text in the arena; NULL when memory is out. */
const char *tz_opt_text(const tz_opt *opt, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Different names for columns, which the rule set does not use otherwise: the wanted ones where
 * possible (NULL: any). */
tz_status tz_opt_column_names(const tz_opt *opt, const char *const *wanted, unsigned count,
                              const char **ret_name);

/* ---- algebra.c ------------------------------------------------------------------------------- */

/* Bit sets of columns. */
uint32_t tz_opt_form_set(const tz_form *form);
uint32_t tz_opt_term_set(const tz_term *term);
/* Is the form one column, as it stands? */
bool tz_opt_is_variable(const tz_form *form, unsigned *ret_column);
/* The number of index expressions and conditions with the variable. */
unsigned tz_opt_occurrences(const tz_opt_rule *rule, unsigned variable);

/* All conditions that hold for the rule's instances, without condition `but` (-1: with all). */
tz_status tz_opt_assume(const tz_opt *opt, const tz_opt_rule *rule, int but, tz_assumptions *ret);
/* Does the constraint follow? TZ_OK: proved; TZ_NONE: not. */
tz_status tz_opt_implied(const tz_assumptions *assumed, const tz_constraint *constraint);
/* Adds the constraints of a domain, with the term's indices for its columns, as conditions. */
tz_status tz_opt_require(tz_opt_rule *rule, const tz_domain *domain, const tz_term *term,
                         unsigned rank);
/* Makes form[0..forms-1] = 0 by replacing variables, later ones first. */
tz_status tz_opt_solve(tz_opt_rule *rule, tz_form *form, unsigned forms);
/* Checks that the rule has instances and can be written down, drops conditions that the rest
 * implies, numbers the variables, and finds the degree; *ret is a copy in the arena. */
tz_status tz_opt_tidy(const tz_opt *opt, tz_opt_rule *rule, const tz_opt_rule **ret);
/* The projection of the rule's instances, or of those of the factors and conditions given by bit
 * sets, to the variables of the set: a domain whose columns are these in order. */
tz_status tz_opt_project(const tz_opt *opt, const tz_opt_rule *rule, uint32_t keep,
                         tz_domain *ret_domain);

/* ---- fold.c ---------------------------------------------------------------------------------- */

/* Where a product stands in a rule. */
typedef struct tz_opt_match {
    uint32_t factors; /* bit set */
    uint32_t summed;  /* variables */
    tz_term use;      /* of the item that the product defines */
} tz_opt_match;

/* Variables of these factors that nothing else in the rule mentions. */
uint32_t tz_opt_local(const tz_opt_rule *rule, uint32_t factors);
/* Looks for the product that the definition sums among these factors of the rule; `whole`: it must
 * be all of them. TZ_NONE: it is not there. */
tz_status tz_opt_find(const tz_opt *opt, const tz_opt_rule *definition, const tz_opt_rule *rule,
                      uint32_t among, bool whole, tz_opt_match *ret);
/* An item, old or new, for the product of these factors, summed over the variables local to them.
 * Its domain is what the factors allow; within: what the whole rule allows. TZ_NONE: it would have
 * too many indices. */
tz_status tz_opt_fold_item(tz_opt *opt, const tz_opt_rule *rule, uint32_t factors, bool within,
                           tz_opt_match *ret);
/* The rule with the item in place of the matched factors, not tidy yet. ret_from: [TZ_OPT_FACTORS]
 * which factor of the rule each one is, or -1 for the item. */
void tz_opt_fold(const tz_opt_rule *rule, const tz_opt_match *match, tz_opt_rule *ret,
                 int8_t *ret_from);

/* ---- split.c --------------------------------------------------------------------------------- */

/* Splits the sum of every rule into the cheapest parts, with items for them. */
tz_status tz_opt_split_all(tz_opt *opt, const tz_opt_program *program, tz_opt_program *ret);
/* The cheapest parts of a rule's sum: bit sets of factors, each after those inside it. */
typedef struct tz_opt_split {
    bool known;
    unsigned parts;
    uint32_t part[2 * TZ_MOST_FACTORS];
} tz_opt_split;

/* Data kept with a rule. */
typedef struct tz_opt_taken {
    tz_opt_split split;
    /* The rule with its sum in parts, and the items of these; NULL: not yet known. */
    const tz_opt_rule *rule;
    uint16_t item[2 * TZ_MOST_FACTORS];
    unsigned items;
} tz_opt_taken;

tz_status tz_opt_split_of(const tz_opt *opt, const tz_opt_rule *rule, const tz_opt_split **ret);

/* ---- unfold.c -------------------------------------------------------------------------------- */

/* The rule with `by`, a rule that concludes its premise, in the premise's place; not tidy yet. */
tz_status tz_opt_unfold(const tz_opt *opt, const tz_opt_rule *rule, unsigned premise,
                        const tz_opt_rule *by, tz_opt_rule *ret);
/* The program without an item: its rules replace every premise with it. */
tz_status tz_opt_unfold_item(tz_opt *opt, const tz_opt_program *program, unsigned item,
                             tz_opt_program *ret);
/* Makes an item of the product of these factors of rule number r. Derives it by unfolding one of
 * its premises, and from itself where the product recurs; uses it wherever the product occurs.
 * *ret_item: the item. */
tz_status tz_opt_unfold_fold(tz_opt *opt, const tz_opt_program *program, unsigned r,
                             uint32_t factors, unsigned premise, unsigned *ret_item,
                             tz_opt_program *ret);
/* Removes premises with made items that only an axiom derives, and rules with a premise that no
 * rule derives. */
tz_status tz_opt_settle(tz_opt *opt, const tz_opt_program *program, tz_opt_program *ret);

/* ---- speculate.c ----------------------------------------------------------------------------- */

/* Divides an item in two, as speculate.c explains. passive, shared: disjoint bit sets of its
 * indices. */
tz_status tz_opt_speculate(tz_opt *opt, const tz_opt_program *program, unsigned item,
                           unsigned passive, unsigned shared, tz_opt_program *ret);

/* ---- accumulate.c ---------------------------------------------------------------------------- */

/* Gives rule number r an item for the sum over the variable `summed`, which the condition bounds by
 * another variable, and over local ones, as accumulate.c explains. *ret_item: the item. */
tz_status tz_opt_accumulate(tz_opt *opt, const tz_opt_program *program, unsigned r,
                            unsigned condition, unsigned summed, unsigned *ret_item,
                            tz_opt_program *ret);

/* ---- write.c --------------------------------------------------------------------------------- */

/* Appends the rule file. */
tz_status tz_opt_write(tz_opt *opt, const tz_opt_program *program, const char *name, tz_text *text);
/* "span[i,h,j]", in the arena; NULL when memory is out. */
const char *tz_opt_item_text(const tz_opt *opt, unsigned item);
/* "span[i,m,k] * arc[h,m], summed over m", in the arena; NULL when memory is out. */
const char *tz_opt_product_text(const tz_opt *opt, const tz_opt_rule *definition);

#endif
