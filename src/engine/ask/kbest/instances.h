/* instances.h - the instances of the items of lists.
 *
 * Functions name a list's instances by number. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_INSTANCES_H
#define TZ_ENGINE_ASK_KBEST_INSTANCES_H

#include "engine/ask/expand.h"
#include "engine/ask/kbest/ranked.h"

/* Finds all instances of the list's item, as candidates not yet in order. TZ_NO_MEMORY,
 * TZ_TOO_LARGE: it can be asked again. */
tz_status tz_ranked_expand(tz_kbest *kbest, tz_ranked *list);
/* Instance number `number` of a list that has been expanded. */
void tz_ranked_instance(const tz_kbest *kbest, const tz_ranked *list, uint32_t number,
                        tz_instance *ret);
/* Does instance a come before b in the order of ties? */
bool tz_ranked_before(const tz_kbest *kbest, const tz_ranked *list, uint32_t a, uint32_t b);

#endif
