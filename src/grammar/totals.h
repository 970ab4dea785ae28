/* totals.h - a grammar's entries by their left sides. SPDX-License-Identifier: MIT */
#ifndef TZ_GRAMMAR_TOTALS_H
#define TZ_GRAMMAR_TOTALS_H

#include "grammar/grammar.h"

/* Entries of unary and binary: of symbol a, first[a] to first[a+1] - 1. */
typedef struct tz_by_left {
    size_t symbols;
    size_t *first;
    int32_t (*right)[2]; /* the second is -1 of a unary one */
    double *weight;      /* not its log */
    double *leaf;        /* [symbols] the weights of words and nothing */
} tz_by_left;

/* consistent.c: do the weights of every symbol sum to 1, and does a tree of any symbol end with
 * probability 1? Then all totals are 1. `total`: lower bounds of them. False also when memory is
 * out. */
bool tz_grammar_consistent(const tz_by_left *of, const double *total);

#endif
