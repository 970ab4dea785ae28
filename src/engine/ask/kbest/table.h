/* table.h - lists by the cell of their item. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_TABLE_H
#define TZ_ENGINE_ASK_KBEST_TABLE_H

#include "engine/ask/kbest/ranked.h"

/* The list of a kind's cell, which is not zero; made where there is none. TZ_NO_MEMORY. */
tz_status tz_ranked_find(tz_kbest *kbest, unsigned kind, const int32_t *index, const void *cell,
                         tz_ranked **ret_list);

#endif
