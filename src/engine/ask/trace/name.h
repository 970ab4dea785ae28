/* name.h - uses as the caller knows them. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_NAME_H
#define TZ_ENGINE_ASK_TRACE_NAME_H

#include "engine/engine.h"

/* Turns sorted uses of the rules' weights into sorted uses of the declared weights, in place, and
 * says where they were looked up. room: the memory of the positions. */
tz_status tz_name_uses(const tz_chart *chart, size_t lane, tz_use *use, size_t count,
                       tz_buffer *room, const tz_position **ret_position);
/* The same without positions and in the given order; *ret_named: `use` itself where there are no
 * views, else in `room`. */
tz_status tz_name_cells(const tz_chart *chart, size_t lane, const tz_use *use, size_t count,
                        tz_buffer *room, const tz_use **ret_named);

#endif
