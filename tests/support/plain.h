/* plain.h - the rules as written, at any size: every item's value is the sum over the instances
 * that conclude it, every outside value the sum over those it is a premise of, a proof tree is made
 * of instances.
 *
 * The instances are found by trial (rules/polyhedra/instances.h); nothing here shares code with the
 * compiler or the engine. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_PLAIN_H
#define TZ_TESTS_SUPPORT_PLAIN_H

#include "evaluate.h"

/* Largest distance from what the instances say. Of values: |difference| / max(1, |value|); of
 * marginals (of max: max-marginals, of count: numbers of derivations): the same. */
typedef struct plain_errors {
    double inside, outside, cells;
} plain_errors;

/* Calls visit for every index of an item's domain. */
typedef void (*plain_visit)(void *user, unsigned item, const int32_t *index);
void plain_items(const tz_rules *rules, const int32_t *lengths, plain_visit visit, void *user);

/* Sums over all instances in long double. Of an evaluation under max, log or count. */
plain_errors plain_equations(const evaluation *e);

/* Every node is an instance of its rule with its subtrees as premises, the first is the goal, and
 * the instances' weights are the uses. Fails the running test. */
void plain_check_proof(const tz_rules *rules, const random_problem *problem,
                       const tz_derivation *derivation);

#endif
