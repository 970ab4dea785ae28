/* scores.h - where numbers stand in the caller's arrays. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_SCORES_H
#define TZ_ENGINE_LAYOUT_SCORES_H

#include "engine/engine.h"

/* The score of a dense weight's cell. index: over the declared domain. */
double tz_lane_score(const tz_lane_scores *scores, unsigned rank, const int64_t *index);
double tz_entry_score(const tz_lane_scores *scores, size_t entry);
/* Writes a number for every cell of the shape, or for every entry. */
void tz_fill_output(const tz_chart *chart, size_t lane, unsigned weight, const tz_output *output,
                    double number);
/* The same for a declared weight. */
void tz_fill_given(const tz_chart *chart, size_t lane, unsigned declared, const tz_output *output,
                   double number);
tz_shape tz_given_shape(const tz_chart *chart, size_t lane, unsigned declared);

#endif
