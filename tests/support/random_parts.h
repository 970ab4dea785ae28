/* random_parts.h - what random rule files are made of: declarations and index expressions.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RANDOM_PARTS_H
#define TZ_TESTS_SUPPORT_RANDOM_PARTS_H

#include "random_rules.h"
#include "rules/table.h"

enum { MOST = 6, SCOPE = 7, LINE = 512, INPUTS = 3, RELATIONS = 2 };

/* A part of a file. */
typedef struct line {
    char at[LINE];
    size_t size;
} line;

typedef char expression[48];

/* How premises relate to conclusions. */
typedef enum measure {
    FIRST_GROWS,   /* x */
    FIRST_SHRINKS, /* -x */
    LAST_GROWS,
    WIDTH,    /* y - x */
    SUM,      /* x + y */
    PAIR,     /* (x, y), lexicographic */
    TRIPLE,   /* (-x, z, y), lexicographic */
    MIRRORED, /* x, or -x for every second item */
    CHANCE,   /* no relation */
    MEASURES
} measure;

/* An item or a weight. */
typedef struct declared {
    expression name;
    unsigned rank;
    bool label[TZ_MAX_RANK]; /* of a label set, not a position */
    bool sparse, used, closure;
    line domain;
} declared;

/* The variables of a rule while it is written. */
typedef struct scope {
    expression name[SCOPE];
    bool label[SCOPE];
    unsigned count;
} scope;

typedef struct generator {
    random_state *random;
    unsigned lengths, items, weights, rules;
    const char *label; /* the length that bounds labels; n bounds positions */
    measure measure;
    bool sides;  /* some premises stand in brackets */
    bool closed; /* some items are closures: their rules have weights, so that scores can be low */
    bool inputs; /* some labels of weights are numbers of inputs */
    bool relations; /* some conditions ask for tuples */
    bool left_over; /* some declarations that no rule uses, and an item that nothing derives */
    bool tame; /* all positions are 0..n, or 1..n; few holes: lanes of all lengths go together */
    bool given[INPUTS]; /* inputs that rules use */
    bool asked[RELATIONS];
    declared item[MOST], weight[MOST];
    rules_text text; /* of the rules */
} generator;

/* Names of the indices of a declaration. */
extern const char *const index_name[TZ_MAX_RANK];

/* Print at the end; exit where the text is full. */
void put(line *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_text(rules_text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void set(expression to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* ", " between the parts of a domain or condition. */
const char *comma(const line *l);

/* 0 .. n - 1. */
unsigned below(generator *g, unsigned n);
bool chance(generator *g, unsigned percent);
const char *any_length(generator *g);
/* NAME+CONSTANT */
void add_constant(expression to, const char *name, int constant);

/* An item or a weight called STEM and a number; labels: how many per cent of its indices are. */
void declare(generator *g, declared *d, const char *stem, unsigned number, unsigned rank,
             unsigned labels);
const char *new_variable(scope *s, bool label);
/* A variable in scope for this sort of index, or a new one. */
const char *any_variable(generator *g, scope *s, bool label, unsigned new_percent);
void any_index(generator *g, scope *s, bool label, unsigned new_percent, expression to);

#endif
