/* uses.h - sorts the uses of a derivation. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_USES_H
#define TZ_ENGINE_ASK_TRACE_USES_H

#include "engine/ask/trace/item.h"

/* Writes the uses of a lane's derivation in the documented order to *ret_sorted, with the scores of
 * dense weights filled in, and tz_derivation.by_node. sorting: memory to work in. */
tz_status tz_sort_uses(const tz_chart *chart, size_t lane, const tz_traced *found,
                       tz_buffer *sorting, tz_buffer *ret_sorted, tz_buffer *ret_by_node);
/* Turns numbers of uses in the order in which they were found into those in the order of nodes. */
tz_status tz_order_by_node(const tz_plan *plan, const tz_traced *found, tz_buffer *room,
                           uint32_t *number);
/* Only fills in those scores. */
void tz_score_uses(const tz_chart *chart, size_t lane, tz_use *use, size_t count);

#endif
