/* draw_positions.h - the uses of a derivation as cells of the weights that rules multiply by.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_DRAW_DRAW_POSITIONS_H
#define TZ_IO_DRAW_DRAW_POSITIONS_H

#include "base/arena.h"
#include "rules/table.h"

/* *ret_use: uses of rules->weight, views among them; those whose position the proof tree does not
 * tell are left out. TZ_BAD_ARGUMENT: a use is of no declared weight, or is by way of an input and
 * the nodes are not of the rules. TZ_NO_MEMORY. */
tz_status tz_draw_positions(tz_arena *arena, const tz_rules *rules, const int32_t *lengths,
                            const tz_derivation *derivation, tz_use **ret_use, size_t *ret_uses);

#endif
