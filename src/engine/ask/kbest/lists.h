/* lists.h - the next derivation of a list. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_LISTS_H
#define TZ_ENGINE_ASK_KBEST_LISTS_H

#include "engine/ask/kbest/ranked.h"

/* Adds one derivation to the list, or sets `over`. TZ_NO_MEMORY, TZ_TOO_LARGE: it can be asked
 * again. */
tz_status tz_ranked_extend(tz_kbest *kbest, tz_ranked *list);

#endif
