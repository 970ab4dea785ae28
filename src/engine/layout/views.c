/* views.c - the cells that views look up. SPDX-License-Identifier: MIT */
#include "engine/layout/views.h"
#include "rules/view.h"

/* position += factor * (form - origin) */
static void add_form(const tz_view_map *map, const tz_form *form, ptrdiff_t factor, int32_t origin,
                     tz_view_part *to) {
    to->base +=
        factor *
        (ptrdiff_t)(tz_form_value(form, map->rules->lengths, map->length, 0, NULL) - origin);
    for (unsigned i = 0; i < map->weight->rank; i++)
        to->column[i] += factor * form->column[i];
}

tz_status tz_view_map_make(const tz_rules *rules, const tz_weight *view, const int32_t *length,
                           const tz_input_numbers *numbers, const ptrdiff_t *opt_stride,
                           const tz_entry *opt_sorted, size_t entries, tz_view_map *ret) {
    *ret = (tz_view_map){.rules = rules,
                         .weight = view,
                         .length = length,
                         .sorted = opt_sorted,
                         .entries = entries,
                         .stride = opt_stride != NULL ? opt_stride[0] : 0};
    const tz_weight *declared = &rules->declared[view->declared];
    tz_shape shape;
    tz_status status = tz_weight_shape(rules, declared, length, &shape);
    for (unsigned q = 0; q < view->views && status == TZ_OK; q++) {
        const tz_view_index *from = &view->view[q];
        const tz_rules_input *input = &rules->input[from->input];
        tz_view_part *to = &ret->part[q];
        to->origin = shape.origin[q];
        to->stride = opt_stride != NULL && !declared->sparse ? opt_stride[q] : 0;
        if (!from->looked_up) {
            add_form(ret, &from->at[0], 1, 0, to);
            continue;
        }
        tz_shape of;
        status = tz_input_shape(rules, input, length, &of);
        to->number = numbers[from->input].data;
        for (unsigned f = 0; f < input->rank && status == TZ_OK; f++)
            add_form(ret, &from->at[f], numbers[from->input].stride[f], of.origin[f], to);
    }
    return status;
}

static ptrdiff_t position_of(const tz_view_map *map, const tz_view_part *part,
                             const int64_t *index) {
    ptrdiff_t position = part->base;
    for (unsigned i = 0; i < map->weight->rank; i++)
        position += part->column[i] * (ptrdiff_t)index[i];
    return position;
}

void tz_view_cell(const tz_view_map *map, const int64_t *index, int32_t *ret_index) {
    for (unsigned q = 0; q < map->weight->views; q++) {
        ptrdiff_t position = position_of(map, &map->part[q], index);
        const int32_t *number = map->part[q].number;
        ret_index[q] = number != NULL ? number[position] : (int32_t)position;
    }
}

/* The entries of cells in a row. */
static void find_entries(tz_view_rows *v) {
    const tz_view_map *map = v->map;
    v->even = false;
    for (size_t x = 0; x < v->count; x++) {
        int64_t index[TZ_MAX_RANK];
        int32_t cell[TZ_MAX_RANK];
        for (unsigned i = 0; i < map->weight->rank; i++)
            index[i] = v->index[i] + (int64_t)x * v->rows.move[i];
        tz_view_cell(map, index, cell);
        const tz_entry *found = tz_find_entry(map->sorted, map->entries, cell, map->weight->views);
        v->place[x] = found != NULL ? (ptrdiff_t)found->at * map->stride : TZ_NO_PLACE;
    }
}

/* The places of cells in a row: what changes evenly, then what is looked up. */
static void find_places(tz_view_rows *v) {
    const tz_view_map *map = v->map;
    ptrdiff_t next[TZ_MAX_RANK]; /* how far along a row a number's position moves */
    v->first = v->apart = 0;
    v->even = true;
    for (unsigned q = 0; q < map->weight->views; q++) {
        const tz_view_part *part = &map->part[q];
        const ptrdiff_t position = position_of(map, part, v->index);
        next[q] = 0;
        for (unsigned i = 0; i < map->weight->rank; i++)
            next[q] += part->column[i] * (ptrdiff_t)v->rows.move[i];
        v->even &= part->number == NULL || next[q] == 0;
        if (part->number == NULL) {
            v->first += (position - part->origin) * part->stride;
            v->apart += next[q] * part->stride;
        } else if (next[q] == 0) {
            v->first += ((ptrdiff_t)part->number[position] - part->origin) * part->stride;
        }
    }
    size_t hole = v->done;
    v->even &= !tz_row_hole(&v->rows, &hole) || hole >= v->done + v->count;
    if (v->even)
        return;
    for (size_t x = 0; x < v->count; x++)
        v->place[x] = v->first + (ptrdiff_t)x * v->apart;
    for (unsigned q = 0; q < map->weight->views; q++) {
        const tz_view_part *part = &map->part[q];
        if (part->number == NULL || next[q] == 0)
            continue;
        const int32_t *number = part->number + position_of(map, part, v->index);
        for (size_t x = 0; x < v->count; x++)
            v->place[x] +=
                ((ptrdiff_t)number[(ptrdiff_t)x * next[q]] - part->origin) * part->stride;
    }
}

void tz_view_start(tz_view_rows *rows, const tz_view_map *map, const tz_nest *cells) {
    rows->map = map;
    rows->done = rows->rows.count = 0;
    tz_rows_start_in(&rows->rows, map->rules, (unsigned)(map->weight - map->rules->weight), cells,
                     map->length);
    rows->rows.count = 0;
}

bool tz_view_next(tz_view_rows *v) {
    if (v->done == v->rows.count) {
        if (!tz_rows_next(&v->rows))
            return false;
        v->done = 0;
    }
    v->count = v->rows.count - v->done;
    v->count = v->count < TZ_VIEW_PIECE ? v->count : TZ_VIEW_PIECE;
    for (unsigned i = 0; i < v->map->weight->rank; i++)
        v->index[i] = v->rows.index[i] + (int64_t)v->done * v->rows.move[i];
    if (v->map->sorted != NULL || v->map->rules->declared[v->map->weight->declared].sparse)
        find_entries(v);
    else
        find_places(v);
    for (size_t hole = v->done;
         !v->even && tz_row_hole(&v->rows, &hole) && hole < v->done + v->count; hole++)
        v->place[hole - v->done] = TZ_NO_PLACE;
    v->done += v->count;
    return true;
}
