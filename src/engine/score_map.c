/* score_map.c - which of a weight's scores goes to which cell, for lanes of the same lengths whose
 * arrays are laid out alike. Working it out takes several times as long as lifting the scores, so a
 * chart keeps what it has found for the lengths and strides that it has seen.
 *
 * One lane: pieces are neighbours in the chart, and the scores are picked from wherever they stand.
 * Several: pieces are neighbours in the caller's arrays, and scores of the lanes, transposed, are
 * dealt out to cells as a whole. Cells that belong to no score are not touched: they are zero.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

enum {
    MOST_CELLS = 1 << 20, /* of a weight; those of more are gone through row by row */
    MOST_KEPT = 1 << 26   /* bytes of maps in a chart */
};

void tz_score_maps_free(tz_chart *chart) {
    while (chart->score_map != NULL) {
        tz_score_map *next = chart->score_map->next;
        tz_buffer_free(&chart->score_map->piece);
        free(chart->score_map);
        chart->score_map = next;
    }
}

/* ---- Making one ----------------------------------------------------------------------------- */

enum { NONE = -1 }; /* scores before the first one, where strides are negative, are not mapped */

/* Places are the cells of the weight's box, or the scores of its shape in row-major order. */
static bool count_places(const tz_chart *chart, unsigned w, bool cells, size_t *ret) {
    const tz_lane_scores *bound = tz_lane_weight(chart, 0, w);
    const tz_box *box = &chart->weight_box[w];
    size_t count = box->size;
    unsigned rank = chart->plan->rules->weight[w].rank;
    if (!cells) {
        count = 1;
        for (unsigned q = 0; q < rank; q++)
            if (__builtin_mul_overflow(count, (size_t)bound->extent[q], &count))
                return false;
    }
    *ret = count;
    return count <= MOST_CELLS && box->offset + box->size <= INT32_MAX;
}

/* Notes for each place that a nest covers what is at the other end: where its score stands in the
 * array, or its cell. False: too far. */
static bool fill_places(const tz_chart *chart, unsigned w, const tz_nest *nest, bool cells,
                        int32_t *place) {
    const tz_rules *rules = chart->plan->rules;
    const tz_lane_scores *bound = tz_lane_weight(chart, 0, w);
    const tz_box *box = &chart->weight_box[w];
    tz_rows rows;
    for (tz_rows_start_in(&rows, rules, w, nest, tz_lane_length(chart, 0)); tz_rows_next(&rows);) {
        ptrdiff_t apart, cell = tz_row_cells(chart, w, &rows, &apart), position = 0, along = 0,
                         offset = 0, step = 0;
        for (unsigned q = 0; q < rows.rank; q++) {
            ptrdiff_t index = (ptrdiff_t)rows.index[q] - bound->origin[q], move = rows.move[q];
            position = position * bound->extent[q] + index;
            along = along * bound->extent[q] + move;
            offset += index * bound->scores.stride[q];
            step += move * bound->scores.stride[q];
        }
        size_t hole = 0;
        bool any = tz_row_hole(&rows, &hole);
        for (size_t at = 0; at < rows.count; at++) {
            ptrdiff_t i = (ptrdiff_t)at, score = offset + i * step, to = cell + i * apart;
            if (any && at == hole) {
                hole++;
                any = tz_row_hole(&rows, &hole);
                continue;
            }
            if (score < 0 || score > INT32_MAX)
                return false;
            if (cells)
                place[to - (ptrdiff_t)box->offset] = (int32_t)score;
            else
                place[position + i * along] = (int32_t)to;
        }
    }
    return true;
}

/* The pieces of places first..end-1, which stand at `near` and after, are written to opt_piece;
 * returns how many. whole: pieces may take in places that stand for nothing, so as to be long. */
