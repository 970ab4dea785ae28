/* name.h - uses as the caller knows them. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_NAME_H
#define TZ_ENGINE_ASK_TRACE_NAME_H

#include "engine/engine.h"

/* Makes uses of the rules' weights, in order, uses of the declared ones, in order, in place, and
 * says where they were looked up. room: the positions' memory. */
tz_status tz_name_uses(const tz_chart *chart, size_t lane, tz_use *use, size_t count,
                       tz_buffer *room, const tz_position **ret_position);
/* The same without places and in the order that they have; *ret_named: `use` itself where no view
 * is declared, else in `room`. */
tz_status tz_name_cells(const tz_chart *chart, size_t lane, const tz_use *use, size_t count,
                        tz_buffer *room, const tz_use **ret_named);

#endif
