/* name.h - uses as the caller knows them. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_NAME_H
#define TZ_ENGINE_ASK_TRACE_NAME_H

#include "engine/engine.h"

/* Turns a derivation's sorted uses of the rules' weights into sorted uses of the declared weights,
 * and says where they were looked up. use, by_node: the derivation's own; room: the memory of the
 * positions. */
tz_status tz_name_uses(const tz_chart *chart, size_t lane, tz_derivation *derivation, tz_use *use,
                       uint32_t *by_node, tz_buffer *room);
/* The same without positions and in the given order; *ret_named: `use` itself where there are no
 * views, else in `room`. */
tz_status tz_name_cells(const tz_chart *chart, size_t lane, const tz_use *use, size_t count,
                        tz_buffer *room, const tz_use **ret_named);

#endif
