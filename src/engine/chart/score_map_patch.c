/* score_map_patch.c - the map of one lane: patches of cells that stand side by side in the chart
 * one way, and whose scores do in the array the other way.
 *
 * A line is a row of a weight's domain between two holes, without which it has cells equally far
 * apart. Where the chart runs along it, neighbouring lines are the columns of patches. Elsewhere it
 * is a row of patches: cell = place + column * apart, so that lines whose places are neighbours
 * have neighbouring cells in every column. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/chart/scale.h"
#include "engine/chart/score_maps.h"
#include "engine/layout/places.h"

enum {
    LINE = 64, /* bytes of a cache line: cells that patches have side by side */
    MOST_STEP = INT32_MAX / (2 * TZ_PATCH)
};

typedef struct line {
    ptrdiff_t apart, step;          /* from cell to cell, from score to score */
    ptrdiff_t place, column, score; /* of the first one */
    ptrdiff_t count;
    double form[TZ_FORMS], slope[TZ_FORMS];
} line;

/* ---- Lines ---------------------------------------------------------------------------------- */

/* Cells first..end-1 of a row, the first of which would be `whole`'s; false: one is too far. */
static bool cut_line(const line *whole, size_t first, size_t end, line *ret) {
    *ret = *whole;
    ptrdiff_t skip = (ptrdiff_t)first, cell = whole->place + skip * whole->apart;
    ret->count = (ptrdiff_t)(end - first);
    ret->score += skip * ret->step;
    for (unsigned f = 0; f < TZ_FORMS; f++)
        ret->form[f] += (double)skip * ret->slope[f];
    ret->apart += ret->apart == 0; /* a single cell */
    if (ret->apart == -1) {        /* the other way round */
        cell -= ret->count - 1;
        ret->score += (ret->count - 1) * ret->step;
        for (unsigned f = 0; f < TZ_FORMS; f++) {
            ret->form[f] += (double)(ret->count - 1) * ret->slope[f];
            ret->slope[f] = -ret->slope[f];
        }
        ret->apart = 1;
        ret->step = -ret->step;
    }
    ptrdiff_t last = ret->score + (ret->count - 1) * ret->step, size = labs(ret->apart);
    ret->place = size > 1 ? cell % size : cell;
    ret->column = size > 1 ? (cell - ret->place) / ret->apart : 0;
    return ret->score >= 0 && last >= 0 && ret->score <= INT32_MAX && last <= INT32_MAX &&
           labs(ret->step) <= MOST_STEP;
}

/* Adds the lines of what is used. TZ_TOO_LARGE: one is too far. */
static tz_status list_lines(tz_chart *chart, unsigned w, const tz_used *used, unsigned forms,
                            size_t *count) {
    const tz_places places = tz_places_of_cells(chart, w);
    tz_buffer *list = &chart->passes.scratch;
    const tz_rules *rules = chart->plan->rules;
    const tz_lane_scores *bound = tz_padded_weight(chart, 0, w);
    tz_rows rows;
    for (tz_rows_start_in(&rows, rules, w, used->nest, used->length); tz_rows_next(&rows);) {
        line row = {0};
        row.place = tz_row_place(&places, &rows, &row.apart);
        for (unsigned q = 0; q < rows.rank; q++) {
            row.score += (ptrdiff_t)(rows.index[q] - bound->origin[q]) * bound->scores.stride[q];
            row.step += (ptrdiff_t)rows.move[q] * bound->scores.stride[q];
        }
        tz_row_forms form;
        tz_find_row_forms(rules, w, forms, used->length, rows.index, rows.move, &form);
        for (unsigned f = 0; f < forms; f++) {
            row.form[f] = (double)form.first[f];
            row.slope[f] = (double)form.step[f];
        }
        for (size_t at = 0, hole = 0; at < rows.count; at = ++hole) {
            bool any = tz_row_hole(&rows, &hole);
            hole = any ? hole : rows.count;
            if (hole == at)
                continue;
            tz_status status = tz_buffer_grow(list, *count + 1, sizeof row);
            if (status != TZ_OK)
                return status;
            if (!cut_line(&row, at, hole, (line *)list->data + (*count)++))
                return TZ_TOO_LARGE;
        }
    }
    return TZ_OK;
}

static int compare(ptrdiff_t a, ptrdiff_t b) {
    return (a > b) - (a < b);
}

