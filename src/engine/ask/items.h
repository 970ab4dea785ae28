/* items.h - numbers for the items of a name. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_ITEMS_H
#define TZ_ENGINE_ASK_ITEMS_H

#include "engine/engine.h"

/* tz_marginals, where the semiring has `share`, and tz_through of TZ_ITEM + item. */
tz_status tz_items_marginals(tz_chart *chart, size_t problem, size_t item, const tz_output *output);
tz_status tz_items_through(tz_chart *chart, size_t problem, size_t item, const tz_output *output);

#endif
