/* rows.c - the cells of a weight, row by row: what binding and reading marginals go through.
 *
 * The last two loops are unrolled by hand: a row's ends and first cell follow from those of the row
 * before by additions, which takes a fraction of what evaluating the forms does.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/layout/rows.h"

/* Counts down the lengths at which cells of the nest stand; false past the last. */
static bool shorten(tz_used *used) {
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++) {
        bool tells = false;
        for (unsigned q = 0; q < used->weight->rank; q++)
            tells |= used->nest->variable[q].length[l] != 0;
        if (tells && used->length[l]-- > 0)
            return true;
        used->length[l] = used->longest[l];
    }
    return false;
}

bool tz_used_next(tz_used *used) {
    const tz_weight *weight = used->weight;
    if (used->nest != NULL && used->shorter && shorten(used))
        return true;
    if (used->next > 0 && used->next >= weight->uses)
        return false;
    used->nest = weight->uses > 0 ? &weight->used[used->next] : &weight->cells;
    used->next++;
    memcpy(used->length, used->longest, sizeof used->length);
    return true;
}

/* The bounds of the last loop, and the first cell, as functions of the middle one. */
static void enter_middle(tz_rows *rows) {
    const tz_nest *nest = rows->nest;
    const tz_walk *walk = &rows->walk;
    unsigned loops = nest->loops;
    int64_t column[TZ_MAX_COLUMNS] = {0};
    for (unsigned c = 0; c < rows->outer.loops; c++)
        column[c] = walk->column[c];
    rows->middle = rows->middle_high = 0;
    if (loops >= 2) {
        tz_range_value(&nest->range[loops - 2], walk->lengths, walk->length, loops - 2u, column,
                       &rows->middle, &rows->middle_high);
        column[loops - 2] = rows->middle;
    }
    if (loops >= 1) {
        const tz_range *range = &nest->range[loops - 1];
        rows->many = range->lowers + range->uppers > TZ_MAX_ROW_BOUNDS;
        rows->lowers = rows->many ? 0 : range->lowers;
        rows->uppers = rows->many ? 0 : range->uppers;
        for (unsigned b = 0; b < rows->lowers + rows->uppers; b++) {
            const tz_bound *bound =
                b < rows->lowers ? &range->lower[b] : &range->upper[b - rows->lowers];
            rows->bound[b].value =
                tz_form_value(&bound->form, walk->lengths, walk->length, loops - 1u, column);
            rows->bound[b].step = loops >= 2 ? bound->form.column[loops - 2] : 0;
            rows->bound[b].divisor = bound->divisor;
        }
    }
    rows->holes = 0;
    for (unsigned q = 0; q < rows->rank; q++) {
        const tz_form *form = &nest->variable[q];
        rows->start[q] = tz_form_value(form, walk->lengths, walk->length, loops, column);
        rows->middle_move[q] = loops >= 2 ? form->column[loops - 2] : 0;
        rows->move[q] = loops >= 1 ? form->column[loops - 1] : 0;
    }
    uint32_t c = 0;
    for (; c < rows->domain->count && rows->holes < TZ_MAX_ROW_BOUNDS; c++) {
        if (rows->domain->at[c].relation != TZ_NE)
            continue;
        const tz_form *form = &rows->domain->at[c].form;
        struct tz_row_hole *hole = &rows->hole[rows->holes++];
        *hole = (struct tz_row_hole){
            .value = tz_form_value(form, walk->lengths, walk->length, rows->rank, rows->start)};
        for (unsigned q = 0; q < rows->rank; q++) {
            hole->step += form->column[q] * rows->middle_move[q];
            hole->slope += form->column[q] * rows->move[q];
        }
    }
    rows->unlisted = c;
}

void tz_rows_start(tz_rows *rows, const tz_rules *rules, unsigned weight, const int32_t *length) {
    tz_rows_start_in(rows, rules, weight, &rules->weight[weight].cells, length);
}

