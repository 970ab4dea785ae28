/* entry_list.c - see entry_list.h.
 *
 * A tile sums over its splits once for choices whose inner operands are the same: so these come one
 * after the other. Their order is that of the indices, which does not depend on what else is in the
 * chart. SPDX-License-Identifier: MIT */
#include "engine/pass/entry_list.h"

#include <string.h>

#include "base/sort.h"

enum {
    MOST_CHOICES = 1 << 20, /* of a part */
    MOST_MOVES = 1 << 22    /* kept of what is recorded: 32 MB */
};

static tz_kept_choices *kept_of(const tz_chart *chart, const tz_tile *tile, size_t lane) {
    return (tz_kept_choices *)chart->entries.kept.data + lane * chart->plan->sparse_terms +
           tile->step->ties->term[0].number;
}

/* Does lane 0 have the same list? */
static bool as_first(const tz_chart *chart, const tz_tile *tile) {
    const tz_bound_step *step = tile->step;
    bool same = !step->ties->lengths || chart->bound.same_lengths;
    for (unsigned t = 0; t < step->step->sparse; t++)
        same &= tz_entries_shared(chart, step->term[t].which);
    return same;
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* The columns of entries that inner operands depend on. */
static unsigned inner_columns(const tz_chart *chart, const tz_bound_step *step, uint8_t *column) {
    unsigned count = 0;
    for (unsigned c = step->stages; c < step->nest->givens; c++) {
        bool depends = false;
        for (unsigned t = step->step->sparse; t < step->terms; t++)
            depends |=
                step->term[t].inner && chart->layout.address[step->term[t].address].column[c] != 0;
        if (depends)
            column[count++] = (uint8_t)c;
    }
    return count;
}

/* Makes one number of as many columns as it can hold: those of a choice stand after its moves. */
static void set_keys(const tz_entry_list *list, const ptrdiff_t *choice, unsigned columns,
                     tz_keyed *keyed) {
    const size_t record = list->record + columns;
    int64_t room = INT64_MAX;
    for (size_t c = 0; c < list->count; c++)
        keyed[c] = (tz_keyed){0, c};
    for (unsigned q = 0; q < columns && list->count > 0; q++) {
        const ptrdiff_t *value = choice + list->record + q;
        int64_t low = value[0], high = value[0];
        for (size_t c = 1; c < list->count; c++) {
            low = value[c * record] < low ? value[c * record] : low;
            high = value[c * record] > high ? value[c * record] : high;
        }
        const int64_t span = high - low + 1;
        if (span > room)
            return;
        for (size_t c = 0; c < list->count; c++)
            keyed[c].key = keyed[c].key * (uint64_t)span + (uint64_t)(value[c * record] - low);
        room /= span;
    }
}

/* ---- Moves ---------------------------------------------------------------------------------- */

/* The columns of entries that an address depends on, and how much. */
typedef struct shift {
    unsigned count;
    uint8_t column[TZ_MAX_COLUMNS];
    ptrdiff_t by[TZ_MAX_COLUMNS];
} shift;

static shift shift_of(const tz_chart *chart, const tz_bound_step *step, uint32_t address) {
    const tz_address *of = &chart->layout.address[address];
    shift ret = {0};
    for (unsigned c = step->stages; c < step->nest->givens; c++)
        if (of->column[c] != 0) {
            ret.column[ret.count] = (uint8_t)c;
            ret.by[ret.count++] = of->column[c] * (ptrdiff_t)chart->lanes;
        }
    return ret;
}

static ptrdiff_t shift_by(const shift *shift, const int64_t *column) {
    ptrdiff_t elements = 0;
    for (unsigned c = 0; c < shift->count; c++)
        elements += shift->by[c] * (ptrdiff_t)column[shift->column[c]];
    return elements;
}

/* Writes the moves of the next choices, in the order of the walk, and columns after each. */
static tz_status walk_choices(tz_entry_list *list, const uint8_t *column, unsigned columns) {
    const tz_chart *chart = list->chart;
    const tz_bound_step *step = list->tile->step;
    const unsigned sparse = step->step->sparse, terms = step->terms;
    const size_t record = list->record + columns;
    tz_buffer *choice = &list->chart->entries.choice;
    shift shifts[TZ_MAX_TERMS + 1];
    ptrdiff_t apart[TZ_MAX_SPARSE]; /* entries */
    for (unsigned t = sparse; t <= terms; t++)
        shifts[t] = shift_of(chart, step, t < terms ? step->term[t].address : step->target.address);
    for (unsigned t = 0; t < sparse; t++)
        apart[t] = tz_entries_shared(chart, step->term[t].which) ? (ptrdiff_t)chart->lanes : 1;
    list->count = 0;
    for (; list->more && list->count < MOST_CHOICES;
         list->more = tz_entry_walk_next(&list->walk, list->column)) {
        tz_status status = tz_buffer_grow(choice, (list->count + 1) * record, sizeof(ptrdiff_t));
        if (status != TZ_OK)
            return status;
        ptrdiff_t *move = (ptrdiff_t *)choice->data + list->count++ * record;
        for (unsigned t = 0; t < sparse; t++)
            move[t] = (ptrdiff_t)list->walk.entry[t] * apart[t];
        for (unsigned t = sparse; t <= terms; t++)
            move[t] = shift_by(&shifts[t], list->column);
        for (unsigned q = 0; q < columns; q++)
            move[list->record + q] = (ptrdiff_t)list->column[column[q]];
    }
    return TZ_OK;
}

/* Fills the list with the next choices, at the end of what is kept. */
static tz_status make(tz_entry_list *list) {
    tz_entry_memory *memory = &list->chart->entries;
    const size_t first = memory->moves;
    uint8_t column[TZ_MAX_COLUMNS];
    const unsigned columns = inner_columns(list->chart, list->tile->step, column);
    tz_status status = walk_choices(list, column, columns);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&memory->keyed, list->count, 2 * sizeof(tz_keyed));
    if (status == TZ_OK)
        status =
            tz_buffer_grow(&memory->move, first + list->count * list->record, sizeof(ptrdiff_t));
    if (status != TZ_OK)
        return status;
    const ptrdiff_t *choice = memory->choice.data;
    tz_keyed *keyed = memory->keyed.data;
    set_keys(list, choice, columns, keyed);
    keyed = tz_sort_keyed(keyed, keyed + list->count, list->count);
    ptrdiff_t *move = (ptrdiff_t *)memory->move.data + first;
    for (size_t c = 0; c < list->count; c++)
        memcpy(move + c * list->record, choice + keyed[c].number * (list->record + columns),
               list->record * sizeof *move);
    list->move = move;
    return TZ_OK;
}

