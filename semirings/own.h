/* own.h - the semirings that the engine works with itself, whatever it is asked for; the registry
 * names them. SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_OWN_H
#define TZ_SEMIRINGS_OWN_H

#include <trapeze/trapeze.h>

/* How many marked cells a derivation uses at most; not registered. */
const tz_semiring *tz_semiring_uses(tz_precision precision);
/* The best derivation and its score. */
const tz_semiring *tz_semiring_best(tz_precision precision);
/* For tz_semiring_new: numbers of derivations by how many marks they have. */
const char *tz_semiring_marked_counts(void);

#endif
