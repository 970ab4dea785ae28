/* table.c - lists by the cell of their item. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/table.h"

static size_t home(const tz_kbest *k, const void *cell) {
    return (size_t)((uint64_t)(uintptr_t)cell * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
           (k->slots - 1);
}

static bool rehash(tz_kbest *k) {
    tz_ranked **old = k->slot;
    size_t slots = k->slots;
    size_t more = slots > 0 ? 2 * slots : 256;
    tz_ranked **made = tz_kbest_room(k, more, sizeof *made);
    if (made == NULL)
        return false;
    memset(made, 0, more * sizeof *made);
    k->slot = made;
    k->slots = more;
    for (size_t i = 0; i < slots; i++) {
        if (old[i] == NULL)
            continue;
        size_t s = home(k, old[i]->cell);
        while (made[s] != NULL)
            s = (s + 1) & (k->slots - 1);
        made[s] = old[i];
    }
    return true;
}

tz_status tz_ranked_find(tz_kbest *k, unsigned kind, const int32_t *index, const void *cell,
                         tz_ranked **ret_list) {
    if (2 * k->lists >= k->slots && !rehash(k))
        return TZ_NO_MEMORY;
    size_t s = home(k, cell);
    while (k->slot[s] != NULL && k->slot[s]->cell != cell)
        s = (s + 1) & (k->slots - 1);
    if (k->slot[s] == NULL) {
        tz_ranked *made = tz_kbest_small(k, sizeof *made + sizeof(tz_ranking));
        if (made == NULL)
            return TZ_NO_MEMORY;
        *made = (tz_ranked){.cell = cell, .kind = kind};
        made->best = made->few;
        made->best_room = sizeof made->few / sizeof *made->few;
        made->few[0] = (tz_ranking *)(made + 1);
        *made->few[0] = (tz_ranking){.element = cell};
        memcpy(made->index, index, sizeof made->index);
        k->slot[s] = made;
        k->lists++;
    }
    *ret_list = k->slot[s];
    return TZ_OK;
}