/* ---- Lists ---------------------------------------------------------------------------------- */

tz_status tz_entry_list_start(tz_entry_list *list, tz_chart *chart, const tz_tile *tile) {
    const tz_bound_step *step = tile->step;
    tz_entry_memory *memory = &chart->entries;
    tz_kept_choices *kept = kept_of(chart, tile, tile->lane);
    *list = (tz_entry_list){.chart = chart, .tile = tile, .record = step->terms + 1u};
    if (!kept->made && tile->lane > 0 && as_first(chart, tile))
        kept = kept_of(chart, tile, 0);
    if (kept->made) {
        list->count = kept->count;
        list->kept = true;
        list->first = kept->first;
        list->move = (const ptrdiff_t *)memory->move.data + kept->first;
        return TZ_OK;
    }
    memcpy(list->column, tile->column, sizeof list->column);
    list->more = tz_entry_walk_start(&list->walk, chart, step, tile->lane, list->column);
    tz_status status = make(list);
    if (status != TZ_OK || list->more)
        return status;
    list->first = memory->moves;
    if (!step->ties->staged)
        *kept = (tz_kept_choices){.made = true, .first = memory->moves, .count = list->count};
    list->kept = !step->ties->staged || (memory->recording && memory->moves < MOST_MOVES);
    if (list->kept)
        memory->moves += list->count * list->record;
    return status;
}

tz_status tz_entry_list_next(tz_entry_list *list) {
    list->count = 0;
    return list->more ? make(list) : TZ_OK;
}
