/* kbest.h - k best derivations of any item. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_KBEST_H
#define TZ_ENGINE_ASK_KBEST_KBEST_H

#include "engine/engine.h"

/* tz_kbest_new for any cell of an item in its domain. */
tz_status tz_kbest_from(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        bool distinct, tz_kbest **ret_kbest, tz_error *opt_error);

#endif
