/* check_known.h - answers under facts against enumeration (known.h). SPDX-License-Identifier: MIT
 */
#ifndef TZ_TESTS_SUPPORT_CHECK_KNOWN_H
#define TZ_TESTS_SUPPORT_CHECK_KNOWN_H

#include "known.h"

/* Within tolerance * (1 + |want|). Scores are within [-5, 5], so that sums of some dozen uses stay
 * below 100. */
void check_near(double got, long double want, double tolerance);
/* The value of a lane under a semiring of this name, and what goes with it: under log the
 * marginals, to 10 tolerances, under max the best derivation. Of a semiring that known.h has no
 * value for, only that there is a value. */
void check_known(tz_chart *chart, size_t lane, const known *k, const char *semiring,
                 double tolerance);

/* known_make for the first of some lengths that has at most `limit` derivations. */
void known_make_small(known *k, const tz_rules *rules, size_t limit, score_source source,
                      random_state *random);

#endif
