/* marginals.h - marginals of lanes at once. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_MARGINALS_H
#define TZ_ENGINE_ASK_MARGINALS_MARGINALS_H

#include "engine/engine.h"

/* tz_marginals_all, where those of lane l go to outputs[slot[l] * weights + w]. */
tz_status tz_marginals_at(tz_chart *chart, const tz_output *outputs, const size_t *opt_slot);

#endif
