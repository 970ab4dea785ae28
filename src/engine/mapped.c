/* mapped.c - scores lifted by maps (score_map.c): for lanes of the same lengths whose arrays are
 * laid out alike, and semirings that copy scores or scale them.
 *
 * Copies go straight to their cells. Scores that are to be scaled are gone through once, so many at
 * a time as stay in the first-level cache between being taken, lifted and put to their cells. The
 * scales are told before that by a few samples: a derivation picks one score among some tens, time
 * and again, and so comes close to the largest of a sample, but not to the largest of all.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/bind.h"

enum {
    LANES = 16,   /* that are lifted at once, */
    SCORES = 512, /* and scores */
    SAMPLES = 4,  /* that are looked at for large scores, */
    SAMPLE = 2    /* pieces each */
};

/* Lanes first..first+count-1, and where their scores are. */
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

/* Takes samples so many pieces apart: the mean of their largest scores, of each lane. False: there
 * was none but -infinity of some lane. */
static bool sample(const tz_chart *chart, unsigned w, const tz_score_map *map, const group *g,
                   size_t apart, double *ret_mean) {
    tz_type type = tz_lane_weight(chart, 0, w)->scores.type;
    double room[SAMPLE * TZ_PIECE * LANES], sum[LANES] = {0};
    int samples[LANES] = {0};
    bool told = true;
    for (size_t p = 0; p < map->pieces; p += apart) {
        double most[LANES];
        for (size_t l = 0; l < g->count; l++)
            most[l] = -INFINITY;
        take(chart, map, g, type, p, map->pieces - p < SAMPLE ? 1 : SAMPLE, room,
             (ptrdiff_t)g->count, most);
        for (size_t l = 0; l < g->count; l++) {
            bool any = most[l] > -INFINITY;
            sum[l] += any ? most[l] : 0;
            samples[l] += any;
        }
    }
    for (size_t l = 0; l < g->count; l++) {
        ret_mean[l] = samples[l] > 0 ? sum[l] / samples[l] : -INFINITY;
        told &= samples[l] > 0;
    }
    return told;
}

tz_status tz_sample_mapped(tz_chart *chart, unsigned w, double *ret_most) {
    size_t weights = chart->plan->rules->weights;
    const tz_score_map *map;
    tz_status status = tz_score_map_find(chart, w, &map);
    if (status != TZ_OK)
        return status;
    for (group g = {0}; next_group(chart, w, &g);) {
        double mean[LANES];
        if (!sample(chart, w, map, &g, map->pieces / SAMPLES + SAMPLE, mean))
            sample(chart, w, map, &g, SAMPLE, mean);
        for (size_t l = 0; l < g.count; l++)
            ret_most[(g.first + l) * weights + w] = mean[l];
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

static bool lift_group(tz_chart *chart, unsigned w, const tz_score_map *map, const group *g) {
    const tz_algebra *algebra = chart->algebra;
    unsigned gauges = tz_used_gauges(chart->plan->rules);
    const tz_piece *piece = map->piece.data, whole = {.count = TZ_PIECE};
    const double *form = map->form.data;
    char *to = (char *)chart->space[TZ_AT_WEIGHT].data + g->first * algebra->size;
    tz_type type = tz_lane_weight(chart, 0, w)->scores.type;
    const size_t each = TZ_PIECE * g->count;
    _Alignas(TZ_MAX_ALIGN) double taken[SCORES], score[SCORES], shift[SCORES];
    /* Vectors are loaded from here as a whole. */
    _Alignas(TZ_MAX_ALIGN) char lifted[SCORES * sizeof(double) + TZ_MAX_ALIGN];
    double scale[TZ_FORMS * LANES], most[LANES] = {0};
    bool allowed = true;
    find_scales(chart, g, scale);
    if (form == NULL) {
        algebra->shift(shift, scale, g->count, map->same[0], gauges, &whole, 1);
        for (size_t known = each, more; known < SCORES; known += more) {
            more = known < SCORES - known ? known : SCORES - known;
            memcpy(shift + known, shift, more * sizeof *shift);
        }
    }
    for (size_t p = 0, n; p < map->pieces; p += n) {
        const double *from = type == TZ_FLOAT ? score : taken;
        size_t count = 0;
        for (n = 0; p + n < map->pieces && count + each <= SCORES; n++)
            count += (size_t)tz_packed(&piece[p + n]) * g->count;
        allowed &= take(chart, map, g, type, p, n, taken, (ptrdiff_t)g->count, most);
        for (size_t i = 0; type == TZ_FLOAT && i < count; i++)
            score[i] = (double)((const float *)taken)[i];
        if (form != NULL)
            algebra->shift(shift, scale, g->count, form + p * gauges * TZ_PIECE, gauges, piece + p,
                           n);
        chart->misfit |= !algebra->lift_scaled(algebra->semiring, lifted, from, shift, count);
        algebra->put(to, (ptrdiff_t)chart->lanes, lifted, (ptrdiff_t)g->count, g->count, piece + p,
                     n);
    }
    return allowed;
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
            *ret_allowed &= lift_group(chart, w, map, &g);
    return TZ_OK;
}
