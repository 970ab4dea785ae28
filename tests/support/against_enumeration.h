/* against_enumeration.h - does the interpreter say what enumeration says?
 *
 * Values, marginals and max-marginals of plans with TZ_PLAIN, of several problems of one rule set;
 * best structures, ties and proof trees of the interpreter and of the fast engine, of which all
 * else is compared with the interpreter (against_interpreter.h). Enumeration sums in long double.
 *
 * Tolerances, with S = max(1, sum of |score| over the best structure): scores 1e-13 S; log Z
 * 1e-13 S and marginals 1e-12 S, absolute, where S is the largest of a structure that is within
 * e^-40 of the best; max-marginals 1e-13 S where S is that of the best structure using the cell
 * (its score may be far larger than the best one's, and no double is nearer). Where the scores are
 * integers, everything but log Z and marginals must agree exactly.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_AGAINST_ENUMERATION_H
#define TZ_TESTS_SUPPORT_AGAINST_ENUMERATION_H

#include "problem.h"
#include "tests/support/amount.h"

enum { MAX_LANES = 8, REGIMES = 8 };

/* Where the scores come from; the regimes are numbered 0..REGIMES-1. */
typedef struct regime {
    const char *name;
    score_source source;
    bool exact; /* sums are exact: integers */
} regime;

extern const regime regimes[REGIMES];

/* Bits of all, or with sanitizers of every second one, these and the others in turn. */
static inline unsigned regimes_in_turn(size_t turn) {
    const unsigned all = (1u << REGIMES) - 1;
    return AMOUNT(true, false) ? all : turn % 2 == 0 ? all / 3 : all - all / 3;
}

typedef enum verdict {
    AGREES,
    DIFFERS,
    TOO_MANY, /* more derivations than `limit` */
    CYCLIC    /* enumeration met an item that needs itself */
} verdict;

typedef struct comparison {
    double score, marginal, through; /* largest errors / S so far */
    size_t derivations;              /* of the last comparison */
    char message[400];               /* after DIFFERS: what does */
} comparison;

/* lengths: one array per lane, 1..MAX_LANES of them; which: bit r stands for regimes[r]. Exits when
 * memory is out. */
verdict compare_with_enumeration(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS],
                                 unsigned lanes, size_t limit, unsigned which, random_state *random,
                                 comparison *c);

#endif