/* Those that may be rows of a patch, or its columns, one after the other. */
static int compare_lines(const void *first, const void *second) {
    const line *a = first, *b = second;
    return a->apart != b->apart     ? compare(a->apart, b->apart)
           : a->step != b->step     ? compare(a->step, b->step)
           : a->place != b->place   ? compare(a->place, b->place)
           : a->column != b->column ? compare(a->column, b->column)
                                    : compare(a->score, b->score);
}

/* ---- Patches -------------------------------------------------------------------------------- */

/* Where patches go; they are only counted where there is no memory yet. */
typedef struct cutter {
    ptrdiff_t rows;
    tz_patch *patch;
    double *form;
    unsigned forms;
    size_t pitch; /* from form to form */
    size_t patches, packed;
    double value[TZ_FORMS][TZ_PATCH][TZ_PATCH]; /* of forms by column and row of the next patch */
} cutter;

static void set_forms(cutter *c, const line *l, ptrdiff_t cell, ptrdiff_t row, ptrdiff_t column) {
    for (unsigned f = 0; f < c->forms; f++)
        c->value[f][column][row] = l->form[f] + (double)cell * l->slope[f];
}

/* Are scores of all rows neighbours, too? Then those that are not there are given places as well.
 */
static bool place_beside(ptrdiff_t rows, tz_patch *p) {
    ptrdiff_t first = 0;
    while (first < rows && p->row[first] == 0)
        first++;
    if (first == rows || p->far[first] < first)
        return false;
    const int32_t base = p->far[first] - (int32_t)first;
    for (ptrdiff_t r = first; r < rows; r++)
        if (p->row[r] != 0 && p->far[r] != base + r)
            return false;
    for (ptrdiff_t r = 0; r < rows; r++)
        p->far[r] = base + (int32_t)r;
    return true;
}

/* Adds a patch whose rows are filled in. */
static void add(cutter *c, tz_patch *p) {
    ptrdiff_t next = 0;
    p->beside = place_beside(c->rows, p);
    p->full = p->step == 1 && !p->beside;
    for (ptrdiff_t r = 0; r < c->rows; r++) {
        p->full &= p->row[r] == (uint16_t)-1;
        for (int k = 0; k < p->columns; k++)
            p->column[k] |= (uint16_t)((p->row[r] >> k & 1) << r);
    }
    for (int k = 0; k < p->columns; k++) {
        unsigned of = p->column[k];
        ptrdiff_t first = of != 0 ? __builtin_ctz(of) : 0,
                  end = of != 0 ? 32 - __builtin_clz(of) : 0;
        p->start[k] = (int16_t)(next - first);
        for (unsigned f = 0; f < c->forms && c->form != NULL; f++)
            memcpy(c->form + f * c->pitch + c->packed + next, c->value[f][k] + first,
                   (size_t)(end - first) * sizeof(double));
        next += end - first;
    }
    p->packed = (int32_t)((next + TZ_LIFTED - 1) & -TZ_LIFTED);
    if (c->patch != NULL)
        c->patch[c->patches] = *p;
    c->patches++;
    c->packed += (size_t)p->packed;
}

/* Lines that the chart runs along, as many as are equally far apart; returns how many. */
static size_t cut_columns(cutter *c, const line *l, size_t lines) {
    ptrdiff_t apart = 0, step = 0, rest;
    size_t n = 1;
    for (; n < lines && n < TZ_PATCH; n++) {
        ptrdiff_t up = l[n].place - l[n - 1].place, on = l[n].score - l[n - 1].score;
        apart = n == 1 ? up : apart;
        step = n == 1 ? on : step;
        if (l[n].apart != 1 || l[n].step != l->step || l[n].count != l->count || up != apart ||
            on != step || labs(step) > MOST_STEP)
            break;
    }
    for (ptrdiff_t first = 0; first < l->count; first += c->rows) {
        tz_patch p = {.near = (int32_t)(l->place + first), .columns = (int32_t)n};
        p.apart = n > 1 ? (int32_t)apart : 0;
        p.step = n > 1 ? (int32_t)step : 0;
        rest = l->count - first;
        for (ptrdiff_t r = 0; r < c->rows && r < rest; r++) {
            p.far[r] = (int32_t)(l->score + (first + r) * l->step);
            p.row[r] = (uint16_t)((1u << n) - 1);
            for (size_t k = 0; k < n; k++)
                set_forms(c, &l[k], first + r, r, (ptrdiff_t)k);
        }
        add(c, &p);
    }
    return n;
}

