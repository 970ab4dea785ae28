/* cells.c - the order of cells: of a weight's entries, and of facts. SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

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

static int compare_entries(const void *a, const void *b) {
    const tz_entry *x = a, *y = b;
    int order = compare_index(x->index, y->index);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

tz_status tz_sort_entries(const tz_scores *scores, unsigned rank, tz_buffer *ret_sorted) {
    tz_status status = tz_buffer_reserve(ret_sorted, scores->entries, sizeof(tz_entry));
    if (status != TZ_OK)
        return status;
    tz_entry *sorted = ret_sorted->data;
    for (size_t e = 0; e < scores->entries; e++) {
        sorted[e] = (tz_entry){.at = e};
        for (unsigned q = 0; q < rank; q++)
            sorted[e].index[q] = scores->index[e * rank + q];
    }
    if (scores->entries > 0)
        qsort(sorted, scores->entries, sizeof *sorted, compare_entries);
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
