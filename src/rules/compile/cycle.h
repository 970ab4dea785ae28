/* cycle.h - finds items that depend on themselves. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_CYCLE_H
#define TZ_RULES_COMPILE_CYCLE_H

#include "rules/compile/draft.h"

/* Looks for an instance of an item that is among its own ancestors, with every length from..to.
 * TZ_OK if none was found (or there are too many instances to look at); TZ_BAD_RULES with the cycle
 * in draft->error. */
tz_status tz_find_cycle(tz_draft *draft, const uint16_t *kind, unsigned kinds, int from, int to);

#endif