/* Takes the next cells of a line into a row of a patch whose first column is `low`. */
static void cut_row(cutter *c, line *l, ptrdiff_t low, ptrdiff_t row, tz_patch *p) {
    ptrdiff_t skip = l->column - low;
    if (skip >= TZ_PATCH)
        return;
    ptrdiff_t n = l->count < TZ_PATCH - skip ? l->count : TZ_PATCH - skip;
    p->far[row] = (int32_t)(l->score - skip * l->step);
    p->row[row] = (uint16_t)(((1u << n) - 1) << skip);
    p->columns = skip + n > p->columns ? (int32_t)(skip + n) : p->columns;
    for (ptrdiff_t i = 0; i < n; i++)
        set_forms(c, l, i, row, skip + i);
    l->column += n;
    l->score += n * l->step;
    l->count -= n;
    for (unsigned f = 0; f < c->forms; f++)
        l->form[f] += (double)n * l->slope[f];
}

/* Lines whose places are so near that they are rows of the same patches; returns how many. They are
 * used up. */
static size_t cut_rows(cutter *c, line *l, size_t lines) {
    ptrdiff_t base = l->place - l->place % c->rows;
    size_t at[TZ_PATCH], end[TZ_PATCH], n = 0;
    for (ptrdiff_t r = 0; r < c->rows; r++) {
        at[r] = n;
        while (n < lines && l[n].place == base + r && l[n].apart == l->apart &&
               l[n].step == l->step)
            n++;
        end[r] = n;
    }
    for (;;) {
        ptrdiff_t low = PTRDIFF_MAX;
        for (ptrdiff_t r = 0; r < c->rows; r++) {
            at[r] += at[r] < end[r] && l[at[r]].count == 0;
            if (at[r] < end[r] && l[at[r]].column < low)
                low = l[at[r]].column;
        }
        if (low == PTRDIFF_MAX)
            return n;
        tz_patch p = {.near = (int32_t)(base + low * l->apart),
                      .apart = (int32_t)l->apart,
                      .step = (int32_t)l->step};
        for (ptrdiff_t r = 0; r < c->rows; r++)
            if (at[r] < end[r])
                cut_row(c, &l[at[r]], low, r, &p);
        add(c, &p);
    }
}

static void cut(cutter *c, line *l, size_t lines) {
    c->patches = c->packed = 0;
    for (size_t n = 0; n < lines;)
        n += l[n].apart == 1 ? cut_columns(c, l + n, lines - n) : cut_rows(c, l + n, lines - n);
}

tz_status tz_score_map_patch(tz_chart *chart, unsigned w, unsigned forms, tz_score_map *map) {
    size_t lines = 0;
    tz_status status = TZ_OK;
    for (tz_used u = tz_used_of(&chart->plan->rules->weight[w], chart->bound.longest, map->shorter);
         status == TZ_OK && tz_used_next(&u);)
        status = list_lines(chart, w, &u, forms, &lines);
    if (status == TZ_OK)
        status = tz_buffer_grow(&chart->passes.scratch, 2 * lines + 1, sizeof(line));
    if (status != TZ_OK)
        return status;
    line *line = chart->passes.scratch.data, *copy = line + lines;
    qsort(line, lines, sizeof *line, compare_lines);
    memcpy(copy, line, lines * sizeof *line);
    /* Of the narrow ones where there are: the map serves wide ones, too. */
    const size_t size = chart->plan->has_narrow ? chart->plan->narrow.size : chart->algebra->size;
    cutter c = {.rows = size < LINE / TZ_LIFTED ? LINE / (ptrdiff_t)size : TZ_LIFTED,
                .forms = forms};
    cut(&c, copy, lines);
    status = tz_buffer_reserve(&map->piece, c.patches + TZ_AHEAD, sizeof(tz_patch));
    if (status == TZ_OK && forms > 0)
        status = tz_buffer_reserve(&map->form, c.packed, forms * sizeof(double));
    if (status != TZ_OK)
        return status;
    map->pieces = c.patches;
    map->packed = c.pitch = c.packed;
    map->rows = (size_t)c.rows;
    c.patch = map->piece.data;
    c.form = map->form.data;
    memset(c.patch, 0, map->piece.size);
    if (forms > 0)
        memset(c.form, 0, map->form.size);
    cut(&c, line, lines);
    return TZ_OK;
}
