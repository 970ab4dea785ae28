/* score_map.c - which of a weight's scores goes to which cell, for lanes whose arrays have the
 * same layout (padding.c). Working it out takes several times as long as lifting the scores, so a
 * chart keeps what it has found for the lengths and strides that it has seen.
 *
 * One lane: see score_map_patch.c. Several: pieces are neighbours in the caller's arrays, and
 * scores of the lanes, transposed, are dealt out to cells as a whole. Cells that belong to no score
 * are not touched: they are zero. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/chart/scale.h"
#include "engine/chart/score_maps.h"
#include "engine/layout/places.h"

enum { MOST_KEPT = 1 << 26 }; /* bytes of maps in a chart */

void tz_score_map_free_all(tz_chart *chart) {
    while (chart->score_map != NULL) {
        tz_score_map *next = chart->score_map->next;
        tz_buffer_free(&chart->score_map->piece);
        tz_buffer_free(&chart->score_map->form);
        free(chart->score_map);
        chart->score_map = next;
    }
}

/* ---- Making one ----------------------------------------------------------------------------- */

enum { NONE = -1 }; /* scores before the first one, where strides are negative, are in no map */

/* The scores of a weight's shape in row-major order: the cell of each, and the forms of gauges,
 * form after form. */
typedef struct places {
    size_t count;
    int32_t *cell;
    unsigned forms;
} places;

/* How many scores there are of several lanes, cells of one; false: too many. */
static bool count_places(const tz_chart *chart, unsigned w, size_t *ret) {
    const tz_lane_scores *bound = tz_padded_weight(chart, 0, w);
    const tz_box *box = &chart->layout.weight_box[w];
    size_t count = chart->lanes == 1 ? box->size : 1;
    for (unsigned q = 0; q < chart->plan->rules->weight[w].rank && chart->lanes > 1; q++)
        if (__builtin_mul_overflow(count, (size_t)bound->extent[q], &count))
            return false;
    *ret = count;
    return count <= TZ_SCORE_MAP_MOST && box->offset + box->size <= INT32_MAX;
}

/* Fills in the places of what is used. */
static void fill_places(const tz_chart *chart, unsigned w, const tz_used *used, places *p) {
    const tz_rules *rules = chart->plan->rules;
    const tz_lane_scores *bound = tz_padded_weight(chart, 0, w);
    const tz_places places = tz_places_of_cells(chart, w);
    tz_rows rows;
    for (tz_rows_start_in(&rows, rules, w, used->nest, used->length); tz_rows_next(&rows);) {
        ptrdiff_t apart, cell = tz_row_place(&places, &rows, &apart), position = 0, along = 0;
        for (unsigned q = 0; q < rows.rank; q++) {
            position = position * bound->extent[q] + (ptrdiff_t)rows.index[q] - bound->origin[q];
            along = along * bound->extent[q] + (ptrdiff_t)rows.move[q];
        }
        tz_row_forms form;
        tz_find_row_forms(rules, w, p->forms, used->length, rows.index, rows.move, &form);
        size_t hole = 0;
        bool any = tz_row_hole(&rows, &hole);
        for (size_t at = 0; at < rows.count; at++) {
            ptrdiff_t i = (ptrdiff_t)at, place = position + i * along;
            if (any && at == hole) {
                hole++;
                any = tz_row_hole(&rows, &hole);
                continue;
            }
            p->cell[place] = (int32_t)(cell + i * apart);
            for (unsigned f = 0; f < p->forms; f++)
                p->cell[(f + 1) * p->count + (size_t)place] =
                    (int32_t)(form.first[f] + i * form.step[f]);
        }
    }
}

/* Adds the pieces of scores first..end-1, which stand at `near` and after; only counts them where
 * the map has no memory yet. Pieces may take in scores of no cell, so as to be long. */
static void cut(tz_score_map *map, const places *p, size_t first, size_t end, size_t near,
                size_t *packed) {
    for (size_t at = first; at < end;) {
        if (p->cell[at] == NONE) {
            at++;
            continue;
        }
        size_t begin = at, piece = map->pieces++;
        at = end - at < TZ_PIECE ? end : at + TZ_PIECE;
        tz_piece made = {.near = (int32_t)(near + begin - first), .count = (int32_t)(at - begin)};
        memcpy(made.far, p->cell + begin, (at - begin) * sizeof *made.far);
        if (map->piece.data != NULL) {
            ((tz_piece *)map->piece.data)[piece] = made;
            for (unsigned f = 0; f < p->forms; f++)
                for (size_t i = begin; i < at; i++)
                    ((double *)map->form.data)[f * map->packed + *packed + i - begin] =
                        (double)p->cell[(f + 1) * p->count + i];
        }
        *packed += (size_t)tz_packed(&made);
    }
}

/* The same of all scores; returns how many they are when they are packed. Neighbours in an array
 * are those along its last dimensions, as far as there are no gaps. */
