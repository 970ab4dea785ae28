/* cells.c - the order of cells: of a weight's entries, and of facts. SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/sort.h"
#include "engine/layout/cells.h"

static int compare_index(const int32_t *a, const int32_t *b) {
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (a[q] != b[q])
            return a[q] < b[q] ? -1 : 1;
    return 0;
}

int tz_compare_cells(const void *a, const void *b) {
    const tz_cells *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return compare_index(x->index, y->index);
}

tz_status tz_sort_entries(const tz_scores *scores, unsigned rank, tz_buffer *ret_sorted) {
    const size_t entries = scores->entries;
    const int32_t *index = scores->index;
    tz_status status =
        tz_buffer_reserve(ret_sorted, entries, sizeof(tz_entry) + 2 * sizeof(tz_keyed));
    if (status != TZ_OK)
        return status;
    tz_entry *sorted = ret_sorted->data;
    tz_keyed *keyed = (tz_keyed *)(void *)(sorted + entries), *other = keyed + entries;
    for (size_t e = 0; e < entries; e++)
        keyed[e] = (tz_keyed){0, e};
    /* The last index first: each sort keeps the order of the ones before. */
    for (unsigned q = rank; q-- > 0 && entries > 0;) {
        int32_t low = index[q];
        for (size_t e = 1; e < entries; e++)
            low = index[e * rank + q] < low ? index[e * rank + q] : low;
        for (size_t e = 0; e < entries; e++)
            keyed[e].key = (uint64_t)((int64_t)index[keyed[e].number * rank + q] - low);
        tz_keyed *in_order = tz_sort_keyed(keyed, other, entries);
        other = in_order == keyed ? other : keyed;
        keyed = in_order;
    }
    for (size_t e = 0; e < entries; e++) {
        sorted[e] = (tz_entry){.at = keyed[e].number};
        for (unsigned q = 0; q < rank; q++)
            sorted[e].index[q] = index[sorted[e].at * rank + q];
    }
    return TZ_OK;
}

static int compare_with_entry(const void *index, const void *entry) {
    return compare_index(index, ((const tz_entry *)entry)->index);
}

const tz_entry *tz_find_entry(const tz_entry *sorted, size_t entries, const int32_t *index,
                              unsigned rank) {
    int32_t key[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < rank; q++)
        key[q] = index[q];
    return entries == 0 ? NULL : bsearch(key, sorted, entries, sizeof *sorted, compare_with_entry);
}
