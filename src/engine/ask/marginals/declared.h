/* declared.h - marginals of the declared weights, of all lanes. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_DECLARED_H
#define TZ_ENGINE_ASK_MARGINALS_DECLARED_H

#include "engine/engine.h"

/* tz_marginals_all for lanes 0..count-1; later lanes repeat the last one. The outputs of lane l are
 * outputs[opt_slot[l] * weights + weight]. */
tz_status tz_marginals_at(tz_chart *chart, const tz_output *outputs, const size_t *opt_slot,
                          size_t count);

#endif
