/* uses.h - sorts the uses of a derivation. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_USES_H
#define TZ_ENGINE_ASK_TRACE_USES_H

#include "engine/engine.h"

/* Writes the uses of a lane's derivation in the documented order to *ret_sorted, with the scores of
 * dense weights filled in. sorting: memory to work in. */
tz_status tz_sort_uses(const tz_chart *chart, size_t lane, const tz_use *use, size_t count,
                       tz_buffer *sorting, tz_buffer *ret_sorted);
/* Only fills in those scores. */
void tz_score_uses(const tz_chart *chart, size_t lane, tz_use *use, size_t count);

#endif
