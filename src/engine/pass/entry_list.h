/* entry_list.h - how each choice of entries of a step's sparse weights moves the operands of a
 * tile. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_ENTRY_LIST_H
#define TZ_ENGINE_PASS_ENTRY_LIST_H

#include "engine/chart/entries.h"
#include "engine/pass/tile.h"

/* The choices, part by part. Choices whose inner operands stand at the same places come one after
 * the other; else they are in the order in which entries were given. */
typedef struct tz_entry_list {
    tz_chart *chart;
    const tz_tile *tile;
    size_t record, count;  /* numbers of a choice; choices of this part, 0 after the last one */
    const ptrdiff_t *move; /* [count][record] elements: of each term, then of the target */
    bool more, kept;
    size_t first; /* where it is kept: its number in chart->entries.move */
    tz_entry_walk walk;
    int64_t column[TZ_MAX_COLUMNS];
} tz_entry_list;

/* Makes the first part, for a tile of a step whose entries stand apart and have been sorted, and
 * the next part. A list that does not depend on the stage or is being recorded (entry_record.h),
 * and is not too long, is made once for the same indices: then O(1) per choice, else O(terms).
 * TZ_NO_MEMORY. */
tz_status tz_entry_list_start(tz_entry_list *list, tz_chart *chart, const tz_tile *tile);
tz_status tz_entry_list_next(tz_entry_list *list);

#endif
