/* eager.h - all derivations of an item by brute force, sorted in the order that tz_kbest_next
 * states. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_EAGER_H
#define TZ_TESTS_SUPPORT_EAGER_H

#include "engine/engine.h"

typedef struct eager eager;

/* After tz_inside under a path semiring; NULL where the goal has more than `limit` derivations or
 * no place. Exits when memory is out. */
eager *eager_new(tz_chart *chart, size_t lane, size_t limit);
void eager_free(eager *e);
size_t eager_count(const eager *e);
double eager_score(const eager *e, size_t number);
/* Does the goal's derivation of this number have these nodes? */
bool eager_has_nodes(eager *e, size_t number, const tz_derivation *d);

#endif
