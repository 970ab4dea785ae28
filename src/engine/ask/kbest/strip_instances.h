/* strip_instances.h - instances along strips (kernels/strips.h). SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_STRIP_INSTANCES_H
#define TZ_ENGINE_ASK_KBEST_STRIP_INSTANCES_H

#include "engine/ask/kbest/ranked.h"

/* tz_ranked_expand of an item of a kind that is direct and plain. */
tz_status tz_strip_instances(tz_kbest *kbest, tz_ranked *list, const tz_strip_kind *kind);
/* tz_ranked_edge, of one of a strip. */
tz_status tz_strip_edge(tz_kbest *kbest, const tz_ranked *list, const tz_ranked_strip *strip,
                        uint32_t number, const tz_hyperedge **ret_edge);

#endif
