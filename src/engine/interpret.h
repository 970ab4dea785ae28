/* interpret.h - the passes as they are defined, for plans with TZ_PLAIN. SPDX-License-Identifier:
 * MIT
 */
#ifndef TZ_ENGINE_INTERPRET_H
#define TZ_ENGINE_INTERPRET_H

#include "engine/engine.h"

/* Computes inside, outside, or the tangents of either, for all lanes: the elements of every item.
 * The weights' passes store nothing in a plain chart. TZ_DIVERGES, TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_interpret(tz_chart *chart, tz_pass pass);
/* After tz_outside: adds up the derivations through each cell of a weight, for one lane. cells:
 * zeros, one element for each cell of the shape, row-major, or for each entry of a sparse weight.
 * tangents: adds up the tangents of these, after all passes of tangents. */
tz_status tz_interpret_weight(tz_chart *chart, size_t lane, unsigned weight, const tz_shape *shape,
                              bool tangents, void *cells);

#endif
