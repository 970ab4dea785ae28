/* best.h - best derivations as uses of the weights that rules multiply by; tz_best turns these into
 * the declared weights. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_BEST_H
#define TZ_ENGINE_ASK_TRACE_BEST_H

#include "engine/engine.h"

tz_status tz_trace_best(tz_chart *chart, size_t problem, const tz_derivation **ret_derivation);
tz_status tz_trace_best_item(tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                             const tz_derivation **ret_derivation);
/* Only the uses, in the order in which they are found; those of dense weights have no scores. */
tz_status tz_trace_uses(tz_chart *chart, size_t problem, const tz_use **ret_use, size_t *ret_uses);
void tz_trace_free(tz_trace_memory *t);

#endif
