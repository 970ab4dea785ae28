/* any_instances.h - instances of any steps. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_ANY_INSTANCES_H
#define TZ_ENGINE_ASK_KBEST_ANY_INSTANCES_H

#include "engine/ask/expand.h"
#include "engine/ask/kbest/ranked.h"

/* tz_ranked_expand. */
tz_status tz_any_instances(tz_kbest *kbest, tz_ranked *list);
/* Instance number `number` of a list, which is of this strip. */
void tz_any_instance_at(const tz_kbest *kbest, const tz_ranked *list, const tz_ranked_strip *strip,
                        uint32_t number, tz_instance *ret);
/* tz_ranked_edge, of one of a strip. */
tz_status tz_any_edge(tz_kbest *kbest, const tz_ranked *list, const tz_ranked_strip *strip,
                      uint32_t number, const tz_hyperedge **ret_edge);

#endif
