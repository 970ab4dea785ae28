/* entry_list.h - what the choices of entries of a step's sparse weights move in a tile.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_ENTRY_LIST_H
#define TZ_ENGINE_PASS_ENTRY_LIST_H

#include "engine/chart/entries.h"
#include "engine/pass/tile.h"

/* The choices part by part; those whose inner operands stand at the same places one after the
 * other, else in the order in which entries were given. */
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

/* The first part, for a tile of a step whose entries stand apart and have been sorted, and the next
 * one. Made once for the same indices, where it does not depend on the stage or is being recorded
 * (entry_record.h), and is not too long. O(1) a choice then, else O(terms). TZ_NO_MEMORY. */
tz_status tz_entry_list_start(tz_entry_list *list, tz_chart *chart, const tz_tile *tile);
tz_status tz_entry_list_next(tz_entry_list *list);

#endif
