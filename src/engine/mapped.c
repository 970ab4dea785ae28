/* mapped.c - scores lifted by maps (score_map.c): for lanes of the same lengths whose arrays are
 * laid out alike, and semirings that copy scores or scale them.
 *
 * Copies go straight to their cells. Scales follow from the largest scores, so scores that are to
 * be scaled are packed when these are found, and lifted from there: vectors are full, whatever the
 * rows of the weight. So many that no cache holds them are packed a few pieces at a time instead.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/bind.h"

enum {
    LANES = 16,           /* that are lifted at once, */
    SCORES = 256,         /* and scores */
    MOST_PACKED = 1 << 19 /* bytes of scores that are kept packed */
};

/* Lanes first..first+count-1; element i of the packed scores of lane l stands at i * count + l. */
typedef struct group {
    size_t first, count;
    const void *from[LANES];
} group;

/* The group after, the first one after {0}; false past the last. */
static bool next_group(const tz_chart *chart, unsigned w, group *g) {
    size_t left = chart->lanes - g->first - g->count;
    g->first += g->count;
    g->count = left < LANES ? left : LANES;
    for (size_t l = 0; l < g->count; l++)
        g->from[l] = tz_lane_weight(chart, g->first + l, w)->scores.data;
    return left > 0;
}

/* pick or deal: pieces first..first+count-1. */
static bool take(const tz_chart *chart, const tz_score_map *map, const group *g, tz_type type,
                 size_t first, size_t count, void *to, ptrdiff_t pitch, double *opt_most) {
    const tz_algebra *algebra = chart->algebra;
    const tz_piece *piece = (const tz_piece *)map->piece.data + first;
    double limit = chart->plan->wide.limit;
    return chart->lanes == 1
               ? algebra->pick[type](to, *g->from, piece, count, limit, opt_most)
               : algebra->deal[type](to, pitch, g->from, g->count, piece, count, limit, opt_most);
}

static size_t size_of(tz_type type) {
    return type == TZ_FLOAT ? sizeof(float) : sizeof(double);
}

bool tz_mapped(const tz_chart *chart, unsigned w) {
    const tz_algebra *algebra = chart->algebra;
    size_t size = size_of(tz_lane_weight(chart, 0, w)->scores.type);
    return chart->uniform && chart->facts == NULL && !chart->weight_box[w].absent &&
           (algebra->copies ? algebra->size == size : algebra->lift_scaled != NULL) &&
           tz_laid_out_alike(chart, 0, chart->lanes, w);
}

/* ---- Scaling -------------------------------------------------------------------------------- */

/* Are packed scores kept? */
static bool kept(const tz_chart *chart, const tz_score_map *map, tz_type type) {
    return map->pieces * chart->lanes <= MOST_PACKED / (TZ_PIECE * size_of(type));
}

/* Where pieces first.. of a group are packed. */
static void *packed_at(const tz_chart *chart, unsigned w, const tz_score_map *map, const group *g,
                       size_t first, tz_type type) {
    return (char *)chart->packed[w].data +
           (g->first * map->pieces + first * g->count) * TZ_PIECE * size_of(type);
}

tz_status tz_pack_mapped(tz_chart *chart, unsigned w, bool *ret_allowed, double *ret_most) {
    tz_type type = tz_lane_weight(chart, 0, w)->scores.type;
    size_t weights = chart->plan->rules->weights;
    const tz_score_map *map;
    tz_status status = tz_score_map_find(chart, w, &map);
    if (status == TZ_OK && !kept(chart, map, type))
        status = TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->packed[w], map->pieces * chart->lanes + 1,
                                   TZ_PIECE * size_of(type));
    if (status != TZ_OK)
        return status;
    *ret_allowed = true;
    for (group g = {0}; next_group(chart, w, &g);) {
        double most[LANES];
        for (size_t l = 0; l < g.count; l++)
            most[l] = -INFINITY;
        *ret_allowed &= take(chart, map, &g, type, 0, map->pieces,
                             packed_at(chart, w, map, &g, 0, type), (ptrdiff_t)g.count, most);
        for (size_t l = 0; l < g.count; l++)
            ret_most[(g.first + l) * weights + w] = most[l];
    }
    return TZ_OK;
}