static size_t cut_all(const tz_chart *chart, unsigned w, const places *p, tz_score_map *map) {
    const tz_lane_scores *bound = tz_padded_weight(chart, 0, w);
    size_t row = 1, packed = 0;
    unsigned outer = chart->plan->rules->weight[w].rank;
    map->pieces = 0;
    while (outer > 0 && bound->scores.stride[outer - 1] == (ptrdiff_t)row)
        row *= (size_t)bound->extent[--outer];
    for (size_t first = 0; first < p->count; first += row) {
        ptrdiff_t near = 0;
        size_t rest = first / row;
        for (unsigned q = outer; q-- > 0; rest /= (size_t)bound->extent[q])
            near += (ptrdiff_t)(rest % (size_t)bound->extent[q]) * bound->scores.stride[q];
        cut(map, p, first, first + row, (size_t)near, &packed);
    }
    return packed;
}

static tz_status make_pieces(tz_chart *chart, unsigned w, unsigned forms, size_t scores,
                             tz_score_map *map) {
    const tz_weight *weight = &chart->plan->rules->weight[w];
    places p = {.count = scores, .forms = forms};
    tz_status status =
        tz_buffer_reserve(&chart->passes.scratch, p.count * (forms + 1u), sizeof *p.cell);
    if (status != TZ_OK)
        return status;
    p.cell = chart->passes.scratch.data;
    for (size_t at = 0; at < p.count * (forms + 1u); at++)
        p.cell[at] = at < p.count ? NONE : 0;
    for (tz_used used = tz_used_of(weight, chart->bound.longest, map->shorter);
         tz_used_next(&used);)
        fill_places(chart, w, &used, &p);
    map->packed = cut_all(chart, w, &p, map);
    tz_buffer piece = {0};
    status = tz_buffer_reserve(&piece, map->pieces, sizeof(tz_piece));
    if (status == TZ_OK && forms > 0)
        status = tz_buffer_reserve(&map->form, map->packed, forms * sizeof(double));
    map->piece = piece;
    if (status != TZ_OK)
        return status;
    if (forms > 0)
        memset(map->form.data, 0, map->form.size);
    cut_all(chart, w, &p, map);
    return TZ_OK;
}

static tz_status make(tz_chart *chart, unsigned w, tz_score_map *map) {
    const tz_rules *rules = chart->plan->rules;
    size_t count;
    unsigned forms = 0;
    if (!count_places(chart, w, &count))
        return TZ_TOO_LARGE;
    for (unsigned g = 0; g < tz_used_gauges(rules) && chart->plan->has_narrow; g++) {
        const tz_form *form = &rules->gauge[g].weight[w];
        for (unsigned i = 0; i < TZ_PIECE; i++)
            map->same[g][i] =
                (double)tz_form_value(form, rules->lengths, chart->bound.longest, 0, NULL);
        if (tz_form_has_columns(form))
            forms = tz_used_gauges(rules);
    }
    tz_buffer_free(&map->piece);
    tz_buffer_free(&map->form);
    return chart->lanes == 1 ? tz_score_map_patch(chart, w, forms, map)
                             : make_pieces(chart, w, forms, count, map);
}

/* ---- Keeping them --------------------------------------------------------------------------- */

static bool is_shorter(const tz_chart *chart) {
    return chart->plan->ends && !chart->bound.same_lengths;
}

static bool fits(const tz_score_map *m, const tz_chart *chart, unsigned w) {
    const tz_scores *scores = &tz_padded_weight(chart, 0, w)->scores;
    size_t strides = chart->plan->rules->weight[w].rank * sizeof *scores->stride;
    return m->complete && m->weight == w && m->lanes == chart->lanes &&
           m->shorter == is_shorter(chart) &&
           memcmp(m->longest, chart->bound.longest, sizeof m->longest) == 0 &&
           memcmp(m->room, chart->layout.room, sizeof m->room) == 0 &&
           memcmp(m->stride, scores->stride, strides) == 0;
}

tz_status tz_score_map_find(tz_chart *chart, unsigned w, const tz_score_map **ret) {
    tz_score_map **link = &chart->score_map, **last = link;
    size_t bytes = 0;
    for (; *link != NULL && !fits(*link, chart, w); link = &(*link)->next) {
        bytes += (*link)->piece.size + (*link)->form.size;
        last = link;
    }
    if (*link == NULL && *last != NULL && (bytes > MOST_KEPT || !(*last)->complete))
        link = last;
    tz_score_map *map = *link;
    if (map == NULL)
        map = calloc(1, sizeof *map);
    else
        *link = map->next;
    if (map == NULL)
        return TZ_NO_MEMORY;
    map->next = chart->score_map;
    chart->score_map = map;
    tz_status status = TZ_OK;
    if (!fits(map, chart, w)) {
        map->complete = false;
        map->shorter = is_shorter(chart);
        status = make(chart, w, map);
        map->complete = status == TZ_OK;
        map->weight = w;
        map->lanes = chart->lanes;
        memcpy(map->longest, chart->bound.longest, sizeof map->longest);
        memcpy(map->room, chart->layout.room, sizeof map->room);
        memcpy(map->stride, tz_padded_weight(chart, 0, w)->scores.stride, sizeof map->stride);
    }
    *ret = map;
    return status;
}
