/* score_maps.h - lifts scores by maps that are kept. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_SCORE_MAPS_H
#define TZ_ENGINE_CHART_SCORE_MAPS_H

#include "engine/engine.h"

enum { TZ_SCORE_MAP_MOST = 1 << 22 }; /* cells of a weight; those of more are lifted row by row */

/* Which of a weight's scores goes to which cell, see score_map.c. */
struct tz_score_map {
    struct tz_score_map *next;
    /* What it was made for. */
    unsigned weight;
    size_t lanes;
    int32_t longest[TZ_MAX_LENGTHS], room[TZ_MAX_LENGTHS];
    ptrdiff_t stride[TZ_MAX_RANK];
    bool shorter; /* lanes may be shorter than the longest lengths */
    bool complete;

    tz_buffer piece; /* of tz_piece; one lane: tz_patch, and TZ_AHEAD more */
    size_t pieces;
    size_t rows;   /* of patches */
    size_t packed; /* scores, of a lane */
    /* Values of the gauges' forms (scale.c) for packed scores, double [used gauges][packed]; no
     * memory where they are the same for all cells. */
    tz_buffer form;
    double same[TZ_FORMS][TZ_PIECE];
};

/* The map of a weight that has a place, kept for the next time. The lanes' scores, padded where
 * needed, have the same strides. TZ_TOO_LARGE: a map is not worth it. */
tz_status tz_score_map_find(tz_chart *chart, unsigned weight, const tz_score_map **ret);
void tz_score_map_free_all(tz_chart *chart);
/* Fills the pieces of a map in, `piece` and what follows, for one lane; forms: how many gauges'
 * forms differ from cell to cell. Sizes have been checked. */
tz_status tz_score_map_patch(tz_chart *chart, unsigned weight, unsigned forms, tz_score_map *map);

/* Lifting by maps, score_map_lift.c: can the scores of a weight be lifted so? */
bool tz_score_map_possible(const tz_chart *chart, unsigned weight);
/* Estimates how large the scores are that derivations pick, for each lane,
 * ret_most[lanes][weights]: the mean of the largest scores of samples. TZ_TOO_LARGE: there is no
 * map. */
tz_status tz_score_map_sample(tz_chart *chart, unsigned weight, double *ret_most);
/* Lifts the scores; *ret_allowed: all that were read are allowed. TZ_TOO_LARGE likewise. */
tz_status tz_score_map_lift(tz_chart *chart, unsigned weight, bool *ret_allowed);

/* The array that maps are made for: the caller's or the padded one. */
static inline const tz_lane_scores *tz_padded_weight(const tz_chart *chart, size_t lane,
                                                     size_t weight) {
    return chart->bound.padded_scores + lane * chart->plan->rules->weights + weight;
}

#endif
