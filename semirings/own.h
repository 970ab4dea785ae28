/* own.h - the semirings that the engine itself uses, whatever semiring is asked for; the registry
 * names them. SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_OWN_H
#define TZ_SEMIRINGS_OWN_H

#include <trapeze/trapeze.h>

/* The most marked cells that a derivation uses; not registered. */
const tz_semiring *tz_semiring_uses(tz_precision precision);
/* The best derivation and its score. */
const tz_semiring *tz_semiring_best(tz_precision precision);
/* For tz_semiring_new: numbers of derivations by how many marks they have. */
const char *tz_semiring_marked_counts(void);

#endif