void tz_rows_start_in(tz_rows *rows, const tz_rules *rules, unsigned weight, const tz_nest *nest,
                      const int32_t *length) {
    *rows = (tz_rows){.nest = nest,
                      .outer = *nest,
                      .rank = rules->weight[weight].rank,
                      .domain = &rules->weight[weight].domain};
    rows->outer.loops = nest->loops > 2 ? nest->loops - 2 : 0;
    tz_walk_start(&rows->walk, &rows->outer, rules->lengths, length, NULL);
    rows->walking = tz_walk_next(&rows->walk);
    if (rows->walking)
        enter_middle(rows);
}

bool tz_rows_next(tz_rows *rows) {
    for (;;) {
        while (rows->walking && rows->middle > rows->middle_high) {
            rows->walking = tz_walk_next(&rows->walk);
            if (rows->walking)
                enter_middle(rows);
        }
        if (!rows->walking)
            return false;
        rows->middle++;
        int64_t low = 0, high = 0;
        if (rows->many) {
            unsigned loops = rows->nest->loops;
            int64_t column[TZ_MAX_COLUMNS] = {0};
            for (unsigned c = 0; c < rows->outer.loops; c++)
                column[c] = rows->walk.column[c];
            if (loops >= 2)
                column[loops - 2] = rows->middle - 1;
            tz_range_value(&rows->nest->range[loops - 1], rows->walk.lengths, rows->walk.length,
                           loops - 1u, column, &low, &high);
        } else if (rows->nest->loops > 0) {
            low = INT64_MIN;
            high = INT64_MAX;
            for (unsigned b = 0; b < rows->lowers; b++) {
                struct tz_row_bound *bound = &rows->bound[b];
                int64_t v = tz_ceil_div(bound->value, bound->divisor);
                low = v > low ? v : low;
                bound->value += bound->step;
            }
            for (unsigned b = rows->lowers; b < rows->lowers + rows->uppers; b++) {
                struct tz_row_bound *bound = &rows->bound[b];
                int64_t v = tz_floor_div(bound->value, bound->divisor);
                high = v < high ? v : high;
                bound->value += bound->step;
            }
        }
        for (unsigned q = 0; q < rows->rank; q++) {
            rows->index[q] = rows->start[q] + rows->move[q] * low;
            rows->start[q] += rows->middle_move[q];
        }
        for (unsigned h = 0; h < rows->holes; h++) {
            rows->hole[h].at = rows->hole[h].value + rows->hole[h].slope * low;
            rows->hole[h].value += rows->hole[h].step;
        }
        if (low <= high) {
            rows->count = (size_t)(high - low + 1);
            return true;
        }
    }
}

/* The first position from `from` on where value + position * slope is 0, or end. */
static size_t hole_of(int64_t value, int64_t slope, size_t from, size_t end) {
    if (slope == 0)
        return value == 0 && from < end ? from : end;
    if (slope == 1 || slope == -1) {
        int64_t at = -value * slope;
        return at >= (int64_t)from && at < (int64_t)end ? (size_t)at : end;
    }
    if (value % slope != 0 || -value / slope < (int64_t)from || -value / slope >= (int64_t)end)
        return end;
    return (size_t)(-value / slope);
}

bool tz_row_hole(const tz_rows *rows, size_t *position) {
    size_t next = rows->count;
    for (unsigned h = 0; h < rows->holes; h++)
        next = hole_of(rows->hole[h].at, rows->hole[h].slope, *position, next);
    for (uint32_t c = rows->unlisted; c < rows->domain->count; c++) {
        const tz_form *form = &rows->domain->at[c].form;
        int64_t slope = 0;
        for (unsigned q = 0; q < rows->rank; q++)
            slope += form->column[q] * rows->move[q];
        if (rows->domain->at[c].relation == TZ_NE)
            next = hole_of(
                tz_form_value(form, rows->walk.lengths, rows->walk.length, rows->rank, rows->index),
                slope, *position, next);
    }
    *position = next;
    return next < rows->count;
}
