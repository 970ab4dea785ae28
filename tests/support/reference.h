/* reference.h - inside and outside as they are defined, in long double: every instance of every
 * rule, log scores summed as they come.
 *
 * The instances are found by trial (rules/polyhedra/instances.h); nothing here shares code with the
 * compiler or the engine. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_REFERENCE_H
#define TZ_TESTS_SUPPORT_REFERENCE_H

#include "problem.h"

/* Log scores; marginals as plain numbers, cell by cell (random_problem.cells). */
typedef struct reference {
    long double log_z;
    long double *marginal[MAX_WEIGHTS];
    long double *inside, *outside; /* of all items */
    size_t item_base[16];
    int32_t side;
    const tz_rules *rules;
} reference;

/* Fails the running test where memory is out. Time and memory: the instances. */
void reference_make(const tz_rules *rules, const random_problem *problem, reference *ret);
void reference_free(reference *reference);
/* An item's value; index values inside its domain. */
long double reference_item(const reference *reference, unsigned item, const int32_t *index,
                           bool outside);

#endif
