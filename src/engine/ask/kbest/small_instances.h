/* small_instances.h - instances of small steps. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_SMALL_INSTANCES_H
#define TZ_ENGINE_ASK_KBEST_SMALL_INSTANCES_H

#include "engine/ask/kbest/ranked.h"

/* tz_ranked_expand of an item all of whose steps are small. */
tz_status tz_small_instances(tz_kbest *kbest, tz_ranked *list, const tz_trace_steps *steps);
/* tz_ranked_edge, of one of a strip. */
tz_status tz_small_edge(tz_kbest *kbest, const tz_ranked *list, const tz_ranked_strip *strip,
                        uint32_t number, const tz_hyperedge **ret_edge);

#endif
