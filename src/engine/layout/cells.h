/* cells.h - the order of cells, for a weight's entries and for facts. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_ENGINE_LAYOUT_CELLS_H
#define TZ_ENGINE_LAYOUT_CELLS_H

#include "base/buffer.h"

/* Compares two tz_cells: by weight, items last, then by indices, the first index first. */
int tz_compare_cells(const void *a, const void *b);

/* An entry of a sparse weight; indices past its rank are 0. */
typedef struct tz_entry {
    int32_t index[TZ_MAX_RANK];
    size_t at;
} tz_entry;

/* Sorts a sparse weight's entries by their indices, equal ones as they were given; O(E).
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_sort_entries(const tz_scores *scores, unsigned rank, tz_buffer *ret_sorted);
/* The sorted entry of these indices, [rank], or NULL; O(log E). */
const tz_entry *tz_find_entry(const tz_entry *sorted, size_t entries, const int32_t *index,
                              unsigned rank);

#endif