static size_t cut(const int32_t *place, size_t first, size_t end, size_t near, bool whole,
                  tz_piece *opt_piece) {
    size_t pieces = 0;
    for (size_t at = first; at < end; pieces++) {
        while (at < end && place[at] == NONE)
            at++;
        if (at == end)
            break;
        tz_piece p = {.near = (int32_t)(near + at - first)};
        for (; at < end && p.count < TZ_PIECE && (whole || place[at] != NONE); at++)
            p.far[p.count++] = place[at];
        if (opt_piece != NULL)
            opt_piece[pieces] = p;
    }
    return pieces;
}

/* The same of all places. Neighbours in an array are those along its last dimensions, as far as
 * there are no gaps. */
static size_t cut_all(const tz_chart *chart, unsigned w, const int32_t *place, size_t places,
                      tz_piece *opt_piece) {
    const tz_lane_scores *bound = tz_lane_weight(chart, 0, w);
    if (chart->lanes == 1)
        return cut(place, 0, places, chart->weight_box[w].offset, false, opt_piece);
    size_t row = 1, pieces = 0;
    unsigned outer = chart->plan->rules->weight[w].rank;
    while (outer > 0 && bound->scores.stride[outer - 1] == (ptrdiff_t)row)
        row *= (size_t)bound->extent[--outer];
    for (size_t first = 0; first < places; first += row) {
        ptrdiff_t near = 0;
        size_t rest = first / row;
        for (unsigned q = outer; q-- > 0; rest /= (size_t)bound->extent[q])
            near += (ptrdiff_t)(rest % (size_t)bound->extent[q]) * bound->scores.stride[q];
        pieces += cut(place, first, first + row, (size_t)near, true,
                      opt_piece != NULL ? opt_piece + pieces : NULL);
    }
    return pieces;
}

static tz_status make(tz_chart *chart, unsigned w, tz_score_map *map) {
    const tz_weight *weight = &chart->plan->rules->weight[w];
    bool cells = chart->lanes == 1, fits = true;
    size_t places;
    if (!count_places(chart, w, cells, &places))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->scratch, places, sizeof(int32_t));
    if (status != TZ_OK)
        return status;
    int32_t *place = chart->scratch.data;
    for (size_t at = 0; at < places; at++)
        place[at] = NONE;
    for (unsigned u = 0; u < weight->uses && fits; u++)
        fits = fill_places(chart, w, &weight->used[u], cells, place);
    if (weight->uses == 0)
        fits = fill_places(chart, w, &weight->cells, cells, place);
    if (!fits)
        return TZ_TOO_LARGE;
    map->pieces = cut_all(chart, w, place, places, NULL);
    status = tz_buffer_reserve(&map->piece, map->pieces, sizeof(tz_piece));
    if (status == TZ_OK)
        cut_all(chart, w, place, places, map->piece.data);
    return status;
}

/* ---- Keeping them --------------------------------------------------------------------------- */

static bool fits(const tz_score_map *m, const tz_chart *chart, unsigned w) {
    const tz_scores *scores = &tz_lane_weight(chart, 0, w)->scores;
    size_t strides = chart->plan->rules->weight[w].rank * sizeof *scores->stride;
    return m->complete && m->weight == w && m->lanes == chart->lanes &&
           memcmp(m->longest, chart->longest, sizeof m->longest) == 0 &&
           memcmp(m->stride, scores->stride, strides) == 0;
}

tz_status tz_score_map_find(tz_chart *chart, unsigned w, const tz_score_map **ret) {
    tz_score_map **link = &chart->score_map, **last = link;
    size_t bytes = 0;
    for (; *link != NULL && !fits(*link, chart, w); link = &(*link)->next) {
        bytes += (*link)->piece.size;
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
        status = make(chart, w, map);
        map->complete = status == TZ_OK;
        map->weight = w;
        map->lanes = chart->lanes;
        memcpy(map->longest, chart->longest, sizeof map->longest);
        memcpy(map->stride, tz_lane_weight(chart, 0, w)->scores.stride, sizeof map->stride);
    }
    *ret = map;
    return status;
}