/* The scales of a group by gauge, then lane. */
static void find_scales(const tz_chart *chart, const group *g, double *ret) {
    const tz_rules *rules = chart->plan->rules;
    for (size_t f = 0; f < tz_used_gauges(rules); f++)
        for (size_t l = 0; l < g->count; l++)
            ret[f * g->count + l] = chart->scale[(g->first + l) * rules->gauges + f];
}

/* Has the cells of pieces of several lanes brought near while what they will hold is computed. */
static void fetch_cells(const tz_chart *chart, char *to, const tz_piece *piece, size_t pieces) {
    for (size_t p = 0; p < pieces && chart->lanes > 1; p++)
        for (size_t i = 0; i < TZ_PIECE; i++) {
            ptrdiff_t cell = piece[p].far[i] > 0 ? piece[p].far[i] : 0;
            __builtin_prefetch(to + cell * (ptrdiff_t)(chart->lanes * chart->algebra->size), 1);
        }
}

static void lift_group(tz_chart *chart, unsigned w, const tz_score_map *map, const group *g) {
    const tz_algebra *algebra = chart->algebra;
    unsigned gauges = tz_used_gauges(chart->plan->rules);
    const tz_piece *piece = map->piece.data;
    const double *form = map->form.data;
    char *to = (char *)chart->space[TZ_AT_WEIGHT].data + g->first * algebra->size;
    tz_type type = tz_lane_weight(chart, 0, w)->scores.type;
    size_t each = TZ_PIECE * g->count, few = SCORES / each;
    _Alignas(TZ_MAX_ALIGN) double room[SCORES], score[SCORES], shift[SCORES];
    /* Vectors are loaded from here as a whole. */
    _Alignas(TZ_MAX_ALIGN) char lifted[SCORES * sizeof(double) + TZ_MAX_ALIGN];
    double scale[TZ_FORMS * LANES];
    find_scales(chart, g, scale);
    if (form == NULL) {
        algebra->shift(shift, scale, g->count, map->same[0], gauges, 1);
        for (size_t p = 1; p < few; p++)
            memcpy(shift + p * each, shift, each * sizeof *shift);
    }
    for (size_t p = 0, n; p < map->pieces; p += n) {
        const void *packed = room;
        double ignored[LANES] = {0};
        n = map->pieces - p < few ? map->pieces - p : few;
        if (kept(chart, map, type)) {
            packed = packed_at(chart, w, map, g, p, type);
        } else {
            take(chart, map, g, type, p, n, room, (ptrdiff_t)g->count, ignored);
            fetch_cells(chart, to, piece + p, n); /* nor are they near */
        }
        if (form != NULL)
            algebra->shift(shift, scale, g->count, form + p * gauges * TZ_PIECE, gauges, n);
        if (type == TZ_FLOAT) {
            for (size_t i = 0; i < n * each; i++)
                score[i] = (double)((const float *)packed)[i];
            packed = score;
        }
        chart->misfit |= !algebra->lift_scaled(algebra->semiring, lifted, packed, shift, n * each);
        algebra->put(to, (ptrdiff_t)chart->lanes, lifted, (ptrdiff_t)g->count, g->count, piece + p,
                     n);
    }
}

tz_status tz_lift_mapped(tz_chart *chart, unsigned w, bool *ret_allowed) {
    const tz_algebra *algebra = chart->algebra;
    tz_type type = tz_lane_weight(chart, 0, w)->scores.type;
    const tz_score_map *map;
    tz_status status = tz_score_map_find(chart, w, &map);
    if (status != TZ_OK)
        return status;
    *ret_allowed = true;
    for (group g = {0}; next_group(chart, w, &g);)
        if (algebra->copies)
            *ret_allowed &= take(chart, map, &g, type, 0, map->pieces,
                                 (char *)chart->space[TZ_AT_WEIGHT].data + g.first * algebra->size,
                                 (ptrdiff_t)chart->lanes, NULL);
        else
            lift_group(chart, w, map, &g);
    return TZ_OK;
}
