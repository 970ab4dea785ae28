/* edge.h - an instance of a list, with lists for its premises. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_EDGE_H
#define TZ_ENGINE_ASK_KBEST_EDGE_H

#include "engine/ask/kbest/ranked.h"

/* The edge of instance number `number` of a list. TZ_NO_MEMORY. */
tz_status tz_ranked_edge(tz_kbest *kbest, const tz_ranked *list, uint32_t number,
                         const tz_hyperedge **ret_edge);

#endif
