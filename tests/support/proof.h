/* proof.h - is a proof tree a proof? SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_PROOF_H
#define TZ_TESTS_SUPPORT_PROOF_H

#include "problem.h"

/* Every node is an instance of its rule with its subtrees as premises, the first is the goal, and
 * the instances' weights are the uses. Fails the running test.
 *
 * The instances are found by trial (rules/polyhedra/instances_by_trial.h); nothing here shares code
 * with the compiler or the engine. */
void check_proof(const tz_rules *rules, const random_problem *problem,
                 const tz_derivation *derivation);

#endif
